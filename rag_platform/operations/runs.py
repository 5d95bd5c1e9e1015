"""Syncs that people start and follow: through Dagster where one is set, else in a process of their own."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import OrchestratorError, WorkspaceBusy
from rag_platform.monitoring.progress import Running, running_stages
from rag_platform.monitoring.whole_progress import WholeProgress, weights, whole_progress
from rag_platform.operations.background_jobs import refuse_busy, sync_state, synced_here
from rag_platform.operations.dagster_client import Orchestrator, Run
from rag_platform.operations.status.visible_sync import reads_whole, visible_stages
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.locks import locked
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """The state of a source's sync."""

    running: bool
    """Something of it is being done, or waits in Dagster."""
    stages: tuple[Running, ...]
    """Those that processes of this machine are in, for this source or for a release that its sync ends with."""
    run: Run | None
    """The newest run in Dagster."""
    address: str | None
    """Where people see that run."""
    unreachable: str | None
    """Why Dagster does not answer."""
    idle_daemons: tuple[str, ...]
    """Daemons of Dagster that do not run, while the run waits for them."""
    interrupted: datetime | None
    """When the run began that was under way when Dagster went away."""
    last: dict[str, Any] | None
    """How the last sync without Dagster ended: as in `background_jobs.sync_state`."""
    waits: bool = False
    """It begins when the sync that runs has ended, together with what else waits."""
    joined: bool = False
    """The sync that runs is of other sources too, and reads one of these just now."""
    whole: WholeProgress | None = None
    """How far all of the sync is, of whichever source a stage runs; None: nobody knows, as between two stages."""


def orchestrator(workspace: Workspace) -> Orchestrator | None:
    """Return the Dagster of [dagster]; None when there is none."""
    settings = workspace.settings.dagster
    return Orchestrator(settings.url, workspace.settings.home, settings.named("source")) if settings.url else None


def launch(workspace: Workspace, source: str | None, *, who: str = "", reload: bool = False) -> str:
    """Start a run in Dagster and return its id.

    Args:
        workspace: which has a [dagster] url.
        source: that is synced; None: only a release.
        who: starts it.
        reload: the sources of rag.toml have changed since Dagster read it.

    Raises:
        WorkspaceBusy: a sync of the source is under way, in Dagster or outside.
        OrchestratorDown: nobody answers.
        OrchestratorError: Dagster refused it.
    """
    dagster = orchestrator(workspace)
    if dagster is None:
        raise OrchestratorError("no Dagster is set; expected its address as url in [dagster] of rag.toml")
    with locked(workspace.settings.data / "locks" / "launch.lock"):  # two that press the button at once start one
        if source is not None:
            refuse_busy(workspace, [source])
            if [run for run in dagster.latest(source, under_way=True) if dagster.run(run.id).under_way]:
                raise WorkspaceBusy(f"a run of {source} is under way already; wait until it ends, then start the next")
        run_id = dagster.launch(source, reload=reload, who=who)
    note = {"run_id": run_id, "source": source, "at": datetime.now(UTC).isoformat()}
    write_bytes(_note(workspace, source), json.dumps(note).encode())
    return run_id


def follow(workspace: Workspace, source: str, readers: Sequence[str] | None = None) -> SyncStatus:
    """Return the state of a source's sync, in Dagster and outside; a Dagster that is away is no error.

    `readers` are who asks, and is told of what they may read; None: whoever runs the workspace.
    """
    dagster, state = orchestrator(workspace), sync_state(workspace, readers)
    running = running_stages(workspace.settings.data / "progress")
    if readers is not None:
        running = visible_stages(workspace, running, readers)
    here, waiting = synced_here(workspace)
    run, unreachable, idle_daemons = None, None, []
    if dagster:
        try:
            newest = dagster.latest(source)
            run = dagster.run(newest[0].id) if newest else None
            idle_daemons = dagster.idle_daemons() if run and run.status in ("QUEUED", "NOT_STARTED") else []
        except OrchestratorError as error:
            unreachable = str(error)
    if run and readers is not None and not reads_whole(workspace.settings.source(source), readers):
        run = replace(run, problems=())  # they may name any document
    own = run is not None and run.under_way
    stages = tuple(one for one in running if _is_of(one, source, own=own))
    working = bool(stages) or source in here
    if run and not own:
        _note(workspace, source).unlink(missing_ok=True)
    return SyncStatus(
        running=working or source in waiting or own,
        stages=stages,
        run=run,
        address=dagster.address_of(run.id) if dagster and run else None,
        unreachable=unreachable,
        idle_daemons=tuple(idle_daemons),
        interrupted=_unfinished(workspace, source) if unreachable and not working else None,
        last=state["last"],
        waits=source in waiting and not working,
        joined=source in here and not stages and bool(running),
        whole=_whole(workspace, source, stages, running),
    )


def _is_of(one: Running, source: str, *, own: bool) -> bool:
    """Tell whether a stage is of a source's sync: what says not for which it runs is, while a run of Dagster's does."""
    if one.source is not None:
        return one.source == source
    return own if one.of is None else source in one.of


def _whole(
    workspace: Workspace, source: str, stages: Sequence[Running], running: Sequence[Running]
) -> WholeProgress | None:
    """Return how far the sync is that brings a source, though it may read another one just now."""
    here = [*stages, *(one for one in running if one.of and source in one.of)]
    return whole_progress(here[0], weights(workspace.costs.newest())) if here else None


def _unfinished(workspace: Workspace, source: str) -> datetime | None:
    try:
        return datetime.fromisoformat(json.loads(_note(workspace, source).read_bytes())["at"])
    except (OSError, ValueError, KeyError):
        return None


def _note(workspace: Workspace, source: str | None) -> Path:
    return workspace.settings.data / "logs" / f"launched-{source or 'release'}.json"
