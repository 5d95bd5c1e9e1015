"""A question as a query to a version: with the filters of its principal, at its own moment."""

from typing import Any

from evals.questions.question import Question
from rag_platform.config.settings import Mode
from rag_platform.core.hits import Filters
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace

HITS = 10


def query_filters(question: Question) -> Filters:
    """Return the filters of a question: its principal, and what was published by its moment."""
    return Filters(principals=(question.principal,) if question.principal else (), until=question.as_of)


def retrieval_settings(workspace: Workspace) -> dict[str, Any]:
    """Return the settings that a ranking depends on, as JSON has them."""
    settings = workspace.settings
    of_sources = {"half_lives": settings.half_lives, "max_ages": settings.max_ages, "trust": settings.trust}
    return settings.retrieval.model_dump(mode="json") | of_sources


def run_query(retriever: Retriever, question: Question, mode: Mode | None = None) -> SearchResult:
    """Search with the first ten hits, which is what is measured; mode None: as it is served."""
    return retriever.search(question.question, k=HITS, mode=mode, filters=query_filters(question), now=question.as_of)
