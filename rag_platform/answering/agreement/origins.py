"""Which hits are one voice: a thing said five times by one is said once.

Texts of one source and host, or of one collection, are of one origin; so are texts of several that are made alike, by
the same words in a row, or by repeating the question that is asked: whoever plants texts so that a question finds them
writes the question into them (Zou et al., "PoisonedRAG", USENIX Security 2025), and a group of near-copies is taken for
one (Zhou et al., "TrustRAG", 2025). Voices are then counted as in Xiang et al., "Certifiably Robust RAG against
Retrieval Corruption" (2024): each passage by itself, the origins that say the same together.
"""

from collections.abc import Sequence
from itertools import combinations
from urllib.parse import urlsplit

from rag_platform.core.hits import Hit
from rag_platform.text.shingles import shared, shingles
from rag_platform.text.word_alignment import words_of

_ALIKE = 0.7
"""Share of the shorter passage's words in a row from which two texts are made alike."""
_SHORTEST = 4
"""Words of a question that a text may repeat by chance."""


def origins(question: str, hits: Sequence[Hit]) -> list[int]:
    """Return of each hit its origin, as a number."""
    named = [_origin(hit) for hit in hits]
    group = [named.index(one) for one in named]
    told = [shingles(hit.text) for hit in hits]
    repeats = [restates(question, hit.text) for hit in hits]
    for one, other in combinations(range(len(hits)), 2):
        if (repeats[one] and repeats[other]) or shared(told[one], told[other]) >= _ALIKE:
            former, latter = sorted((group[one], group[other]))
            group = [former if number == latter else number for number in group]
    return group


def _origin(hit: Hit) -> str:
    """Name the host of an address of the web, else source and collection."""
    address = urlsplit(hit.uri)
    if address.scheme in ("http", "https") and address.hostname:
        return address.hostname.removeprefix("www.")
    return f"{hit.source}/{hit.collection}"


def restates(question: str, text: str) -> bool:
    """Tell whether a text says the question again, word for word."""
    asked = words_of(question)
    return len(asked) >= _SHORTEST and " ".join(asked) in " ".join(words_of(text))
