"""What the assets work with: the workspace, and somewhere to report progress."""

from collections.abc import Callable

from rag_platform.parts import Workspace, open_workspace
from rag_platform.ports import Progress, silent

Reporter = Callable[[str], Progress]
"""Gives, for the name of a stage, where its progress goes."""


def quiet(stage: str) -> Progress:  # noqa: ARG001
    """Report no progress: what a run did is in its metadata."""
    return silent


def default_resources(workspace: Workspace | None = None, reporter: Reporter = quiet) -> dict:
    """Return the resources of a run over that workspace (default: RAG_HOME, else the current folder)."""
    return {"workspace": workspace or open_workspace(), "reporter": reporter}
