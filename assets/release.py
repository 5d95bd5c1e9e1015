"""From vectors to a published version of the workspace: build, score, judge, publish."""

import time
from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets import checks
from assets.checks import gate_words
from assets.failures import failing_without_retries, unless_refused
from assets.names import Names
from evals import candidate_evaluation as evaluations
from rag_platform.core.ports import Gate
from rag_platform.index.releases.embedded_version import FORMAT
from rag_platform.pipeline.release import build_candidate, built_candidate, publish, releasing
from rag_platform.pipeline.settling import settle
from rag_platform.text import analysis
from rag_platform.workspace import Workspace


class PublishConfig(dg.Config):
    """The options of a run."""

    publish: bool = True
    """Move the pointer when the gate passes; without, the version stays a candidate."""


def index_asset(names: Names) -> dg.AssetsDefinition:
    """Return `index` in a workspace's pool."""

    # Of an asset with checks, Dagster accepts only the bare class MaterializeResult, hence `type: ignore[type-arg]`.
    @dg.asset(
        deps=["embeddings"],
        group_name="release",
        kinds={"duckdb", "usearch", "tantivy"},
        pool=names.pool("index"),
        code_version=f"{FORMAT}, analysis {analysis.VERSION}",
        check_specs=[
            dg.AssetCheckSpec(
                "sound", asset="index", blocking=True, description="Checksums, keys and recall are right."
            )
        ],
    )
    def index(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        """A candidate version: vectors, lexical index and catalog of all sources, in one immutable folder."""
        start = time.perf_counter()
        with failing_without_retries(), releasing(workspace):
            candidate = build_candidate(workspace, run_id=context.run.run_id)
        manifest, problems = candidate.manifest, candidate.problems
        made = dg.MaterializeResult[Any](
            metadata={
                "dagster/row_count": manifest["counts"]["chunks"],
                "version": candidate.version,
                "new": candidate.new,
                "documents": manifest["counts"]["documents"],
                "segments": len(manifest["segments"]),
                "seconds": _since(start),
            },
            data_version=dg.DataVersion(manifest["content"]),
            check_results=[dg.AssetCheckResult(passed=not problems, metadata={"problems": list(problems)})],
        )
        unsound = f"Not published: {candidate.version} is not sound: {'; '.join(problems)}"
        yield from unless_refused(made, unsound if problems else "")

    return index


def evaluation_asset(names: Names) -> dg.AssetsDefinition:
    """Return `evaluation` in a workspace's pool."""

    @dg.asset(
        deps=["index"],
        group_name="release",
        kinds={"ragas", "python"},
        pool=names.pool("index"),
        code_version=evaluations.VERSION,
        check_specs=[
            dg.AssetCheckSpec(
                "gate", asset="evaluation", blocking=True, description="At least as good as the live version."
            )
        ],
    )
    def evaluation(
        context: dg.AssetExecutionContext, workspace: dg.ResourceParam[Workspace], gate: dg.ResourceParam[Gate]
    ) -> Iterator[dg.MaterializeResult[Any]]:
        """The candidate's scores on the question sets, beside those of the live version, and the gate's verdict."""
        start = time.perf_counter()
        with failing_without_retries(), releasing(workspace):
            settled = settle(workspace, gate, built_candidate(workspace), run_id=context.run.run_id)
        version, judged = settled.candidate.version, settled.judgement
        for reason in judged.reasons:
            context.log.info(reason)
        means = {name: round(value, 4) for name, value in judged.means.items()}
        refused = "" if judged.passed else gate_words(workspace, judged.reasons)
        checks.record(context, workspace, "evaluation", [source.id for source in workspace.settings.sources])
        made = dg.MaterializeResult[Any](
            metadata={
                "version": version,
                "passed": judged.passed,
                "report": dg.MetadataValue.md(judged.report),
                "page": dg.MetadataValue.path(evaluations.report_path(workspace, version).with_suffix(".html")),
                **means,
                "seconds": _since(start),
            },
            check_results=[
                dg.AssetCheckResult(
                    passed=judged.passed,
                    severity=dg.AssetCheckSeverity.ERROR,
                    description=gate_words(workspace, judged.reasons),
                    metadata={
                        "reasons": dg.MetadataValue.md("\n".join(f"- {reason}" for reason in judged.reasons)),
                        **means,
                    },
                )
            ],
        )
        yield from unless_refused(made, refused)

    return evaluation


def live_index_asset(names: Names) -> dg.AssetsDefinition:
    """Return `live_index` in a workspace's pool."""

    @dg.asset(deps=["evaluation"], group_name="release", kinds={"python"}, pool=names.pool("index"))
    def live_index(
        context: dg.AssetExecutionContext,
        config: PublishConfig,
        workspace: dg.ResourceParam[Workspace],
        gate: dg.ResourceParam[Gate],
    ) -> dg.MaterializeResult[None]:
        """The version that answers: one pointer, moved when the gate has passed."""
        start, versions = time.perf_counter(), workspace.versions
        before, moved, held = versions.live_id(), False, versions.held()
        if config.publish:
            with failing_without_retries(), releasing(workspace):
                published = publish(workspace, gate, versions.resolve("candidate"), run_id=context.run.run_id)
            before, moved, held = published.before, published.moved, published.held
        checks.record(context, workspace, "live_index", [source.id for source in workspace.settings.sources])
        return dg.MaterializeResult(
            metadata={
                "version": versions.live_id() or "none",
                "before": before or "none",
                "published": moved,
                "held": dg.JsonMetadataValue(held),
                "seconds": _since(start),
            }
        )

    return live_index


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 3)
