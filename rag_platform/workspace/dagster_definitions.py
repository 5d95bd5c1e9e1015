"""What `dg` and Dagster load in a workspace: the pipeline of `assets`, from the checkout or from the wheel.

`rag up` names this module; a Dagster that several workspaces share loads the file that `rag init` writes into each.
"""

from pathlib import Path
from typing import Any

from rag_platform.workspace.applications import load_application

_pipeline = load_application("assets.definitions", extra="dagster", purpose="the pipeline in Dagster")
defs = _pipeline.defs


def defs_in(home: Path) -> Any:
    """Return the pipeline of the workspace in a folder, whatever RAG_HOME says."""
    return _pipeline.defs_in(home)
