"""Settings to the chosen parts: the one place that chooses."""

from rag_platform.workspace.workspace import Workspace, open_workspace

__all__ = ["Workspace", "open_workspace"]
