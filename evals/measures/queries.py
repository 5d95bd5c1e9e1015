"""A question put to a version as its asker would, at the moment it is asked."""

from typing import Any

from evals.questions.question import Question
from rag_platform.config.settings import Mode
from rag_platform.core.hits import Filters
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.results import SearchResult
from rag_platform.workspace import Workspace

HITS = 10


def asker(question: Question) -> Filters:
    """Return who asks, and what was published by then."""
    return Filters(principals=(question.principal,) if question.principal else (), until=question.as_of)


def settings_of(workspace: Workspace) -> dict[str, Any]:
    """Return the settings that a ranking depends on, as JSON has them."""
    settings = workspace.settings
    ages = {"half_lives": dict(settings.half_lives), "max_ages": dict(settings.max_ages)}
    return settings.retrieval.model_dump(mode="json") | ages


def search_as(retriever: Retriever, question: Question, mode: Mode | None = None) -> SearchResult:
    """Search with the first ten hits, which is what is measured; mode None: as it is served."""
    return retriever.search(question.question, k=HITS, mode=mode, filters=asker(question), now=question.as_of)
