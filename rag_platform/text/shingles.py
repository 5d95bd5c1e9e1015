"""Texts as sets of overlapping word sequences (shingles), and how much two texts share.

A signature stands for a text's shingles in a few hundred bytes: the share of places in which two signatures agree
estimates the Jaccard similarity of the two sets (MinHash: Broder, "On the resemblance and containment of documents",
SEQUENCES 1997). It is computed by `rensa`, in Rust.
"""

import re

from rensa import RMinHash

from rag_platform.text.cleaning import UNSPACED, WORD

SIZE = 128
"""Numbers of a signature: the similarity is estimated with a standard error of at most 0.045."""
VERSION = f"shingles 1, minhash {RMinHash.ALGORITHM_VERSION}"
"""Signatures of another version do not compare."""
_TOKEN = re.compile(f"{UNSPACED}|{WORD}")
_SEED = 1


def shingles(text: str, width: int = 3) -> set[str]:
    """Return every `width` words in a row; a letter of a script without spaces counts as a word."""
    words = _TOKEN.findall(text.casefold())
    if not words:
        return set()
    return {" ".join(words[start : start + width]) for start in range(max(1, len(words) - width + 1))}


def signature(text: str) -> list[int]:
    """Return the MinHash of a text: `SIZE` numbers below 2**32; none of a text without words."""
    found = shingles(text)
    if not found:
        return []
    minima = RMinHash(num_perm=SIZE, seed=_SEED)
    minima.update(list(found))
    return list(minima.digest())


def shared(one: set[str], other: set[str]) -> float:
    """Return how much of the smaller set is in the other one, in [0, 1]."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0
