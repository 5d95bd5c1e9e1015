"""What became of a document's chunks in one search: returned, or lost at which stage."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rag_platform.records import Scores
from rag_platform.retrieval.arrangement import arrange, pairs
from rag_platform.retrieval.standing import LegStanding, lacking, leg_standings
from rag_platform.retrieval.trace import Drop, Searched

RETURNED, MERGED, FOLDED, CROWDED, BEYOND, DEPTH = "returned", "merged", "folded", "crowded", "beyond k", "depth"


@dataclass(frozen=True, slots=True)
class ChunkFate:
    """How far a chunk came in a search."""

    chunk_id: str
    ordinal: int
    section: str
    span: tuple[int, int]
    stage: str
    """Where it ended: "returned", "merged", "folded", "crowded", "beyond k", "depth" (no way of searching proposed it),
    or the stage that lost it: one that moved it out of the best k, such as "decayed" or "reranked", or dropped it."""
    rank: int | None = None
    """Of the hit that shows it; else the rank that it would have if more hits were asked for; None: not a candidate."""
    into: str | None = None
    """The chunk that it was merged or folded into."""
    into_uri: str | None = None
    ranks: dict[str, int] = field(default_factory=dict)
    """Among the candidates, after each stage that ran."""
    legs: dict[str, LegStanding] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()
    """Words of the question that it does not hold, the most telling first."""
    scores: Scores = field(default_factory=Scores)
    drop: Drop | None = None
    """Why a stage took it out of the list."""


def fates(searched: Searched, chunks: Sequence[dict], language: str) -> list[ChunkFate]:
    """Return what became of these chunks (rows of the catalog) of one document, the one that came furthest first."""
    keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
    legs = leg_standings(searched, keys)
    ended = _ended(searched)
    found = []
    for chunk in chunks:
        key = int(chunk["key"])
        known = ended.get(key) or {"stage": DEPTH}
        found.append(
            ChunkFate(
                chunk_id=chunk["chunk_id"],
                ordinal=chunk["ordinal"],
                section=chunk["section"],
                span=(chunk["start"], chunk["end"]),
                ranks=_ranks(searched, key),
                legs={name: standings[key] for name, standings in legs.items()},
                lacks=lacking(searched.index, searched.question, chunk, language),
                **known,
            )
        )
    return sorted(found, key=_closeness)


def _closeness(fate: ChunkFate) -> tuple:
    """Sort what came further before what was lost earlier, then by rank."""
    furthest = (RETURNED, MERGED, FOLDED, CROWDED)
    if fate.stage in furthest:
        return furthest.index(fate.stage), fate.rank or 0, fate.ordinal
    if fate.stage != DEPTH:
        return len(furthest) + bool(fate.drop), min(fate.ranks.values(), default=0), fate.ordinal
    best = min((leg.rank for leg in fate.legs.values() if leg.rank), default=np.inf)
    return len(furthest) + 2, best, fate.ordinal


def _ended(searched: Searched) -> dict[int, dict]:
    """Return, for the key of each candidate, where it ended."""
    found, arranged = searched.found, searched.arranged
    ranks = {place: rank for rank, place in enumerate(arranged.kept, start=1)}
    behind = {place: (hit, kind) for place, hit, kind in pairs(arranged)}
    below = dict(_below(searched))
    ended = {}
    for place, key in enumerate(found.keys.tolist()):
        scores = {"scores": found.scores(place)}
        if place in ranks:
            ended[key] = {"stage": RETURNED, "rank": ranks[place]} | scores
        elif place in behind:
            hit, kind = behind[place]
            shown = {"into": found.row(hit)["chunk_id"], "into_uri": found.row(hit)["uri"], "rank": ranks[hit]}
            ended[key] = {"stage": kind} | shown | scores
        elif place in arranged.crowded:
            ended[key] = {"stage": CROWDED} | scores
        else:
            stage = lost_at(_ranks(searched, key), searched.k)
            ended[key] = {"stage": stage, "rank": below.get(place)} | scores
    return ended | {key: {"stage": drop.stage, "drop": drop} for key, drop in found.trace.dropped.items()}


def _below(searched: Searched) -> Iterator[tuple[int, int]]:
    """Yield (place, rank) of the hits there would be if every candidate were asked for."""
    found = searched.found
    rows = [found.row(place) for place in range(len(found.keys))]
    everything = arrange(rows, len(rows), **searched.arranging)
    yield from ((place, rank) for rank, place in enumerate(everything.kept, start=1))


def _ranks(searched: Searched, key: int) -> dict[str, int]:
    ranks = {}
    for name, stage in searched.found.trace.stages.items():
        place = np.flatnonzero(stage.keys == key)
        if len(place):
            ranks[name] = int(place[0]) + 1
    return ranks


def lost_at(ranks: dict[str, int], k: int) -> str:
    """Name the last stage that moved a candidate out of the best k; `BEYOND` when it was never among them."""
    lost, inside = BEYOND, False
    for name, rank in ranks.items():
        if inside and rank > k:
            lost = name
        inside = rank <= k
    return lost
