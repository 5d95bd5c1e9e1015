"""A RAG platform whose index is a release.

The path of the data, one package a stage::

    sources -> raw -> documents -> chunks -> embeddings -> index -> retrieval -> reranking -> answering

From a program::

    from rag_platform import ask, search

    answer = ask("How many versions are kept?", home="/path/to/workspace")

Nothing in here knows Dagster, Streamlit or Ragas: `assets/`, `app/` and `evals/` do.
"""

import os

TYPE_CHECKING = False  # as type checkers understand it: `typing` itself would take longer than all of this
if TYPE_CHECKING:
    from rag_platform.core.answers import Answer, Turn
    from rag_platform.python_api import ask, search
    from rag_platform.retrieval.results import SearchResult

__all__ = ["Answer", "SearchResult", "Turn", "ask", "search"]

# ONNX Runtime's wheels report usage to their maker from the moment of import unless they are told not to before it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def __getattr__(name: str) -> object:
    """Import what is asked for when it is: the package itself stays light."""
    if name in ("ask", "search"):
        from rag_platform import python_api

        return getattr(python_api, name)
    if name == "SearchResult":
        from rag_platform.retrieval.results import SearchResult

        return SearchResult
    if name in __all__:
        from rag_platform.core import answers

        return getattr(answers, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
