"""Settings to the chosen parts: the one place that chooses."""

from rag_platform.workspace.workspace import Workspace
from rag_platform.workspace.workspace_opening import open_workspace

__all__ = ["Workspace", "open_workspace"]
