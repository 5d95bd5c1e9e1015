"""Is what a source changed into plausible? The brake on change, asked before a version is built."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from rag_platform.core.errors import VersionError
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.validation.change_report import ChangeReport
from rag_platform.validation.changes import compare, state_of
from rag_platform.validation.document_pairs import COLUMNS, NOTHING, Reading
from rag_platform.validation.source_past import Past
from rag_platform.workspace import Workspace

_VERSIONS_BACK = 5
"""Versions before the live one in which an older text is looked for."""


def screen(workspace: Workspace, source: str) -> ChangeReport:
    """Compare a source's documents with those of the live version."""
    catalog = _live_catalog(workspace)
    now = workspace.store.select("documents", source, COLUMNS, pl.lit(value=True))
    return compare(
        source, _documents(catalog, source), now, _reading(workspace, catalog, source), _past(workspace, source)
    )


def newest_state(workspace: Workspace, source: str) -> str:
    """Return the digest of a source's newest documents: what a person's leave is for (`ChangeReport.state`)."""
    return state_of(workspace.store.select("documents", source, COLUMNS, pl.lit(value=True)))


def live_documents(workspace: Workspace, source: str) -> pl.DataFrame:
    """Return the live version's documents of a source; none when nothing is live, or it cannot be read."""
    return _documents(_live_catalog(workspace), source)


def _live_catalog(workspace: Workspace) -> Catalog | None:
    live = workspace.versions.live_id()
    try:
        return workspace.versions.catalog(live) if live else None
    except VersionError:  # `rag doctor` reports a damaged version
        return None


def _documents(catalog: Catalog | None, source: str) -> pl.DataFrame:
    if catalog is None:
        return NOTHING
    return catalog.documents(*COLUMNS, "source").filter(pl.col("source") == source).drop("source")


def _reading(workspace: Workspace, catalog: Catalog | None, source: str) -> Reading:
    def stored(column: str, ids: Sequence[str]) -> dict[str, Any]:
        chosen = workspace.store.select("documents", source, ("doc_id", column), pl.col("doc_id").is_in(list(ids)))
        return dict(chosen.iter_rows())

    def live(ids: Sequence[str]) -> Mapping[str, str]:
        return catalog.texts(ids) if catalog else {}

    return Reading(live, partial(stored, "text"), partial(stored, "signature"))


def _past(workspace: Workspace, source: str) -> Past:
    return Past(
        max_changed_share=workspace.settings.sync.max_changed_share,
        earlier=partial(_earlier, workspace, source),
        elsewhere=partial(_elsewhere, workspace, source),
    )


def _earlier(workspace: Workspace, source: str) -> frozenset[tuple[str, str]]:
    """Return (uri, revision) of the source's documents in versions before the live one."""
    versions = workspace.versions
    live, found = versions.live_id(), set[tuple[str, str]]()
    for version in [one for one in versions.ids() if live and one < live][-_VERSIONS_BACK:]:
        try:
            rows = versions.catalog(version).documents("source", "uri", "revision")
        except VersionError:
            continue
        found |= set(rows.filter(pl.col("source") == source).select("uri", "revision").iter_rows())
    return frozenset(found)


def _elsewhere(workspace: Workspace, source: str) -> frozenset[tuple[str, frozenset[str]]]:
    """Return (revision, readers) of what other sources have in the live version."""
    catalog = _live_catalog(workspace)
    if catalog is None:
        return frozenset()
    rows = catalog.documents("source", "revision", "principals").filter(pl.col("source") != source)
    return frozenset((revision, frozenset(readers or ())) for _, revision, readers in rows.iter_rows())
