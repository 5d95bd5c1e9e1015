"""The entry point that `dg` and `dagster` load."""

from collections.abc import Callable, Sequence
from pathlib import Path

import dagster as dg

from assets.automation import alerts, changed_files, freshness, schedules
from assets.checks import source_checks
from assets.corpus import chunks_asset, documents_asset, embeddings_asset, raw_asset
from assets.moves import promote_job, rollback_job
from assets.names import Names
from assets.release import evaluation_asset, index_asset, live_index_asset
from assets.scrubbing import daily_scrub, undamaged_check
from evals.evaluation_gate import EvaluationGate
from rag_platform.operations.observability.otlp_export import export_telemetry
from rag_platform.workspace import Workspace, open_workspace


@dg.definitions
def defs() -> dg.Definitions:
    """Return the pipeline of the workspace that RAG_HOME names (default: the current folder)."""
    return _opened(None)


def defs_in(home: Path) -> Callable[..., dg.Definitions]:
    """Return the pipeline of the workspace in a folder, to be loaded like `defs`."""
    return dg.definitions(lambda: _opened(home))


def _opened(home: Path | None) -> dg.Definitions:
    workspace = open_workspace(home)
    export_telemetry(workspace.settings.telemetry)
    return definitions_of(workspace)


def definitions_of(workspace: Workspace) -> dg.Definitions:
    """Return the pipeline of a workspace."""
    settings, names = workspace.settings, Names.of(workspace.settings)
    corpus = names.keyed([make(names) for make in (raw_asset, documents_asset, chunks_asset, embeddings_asset)])
    release = names.keyed([make(names) for make in (index_asset, evaluation_asset, live_index_asset)])
    undamaged = undamaged_check(names)
    sync_job = dg.define_asset_job(
        "sync",
        selection=selection_of([*corpus, *release]),
        description="Bring one source through all stages, then build, score and publish a version of the workspace.",
    )
    source_job = dg.define_asset_job(
        "source",
        selection=selection_of(corpus),
        description="Bring one source through its stages; the next release takes it up.",
    )
    release_job = dg.define_asset_job(
        "release",
        selection=selection_of(release),
        description="Build, score and publish a version of what is there.",
        metadata={"home": str(settings.home)},  # so that nobody starts another workspace's
    )
    scrub_job = dg.define_asset_job(
        "scrub",
        selection=dg.AssetSelection.checks(undamaged),
        description="Read a day's part of the files, to find damage where nobody looks.",
    )
    # One machine's cores bound the stages, and a process per step costs seconds: in one process unless asked for.
    separate = settings.dagster.executor == "multiprocess"
    return dg.Definitions(
        assets=[*corpus, *release],
        asset_checks=[*source_checks(settings), undamaged],
        jobs=[sync_job, source_job, release_job, promote_job, rollback_job, scrub_job],
        schedules=[*schedules(settings), daily_scrub],
        sensors=[changed_files, freshness, alerts],
        resources={"workspace": workspace, "gate": EvaluationGate(workspace)},
        executor=dg.multiprocess_executor if separate else dg.in_process_executor,
    )


def selection_of(assets: Sequence[dg.AssetsDefinition]) -> dg.AssetSelection:
    """Return the assets with their own checks, without those of each source: they are recorded by the assets."""
    own = [spec.key for asset in assets for spec in asset.check_specs]
    return dg.AssetSelection.assets(*assets).without_checks() | dg.AssetSelection.checks(*own)
