"""An evaluation in a process of its own, for programs that cannot wait for it."""

from dataclasses import asdict
from typing import Any

from rag_platform.monitoring.progress import running_stages
from rag_platform.operations.background import Background
from rag_platform.workspace import Workspace

NAME = "evaluation"


def start_evaluation(workspace: Workspace, version: str) -> None:
    """Start scoring and judging a version, as `rag eval` does; `evaluation_state` tells what becomes of it.

    Raises:
        WorkspaceBusy: one that was started so is still running.
        VersionError: there is no such version.
    """
    chosen = workspace.versions.resolve(version)
    Background(workspace, NAME).start(["eval", "--version", chosen, "--json"])


def evaluation_state(workspace: Workspace) -> dict[str, Any]:
    """Tell how an evaluation goes on, whoever started it, and how the last one that was started here ended.

    Returns:
        ``running``; ``doing``: None, or the stage as `activity.Running`; ``last``: None, or what `rag eval --json`
        printed, with ``ended_at``, or ``errors``.
    """
    background = Background(workspace, NAME)
    stages = [one for one in running_stages(workspace.settings.data / "progress") if one.stage == "evaluate"]
    return {
        "running": background.running or bool(stages),
        "doing": asdict(stages[0]) if stages else None,
        "last": background.last(),
    }
