"""Words that no readable chunk holds, to words that some hold: one letter more, less, other or swapped.

Damerau (CACM 1964) found that four of five misspelled words are such. The index's own terms are the dictionary, so a
word that was forgotten is never proposed again, and nothing is kept beside them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from rag_platform.index.lexical import LexicalIndex

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff])*")
_SHORTEST, _LONGEST = 4, 30
"""Letters of a word that is corrected: shorter ones have too many neighbours, longer ones are no words."""
_MOST = 3
"""Words of a question that are corrected; one with more is no misspelling but another language."""
_LEAST = 2
"""Chunks that hold a correction: a word that stands in one only may be misspelled itself."""
_TRIED = 3


def corrections(question: str, lexical: LexicalIndex, allowed: np.ndarray | None) -> dict[str, str]:
    """Return, for each word of a question that no allowed chunk holds, a near word that some hold.

    What only others may read neither counts as held nor is proposed.
    """
    held = _held(lexical, allowed)
    words = [word for word in dict.fromkeys(_WORD.findall(question.lower())) if _SHORTEST <= len(word) <= _LONGEST]
    unknown = [word for word in words if alphabet(word) and not held(word)]
    if len(unknown) > _MOST:
        return {}
    found = {word: _nearest(word, lexical, held) for word in unknown}
    return {word: near for word, near in found.items() if near}


def _held(lexical: LexicalIndex, allowed: np.ndarray | None) -> Callable[[str], bool]:
    if allowed is None:
        return lambda word: lexical.document_frequency(word) > 0
    return lambda word: lexical.document_frequency(word) > 0 and len(lexical.search(word, 1, allowed)[0]) > 0


def _nearest(word: str, lexical: LexicalIndex, held: Callable[[str], bool]) -> str | None:
    """Return the most frequent near word; of equally frequent ones the first, as `near` orders them."""
    candidates = list(dict.fromkeys(near(word)))
    frequencies = lexical.document_frequencies(candidates)
    best = np.argsort(-frequencies, kind="stable")[:_TRIED]
    return next((candidates[at] for at in best if frequencies[at] >= _LEAST and held(candidates[at])), None)


def near(word: str) -> Iterator[str]:
    """Yield all that one slip of the hand makes of a word, what keeps its first letter first."""
    letters = alphabet(word)
    for start in (*range(1, len(word) + 1), 0):
        before, after = word[:start], word[start:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in letters)
        yield from (before + letter + after for letter in letters)


def alphabet(word: str) -> str:
    """Return the letters and marks of a word's script; none for a script that puts no spaces between words."""
    return _letters(max(map(ord, word)) // 128)


@cache
def _letters(block: int) -> str:
    if block == 1:  # accented Latin, whose terms stand in the index without accents
        block = 0
    if block * 128 >= 0x0E00:
        return ""
    among = map(chr, range(block * 128, block * 128 + 128))
    kinds = ("Ll", "Lo", "Mn", "Mc") if block * 128 >= 0x0900 else ("Ll", "Lo")  # the marks of Indic scripts are vowels
    return "".join(sign for sign in among if unicodedata.category(sign) in kinds)
