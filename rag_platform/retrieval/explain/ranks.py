"""Where chunks stand in one way of searching, also far below what it proposed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_platform.core.ids import embedding_text
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.results import Searched
from rag_platform.retrieval.trace import RetrieverTrace
from rag_platform.text.analysis import index_terms, query_terms

_BLOCK = 20_000
"""Vectors that are compared at a time."""
_ROUNDING = 2e-3
"""Similarities that differ by less may change places between two ways of computing them in half precision."""


@dataclass(frozen=True, slots=True)
class RetrieverRank:
    """How one way of searching saw a chunk."""

    rank: int | None
    """Among all rows that could be proposed; None: it has nothing in common with the question."""
    of: int
    """How many rows have a rank."""
    depth: int
    """How many of them were proposed."""
    score: float | None
    last: float | None
    """The score of the last that was proposed."""
    missed: bool = False
    """It ranks high enough, and the approximate search passed over it."""

    @property
    def proposed(self) -> bool:
        """Tell whether it became a candidate here."""
        return self.rank is not None and self.rank <= self.depth and not self.missed


def retriever_ranks(searched: Searched, keys: np.ndarray) -> dict[str, dict[int, RetrieverRank]]:
    """Return, for each way of searching, the standing of each key (uint64) that could have been proposed."""
    allowed = searched.found.trace.allowed
    standings = {}
    for name, leg in searched.found.trace.legs.items():
        ranking = (
            _compared(leg, searched.index, allowed) if leg.compare else leg.further(max(1, len(searched.index.lexical)))
        )
        standings[name] = {int(key): _standing(leg, *ranking, key) for key in keys}
    return standings


def _compared(leg: RetrieverTrace, index: OpenVersion, allowed: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Return all allowed keys that have a score, with it: a model that is not here gives none."""
    keys = index.lexical.keys() if allowed is None else allowed
    blocks = [leg.compare(keys[start : start + _BLOCK]) for start in range(0, len(keys), _BLOCK)]
    scores = np.concatenate([np.empty(0, np.float32), *blocks])
    return keys[np.isfinite(scores)], scores[np.isfinite(scores)]


def _standing(leg: RetrieverTrace, keys: np.ndarray, scores: np.ndarray, key: int) -> RetrieverRank:
    last = float(leg.scores[-1]) if len(leg.scores) else None
    proposed, place = np.flatnonzero(leg.keys == key), np.flatnonzero(keys == key)
    if len(proposed):
        return RetrieverRank(int(proposed[0]) + 1, len(keys), leg.depth, float(leg.scores[proposed[0]]), last)
    if not len(place):
        return RetrieverRank(None, len(keys), leg.depth, None, last)
    score = float(scores[place[0]])
    better = int((scores > score).sum())
    missed = bool(leg.compare) and better < leg.depth and last is not None and score > last + _ROUNDING
    rank = better + 1 if missed else max(better, len(leg.keys)) + 1  # what was proposed stands above it
    return RetrieverRank(rank, len(keys), leg.depth, score, last, missed)


def missing_terms(index: OpenVersion, question: str, chunk: dict, language: str, most: int = 6) -> tuple[str, ...]:
    """Name words of the question that a chunk does not hold, in any form the index knows, the most telling first."""
    held = set(index_terms(embedding_text(chunk["header"], chunk["text"]), language))
    languages: Sequence[str] = list(index.manifest["languages"])
    words = {}
    for word in question.split():
        missing = [forms for forms in query_terms(word, languages) if held.isdisjoint(forms)]
        if missing:
            words[word.strip(".,;:!?¿¡()[]{}\"'“”„‚‘’«»")] = index.word_weight(word)
    return tuple(sorted(words, key=lambda word: -words[word])[:most])
