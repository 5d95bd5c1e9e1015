"""How far each chunk of a document came in a search, also those that no retriever returned."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_platform.core.hits import Scores
from rag_platform.retrieval.candidates import Row
from rag_platform.retrieval.explain.outcomes import (
    COLLAPSED,
    FILTERED,
    MERGED,
    NOT_RETRIEVED,
    OVER_LIMIT,
    RETURNED,
    Outcome,
    outcomes,
)
from rag_platform.retrieval.explain.retriever_ranks import RetrieverRank, missing_terms, retriever_ranks
from rag_platform.retrieval.results import SearchTrace

_FURTHEST = (RETURNED, MERGED, COLLAPSED, OVER_LIMIT)


@dataclass(frozen=True, slots=True)
class ChunkOutcome:
    """How far a chunk came in a search."""

    chunk_id: str
    ordinal: int
    section: str
    span: tuple[int, int]
    outcome: Outcome
    retrievers: dict[str, RetrieverRank]
    missing_terms: tuple[str, ...]
    """Words of the question that it does not have, the most important first."""
    scores: Scores


def chunk_outcomes(search: SearchTrace, chunks: Sequence[Row], language: str) -> list[ChunkOutcome]:
    """Return the outcomes of these chunks (rows of the catalog) of one document, the one that came furthest first."""
    keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
    retrieved, ended, allowed = retriever_ranks(search, keys), outcomes(search), search.candidates.trace.allowed
    filtered = set() if allowed is None else set(np.setdiff1d(keys, allowed).tolist())
    found, view = [], search.index.view(search.filters.principals)
    for chunk in chunks:
        key = int(chunk["key"])
        outcome = Outcome(FILTERED) if key in filtered else ended.get(key, Outcome(NOT_RETRIEVED))
        found.append(
            ChunkOutcome(
                chunk_id=chunk["chunk_id"],
                ordinal=chunk["ordinal"],
                section=chunk["section"],
                span=(chunk["start"], chunk["end"]),
                outcome=outcome,
                retrievers={name: ranks[key] for name, ranks in retrieved.items()},
                missing_terms=missing_terms(view, search.question, chunk, language),
                scores=Scores() if outcome.place is None else search.candidates.scores(outcome.place),
            )
        )
    return sorted(found, key=_closeness)


def _closeness(chunk: ChunkOutcome) -> tuple[float, ...]:
    """Sort what came further before what was lost earlier, then by rank."""
    outcome, furthest = chunk.outcome, len(_FURTHEST)
    if outcome.stage in _FURTHEST:
        return _FURTHEST.index(outcome.stage), outcome.rank or 0, chunk.ordinal
    if outcome.stage == FILTERED:
        return furthest + 3, 0, chunk.ordinal
    if outcome.stage != NOT_RETRIEVED:
        return furthest + bool(outcome.drop), next(reversed(outcome.ranks.values()), 0), chunk.ordinal
    best = min((one.rank for one in chunk.retrievers.values() if one.rank), default=np.inf)
    return furthest + 2, best, chunk.ordinal
