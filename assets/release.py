"""The workspace's way from vectors to a published version: build, score, judge, publish."""

import time

import dagster as dg

from assets.corpus import embeddings
from assets.resources import Reporter, seconds_since
from evals.release import Evaluation, evaluate, report_path
from rag_platform.core.errors import RagError
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace


class PublishConfig(dg.Config):
    """What one may choose per run."""

    publish: bool = True
    """Move the pointer when the gate passes; without, the version stays a candidate."""


@dg.asset(
    deps=[embeddings],
    group_name="release",
    kinds={"duckdb", "usearch", "tantivy"},
    pool="index",
    check_specs=[
        dg.AssetCheckSpec("sound", asset="index", blocking=True, description="Checksums, keys and recall are right.")
    ],
)
def index(context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]) -> dg.MaterializeResult:
    """A candidate version: vectors, lexical index and catalog of all sources, in one immutable folder."""
    start = time.perf_counter()
    try:
        made = Pipeline(workspace, run_id=context.run.run_id).build()
    except RagError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
    manifest = workspace.versions.manifest(made.version)
    problems = workspace.versions.open(made.version).verify() if made.new else []
    if made.new:
        workspace.versions.gc(workspace.settings.index.keep)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": manifest["counts"]["chunks"],
            "version": made.version,
            "new": made.new,
            "documents": manifest["counts"]["documents"],
            "vectors_from": manifest["vectors_from"],
            "seconds": seconds_since(start),
        },
        data_version=dg.DataVersion(manifest["content"]),
        check_results=[dg.AssetCheckResult(passed=not problems, metadata={"problems": problems})],
    )


@dg.asset(
    deps=[index],
    group_name="release",
    kinds={"ragas", "python"},
    pool="index",
    check_specs=[
        dg.AssetCheckSpec(
            "gate", asset="evaluation", blocking=True, description="At least as good as the live version."
        )
    ],
)
def evaluation(
    context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace], reporter: dg.ResourceParam[Reporter]
) -> dg.MaterializeResult:
    """The candidate's scores on the question sets, beside those of the live version, and the gate's verdict."""
    start = time.perf_counter()
    try:
        with workspace.activity.running("evaluate", progress=reporter("evaluate")) as progress:
            made: Evaluation = evaluate(workspace, workspace.versions.candidate_id(), progress=progress)
    except RagError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
    for reason in made.verdict.reasons:
        context.log.info(reason)
    workspace.costs.record(
        run_id=context.run.run_id,
        source=None,
        stage="evaluate",
        seconds=seconds_since(start),
        bytes_written=0,
        counts={"questions": made.scores.questions.height},
    )
    return dg.MaterializeResult(
        metadata={
            "version": made.version,
            "passed": made.verdict.passed,
            "report": dg.MetadataValue.md(made.report),
            "page": dg.MetadataValue.path(report_path(workspace, made.version).with_suffix(".html")),
            **_means(made),
            "seconds": seconds_since(start),
        },
        check_results=[
            dg.AssetCheckResult(
                passed=made.verdict.passed,
                severity=dg.AssetCheckSeverity.ERROR,
                metadata={
                    "reasons": dg.MetadataValue.md("\n".join(f"- {reason}" for reason in made.verdict.reasons)),
                    **_means(made),
                },
            )
        ],
    )


@dg.asset(deps=[evaluation], group_name="release", kinds={"python"}, pool="index")
def live_index(
    context: dg.AssetExecutionContext, config: PublishConfig, workspace: dg.ResourceParam[Workspace]
) -> dg.MaterializeResult:
    """The version that answers: one pointer, moved when the gate has passed."""
    start, versions = time.perf_counter(), workspace.versions
    candidate, before = versions.candidate_id(), versions.live_id()
    # This asset can be launched alone, so it asks for the verdict itself: only a version that passed is published.
    passed = versions.manifest(candidate).get("verdict", {}).get("passed", False)
    # The candidate is whatever was built last, by any run, so a slower run cannot bring older content back.
    held = versions.held()
    moved = config.publish and passed and candidate != before and not held
    if moved:
        versions.promote(candidate, why="the gate passed", run_id=context.run.run_id)
    live = versions.live_id()
    return dg.MaterializeResult(
        metadata={
            "version": live or "none",
            "before": before or "none",
            "published": moved,
            "held": dg.MetadataValue.json(held),
            "seconds": seconds_since(start),
        }
    )


def _means(made: Evaluation) -> dict[str, float]:
    return {name: round(value, 4) for name, value in made.scores.means.items()}
