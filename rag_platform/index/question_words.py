"""What the words of a question are worth to BM25."""

from collections.abc import Mapping
from functools import lru_cache
from math import inf, sqrt
from typing import NamedTuple

from rag_platform.core.ports import WordCounts
from rag_platform.index.statistics import SATURATION
from rag_platform.text.analysis import query_terms

_CACHED = 64
"""Questions whose terms are kept: each is asked several times, and again where filters are many."""


class QuestionWord(NamedTuple):
    """A word of a question."""

    variants: list[str]
    """The terms that it may have become."""
    times: float
    """The root of how often it stands there: who repeats a word is about it, but not twice as much."""
    most: float
    """What it can add to the score of a row, at most."""


def question_words(question: str, statistics: WordCounts) -> list[QuestionWord]:
    """Return the words of a question, with those of their variants that are usual."""
    found, counts = [], _terms_of(question, statistics.languages)
    statistics.expect([term for variants in counts for term in variants])
    for variants, count in counts.items():
        usual, times = statistics.usual(variants), sqrt(count)
        found.append(QuestionWord(usual, times, (1 + SATURATION) * times * max(map(statistics.idf, usual))))
    return found


def highest(question: str, statistics: WordCounts, words: float = inf) -> float:
    """Return the BM25 score of a short row that repeats every word of the question, or so many of them, endlessly."""
    counts = _terms_of(question, statistics.languages)
    every = (1 + SATURATION) * sum(statistics.idf(*variants) * sqrt(count) for variants, count in counts.items())
    return every * min(1.0, words / max(1, len(counts)))


@lru_cache(_CACHED)
def _terms_of(question: str, languages: tuple[str, ...]) -> Mapping[tuple[str, ...], int]:
    return query_terms(question, languages)
