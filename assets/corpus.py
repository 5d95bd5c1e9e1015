"""A source's way from bytes to vectors: four assets, one partition per source."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets import checks
from assets.failures import unless_refused
from assets.names import Names
from rag_platform.chunks import chunker
from rag_platform.core.errors import MassDeletion, RagError, SourceError
from rag_platform.documents import raw_reader
from rag_platform.models import graph_cache
from rag_platform.pipeline import stage_reports
from rag_platform.pipeline.stage_reports import FetchOptions, StageReport
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace


class FetchConfig(dg.Config):
    """The options of a run."""

    allow_mass_delete: bool = False
    """Allow the sync to remove more of the source than the settings do."""
    full: bool = False
    """Read everything again, also what seems unchanged."""


class ReadConfig(dg.Config):
    """The options of reading what was fetched."""

    allow_mass_change: bool = False
    """Let what is read be published, whatever the brake on change and the questions say of it."""


def materialization_metadata(report: StageReport) -> dict[str, Any]:
    """Return a stage's report as the metadata of its asset's partition."""
    failed = {"failed": len(report.failed), "failures": report.failures()} if report.stage in _CAN_FAIL else {}
    return {"dagster/partition_row_count": report.rows, **report.counts, **failed, "seconds": report.seconds}


_CAN_FAIL = ("fetch", "extract")
"""Stages of which one item can fail while the others go on."""


def raw_asset(names: Names) -> dg.AssetsDefinition:
    """Return `raw` in a workspace's pool and partitions."""

    @dg.asset(
        partitions_def=names.sources,
        group_name="corpus",
        kinds={"python", "parquet"},
        pool=names.pool("fetch"),
        retry_policy=dg.RetryPolicy(max_retries=2, delay=60, backoff=dg.Backoff.EXPONENTIAL),
    )
    def raw(
        context: dg.AssetExecutionContext, config: FetchConfig, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[None]:
        """The source's bytes as they were read, stored by content hash, with what was new, changed, gone or failed."""
        options = FetchOptions(allow_mass_delete=config.allow_mass_delete, full=config.full)
        try:
            report = stage_reports.fetch(_pipeline(context, workspace), context.partition_key, options)
        except RagError as error:
            retryable = isinstance(error, SourceError) and not isinstance(error, MassDeletion)
            raise dg.Failure(str(error), allow_retries=retryable) from error
        return dg.MaterializeResult(metadata=materialization_metadata(report))

    return raw


def documents_asset(names: Names) -> dg.AssetsDefinition:
    """Return `documents` in a workspace's partitions."""

    # Of an asset with checks, Dagster accepts only the bare class MaterializeResult, hence `type: ignore[type-arg]`.
    @dg.asset(
        deps=["raw"],
        partitions_def=names.sources,
        group_name="corpus",
        kinds={"python", "parquet"},
        code_version=raw_reader.VERSION,
    )
    def documents(
        context: dg.AssetExecutionContext, config: ReadConfig, workspace: dg.ResourceParam[Workspace]
    ) -> dg.MaterializeResult[None]:
        """Clean text with title, author, dates and language; what could not be read, with the reason."""
        options = FetchOptions(allow_mass_change=config.allow_mass_change)
        report = stage_reports.extract(_pipeline(context, workspace), context.partition_key, options)
        checks.record(context, workspace, "documents", [context.partition_key])
        return dg.MaterializeResult(metadata=materialization_metadata(report))

    return documents


def chunks_asset(names: Names) -> dg.AssetsDefinition:
    """Return `chunks` in a workspace's partitions."""

    @dg.asset(
        deps=["documents"],
        partitions_def=names.sources,
        group_name="corpus",
        kinds={"python", "parquet"},
        code_version=chunker.VERSION,
    )
    def chunks(context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult[None]:
        """Passages cut at sentences and headings, each with its span in the document."""
        report = stage_reports.chunk(_pipeline(context, workspace), context.partition_key)
        return dg.MaterializeResult(metadata=materialization_metadata(report))

    return chunks


def embeddings_asset(names: Names) -> dg.AssetsDefinition:
    """Return `embeddings` in a workspace's pool and partitions."""

    @dg.asset(
        deps=["chunks"],
        partitions_def=names.sources,
        group_name="corpus",
        kinds={"onnx", "parquet"},
        pool=names.pool("embed"),
        code_version=graph_cache.GRAPH_VERSION,
        check_specs=[
            dg.AssetCheckSpec(
                "complete",
                asset="embeddings",
                blocking=True,
                description="Every chunk that a model reads has its vector.",
            )
        ],
    )
    def embeddings(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        """One unit vector per distinct text; only texts never seen before are embedded."""
        report = stage_reports.embed(_pipeline(context, workspace), context.partition_key)
        missing = report.counts["missing"]
        made = dg.MaterializeResult[Any](
            metadata=materialization_metadata(report),
            check_results=[
                dg.AssetCheckResult(
                    passed=missing == 0, metadata={"missing": missing, "words only": report.counts["words_only"]}
                )
            ],
        )
        yield from unless_refused(made, f"{missing} chunks have no vector; sync again" if missing else "")

    return embeddings


def _pipeline(context: dg.AssetExecutionContext, workspace: Workspace) -> Pipeline:
    return Pipeline(workspace, run_id=context.run.run_id)
