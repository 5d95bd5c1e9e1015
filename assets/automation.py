"""When runs start: a schedule per source, and sensors for rag.toml, the watched folders, freshness and alerts."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import dagster as dg

from assets.checks import timed_evaluations
from assets.dead_runs import fail_dead_runs, unfinished_runs
from assets.names import POOLS, Names
from rag_platform.config.settings import Settings
from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_kinds import kind_of
from rag_platform.core.errors import SettingsError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Watched
from rag_platform.operations.alerts.alerting import CATCHING_UP, alert
from rag_platform.workspace import Workspace, open_workspace

PARTITION = "dagster/partition"
"""The tag of a run that names its source."""
REPORT_INTERVAL = timedelta(hours=1)
"""How often a check is reported that does not change."""


def schedules(settings: Settings) -> list[dg.ScheduleDefinition]:
    """Return a schedule for each source that names one."""
    return [_schedule(settings, source.id, source.schedule) for source in settings.sources if source.schedule]


def _schedule(settings: Settings, source: str, cron: str) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=f"sync_{source.replace('-', '_')}",
        job_name="sync",
        cron_schedule=cron,
        execution_timezone="UTC",
        default_status=dg.DefaultScheduleStatus.RUNNING,
        description=f"Sync {source}.",
    )
    def sync_source(context: dg.ScheduleEvaluationContext) -> dg.RunRequest | dg.SkipReason:
        try:
            now = load_settings(settings.home).source(source)  # rag.toml may have changed since this process began
        except SettingsError as error:
            return dg.SkipReason(str(error))
        if now.paused:
            return dg.SkipReason(f"{source} is paused")
        sync_partitions(context.instance, Names.of(settings), [source])
        return dg.RunRequest(partition_key=source, tags={"trigger": "schedule", "source": source})

    return sync_source


def sync_partitions(instance: dg.DagsterInstance, names: Names, sources: Sequence[str], *, prune: bool = False) -> None:
    """Make Dagster's partitions those of rag.toml; with `prune`, remove the others."""
    present = set(instance.get_dynamic_partitions(names.partitions))
    new = [source for source in sources if source not in present]
    if new:
        instance.add_dynamic_partitions(names.partitions, new)
    for source in present - set(sources) if prune else ():
        instance.delete_dynamic_partition(names.partitions, source)


@dg.sensor(
    job_name="sync",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Starts a sync of each folder whose files changed; keeps the partitions those of rag.toml.",
)
def changed_files(
    context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
) -> dg.SensorResult | dg.SkipReason:
    """Compare the fingerprint of each watched source with that of the last tick."""
    try:
        workspace = open_workspace(workspace.settings.home)  # rag.toml may have changed since this process began
    except SettingsError as error:
        return dg.SkipReason(str(error))
    settings, names, own = workspace.settings, Names.of(workspace.settings), location_of(context)
    fail_dead_runs(context.instance, own)
    initialize_pools(context.instance, names)
    sync_partitions(context.instance, names, [source.id for source in settings.sources], prune=True)
    before = json.loads(context.cursor or "{}")
    busy = sources_of_runs(context.instance, own)
    watched = [source.id for source in settings.sources if kind_of(source.kind).watched and not source.paused]
    now = {source: None if source in busy else _fingerprint(workspace, source) for source in watched}
    requests = [
        dg.RunRequest(partition_key=source, run_key=f"{source}:{mark}", tags={"trigger": "files", "source": source})
        for source, mark in now.items()
        if mark is not None and mark != before.get(source)
    ]
    seen = {source: mark if mark is not None else before.get(source) for source, mark in now.items()}
    return dg.SensorResult(run_requests=requests, cursor=json.dumps(seen, sort_keys=True))


@dg.sensor(
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Reports whether each source is fresh, and whether it is held: when that changes, and hourly.",
)
def freshness(
    context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
) -> dg.SensorResult | dg.SkipReason:
    """Evaluate the checks that time, or somebody's word, can change; this starts no run."""
    try:
        workspace = open_workspace(workspace.settings.home)
    except SettingsError as error:
        return dg.SkipReason(str(error))
    now, reported = datetime.now(UTC), json.loads(context.cursor or "{}")
    evaluations = timed_evaluations(workspace, now)
    due = {
        name: evaluation
        for name, evaluation in evaluations.items()
        if name not in reported
        or reported[name]["passed"] != evaluation.passed
        or datetime.fromisoformat(reported[name]["at"]) + REPORT_INTERVAL <= now
    }
    unchanged = {name: reported[name] for name in evaluations if name in reported}
    cursor = unchanged | {name: {"passed": entry.passed, "at": now.isoformat()} for name, entry in due.items()}
    return dg.SensorResult(asset_events=list(due.values()), cursor=json.dumps(cursor, sort_keys=True))


@dg.sensor(
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Tells the addresses of [alerts] what is held, refused or late, when it is over, and what happened.",
)
def alerts(context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]) -> dg.SkipReason:
    """Look, and deliver what waits; this starts no run."""
    try:
        workspace = open_workspace(workspace.settings.home)
    except SettingsError as error:
        return dg.SkipReason(str(error))
    problems = alert(workspace, tries=1, patience=CATCHING_UP)
    for problem in problems:
        context.log.warning(problem)
    return dg.SkipReason("; ".join(problems) or "nothing else is to be told")


def location_of(context: dg.SensorEvaluationContext) -> str | None:
    """Return the name of the code location that looks; None: it is no deployment's."""
    return context.code_location_origin.location_name if context.code_location_origin else None


def initialize_pools(instance: dg.DagsterInstance, names: Names) -> None:
    """Give each pool its default limit: a new instance would apply it only from the second round of its queue on."""
    storage = instance.event_log_storage
    if storage.supports_global_concurrency_limits:
        for pool in {*map(names.pool, POOLS)} - storage.get_concurrency_keys():
            storage.initialize_concurrency_limit_to_default(pool)


def sources_of_runs(instance: dg.DagsterInstance, location: str | None) -> set[str]:
    """Return the sources of unfinished runs: another run of one would only wait for it, or fail."""
    return {run.tags[PARTITION] for run in unfinished_runs(instance, location) if PARTITION in run.tags}


_watched: dict[tuple[str, str], tuple[str, Watched]] = {}
"""Source objects by (home, id), with their settings: a folder source caches its directories from tick to tick."""


def _fingerprint(workspace: Workspace, source: str) -> str | None:
    """Return the fingerprint of a source's content; None when it cannot be read now."""
    key, settings = (str(workspace.settings.home), source), workspace.settings.source(source).model_dump_json()
    known = _watched.get(key)
    try:
        if known is None or known[0] != settings:
            opened = workspace.source(source)
            if not isinstance(opened, Watched):
                return digest(*(part for item in opened.list().items for part in (item.uri, item.fingerprint or "")))
            known = _watched[key] = (settings, opened)
        return known[1].fingerprint()
    except SourceError:
        return None
