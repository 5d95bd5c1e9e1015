"""Runs whose process is gone: after a power failure nothing else marks them as failed, and they keep their pool slots.

While Dagster runs, its code server notices that the process of a run has ended. When the machine was switched off, or
all of Dagster was killed, the run stays started for ever: Dagster's run monitoring cannot look at processes of the
default launcher, only at its clock. A launcher that starts runs elsewhere (Kubernetes) tells it of them itself, and the
process ids of those are not of this machine.
"""

import dagster as dg

from rag_platform.operations.processes import is_alive

WHY = "The process of this run was killed, or its machine was switched off. Finished stages are stored; sync again."
_FINISHED = {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED}
_UNFINISHED = [status for status in dg.DagsterRunStatus if status not in _FINISHED]


def unfinished_runs(instance: dg.DagsterInstance, location: str | None) -> list[dg.DagsterRun]:
    """Return the runs that are queued or running, without those of which is known that another location began them."""
    runs = instance.get_runs(dg.RunsFilter(statuses=_UNFINISHED))
    return [run for run in runs if location is None or _began(run) in (None, location)]


def _began(run: dg.DagsterRun) -> str | None:
    """Return the code location of a run; None: a command began it."""
    origin = run.remote_job_origin
    return origin.repository_origin.code_location_origin.location_name if origin else None


def fail_dead_runs(instance: dg.DagsterInstance, location: str | None) -> list[str]:
    """Mark each run of a location as failed whose process is gone; returns their ids.

    The processes of another location may be of another machine.
    """
    if instance.run_launcher.supports_check_run_worker_health:
        return []
    dead = [run for run in unfinished_runs(instance, location) if _is_dead(instance, run)]
    for run in dead:
        instance.report_run_failed(run, WHY)
    return [run.run_id for run in dead]


def _is_dead(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Return whether a run named its process, and that has ended."""
    for entry in reversed(instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT)):
        pid = entry.dagster_event.engine_event_data.metadata.get("pid") if entry.dagster_event else None
        if pid is not None and str(pid.value).isdigit():
            return not is_alive(int(str(pid.value)), entry.timestamp)
    return False
