"""`rag sync`, `rag eval` and `rag backup` in processes of their own, for page and API, which cannot wait for them.

One of each runs at a time. Its process is noted in ``data/logs`` for whoever asks; what it printed stays there until
the next one starts.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import psutil

from rag_platform.config.settings_file import load_settings
from rag_platform.core.errors import WorkspaceBusy
from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.processes import is_running
from rag_platform.operations.status.visible_sync import visible_report, visible_stages
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.locks import locked
from rag_platform.workspace import Workspace

_MESSAGE = 2000
"""Characters of the message of a process that failed."""


def start_sync(workspace: Workspace, sources: Sequence[str]) -> None:
    """Start a sync of these sources and return at once; `sync_state` says what becomes of it.

    While a sync that was started so runs, other sources wait: when it ends, one sync brings all that wait. Without
    sources, what is there is built and published, and nothing is read.

    Raises:
        WorkspaceBusy: one of these sources is being synced; or, without sources, a sync that was started so runs.
        SettingsError: there is no such source.
    """
    chosen = [workspace.settings.source(source).id for source in sources]
    refuse_busy(workspace, chosen)
    WaitingSyncs(workspace).start(chosen)


def refuse_busy(workspace: Workspace, sources: Sequence[str]) -> None:
    """Raise `WorkspaceBusy` when a process, whoever began it, is syncing one of these sources just now."""
    for one in running_stages(workspace.settings.data / "progress"):
        if one.source in sources or (one.stage == "sync" and (one.of is None or not {*one.of}.isdisjoint(sources))):
            what = one.source or "the workspace"
            raise WorkspaceBusy(f"process {one.pid} is syncing {what} already; wait until it ends, then start the next")


def sync_state(workspace: Workspace, readers: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what is running, and how the last sync that was started here ended.

    Args:
        workspace: which is synced.
        readers: who asks, and is told of what they may read; None: whoever runs the workspace.

    Returns:
        ``running``: whether anything is; ``doing``: the stages, as `progress.Running`; ``last``: None, or the report
        that `rag sync --json` prints, with ``ended_at``.
    """
    job, stages = _Job(workspace, "sync"), running_stages(workspace.settings.data / "progress")
    running, last = job.running or bool(stages), job.last()
    if readers is not None:
        stages, last = visible_stages(workspace, stages, readers), visible_report(workspace, last, readers)
    doing = [{name: value for name, value in asdict(one).items() if name not in ("of", "since")} for one in stages]
    return {"running": running, "doing": doing, "last": last}


