"""A RAG platform whose index is a release.

The path of the data, one package a stage::

    sources -> raw -> documents -> chunks -> embeddings -> index -> retrieval -> reranking -> answering

From a program::

    from rag_platform import ask, search, sync

    answer = ask("How many versions are kept?", home="/path/to/workspace")

`rag_platform.aio` has the same functions to be awaited.

Nothing in here knows Dagster, Streamlit or Ragas: `assets/`, `app/` and `evals/` do.
"""

import os

TYPE_CHECKING = False  # as type checkers understand it: `typing` itself would take longer than all of this
if TYPE_CHECKING:
    from rag_platform.core.answers import Answer, Turn
    from rag_platform.pipeline.sync import SyncReport
    from rag_platform.python_api import ask, evaluate, search, sync
    from rag_platform.retrieval.results import SearchResult
    from rag_platform.workspace import Workspace, open_workspace

__all__ = [
    "Answer",
    "SearchResult",
    "SyncReport",
    "Turn",
    "Workspace",
    "ask",
    "evaluate",
    "open_workspace",
    "search",
    "sync",
]
_PLACES = {
    "Answer": "core.answers",
    "SearchResult": "retrieval.results",
    "SyncReport": "pipeline.sync",
    "Turn": "core.answers",
    "Workspace": "workspace",
    "ask": "python_api",
    "evaluate": "python_api",
    "open_workspace": "workspace",
    "search": "python_api",
    "sync": "python_api",
}

# ONNX Runtime's wheels report usage to their maker from the moment of import unless they are told not to before it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def __getattr__(name: str) -> object:
    """Import what is asked for when it is: the package itself stays light."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"rag_platform.{_PLACES[name]}"), name)
