"""How far a sync is as a whole, and how long all of it still takes: its stages weighed by what they took before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_platform.monitoring.cost_ledger import Entry
from rag_platform.monitoring.progress import Running

OF_A_SOURCE, OF_ALL = ("fetch", "extract", "chunk", "embed"), ("index", "evaluate", "publish")
STAGES = (*OF_A_SOURCE, *OF_ALL)
TYPICAL = {
    "fetch": 0.04,
    "extract": 0.06,
    "chunk": 0.02,
    "embed": 0.66,
    "index": 0.03,
    "evaluate": 0.18,
    "publish": 0.01,
}
"""The part of each stage in a first sync, of 300 articles; what a workspace did itself soon says more."""
_TYPICAL_SECONDS = 10.0
"""The time for which `TYPICAL` counts beside what the ledger tells."""


@dataclass(frozen=True, slots=True)
class WholeProgress:
    """Of a sync, from its first stage to its last."""

    share: float
    """What is done, in [0, 1]."""
    remaining: float | None
    """Seconds to the end of all of it; None: too early to tell."""


def weights(entries: Iterable[Entry]) -> dict[str, float]:
    """Return which part of a sync each stage is, by the seconds in these entries of the ledger; together they are 1."""
    spent = {stage: _TYPICAL_SECONDS * part for stage, part in TYPICAL.items()}
    for entry in entries:
        if entry.stage in spent:
            spent[entry.stage] += entry.seconds
    whole = sum(spent.values())
    return {stage: seconds / whole for stage, seconds in spent.items()}


def whole_progress(now: Running, parts: Mapping[str, float] = TYPICAL) -> WholeProgress | None:
    """Return how far the sync is that a process is in; None: it is between two stages, or in none of a sync.

    What follows is taken to go at the pace of what was done up to the end of the present stage: all of it where one
    process does the whole sync, the present stage alone where each has its own.
    """
    if now.stage not in STAGES:
        return None
    sources = now.of or (now.source or "",)
    part = parts[now.stage] / len(sources) if now.stage in OF_A_SOURCE else parts[now.stage]
    before = _before(now, sources, parts)
    share = before + part * (min(now.done / now.total, 1.0) if now.total else 0.0)
    if now.remaining is None:
        return WholeProgress(share, None)
    alone = now.of is None or now.since is None
    spent, done = (now.seconds, part) if alone else (now.since or 0.0, before + part)
    pace = (spent + now.remaining) / done
    return WholeProgress(share, now.remaining + pace * max(1.0 - before - part, 0.0))


def _before(now: Running, sources: tuple[str, ...], parts: Mapping[str, float]) -> float:
    """Return the part of a sync that lies before its present stage."""
    of_sources = sum(parts[stage] for stage in OF_A_SOURCE)
    if now.stage in OF_ALL:
        return of_sources + sum(parts[stage] for stage in OF_ALL[: OF_ALL.index(now.stage)])
    place = sources.index(now.source) if now.source in sources else 0
    own = sum(parts[stage] for stage in OF_A_SOURCE[: OF_A_SOURCE.index(now.stage)])
    return (place * of_sources + own) / len(sources)
