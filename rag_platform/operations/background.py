"""A command of ours in a process of its own, for programs that cannot wait for it: one of each name at a time.

The process holds a lock that it inherits, so that anyone can tell whether it still runs. What it prints stays in
``data/logs`` until the next.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import WorkspaceBusy
from rag_platform.storage.locks import LockFile, is_locked
from rag_platform.workspace import Workspace

_TOLD = 2000
"""Characters of what a failed process said."""


class Background:
    """A command that prints one JSON document, by its name: the names of its files."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        data = workspace.settings.data
        self._home = workspace.settings.home
        self._lock = _in(data / "locks", f"started-{name}.lock")
        self._printed = _in(data / "logs", f"{name}.json")
        self._said = _in(data / "logs", f"{name}.log")
        self._name = name

    def start(self, arguments: Sequence[str]) -> None:
        """Start `rag` with these arguments and return at once.

        Raises:
            WorkspaceBusy: the one that was started before is still running.
        """
        command = [sys.executable, "-m", "rag_platform", "--home", str(self._home), *arguments]
        with LockFile(self._lock) as lock:
            if not lock.attempt():
                raise WorkspaceBusy(f"{self._name}: one is running already; wait until it ends, then start the next")
            with self._printed.open("wb") as printed, self._said.open("wb") as said:
                process = subprocess.Popen(  # noqa: S603 - our own command
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=printed,
                    stderr=said,
                    pass_fds=[lock.fileno()],  # the lock is the child's from here on
                    start_new_session=True,  # Ctrl-C in this program's terminal is not meant for it
                )
        threading.Thread(target=process.wait, daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether one that was started so still runs."""
        return is_locked(self._lock)

    def last(self) -> dict[str, Any] | None:
        """Return what the last one printed with ``ended_at``, or the ``errors`` it ended with; None: there was none."""
        if self.running or not self._printed.exists():
            return None
        ended = datetime.fromtimestamp(self._printed.stat().st_mtime, UTC).isoformat()
        try:
            printed = json.loads(self._printed.read_bytes())
        except ValueError:
            said = self._said.read_text(encoding="utf-8", errors="replace").strip()[-_TOLD:]
            printed = {"errors": [said.removeprefix("error: ") or "it was stopped before its end"]}
        return {"ended_at": ended, **printed}


def _in(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name
