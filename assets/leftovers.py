"""What a killed run leaves in Dagster's records: it stands there as running, and keeps its place in a pool for ever."""

import dagster as dg
from dagster import DagsterEventType
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

from rag_platform.operations.processes import is_alive

WHY = "The process of this run was killed, or its machine was switched off. What was finished is kept; sync again."


def clear_killed(instance: dg.DagsterInstance) -> list[str]:
    """Note each run whose process has gone as failed, and free the places that such runs hold; returns their ids."""
    killed = [
        run for run in instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES))) if _gone(instance, run)
    ]
    for run in killed:
        instance.report_run_failed(run, WHY)
    storage = instance.event_log_storage
    for key in storage.get_concurrency_keys() if storage.supports_global_concurrency_limits else ():
        info = storage.get_concurrency_info(key)
        for run_id in {one.run_id for one in (*info.claimed_slots, *info.pending_steps)}:
            run = instance.get_run_by_id(run_id)
            if run is None or run.is_finished:
                storage.free_concurrency_slots_for_run(run_id)
    return [run.run_id for run in killed]


def _gone(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Tell whether a run named its process, and that has ended."""
    for entry in reversed(instance.all_logs(run.run_id, of_type=DagsterEventType.ENGINE_EVENT)):
        said = entry.dagster_event.engine_event_data.metadata.get("pid") if entry.dagster_event else None
        if said is not None and str(said.value).isdigit():
            return not is_alive(int(said.value), entry.timestamp)
    return False
