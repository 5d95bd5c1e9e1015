"""Words that no readable chunk holds, to words that some hold: one letter more, less, other or swapped.

Damerau (CACM 1964) found that four of five misspelled words are such. The index's own words are the dictionary, so a
word that was forgotten is never proposed again, and neither is one of which only another form stands somewhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from rag_platform.core.ports import VersionWords, WordCounts
from rag_platform.text.analysis import plain

_WORD = re.compile(r"(?:\w|[\u0300-\u036f\u0900-\u0dff])+")
_DIGIT = re.compile(r"[\d_]")
_SHORTEST, _LONGEST = 4, 30
"""Letters of a word that is corrected: shorter ones have too many neighbours, longer ones are no words."""
_MOST = 3
"""Words of a question that are corrected; one with more is no misspelling but another language."""
_LEAST = 2
"""Chunks that have a correction: a word of only one chunk may be misspelled itself."""
_TRIED = 3
_DEVANAGARI, _THAI = 0x0900 // 128, 0x0E00 // 128


def corrections(
    question: str,
    lexical: VersionWords,
    statistics: WordCounts,
    allowed: np.ndarray | None,
    known: Callable[[str], bool],
) -> dict[str, str]:
    """Return, for each word of a question that no allowed chunk holds, a near word that some hold.

    What only others may read neither counts as held nor is proposed, nor has it any part in which word is.

    Args:
        question: whose words are looked at.
        lexical: the words that there are.
        statistics: of the chunks that the asker may read.
        allowed: the keys of those that are searched; None: all.
        known: says whether a word is spelled right all the same.
    """
    words = list(dict.fromkeys(map(str.lower, filter(_is_word, _WORD.findall(_evenly(question))))))
    held = lexical.document_frequencies(words, statistics) > 0
    unknown = [
        word
        for word, stands in zip(words, held.tolist(), strict=True)
        if not stands or (allowed is not None and not lexical.stands(word, statistics, allowed))
    ]
    unknown = [word for word in unknown if not (_stands(word, lexical, statistics, allowed) or known(word))]
    if len(unknown) > _MOST:
        return {}
    found = {word: _nearest(word, lexical, statistics, allowed) for word in unknown}
    return {word: nearest for word, nearest in found.items() if nearest}


def _evenly(question: str) -> str:
    """Return a question in lower case if it is all in capitals, which then mean nothing."""
    return question.lower() if question.isupper() else question


def _is_word(word: str) -> bool:
    """Return whether a word may be misspelled: not if it is a name like NLRP3, dLNs or getUser."""
    plain = word[1:].islower() or not (word.isupper() or any(map(str.isupper, word)))
    return _SHORTEST <= len(word) <= _LONGEST and not _DIGIT.search(word) and plain and bool(alphabet(word.lower()))


def _nearest(word: str, lexical: VersionWords, statistics: WordCounts, allowed: np.ndarray | None) -> str | None:
    """Return the most frequent near word; of equally frequent ones the first, as `near` orders them."""
    candidates = list(dict.fromkeys(near(word)))
    frequencies = lexical.document_frequencies(candidates, statistics)
    best = [at for at in np.argsort(-frequencies, kind="stable")[:_TRIED] if frequencies[at] >= _LEAST]
    return next((candidates[at] for at in best if _stands(candidates[at], lexical, statistics, allowed)), None)


def _stands(word: str, lexical: VersionWords, statistics: WordCounts, allowed: np.ndarray | None) -> bool:
    """Return whether the word itself, whatever its accents, stands in an allowed chunk, and not only a form of it."""
    return lexical.commonest([plain(word)], statistics, allowed) is not None


def near(word: str) -> Iterator[str]:
    """Yield all that one slip of the hand makes of a word, the same first letter first."""
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
    if block == 1:  # accented Latin, whose terms are indexed without accents
        block = 0
    if block >= _THAI:
        return ""
    indic = block >= _DEVANAGARI  # whose blocks all have their letters and vowel signs at the same places
    among = map(chr, range(block * 128, block * 128 + (78 if indic else 128)))
    kinds = ("Ll", "Lo", "Mn", "Mc") if indic else ("Ll", "Lo")
    return "".join(sign for sign in among if unicodedata.category(sign) in kinds)