def synced_here(workspace: Workspace) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the sources of the sync that was started here and runs, if there is one, and those that wait."""
    running = _Job(workspace, "sync").running_of
    return running or (), WaitingSyncs(workspace).sources() if running is not None else ()


def start_evaluation(workspace: Workspace, version: str) -> None:
    """Start scoring and judging a version, as `rag eval` does; `evaluation_state` says what becomes of it.

    Raises:
        WorkspaceBusy: one that was started so is still running.
        VersionError: there is no such version.
    """
    _Job(workspace, "evaluation").start(["eval", "--version", workspace.versions.resolve(version), "--json"])


def evaluation_state(workspace: Workspace) -> dict[str, Any]:
    """Return how an evaluation goes on, whoever started it, and how the last one that was started here ended.

    Returns:
        ``running``; ``doing``: None, or the stage as `progress.Running`; ``last``: None, or what `rag eval --json`
        printed, with ``ended_at``, or ``errors``.
    """
    job = _Job(workspace, "evaluation")
    stages = [one for one in running_stages(workspace.settings.data / "progress") if one.stage == "evaluate"]
    return {
        "running": job.running or bool(stages),
        "doing": asdict(stages[0]) if stages else None,
        "last": job.last(),
    }


def start_backup(workspace: Workspace, target: str, keep: int | None = None, options: Sequence[str] = ()) -> None:
    """Start copying the workspace, as `rag backup` does; `backup_state` says what becomes of it.

    Raises:
        WorkspaceBusy: one that was started so is still running.
    """
    given = [f"--option={one}" for one in options] + ([f"--keep={keep}"] if keep else [])
    _Job(workspace, "backup").start(["backup", "make", "--json", *given, "--", target])


def backup_state(workspace: Workspace) -> dict[str, Any]:
    """Return whether a backup that was started here is ``running``, and ``last``: as of `evaluation_state`."""
    job = _Job(workspace, "backup")
    return {"running": job.running, "last": job.last()}


def start_backup_check(workspace: Workspace, target: str, options: Sequence[str] = ()) -> None:
    """Start reading all copies of a target back; `backup_check_state` says what becomes of it.

    Raises:
        WorkspaceBusy: one that was started so is still running.
    """
    given = [f"--option={one}" for one in options]
    _Job(workspace, "backup-check").start(["backup", "verify", "--json", *given, "--", target])


def backup_check_state(workspace: Workspace) -> dict[str, Any]:
    """Return whether a check that was started here is ``running``, and ``last``: as of `evaluation_state`."""
    job = _Job(workspace, "backup-check")
    return {"running": job.running, "last": job.last()}


class WaitingSyncs:
    """Sources whose sync begins when the one that runs ends: as one."""

    def __init__(self, workspace: Workspace) -> None:
        self._settings, self._job = workspace.settings, _Job(workspace, "sync")
        self._path = workspace.settings.data / "logs" / "sync.waiting.json"

    def sources(self) -> tuple[str, ...]:
        """Return them, in the order in which they came."""
        try:
            return tuple(json.loads(self._path.read_bytes()))
        except (FileNotFoundError, ValueError):
            return ()

    def start(self, sources: Sequence[str]) -> None:
        """Start a sync of sources and of all that wait, or let these wait; `WorkspaceBusy` as of `start_sync`."""
        with locked(self._job.lock):  # two that start at once start one
            running = self._job.running_of
            if running is None:
                self._start([*dict.fromkeys((*sources, *self.sources()))])
            elif {*sources} <= {*running}:
                raise WorkspaceBusy("sync: one is running already; wait until it ends, then start the next")
            else:
                write_bytes(self._path, json.dumps([*dict.fromkeys((*self.sources(), *sources))]).encode())

    def _start(self, sources: Sequence[str]) -> None:
        self._path.unlink(missing_ok=True)
        self._job.start_locked(["sync", *(sources or ["--no-fetch"]), "--json"], of=sources, then=self._start_rest)

    def _start_rest(self) -> None:
        with locked(self._job.lock):
            known = {source.id for source in load_settings(self._settings.home).sources}  # some may be deleted by now
            rest = [source for source in self.sources() if source in known]
            if rest and self._job.running_of is None:
                self._start(rest)


class _Job:
    """A command that prints one JSON document, by its name: the name of its files."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        data = workspace.settings.data
        self._home, self._name = workspace.settings.home, name
        self.lock = data / "locks" / f"started-{name}.lock"
        self._process = data / "logs" / f"{name}.process.json"
        self._stdout = data / "logs" / f"{name}.json"
        self._stderr = data / "logs" / f"{name}.log"

    def start(self, arguments: Sequence[str]) -> None:
        """Start `rag` with these arguments, unless the one before still runs."""
        with locked(self.lock):  # two that start at once start one
            if self.running:
                raise WorkspaceBusy(f"{self._name}: one is running already; wait until it ends, then start the next")
            self.start_locked(arguments)

    def start_locked(
        self, arguments: Sequence[str], *, of: Sequence[str] = (), then: Callable[[], object] | None = None
    ) -> None:
        """Start `rag` for some sources, and something when it has ended; whoever calls has the lock."""
        command = [sys.executable, "-m", "rag_platform", "--home", str(self._home), *arguments]
        self._stdout.parent.mkdir(parents=True, exist_ok=True)
        with self._stdout.open("wb") as stdout, self._stderr.open("wb") as stderr:
            process = subprocess.Popen(  # noqa: S603 - our own command
                command,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,  # Ctrl-C in this program's terminal is not meant for it
            )
        note = {"pid": process.pid, "created": psutil.Process(process.pid).create_time(), "of": [*of]}
        write_bytes(self._process, json.dumps(note).encode())

        def wait() -> None:
            process.wait()
            if then:
                then()

        threading.Thread(target=wait, name=self._name, daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether the process that was started last still runs; its number may be another's by now."""
        return self.running_of is not None

    @property
    def running_of(self) -> tuple[str, ...] | None:
        """The sources for which it was started; None: it runs no more."""
        try:
            note = json.loads(self._process.read_bytes())
            process = psutil.Process(note["pid"])
            runs = process.create_time() == note["created"] and is_running(process)
            return tuple(note.get("of", ())) if runs else None
        except (FileNotFoundError, psutil.NoSuchProcess):
            return None

    def last(self) -> dict[str, Any] | None:
        """Return what the last one printed with ``ended_at``, or the ``errors`` it ended with; None: there was none."""
        if self.running or not self._stdout.exists():
            return None
        ended = datetime.fromtimestamp(self._stdout.stat().st_mtime, UTC).isoformat()
        try:
            printed: dict[str, Any] = json.loads(self._stdout.read_bytes())
        except ValueError:
            message = self._stderr.read_text(encoding="utf-8", errors="replace").strip()[-_MESSAGE:]
            printed = {"errors": [message.removeprefix("error: ") or "it was stopped before its end"]}
        return {"ended_at": ended, **printed}
