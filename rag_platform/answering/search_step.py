"""A question -> what was found for it: by one search, or by those that a language model chooses."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from rag_platform.answering.agentic.agent import Agent
from rag_platform.answering.agentic.hit_pool import HitPool
from rag_platform.answering.agentic.tools import search_tool, searchable_collections
from rag_platform.answering.attached.beside import Attachments
from rag_platform.config.settings import Mode, Settings
from rag_platform.core import ports
from rag_platform.core.generation import Reasoning
from rag_platform.core.hits import Filters
from rag_platform.retrieval.results import SearchResult
from rag_platform.retrieval.retriever import Retriever

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
    who: str | None = None
    """Named in the audit."""
    session: str = ""
    """Who or what asks several questions in a row; empty: a program that asks once."""
    attached: Attachments | None = None
    """The files of its chat."""

    @property
    def owner(self) -> str:
        """Owner of the receipt: `asker`, else the first of the principals."""
        return self.asker if self.asker is not None else next(iter(self.filters.principals), "")


def search_for(
    question: str,
    queries: Sequence[str],
    request: SearchRequest,
    retriever: Retriever,
    settings: Settings,
    *,
    model: object,
    titles: Titles,
) -> Generator[SearchResult | Reasoning, None, HitPool]:
    """Search, and yield what is found while it is.

    Args:
        question: that can be understood by itself.
        queries: what to search for instead; none: what the model chooses, or the question.
        request: how.
        retriever: through which every search goes.
        settings: whether a model may choose, and how many searches.
        model: a generator; one that is no `ports.Converser` chooses nothing.
        titles: for the description of the tool that a model is given.
    """
    pool = HitPool(lambda query, version: _search(query, request, retriever, settings, version))
    agentic = settings.answer.search == "agentic" and bool(question) and not queries
    if agentic and isinstance(model, ports.Converser):
        counts = retriever.holdings(request.filters, request.now)
        collections = searchable_collections(counts, titles(request.filters.principals))
        tool = search_tool(collections, choosing=settings.retrieval.syntax)
        yield from Agent(model, pool, tool, settings.answer).run(question)
    for query in queries:
        yield pool.search(query)
    if not pool.hits and question not in pool.queries:
        yield pool.search(question)
    return pool


def _search(
    query: str, request: SearchRequest, retriever: Retriever, settings: Settings, version: str | None
) -> SearchResult:
    if not query:
        return SearchResult("", retriever.live().id, request.mode or settings.retrieval.mode, {}, ())
    attached, filters = request.attached, request.filters
    if attached and attached.alone:
        live, mode = version or retriever.live().id, request.mode or settings.retrieval.mode
        result = SearchResult(query, live, mode, {}, (), k=request.k, filters=filters)
    else:
        result = retriever.search(
            query, k=request.k, mode=request.mode, filters=filters, now=request.now, version=version
        )
    return attached.among(result, request.k, retriever, settings.retrieval.min_relevance) if attached else result
