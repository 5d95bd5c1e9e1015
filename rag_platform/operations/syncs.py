"""A sync in a process of its own, for programs that cannot wait for it: the page and the API.

There is one at a time. What it prints stays in ``data/logs/sync.json`` and ``sync.log`` until the next.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rag_platform.core.errors import WorkspaceBusy
from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.background import Background
from rag_platform.workspace import Workspace

NAME = "sync"


def start_sync(workspace: Workspace, sources: Sequence[str]) -> None:
    """Start a sync of these sources and return at once; `sync_state` tells what becomes of it.

    Without sources, what is there is built and published, and nothing is read.

    Raises:
        WorkspaceBusy: one that was started so is still running.
        SettingsError: there is no such source.
    """
    chosen = [workspace.settings.source(source).id for source in sources]
    refuse_busy(workspace, chosen)
    Background(workspace, NAME).start(["sync", *(chosen or ["--no-fetch"]), "--json"])


def refuse_busy(workspace: Workspace, sources: Sequence[str]) -> None:
    """Raise `WorkspaceBusy` when a process, whoever began it, is syncing one of these sources just now."""
    for one in running_stages(workspace.settings.data / "progress"):
        if one.source in sources or one.stage == "sync":
            what = one.source or "the workspace"
            raise WorkspaceBusy(f"process {one.pid} is syncing {what} already; wait until it ends, then start the next")


def sync_state(workspace: Workspace) -> dict[str, Any]:
    """Tell what is running, and how the last sync that was started here ended.

    Returns:
        ``running``: whether anything is; ``doing``: the stages, as `activity.Running`; ``last``: None, or the ledger
        that `rag sync --json` prints, with ``ended_at``.
    """
    background = Background(workspace, NAME)
    doing = running_stages(workspace.settings.data / "progress")
    running = background.running
    last = None if running else background.last()
    return {"running": running or bool(doing), "doing": [asdict(one) for one in doing], "last": last}
