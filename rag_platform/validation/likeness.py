"""Which documents of a source say nearly the same: as each other, or as others that are there."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rag_platform.text.shingles import SIZE, signature
from rag_platform.text.signature_groups import roots

NEARLY = 0.8
"""Estimated share of word sequences, from which two texts are nearly the same."""
MOST_WORDS = 0.5
"""Share of the words of two texts that they have in common when one template made them."""
_READ = 20_000
"""Characters of a text that are compared."""


def alike(texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether another one says nearly the same."""
    signatures = [signature(text[:_READ]) for text in texts]
    return grouped(signatures)


def usually_alike(signatures: Sequence[Sequence[int]]) -> float:
    """Return the share of documents, given by their signatures, that are nearly like another one."""
    found = grouped(signatures)
    return sum(found) / len(found) if found else 0.0


def copies(new: Sequence[Sequence[int]], there: Sequence[Sequence[int]]) -> list[bool]:
    """Tell of each new document whether it is nearly one of those that are there; all given by their signatures."""
    groups = _groups([*new, *there])
    known = {group for group in groups[len(new) :] if group >= 0}
    return [group in known for group in groups[: len(new)]]


def grouped(signatures: Sequence[Sequence[int]]) -> list[bool]:
    """Tell of each document, given by its signature, whether another one is nearly the same."""
    groups = _groups(signatures)
    members = Counter(groups)
    return [group >= 0 and members[group] > 1 for group in groups]


def same_words(texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether another one has most of its words, in whatever order and with others between them."""
    words = [{*re.findall(r"\w+", text[:_READ].casefold())} for text in texts]
    vocabulary = {word: place for place, word in enumerate(sorted(set().union(*words)))}
    has = np.zeros((len(texts), len(vocabulary)), np.float32)
    for row, one in enumerate(words):
        has[row, [vocabulary[word] for word in one]] = 1
    common, sizes = has @ has.T, has.sum(1)
    shared = common / np.maximum(sizes[:, None] + sizes[None, :] - common, 1)
    np.fill_diagonal(shared, 0)
    return [bool(most >= MOST_WORDS) for most in shared.max(1, initial=0)]


def _groups(signatures: Sequence[Sequence[int]]) -> list[int]:
    """Number the group of each; -1: it has no words."""
    signed = [place for place, one in enumerate(signatures) if len(one) == SIZE]
    groups = [-1] * len(signatures)
    if signed:
        matrix = np.array([signatures[place] for place in signed], np.uint32)
        for place, root in zip(signed, roots(matrix, NEARLY).tolist(), strict=True):
            groups[place] = root
    return groups
