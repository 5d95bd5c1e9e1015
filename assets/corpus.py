"""A source's way from bytes to vectors: four assets, one partition per source."""

import time

import dagster as dg

from assets.checks import SPECS, results
from assets.resources import Reporter, seconds_since
from rag_platform.core.errors import MassDeletion, RagError, SourceError, message_of
from rag_platform.pipeline.stages import Pipeline
from rag_platform.raw.scrape import Tally
from rag_platform.workspace import Workspace

SOURCES = dg.DynamicPartitionsDefinition(name="source")
"""One partition per source of rag.toml; sources come and go."""


class FetchConfig(dg.Config):
    """What one may choose per run."""

    allow_mass_delete: bool = False
    """Let the sync remove more of the source than the settings allow."""
    full: bool = False
    """Read everything anew, also what seems unchanged."""
    retry: bool = True
    """Try a source that cannot be listed again, later."""


@dg.asset(
    partitions_def=SOURCES,
    group_name="corpus",
    kinds={"python", "parquet"},
    pool="fetch",
    retry_policy=dg.RetryPolicy(max_retries=2, delay=60, backoff=dg.Backoff.EXPONENTIAL),
)
def raw(
    context: dg.AssetExecutionContext,
    config: FetchConfig,
    workspace: dg.ResourceParam[Workspace],
    reporter: dg.ResourceParam[Reporter],
) -> dg.MaterializeResult:
    """The source's bytes as they were read, kept by content, with what was new, changed, gone or failed."""
    source, start = context.partition_key, time.perf_counter()
    try:
        scraped = Pipeline(workspace, run_id=context.run.run_id).fetch(
            source,
            allow_mass_delete=config.allow_mass_delete,
            full=config.full,
            progress=reporter(f"fetch {source}"),
        )
    except SourceError as error:
        retry = config.retry and not isinstance(error, MassDeletion)
        raise dg.Failure(str(error), allow_retries=retry) from error
    except Exception as error:  # a person at a terminal waits for no retries, whatever is wrong
        raise dg.Failure(message_of(error), allow_retries=config.retry and not isinstance(error, RagError)) from error
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": scraped.table.height,
            "seconds": seconds_since(start),
            **_tally(scraped.tally),
        }
    )


@dg.asset(
    deps=[raw],
    partitions_def=SOURCES,
    group_name="corpus",
    kinds={"python", "parquet"},
    check_specs=[dg.AssetCheckSpec("readable", asset="documents", description="Something could be read."), *SPECS],
)
def documents(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace], reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult:
    """Clean text with title, author, dates and language; what could not be read, with the reason."""
    source, start = context.partition_key, time.perf_counter()
    read = Pipeline(workspace, run_id=context.run.run_id).extract(source, progress=reporter(f"extract {source}"))
    failed = [{"uri": uri, "reason": reason} for uri, reason in read.failed]
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": read.table.height,
            "extracted": read.extracted,
            "reused": read.reused,
            "failed": len(failed),
            "failures": dg.MetadataValue.json(failed),
            "statuses": dg.MetadataValue.json(dict(read.table.group_by("status").len().sort("status").iter_rows())),
            "seconds": seconds_since(start),
        },
        check_results=[
            dg.AssetCheckResult(
                check_name="readable",
                passed=not failed or len(failed) < read.table.height,
                severity=dg.AssetCheckSeverity.WARN,
                metadata={"failed": len(failed), "of": read.table.height},
            ),
            *results(workspace, source),
        ],
    )


@dg.asset(deps=[documents], partitions_def=SOURCES, group_name="corpus", kinds={"python", "parquet"})
def chunks(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace], reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult:
    """Passages cut at sentences and headings, each with its span in the document."""
    source, start = context.partition_key, time.perf_counter()
    cut = Pipeline(workspace, run_id=context.run.run_id).chunk(source, progress=reporter(f"chunk {source}"))
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": cut.table.height,
            "new": cut.new,
            "removed": cut.removed,
            "tokens": int(cut.table["tokens"].sum()),
            "seconds": seconds_since(start),
        }
    )


@dg.asset(
    deps=[chunks],
    partitions_def=SOURCES,
    group_name="corpus",
    kinds={"onnx", "parquet"},
    pool="embed",
    check_specs=[
        dg.AssetCheckSpec("complete", asset="embeddings", blocking=True, description="Every chunk has its vector.")
    ],
)
def embeddings(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace], reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult:
    """One unit vector per distinct text; only texts never seen before are embedded."""
    source, start = context.partition_key, time.perf_counter()
    made = Pipeline(workspace, run_id=context.run.run_id).embed(source, progress=reporter(f"embed {source}"))
    needed = workspace.store.read("chunks", source)["text_hash"]
    missing = int((~needed.is_in(made.table["text_hash"].implode())).sum())
    return dg.MaterializeResult(
        metadata={
            "dagster/partition_row_count": made.table.height,
            "embedded": made.embedded,
            "reused": made.reused,
            "tokens_embedded": made.tokens,
            "model": workspace.settings.model_of(source).name,
            "seconds": seconds_since(start),
        },
        check_results=[dg.AssetCheckResult(passed=missing == 0, metadata={"missing": missing})],
    )


def _tally(tally: Tally) -> dict:
    counts = tally.to_dict()
    failed = counts.pop("failed")
    return {**counts, "failed": len(failed), "failures": dg.MetadataValue.json(failed)}
