"""The entry point that `dg` and `dagster` load."""

from datetime import timedelta

import dagster as dg

from assets.automation import PATH, changed_files, release_job, schedules, source_job, sync_job
from assets.moves import promote_job, rollback_job
from assets.resources import Reporter, quiet
from rag_platform.config.settings import Settings
from rag_platform.workspace import Workspace, open_workspace


@dg.definitions
def defs() -> dg.Definitions:
    """Return the pipeline of the workspace that RAG_HOME names (default: the current folder)."""
    return definitions_of(open_workspace())


def definitions_of(workspace: Workspace, reporter: Reporter = quiet) -> dg.Definitions:
    """Return the pipeline of a workspace."""
    freshness = _freshness(workspace.settings)
    return dg.Definitions(
        assets=dg.map_asset_specs(lambda spec: spec.replace_attributes(freshness_policy=freshness), PATH),
        jobs=[sync_job, source_job, release_job(workspace.settings), promote_job, rollback_job],
        schedules=schedules(workspace.settings),
        sensors=[changed_files],
        resources={"workspace": workspace, "reporter": reporter},
        executor=dg.in_process_executor,  # one machine's cores bound the stages; a fork per step costs seconds
    )


def _freshness(settings: Settings) -> dg.FreshnessPolicy:
    """Call the assets late when no source was synced within the longest time that any source allows."""
    read = (source for source in settings.sources if not source.paused)
    hours = max((source.fresh_within_hours or 24.0 for source in read), default=24.0)
    return dg.FreshnessPolicy.time_window(fail_window=timedelta(hours=2 * hours), warn_window=timedelta(hours=hours))
