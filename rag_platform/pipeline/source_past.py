"""What the brake on change knows of a source from before: its live documents, earlier versions, earlier runs."""

import json
from functools import partial

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.validation.document_pairs import COLUMNS, NOTHING
from rag_platform.validation.past import Past
from rag_platform.workspace import Workspace

_VERSIONS_BACK = 5
"""Versions before the live one in which an older text is looked for."""


def live_catalog(workspace: Workspace) -> Catalog | None:
    """Return the live version's catalog; None when nothing is live, or it cannot be read."""
    live = workspace.versions.live_id()
    try:
        return workspace.versions.catalog(live) if live else None
    except VersionError:  # `rag doctor` reports a damaged version
        return None


def live_documents(workspace: Workspace, source: str) -> pl.DataFrame:
    """Return the live version's documents of a source, columns `COLUMNS`; none when nothing can be read."""
    return documents_of(live_catalog(workspace), source)


def documents_of(catalog: Catalog | None, source: str) -> pl.DataFrame:
    """Return a source's documents in a catalog, columns `COLUMNS`; none when there is none or it cannot be read."""
    if catalog is None:
        return NOTHING
    try:
        return catalog.documents(*COLUMNS, "source").filter(pl.col("source") == source).drop("source")
    except VersionError:
        return NOTHING


def past_of(workspace: Workspace, source: str) -> Past:
    """Return by what a change of a source is judged."""
    learnt = workspace.statistics.learnt(source)
    names = {name for run in learnt for name in run.shares}
    return Past(
        max_changed_share=workspace.settings.sync.max_changed_share,
        runs=len(learnt),
        shares={name: [run.shares.get(name, 0.0) for run in learnt] for name in names},
        earlier=partial(_earlier, workspace, source),
        elsewhere=partial(_elsewhere, workspace, source),
        readers_set=_readers_set(workspace, source),
    )


def readers_of(workspace: Workspace, source: str) -> str:
    """Return who may read a source as rag.toml has it, to be compared."""
    settings = workspace.settings.source(source).model_dump(mode="json")
    return json.dumps({name: settings[name] for name in ("principals", "rules", "private") if name in settings})


def _readers_set(workspace: Workspace, source: str) -> bool:
    """Return whether people changed who may read the source; who may read uploads is always people's doing."""
    then = workspace.statistics.readers(source)
    changed = then is not None and then != readers_of(workspace, source)
    return changed or workspace.settings.source(source).kind == "upload"


def _earlier(workspace: Workspace, source: str) -> frozenset[tuple[str, str]]:
    """Return (uri, revision) of the source's documents in versions before the live one."""
    versions = workspace.versions
    live, found = versions.live_id(), set[tuple[str, str]]()
    for version in [one for one in versions.ids() if live and one < live][-_VERSIONS_BACK:]:
        try:
            rows = documents_of(versions.catalog(version), source)
        except VersionError:
            continue
        found |= set(rows.select("uri", "revision").iter_rows())
    return frozenset(found)


def _elsewhere(workspace: Workspace, source: str) -> frozenset[tuple[str, frozenset[str]]]:
    """Return (revision, readers) of what other sources have in the live version."""
    catalog = live_catalog(workspace)
    try:
        rows = catalog.documents("source", "revision", "principals") if catalog else None
    except VersionError:
        rows = None
    if rows is None:
        return frozenset()
    others = rows.filter(pl.col("source") != source).select("revision", "principals")
    return frozenset((revision, frozenset(readers or ())) for revision, readers in others.iter_rows())
