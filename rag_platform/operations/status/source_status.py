"""How each source fares: when it was read last and is next, how many documents it has, and what of it failed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl
from cronsim import CronSim, CronSimError

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import NothingPublished
from rag_platform.core.principals import PUBLIC, limits
from rag_platform.operations.status.failed_documents import readable_failures
from rag_platform.operations.status.health import check_freshness
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source as somebody may see it."""

    source: SourceSettings
    documents: int
    """Of the live version, as far as they may read them."""
    archived: int
    """Of these, those that are archived by their age."""
    failed: int
    """Things that could not be fetched or read at the last sync, as far as they may know of them."""
    read_at: datetime | None
    """The last sync that could list it; None: there was none."""
    next_at: datetime | None
    """By its schedule; None: it has none, or is paused."""
    late: str | None
    """Why it counts as late."""
    held: bool
    """Its newest state is kept out of the live version."""


def source_states(workspace: Workspace, readers: Sequence[str], now: datetime | None = None) -> list[SourceState]:
    """Return the state of each source that one of these principals may read, in the order of rag.toml."""
    now = now or datetime.now(UTC)
    (counts, archived), held = _documents(workspace, readers, now), workspace.holds.active()
    fetched = {entry.source: entry.at for entry in workspace.costs.entries() if entry.stage == "fetch"}
    return [
        SourceState(
            source,
            counts.get(source.id, 0),
            archived.get(source.id, 0),
            len(failures_of(workspace, source.id, readers)),
            last_read(workspace, source.id, fetched.get(source.id)),
            None if source.paused else next_run(source.schedule, now),
            _late(workspace, source, now),
            source.id in held,
        )
        for source in workspace.settings.sources
        if may_read(source, workspace.access.asker(readers))
    ]


def may_read(source: SourceSettings, readers: Collection[str]) -> bool:
    """Return whether one of these principals, with their groups, may read a source, or some of it."""
    limited = limits(readers)
    if limited and source.kind != "upload" and source.collection not in limited:
        return False
    named = {*source.principals, *(who for rule in getattr(source, "rules", ()) for who in rule.principals or ())}
    return not {PUBLIC, *readers}.isdisjoint(named)


def failures_of(workspace: Workspace, source_id: str, readers: Sequence[str]) -> list[tuple[str, str]]:
    """Return (address, reason) of what could not be fetched or read, as far as these principals may know of it."""
    found = readable_failures(workspace, source_id, readers)
    return sorted({one.uri: one.reason for one in found}.items())


def next_run(schedule: str | None, now: datetime) -> datetime | None:
    """Return when a schedule comes next; None for one that never does."""
    try:
        return next(CronSim(schedule, now)) if schedule else None
    except (CronSimError, StopIteration):
        return None


def _documents(
    workspace: Workspace, readers: Sequence[str], now: datetime
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Count the documents of each source that these principals may read, and those of them that are archived."""
    try:
        catalog = workspace.versions.live().catalog
    except NothingPublished:
        return {}, {}
    attributes = catalog.attributes
    archived = attributes.archived(workspace.settings.max_ages, now) & attributes.readable(readers)
    return catalog.facets(readers)["source"], attributes.facets(archived)["source"]


def last_read(workspace: Workspace, source_id: str, fetched: str | None = None) -> datetime | None:
    """Return when a source was last listed; `fetched` is what the cost ledger says, where it has been read already."""
    seen = workspace.store.select("raw", source_id, ("last_seen",), pl.lit(value=True))["last_seen"].max()
    listed = datetime.fromisoformat(fetched) if fetched else None
    return max((one for one in (seen, listed) if isinstance(one, datetime)), default=None)


def _late(workspace: Workspace, source: SourceSettings, now: datetime) -> str | None:
    if source.paused or not (source.schedule or source.fresh_within_hours):
        return None
    freshness = check_freshness(workspace, source.id, now)
    return None if freshness.passed else freshness.said
