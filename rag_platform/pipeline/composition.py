"""Which state of each source goes into a version: its newest, or for a held source that of the live version."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import or_
from typing import Any

import polars as pl

from rag_platform.core.errors import RagError, VersionError
from rag_platform.core.ports import REMOVED
from rag_platform.index.build.parts import ByModel, Part, as_in, newest
from rag_platform.index.releases.holds import Hold
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Composition:
    """What goes into a version."""

    parts: tuple[Part, ...]
    """Those of sources that name no model first."""
    first: Mapping[str, Any]
    """The model of the version's first space: that of [model], unless every source names another."""
    partitions: Mapping[str, dict[str, Any]]
    """Of each source, how it came to be as it is: last sync, runs; ``held`` (since, cause, why) or ``behind``."""

    @property
    def may_be_empty(self) -> bool:
        """Whether people took out all that there was: what a failing source loses never ends in an empty version."""
        removed = ["emptied" in partition for partition in self.partitions.values()]
        never = [partition["last_seen"] is None for partition in self.partitions.values()]
        return any(removed) and all(map(or_, removed, never))


def compose(workspace: Workspace, held: Mapping[str, Hold]) -> Composition:
    """Take each source in its newest state; what is held, or whose stages are behind, as the live version has it.

    What is in no live version and cannot be taken in its newest state either is left out.

    Raises:
        RagError: why nothing at all can be taken.
    """
    live, parts, partitions, behind = _live(workspace), [], {}, []
    if not (known := synced_sources(workspace, held)):
        raise VersionError("there is nothing to build from: no source was ever cut into chunks; `rag sync` does it")
    for source in known:
        hold, reason = held.get(source), None
        partitions[source] = _partition(workspace, source)
        try:
            part = None if hold else newest(workspace.store, source, models_by_language(workspace, source))
        except RagError as error:
            part, reason = None, error
            behind.append(error)
        if part is None:
            part = _kept(workspace, live, source)
            partitions[source] |= _as_live(live, source) | _why(hold, reason)
        if part is not None:
            parts.append(part)
    if behind and not parts:
        raise behind[0]
    parts.sort(key=lambda part: (workspace.settings.source(part.source).model is not None, part.source in held))
    embedders, sources = workspace.embedders, [part.source for part in parts] or [*partitions]
    return Composition(tuple(parts), embedders.described(embedders.of_source(sources[0])), partitions)


def models_by_language(workspace: Workspace, source: str) -> ByModel:
    """Return what gives the models that embed a source's documents, by their languages."""
    embedders = workspace.embedders
    return lambda chunks, documents: [
        (embedders.described(embedder), places) for embedder, places in embedders.by_model(source, chunks, documents)
    ]


def synced_sources(workspace: Workspace, held: Collection[str] = ()) -> list[str]:
    """Return the sources of rag.toml that were ever synced or are held, sorted."""
    configured = {source.id for source in workspace.settings.sources}
    return sorted(configured & {*workspace.store.sources("chunks"), *held})


def _live(workspace: Workspace) -> OpenVersion | None:
    """Open what answers now; None: nothing does, or it cannot be read."""
    try:
        return workspace.versions.live()
    except VersionError:  # `rag doctor` reports a damaged version
        return None


def _kept(workspace: Workspace, live: OpenVersion | None, source: str) -> Part | None:
    """Return a source as the live version has it, without what a person has taken out of it since."""
    if live is None:
        return None
    documents = workspace.store.select("documents", source, ("revision", "signature"), pl.col("status") == "ok")
    part = as_in(live, source, documents)
    taken_out = (pl.col("status") == "gone") & pl.col("reason").str.starts_with(REMOVED)
    return part and part.without(workspace.store.select("raw", source, ("uri",), taken_out)["uri"])


def _partition(workspace: Workspace, source: str) -> dict[str, Any]:
    """Say when a source was last seen and which runs fetched what there is of it."""
    raw = workspace.store.read("raw", source)
    synced = raw["last_seen"].max()
    emptied = raw.height and raw["reason"].str.starts_with(REMOVED).all() and raw["sha256"].is_null().all()
    return ({"emptied": raw["reason"].max()} if emptied else {}) | {
        "last_seen": synced.isoformat() if isinstance(synced, datetime) else None,
        "runs": sorted(raw["run_id"].drop_nulls().unique()),
    }


def _as_live(live: OpenVersion | None, source: str) -> dict[str, Any]:
    """Say of what is taken from the live version how it came to be there."""
    then = live.manifest["sources"].get(source, {}) if live else {}
    return {name: then[name] for name in ("last_seen", "runs") if name in then}


def _why(hold: Hold | None, reason: RagError | None) -> dict[str, Any]:
    if hold is None:
        return {"behind": str(reason)}
    return {"held": {"since": hold.since.isoformat(), "cause": hold.cause, "why": hold.why}}
