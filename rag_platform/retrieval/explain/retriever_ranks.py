"""The rank of chunks in each retriever, also far below its depth."""

from dataclasses import dataclass, replace

import numpy as np

from rag_platform.core.ids import embedding_text
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.view import View
from rag_platform.retrieval.candidates import Row
from rag_platform.retrieval.results import SearchTrace
from rag_platform.retrieval.search.similarity import spaces_read
from rag_platform.retrieval.trace import RetrieverTrace, ScoredKeys
from rag_platform.text.analysis import index_terms, query_terms

_BLOCK = 20_000
"""Vectors that are scored at a time."""
_ROUNDING = 2e-3
"""Similarities that differ by less may change places between two ways of computing them in half precision."""


@dataclass(frozen=True, slots=True)
class RetrieverRank:
    """How one retriever ranked a chunk."""

    rank: int | None
    """Among all chunks that it could return; None: it has nothing in common with the question."""
    of: int
    """How many chunks have a rank."""
    depth: int
    """How many of them were asked for."""
    score: float | None
    last: float | None
    """The score of the last that it returned."""
    missed: bool = False
    """It ranks high enough, and the approximate search passed over it."""
    absent: str = ""
    """Why the model says nothing of it, where `rank` is None; after lexical search it has none of the words."""

    @property
    def retrieved(self) -> bool:
        """Return whether it became a candidate here."""
        return self.rank is not None and self.rank <= self.depth and not self.missed


def retriever_ranks(search: SearchTrace, keys: np.ndarray) -> dict[str, dict[int, RetrieverRank]]:
    """Return, for each retriever, the rank of each key (uint64) that it could have returned."""
    ranks = {}
    for name, retriever in search.candidates.trace.retrievers.items():
        ranking = _full_ranking(retriever, search.index, search.candidates.trace.allowed)
        ranks[name] = {int(key): _rank_of(retriever, *ranking, key) for key in keys}
        if retriever.score:
            explained = {
                key: replace(one, absent=_absent(search, key)) for key, one in ranks[name].items() if not one.rank
            }
            ranks[name] |= explained
    return ranks


def _absent(search: SearchTrace, key: int) -> str:
    """Say why a chunk has no similarity to the question."""
    wanted, read = np.array([key], np.uint64), spaces_read(search.index, search.question)
    holding = {place for place, space in enumerate(search.index.spaces) if space.index.contains(wanted)[0]}
    if not holding:
        return "it has no vector, for no model that reads its language was here when it was indexed"
    names = ", ".join(sorted({search.index.spaces[place].model["name"] for place in holding}))
    return f"the model {names} is not here" if holding & read else f"its model, {names}, does not read the question"


def _full_ranking(retriever: RetrieverTrace, index: OpenVersion, allowed: np.ndarray | None) -> ScoredKeys:
    """Return all allowed keys that have a score, with it: a model that is not here gives none."""
    if not retriever.score:
        return retriever.retrieve(max(1, len(index.lexical)))
    keys = index.catalog.keys if allowed is None else allowed
    blocks = [retriever.score(keys[start : start + _BLOCK]) for start in range(0, len(keys), _BLOCK)]
    scores = np.concatenate([np.empty(0, np.float32), *blocks])
    return keys[np.isfinite(scores)], scores[np.isfinite(scores)]


def _rank_of(retriever: RetrieverTrace, keys: np.ndarray, scores: np.ndarray, key: int) -> RetrieverRank:
    depth, last = retriever.depth, float(retriever.scores[-1]) if len(retriever.scores) else None
    returned, place = np.flatnonzero(retriever.keys == key), np.flatnonzero(keys == key)
    if len(returned):
        return RetrieverRank(int(returned[0]) + 1, len(keys), depth, float(retriever.scores[returned[0]]), last)
    if not len(place):
        return RetrieverRank(None, len(keys), depth, None, last)
    score = float(scores[place[0]])
    better = int((scores > score).sum())
    missed = bool(retriever.score) and better < depth and last is not None and score > last + _ROUNDING
    rank = better + 1 if missed else max(better, len(retriever.keys)) + 1  # what was returned ranks above it
    return RetrieverRank(rank, len(keys), depth, score, last, missed)


def missing_terms(view: View, question: str, chunk: Row, language: str, most: int = 6) -> tuple[str, ...]:
    """Return words of the question that a chunk does not have, in any form the index knows, by importance."""
    held = set(index_terms(embedding_text(chunk["header"], chunk["text"]), language))
    words = {}
    for word in question.split():
        missing = [forms for forms in query_terms(word, view.statistics.languages) if held.isdisjoint(forms)]
        if missing:
            words[word.strip(".,;:!?¿¡()[]{}\"'“”„‚‘’«»")] = view.word_weight(word)
    return tuple(sorted(words, key=lambda word: -words[word])[:most])
