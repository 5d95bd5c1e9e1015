"""What became of a document's chunks in one search: returned, or lost at which stage."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rag_platform.core.hits import Scores
from rag_platform.retrieval.explain.explanation import COLLAPSED, CROWDED, MERGED, RETURNED, Ending, endings, ranks_of
from rag_platform.retrieval.explain.ranks import RetrieverRank, missing_terms, retriever_ranks
from rag_platform.retrieval.results import Searched
from rag_platform.retrieval.trace import Drop

DEPTH = "depth"
FILTERED = "filtered"
_FURTHEST = (RETURNED, MERGED, COLLAPSED, CROWDED)


@dataclass(frozen=True, slots=True)
class ChunkOutcome:
    """How far a chunk came in a search."""

    chunk_id: str
    ordinal: int
    section: str
    span: tuple[int, int]
    stage: str
    """Where it ended, as in `Ending`; or "depth" (nothing proposed it), or "filtered" (nothing could)."""
    rank: int | None
    """Of the hit that shows it; else how many hits would have to be asked for to see it; None: no number helps."""
    into: str | None
    """The chunk that it was merged or folded into."""
    into_uri: str | None
    ranks: dict[str, int]
    """Among the candidates, after each stage that ran."""
    legs: dict[str, RetrieverRank]
    lacks: tuple[str, ...]
    """Words of the question that it does not hold, the most telling first."""
    scores: Scores = field(default_factory=Scores)
    drop: Drop | None = None
    """Why a stage took it out of the list."""


def chunk_outcomes(searched: Searched, chunks: Sequence[dict], language: str) -> list[ChunkOutcome]:
    """Return what became of these chunks (rows of the catalog) of one document, the one that came furthest first."""
    keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
    legs, ended = retriever_ranks(searched, keys), endings(searched)
    places = {key: place for place, key in enumerate(searched.found.keys.tolist())}
    allowed = searched.found.trace.allowed
    open_to = keys if allowed is None else np.intersect1d(keys, allowed)
    ended |= {int(key): Ending(FILTERED) for key in np.setdiff1d(keys, open_to)}
    found = []
    for chunk in chunks:
        key = int(chunk["key"])
        end = ended.get(key, Ending(DEPTH))
        found.append(
            ChunkOutcome(
                chunk_id=chunk["chunk_id"],
                ordinal=chunk["ordinal"],
                section=chunk["section"],
                span=(chunk["start"], chunk["end"]),
                stage=end.stage,
                rank=end.rank,
                into=end.into["chunk_id"] if end.into else None,
                into_uri=end.into["uri"] if end.into else None,
                ranks=ranks_of(searched, key),
                legs={name: standings[key] for name, standings in legs.items()},
                lacks=missing_terms(searched.index, searched.question, chunk, language),
                scores=searched.found.scores(places[key]) if key in places else Scores(),
                drop=end.drop,
            )
        )
    return sorted(found, key=_closeness)


def _closeness(fate: ChunkOutcome) -> tuple:
    """Sort what came further before what was lost earlier, then by rank."""
    if fate.stage in _FURTHEST:
        return _FURTHEST.index(fate.stage), fate.rank or 0, fate.ordinal
    if fate.stage == FILTERED:
        return len(_FURTHEST) + 3, 0, fate.ordinal
    if fate.stage != DEPTH:
        return len(_FURTHEST) + bool(fate.drop), list(fate.ranks.values())[-1:], fate.ordinal
    best = min((leg.rank for leg in fate.legs.values() if leg.rank), default=np.inf)
    return len(_FURTHEST) + 2, best, fate.ordinal
