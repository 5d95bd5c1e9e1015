"""What a search returns."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rag_platform.core.display.notebook_html import cell, link, table
from rag_platform.core.hits import Filters, Hit
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.result_grouping import Grouping, GroupingOptions


@dataclass(frozen=True, slots=True, eq=False)
class SearchTrace:
    """A search with everything that led to its hits."""

    index: OpenVersion
    question: str
    """As it was searched for; empty: nothing was."""
    mode: str
    k: int
    filters: Filters
    now: datetime
    """The moment from which ages were counted."""
    candidates: Candidates
    grouping: Grouping
    grouping_options: GroupingOptions


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one search, all of one version."""

    question: str
    version: str
    mode: str
    took_ms: dict[str, float]
    """Milliseconds of each stage and of the "total"."""
    hits: tuple[Hit, ...]
    explanation: tuple[dict[str, Any], ...] | None = None
    """With `explain`: one entry per candidate, also those that were not returned."""
    trace: SearchTrace | None = None
    """With `explain` or `trace`: what the search did, for an explanation of one document."""
    understood: dict[str, Any] = field(default_factory=dict)
    """How the question was interpreted, where that is not just its words: see `Query.interpretation`."""
    warnings: tuple[str, ...] = ()
    """What did not go as set, such as a reranker that could not be reached."""
    k: int = 0
    """How many hits were asked for."""
    filters: Filters = field(default_factory=Filters)
    """What was searched, also by what the question says of it."""
    nothing_relevant: bool = False
    """Whether there are candidates and none is relevant enough (`min_relevance`); the hits are the nearest."""

    def _repr_html_(self) -> str:
        """Return what a notebook shows: a table of the hits."""
        rows = [
            (hit.rank, link(hit.uri, hit.title or hit.uri), hit.snippet or hit.text, _where(hit), hit.score)
            for hit in self.hits
        ]
        found = table(("", "document", "passage", "where", "score"), rows) if rows else "<p>Nothing was found.</p>"
        return f"{found}<small>{cell(f'version {self.version} · {self.mode}')}</small>"


def _where(hit: Hit) -> str:
    return " · ".join(filter(None, (hit.section, hit.snippet_page and f"page {hit.snippet_page}")))
