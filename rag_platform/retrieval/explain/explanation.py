"""Where each candidate ended, and how each stage saw it."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rag_platform.core.hits import Scores
from rag_platform.retrieval.arrangement import arrange, pairs
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.results import Searched
from rag_platform.retrieval.trace import Drop

RETURNED, MERGED, COLLAPSED, CROWDED, BEYOND = "returned", "merged", "folded", "crowded", "beyond k"


@dataclass(frozen=True, slots=True)
class Ending:
    """Where a candidate ended."""

    stage: str
    """One of the names above, or the stage that lost it: one that moved it out of the best k, or dropped it."""
    rank: int | None = None
    """Of the hit that shows it; else how many hits would have to be asked for to see it; None: no number helps."""
    into: dict | None = None
    """The candidate that it was merged or folded into."""
    drop: Drop | None = None
    """Why a stage took it out of the list."""


def explain_all(searched: Searched) -> tuple[dict, ...]:
    """Tell of every candidate how each stage saw it and where it ended; those that a stage dropped come last."""
    found, ends = searched.found, endings(searched)
    legs = {name: _leg_ranks(searched, name) for name in ("lexical", "vector")}
    keys = found.keys.tolist()
    places = {key: place for place, key in enumerate([*keys, *(key for key in ends if key not in set(keys))])}
    return tuple(
        {
            "rank": place + 1 if place < len(keys) else None,
            **_shown(ends[key]),
            "chunk_id": found.rows[key]["chunk_id"],
            "uri": found.rows[key]["uri"],
            **{f"{name}_rank": ranks.get(key) for name, ranks in legs.items()},
            "ranks": ranks_of(searched, key),
            **_scored(found, place, ends[key]),
        }
        for key, place in places.items()
    )


def _shown(end: Ending) -> dict:
    into = end.into["chunk_id"] if end.into else None
    return {
        "returned": end.stage == RETURNED,
        "ended": end.stage,
        "hit": end.rank if end.stage in (RETURNED, MERGED) else None,
        "folded_into": into if end.stage == COLLAPSED else None,
        "merged_into": into if end.stage == MERGED else None,
    }


def _scored(found: Candidates, place: int, end: Ending) -> dict:
    if end.drop:
        return {"reranked": False, "score": round(end.drop.score, 6), "scores": Scores()}
    score = round(float(found.score[place]), 6)
    return {"reranked": bool(np.isfinite(found.rerank[place])), "score": score, "scores": found.scores(place)}


def endings(searched: Searched) -> dict[int, Ending]:
    """Return, by key, where each candidate ended, also those that a stage dropped."""
    found, arranged = searched.found, searched.arranged
    ranks = {place: rank for rank, place in enumerate(arranged.kept, start=1)}
    behind = {place: (hit, kind) for place, hit, kind in pairs(arranged)}
    below = dict(_below(searched))
    ended = {key: Ending(drop.stage, drop=drop) for key, drop in found.trace.dropped.items()}
    for place, key in enumerate(found.keys.tolist()):
        if place in ranks:
            ended[key] = Ending(RETURNED, ranks[place])
        elif place in behind:
            hit, kind = behind[place]
            ended[key] = Ending(kind, ranks[hit], found.row(hit))
        elif place in arranged.crowded:
            ended[key] = Ending(CROWDED)
        else:
            ended[key] = Ending(lost_at(ranks_of(searched, key), searched.k), below.get(place))
    return ended


def ranks_of(searched: Searched, key: int) -> dict[str, int]:
    """Return a chunk's rank among the candidates after each stage that ran."""
    places = {name: np.flatnonzero(one.keys == key) for name, one in searched.found.trace.stages.items()}
    return {name: int(place[0]) + 1 for name, place in places.items() if len(place)}


def ranking_after(searched: Searched, key: int) -> dict[str, int]:
    """Return a chunk's rank in each leg that proposed it, and after each stage."""
    legs = {name: np.flatnonzero(leg.keys == key) for name, leg in searched.found.trace.legs.items()}
    return {name: int(place[0]) + 1 for name, place in legs.items() if len(place)} | ranks_of(searched, key)


def lost_at(ranks: dict[str, int], k: int) -> str:
    """Name the last stage that moved a candidate out of the best k; `BEYOND` when it was never among them."""
    lost, inside = BEYOND, False
    for name, rank in ranks.items():
        if inside and rank > k:
            lost = name
        inside = rank <= k
    return lost


def _below(searched: Searched) -> Iterator[tuple[int, int]]:
    """Yield (place, k) of the candidates that would be shown if every one were asked for: k is the least that does."""
    found = searched.found
    rows = [found.row(place) for place in range(len(found.keys))]
    everything = arrange(rows, len(rows), **searched.arranging)
    shown = {*everything.kept, *(place for place, _, kind in pairs(everything) if kind == MERGED)}
    yield from ((place, everything.needed[place]) for place in shown)


def _leg_ranks(searched: Searched, name: str) -> dict[int, int]:
    leg = searched.found.trace.legs.get(name)
    return {key: rank for rank, key in enumerate(leg.keys.tolist(), start=1)} if leg else {}
