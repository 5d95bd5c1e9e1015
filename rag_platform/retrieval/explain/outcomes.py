"""Where each candidate of a search ended, and its rank after each stage."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rag_platform.core.hits import Scores
from rag_platform.retrieval.candidates import Row, grouping_rows
from rag_platform.retrieval.result_grouping import group_results
from rag_platform.retrieval.results import SearchTrace
from rag_platform.retrieval.trace import Drop

RETURNED, MERGED, COLLAPSED, OVER_LIMIT, BEYOND = "returned", "merged", "collapsed", "document limit", "beyond k"
NOT_RETRIEVED, FILTERED = "depth", "filtered"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a chunk ended in a search."""

    stage: str
    """One of the names above, or the stage that lost it: one that moved it out of the best k, or dropped it."""
    rank: int | None = None
    """Of the hit that shows it; else how many hits would have to be asked for to see it; None: no number helps."""
    into: Row | None = None
    """The candidate that it was merged or collapsed into."""
    drop: Drop | None = None
    """Why a stage took it out of the list."""
    ranks: dict[str, int] = field(default_factory=dict)
    """Among the candidates, after each stage that ran."""
    place: int | None = None
    """In the final ranking, counted from 0; None: it is not in it."""


def outcomes(search: SearchTrace) -> dict[int, Outcome]:
    """Return, by key, where each candidate ended, also those that a stage dropped."""
    found, grouping = search.candidates, search.grouping
    ranks = {place: rank for rank, place in enumerate(grouping.groups, start=1)}
    members = {place: (hit, relation) for place, hit, relation in grouping.members()}
    least_k = dict(_least_k(search))
    ended = {
        key: Outcome(drop.stage, drop=drop, ranks=stage_ranks(search, key)) for key, drop in found.trace.dropped.items()
    }
    for place, key in enumerate(found.keys.tolist()):
        seen = stage_ranks(search, key)
        if place in ranks:
            ended[key] = Outcome(RETURNED, ranks[place], ranks=seen, place=place)
        elif place in members:
            hit, relation = members[place]
            ended[key] = Outcome(relation, ranks[hit], found.row(hit), ranks=seen, place=place)
        elif place in grouping.over_limit:
            ended[key] = Outcome(OVER_LIMIT, ranks=seen, place=place)
        else:
            ended[key] = Outcome(lost_at(seen, search.k), least_k.get(place), ranks=seen, place=place)
    return ended


def explain_candidates(search: SearchTrace) -> tuple[dict[str, Any], ...]:
    """Return an entry for every candidate, best first and dropped ones last, as `rag search --explain --json` does."""
    ended = outcomes(search)
    ordered = sorted(ended, key=lambda key: np.inf if (place := ended[key].place) is None else place)
    return tuple(_entry(search, key, ended[key]) for key in ordered)


def _entry(search: SearchTrace, key: int, outcome: Outcome) -> dict[str, Any]:
    found, stage, place = search.candidates, outcome.stage, outcome.place
    into = outcome.into["chunk_id"] if outcome.into else None
    retrieved = _retrieved_ranks(search, key)
    score = outcome.drop.score if outcome.drop else float(found.score[place])
    return {
        "rank": None if place is None else place + 1,
        "returned": stage == RETURNED,
        "ended": stage,
        "hit": outcome.rank if stage in (RETURNED, MERGED) else None,
        "folded_into": into if stage == COLLAPSED else None,
        "merged_into": into if stage == MERGED else None,
        "chunk_id": found.rows[key]["chunk_id"],
        "uri": found.rows[key]["uri"],
        "lexical_rank": retrieved.get("lexical"),
        "vector_rank": retrieved.get("vector"),
        "ranks": outcome.ranks,
        "reranked": place is not None and bool(np.isfinite(found.rerank[place])),
        "score": round(score, 6),
        "scores": Scores() if place is None else found.scores(place),
    }


def stage_ranks(search: SearchTrace, key: int) -> dict[str, int]:
    """Return a chunk's rank among the candidates after each stage that ran."""
    return {name: rank for name, one in search.candidates.trace.stages.items() if (rank := _rank(one.keys, key))}


def _retrieved_ranks(search: SearchTrace, key: int) -> dict[str, int]:
    return {name: rank for name, one in search.candidates.trace.retrievers.items() if (rank := _rank(one.keys, key))}


def all_ranks(search: SearchTrace, key: int) -> dict[str, int]:
    """Return a chunk's rank in each retriever that returned it, and after each stage."""
    return _retrieved_ranks(search, key) | stage_ranks(search, key)


def _rank(keys: np.ndarray, key: int) -> int | None:
    place = np.flatnonzero(keys == key)
    return int(place[0]) + 1 if len(place) else None


def lost_at(ranks: dict[str, int], k: int) -> str:
    """Name the last stage that moved a candidate out of the best k; `BEYOND` when it was never among them."""
    lost, inside = BEYOND, False
    for name, rank in ranks.items():
        if inside and rank > k:
            lost = name
        inside = rank <= k
    return lost


def _least_k(search: SearchTrace) -> Iterator[tuple[int, int]]:
    """Yield (place, k) of the candidates that some k would show: k is the least that does."""
    found = search.candidates
    rows = grouping_rows(found, search.index, search.index.view(search.filters.principals))
    everything = group_results(rows, len(rows), **search.grouping_options)
    merged = (place for place, _, relation in everything.members() if relation == MERGED)
    yield from ((place, everything.least_k[place]) for place in {*everything.groups, *merged})
