"""A question -> what was found for it: by one search, or by those that a language model chooses."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rag_platform.answering.agentic.agent import Agent
from rag_platform.answering.agentic.hit_pool import HitPool
from rag_platform.answering.agentic.tools import holdings, search_tool
from rag_platform.config.settings import Mode, Settings
from rag_platform.core import ports
from rag_platform.core.generation import Reasoning
from rag_platform.core.hits import Filters
from rag_platform.retrieval.results import SearchResult

if TYPE_CHECKING:
    from rag_platform.retrieval import Retriever

Titles = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives what people call the collections that some principals may see, by id."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """How a question is searched for, in every round alike."""

    k: int
    mode: Mode | None
    filters: Filters
    now: datetime
    asker: str | None = None
    """Under whom the receipt is kept; None: the first of the principals."""

    @property
    def who(self) -> str:
        """Under whom the receipt is kept."""
        return self.asker if self.asker is not None else next(iter(self.filters.principals), "")


def search_for(
    question: str,
    queries: Sequence[str],
    inquiry: SearchRequest,
    retriever: "Retriever",
    settings: Settings,
    *,
    model: object,
    titles: Titles,
) -> Generator[SearchResult | Reasoning, None, HitPool]:
    """Search, and yield what is found while it is.

    Args:
        question: that can be understood by itself.
        queries: what to search for instead; none: what the model chooses, or the question.
        inquiry: how.
        retriever: through which every search goes.
        settings: whether a model may choose, and how many searches.
        model: a generator; one that is no `ports.Converser` chooses nothing.
        titles: for the description of the tool that a model is given.
    """
    findings = HitPool(lambda query, version: _search(query, inquiry, retriever, settings, version))
    agentic = settings.answer.search == "agentic" and isinstance(model, ports.Converser)
    if agentic and question and not queries:
        held = holdings(retriever.holdings(inquiry.filters, inquiry.now), titles(inquiry.filters.principals))
        tool = search_tool(held, choosing=settings.retrieval.syntax)
        yield from Agent(model, findings, tool, settings.answer).run(question)
    for query in queries:
        yield findings.search(query)
    if not findings.hits and question not in findings.queries:
        yield findings.search(question)
    return findings


def _search(
    query: str, inquiry: SearchRequest, retriever: "Retriever", settings: Settings, version: str | None
) -> SearchResult:
    if not query:
        return SearchResult("", retriever.live().id, inquiry.mode or settings.retrieval.mode, {}, ())
    asked = {"k": inquiry.k, "mode": inquiry.mode, "filters": inquiry.filters, "now": inquiry.now}
    return retriever.search(query, version=version, **asked)
