"""Is what a source changed into plausible? The brake on change, asked before a version is built."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import polars as pl

from rag_platform.core.errors import StorageError, VersionError
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.pipeline.source_past import documents_of, live_catalog, live_documents, past_of, readers_of
from rag_platform.validation.anomalies import READERS, widened_ids
from rag_platform.validation.change_report import ChangeReport
from rag_platform.validation.changes import compare, state_of
from rag_platform.validation.document_pairs import COLUMNS, Reading
from rag_platform.validation.drift import drift
from rag_platform.validation.source_statistics import describe
from rag_platform.validation.statistics_record import Run
from rag_platform.workspace import Workspace


def screen(workspace: Workspace, source: str) -> ChangeReport:
    """Compare a source's documents with those of the live version.

    Raises:
        DamagedFile: its documents table cannot be read.
    """
    now = workspace.store.select("documents", source, COLUMNS, pl.lit(value=True))
    report = _compared(workspace, source, now, partial(_stored, workspace, source))
    newest = workspace.statistics.runs(source, 1)
    statistics = {**newest[0].statistics, **report.statistics} if newest else report.statistics
    return replace(report, remarks=drift_of(workspace, source), statistics=statistics)


def drift_of(workspace: Workspace, source: str) -> tuple[str, ...]:
    """Return in sentences which statistics of a source are not as they used to be."""
    health = workspace.settings.health
    return tuple(drift(workspace.statistics.runs(source), health.change, health.languages))


def newest_state(workspace: Workspace, source: str) -> str:
    """Return the digest of a source's newest documents: what a person's leave is for (`ChangeReport.state`)."""
    return state_of(workspace.store.select("documents", source, COLUMNS, pl.lit(value=True)))


def examine(workspace: Workspace, source: str, documents: pl.DataFrame) -> ChangeReport:
    """Compare documents that are not in their table yet, columns `DOCUMENTS`, with those of the live version."""

    def given(column: str, ids: Sequence[str]) -> dict[str, Any]:
        chosen = documents.filter(pl.col("doc_id").is_in(list(ids)))
        return dict(chosen.select("doc_id", column).iter_rows())

    return _compared(workspace, source, documents.select(COLUMNS), given)


def record(workspace: Workspace, report: ChangeReport, documents: pl.DataFrame, run_id: str) -> None:
    """Keep the statistics of a run; what cannot be kept stops no sync."""
    run = Run(
        at=datetime.now(UTC),
        source=report.source,
        run_id=run_id,
        state=report.state,
        changed=report.changed + report.new,
        shares=report.statistics["shares"],
        readers=readers_of(workspace, report.source),
        statistics=describe(documents),
    )
    try:
        workspace.statistics.add(run)
    except StorageError as error:
        logging.getLogger(__name__).warning("the statistics of %s are not kept: %s", report.source, error)


def doubted_readers(workspace: Workspace, report: ChangeReport, documents: pl.DataFrame) -> list[str]:
    """Name the documents (`doc_id`) whose new readers nobody believes: more may read too many of them at once."""
    stopped = any(anomaly.name == READERS for anomaly in report.anomalies)
    if not stopped or workspace.holds.permitted(report.source, report.state):
        return []
    return widened_ids(live_documents(workspace, report.source), documents)


def learn(workspace: Workspace, source: str) -> None:
    """Take what is live of a source for normal, unless somebody had to let it pass."""
    state = state_of(live_documents(workspace, source))
    if not workspace.holds.permitted(source, state):
        workspace.statistics.note_published(source, state)


def _compared(
    workspace: Workspace, source: str, now: pl.DataFrame, columns_of: Callable[[str, Sequence[str]], Mapping[str, Any]]
) -> ChangeReport:
    live, past = live_catalog(workspace), past_of(workspace, source)
    reading = Reading(partial(_live_texts, live), partial(columns_of, "text"), partial(columns_of, "signature"))
    return compare(source, documents_of(live, source), now, reading, past)


def _stored(workspace: Workspace, source: str, column: str, ids: Sequence[str]) -> dict[str, Any]:
    chosen = workspace.store.select("documents", source, ("doc_id", column), pl.col("doc_id").is_in(list(ids)))
    return dict(chosen.iter_rows())


def _live_texts(live: Catalog | None, ids: Sequence[str]) -> Mapping[str, str]:
    try:
        return live.texts(ids) if live else {}
    except VersionError:  # `rag doctor` reports a damaged version
        return {}
