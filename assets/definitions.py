"""The entry point that `dg` and `dagster` load."""

import dagster as dg

from assets.automation import (
    PATH,
    RELEASE,
    alerts,
    changed_files,
    freshness,
    schedules,
    selection_of,
    source_job,
    sync_job,
)
from assets.checks import source_checks
from assets.moves import promote_job, rollback_job
from assets.scrubbing import daily_scrub, scrub_job, undamaged
from evals.evaluation_gate import EvaluationGate
from rag_platform.operations.observability.otlp_export import export_telemetry
from rag_platform.workspace import Workspace, open_workspace


@dg.definitions
def defs() -> dg.Definitions:
    """Return the pipeline of the workspace that RAG_HOME names (default: the current folder)."""
    workspace = open_workspace()
    export_telemetry(workspace.settings.telemetry)
    return definitions_of(workspace)


def definitions_of(workspace: Workspace) -> dg.Definitions:
    """Return the pipeline of a workspace."""
    settings = workspace.settings
    release_job = dg.define_asset_job(
        "release",
        selection=selection_of(RELEASE),
        description="Build, score and publish a version of what is there.",
        metadata={"home": str(settings.home)},  # so that nobody starts another workspace's
    )
    # One machine's cores bound the stages, and a process per step costs seconds: in one process unless asked for.
    separate = settings.dagster.executor == "multiprocess"
    return dg.Definitions(
        assets=PATH,
        asset_checks=[*source_checks(settings), undamaged],
        jobs=[sync_job, source_job, release_job, promote_job, rollback_job, scrub_job],
        schedules=[*schedules(settings), daily_scrub],
        sensors=[changed_files, freshness, alerts],
        resources={"workspace": workspace, "gate": EvaluationGate(workspace)},
        executor=dg.multiprocess_executor if separate else dg.in_process_executor,
    )
