"""What a search returns."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

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
    nothing_relevant: bool = False
    """Whether there are candidates and none is relevant enough (`min_relevance`); the hits are the nearest."""
