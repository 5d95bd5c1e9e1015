"""A sync in a process of its own, for programs that cannot wait for it: the page and the API.

The process holds a lock that it inherits, so that there is one at a time, and anyone can tell whether it still runs.
What it prints stays in ``data/logs/sync.json`` and ``sync.log`` until the next.
"""

import fcntl
import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.activity import whats_running
from rag_platform.errors import WorkspaceBusy
from rag_platform.parts import Workspace

_TOLD = 2000
"""Characters of what a failed process said."""


def start_sync(workspace: Workspace, sources: Sequence[str]) -> None:
    """Start a sync of these sources and return at once; `sync_state` tells what becomes of it.

    Without sources, what is there is built and published, and nothing is read.

    Raises:
        WorkspaceBusy: one that was started so is still running.
        SettingsError: there is no such source.
    """
    chosen = [workspace.settings.source(source).id for source in sources]
    refuse_busy(workspace, chosen)
    command = [sys.executable, "-m", "rag_platform", "--home", str(workspace.settings.home), "sync"]
    command += [*(chosen or ["--no-fetch"]), "--json"]
    with _lock_file(workspace).open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkspaceBusy("a sync is running already; wait until it ends, then start the next") from None
        with _printed(workspace).open("wb") as printed, _said(workspace).open("wb") as said:
            process = subprocess.Popen(  # noqa: S603 - our own command, with names from rag.toml
                command,
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=said,
                pass_fds=[lock.fileno()],  # the lock is the child's from here on
                start_new_session=True,  # Ctrl-C in this program's terminal is not meant for it
            )
    threading.Thread(target=process.wait, daemon=True).start()


def refuse_busy(workspace: Workspace, sources: Sequence[str]) -> None:
    """Raise `WorkspaceBusy` when a process, whoever began it, is syncing one of these sources just now."""
    for one in whats_running(workspace.settings.data / "progress"):
        if one.source in sources or one.stage == "sync":
            what = one.source or "the workspace"
            raise WorkspaceBusy(f"process {one.pid} is syncing {what} already; wait until it ends, then start the next")


def sync_state(workspace: Workspace) -> dict[str, Any]:
    """Tell what is running, and how the last sync that was started here ended.

    Returns:
        ``running``: whether anything is; ``doing``: the stages, as `activity.Running`; ``last``: None, or the ledger
        that `rag sync --json` prints, with ``ended_at``.
    """
    started = _held(_lock_file(workspace))
    doing = whats_running(workspace.settings.data / "progress")
    last = None if started else _last(workspace)
    return {"running": started or bool(doing), "doing": [asdict(one) for one in doing], "last": last}


def _last(workspace: Workspace) -> dict[str, Any] | None:
    printed = _printed(workspace)
    if not printed.exists():
        return None
    ended = datetime.fromtimestamp(printed.stat().st_mtime, UTC).isoformat()
    try:
        ledger = json.loads(printed.read_bytes())
    except ValueError:
        said = _said(workspace).read_text(encoding="utf-8", errors="replace").strip()[-_TOLD:]
        ledger = {"errors": [said.removeprefix("error: ") or "the sync was stopped before its end"]}
    return {"ended_at": ended, **ledger}


def _held(path: Path) -> bool:
    with path.open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _lock_file(workspace: Workspace) -> Path:
    return _made(workspace.settings.data / "locks") / "started-sync.lock"


def _printed(workspace: Workspace) -> Path:
    return _made(workspace.settings.data / "logs") / "sync.json"


def _said(workspace: Workspace) -> Path:
    return _made(workspace.settings.data / "logs") / "sync.log"


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
