"""Settings to the chosen parts: the one place that chooses."""

from rag_platform.workspace.opening import open_workspace
from rag_platform.workspace.workspace import Workspace

__all__ = ["Workspace", "open_workspace"]
