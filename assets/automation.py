"""When what runs: a schedule per source, and a sensor that follows rag.toml and the watched folders."""

import json

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition
from dagster._core.storage.dagster_run import NOT_FINISHED_STATUSES

from assets.corpus import SOURCES, chunks, documents, embeddings, raw
from assets.leftovers import clear_killed
from assets.release import evaluation, index, live_index
from rag_platform.config.settings import Settings, load_settings
from rag_platform.config.source_kinds import kind_of
from rag_platform.core.errors import SettingsError, SourceError
from rag_platform.core.ids import digest
from rag_platform.workspace import Workspace, open_workspace

PARTITION = "dagster/partition"
"""The tag of a run that names its source."""
CORPUS = [raw, documents, chunks, embeddings]
RELEASE = [index, evaluation, live_index]
PATH = [*CORPUS, *RELEASE]

source_job = dg.define_asset_job(
    "source",
    selection=dg.AssetSelection.assets(*CORPUS),
    description="Bring one source through its stages; the next release takes it up.",
)
sync_job = dg.define_asset_job(
    "sync",
    selection=dg.AssetSelection.assets(*PATH),
    description="Bring one source through all stages, then build, score and publish a version of the workspace.",
)


def release_job(settings: Settings) -> UnresolvedAssetJobDefinition:
    """Return the job that publishes; it says whose it is, so that nobody starts another workspace's."""
    return dg.define_asset_job(
        "release",
        selection=dg.AssetSelection.assets(*RELEASE),
        description="Build, score and publish a version of what is there.",
        metadata={"home": str(settings.home)},
    )


def schedules(settings: Settings) -> list[dg.ScheduleDefinition]:
    """Return a schedule for each source that names one."""
    return [_schedule(settings, source.id, source.schedule) for source in settings.sources if source.schedule]


def _schedule(settings: Settings, source: str, cron: str) -> dg.ScheduleDefinition:
    @dg.schedule(
        name=f"sync_{source.replace('-', '_')}",
        job=sync_job,
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
        follow_settings(context.instance, [source])
        return dg.RunRequest(partition_key=source, tags={"trigger": "schedule", "source": source})

    return sync_source


def follow_settings(instance: dg.DagsterInstance, sources: list[str], *, all_of_them: bool = False) -> None:
    """Make Dagster's partitions those of rag.toml; with `all_of_them`, drop the others."""
    known = set(instance.get_dynamic_partitions(SOURCES.name))
    new = [source for source in sources if source not in known]
    if new:
        instance.add_dynamic_partitions(SOURCES.name, new)
    for source in known - set(sources) if all_of_them else ():
        instance.delete_dynamic_partition(SOURCES.name, source)


@dg.sensor(
    job=sync_job,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Starts a sync of each folder whose files changed; keeps the partitions those of rag.toml.",
)
def changed_files(
    context: dg.SensorEvaluationContext, workspace: dg.ResourceParam[Workspace]
) -> dg.SensorResult | dg.SkipReason:
    """Compare each folder's files (path, size, time) with the last look."""
    try:
        workspace = open_workspace(workspace.settings.home)  # rag.toml may have changed since this process began
    except SettingsError as error:
        return dg.SkipReason(str(error))
    settings = workspace.settings
    clear_killed(context.instance)
    follow_settings(context.instance, [source.id for source in settings.sources], all_of_them=True)
    before = json.loads(context.cursor or "{}")
    busy = being_synced(context.instance)
    watched = [source.id for source in settings.sources if kind_of(source.kind).watched and not source.paused]
    now = {source: None if source in busy else _mark(workspace, source) for source in watched}
    requests = [
        dg.RunRequest(partition_key=source, run_key=f"{source}:{mark}", tags={"trigger": "files", "source": source})
        for source, mark in now.items()
        if mark is not None and mark != before.get(source)
    ]
    seen = {source: mark if mark is not None else before.get(source) for source, mark in now.items()}
    return dg.SensorResult(run_requests=requests, cursor=json.dumps(seen, sort_keys=True))


def being_synced(instance: dg.DagsterInstance) -> set[str]:
    """Name the sources of the runs that wait or go on: another run of one would only wait for it, or fail."""
    under_way = instance.get_runs(dg.RunsFilter(statuses=list(NOT_FINISHED_STATUSES)))
    return {run.tags[PARTITION] for run in under_way if PARTITION in run.tags}


def _mark(workspace: Workspace, source: str) -> str | None:
    """Hash a folder's listing; None when it cannot be listed just now."""
    try:
        listing = workspace.source(source).list()
    except SourceError:
        return None
    return digest(*(part for item in listing.items for part in (item.uri, item.fingerprint or "")))
