"""What a search returns."""

from dataclasses import dataclass, field
from datetime import datetime

from rag_platform.core.hits import Filters, Hit
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.retrieval.arrangement import Arrangement
from rag_platform.retrieval.candidates import Candidates


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """A search that was made, and all that came of it."""

    index: OpenVersion
    question: str
    """As it was searched for; empty: nothing was."""
    mode: str
    k: int
    filters: Filters
    now: datetime
    """The moment from which ages were counted."""
    found: Candidates
    arranged: Arrangement
    arranging: dict
    """The settings under which it was arranged."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one search, all of one version."""

    question: str
    version: str
    mode: str
    took_ms: dict[str, float]
    """Milliseconds of each stage and of the "total"."""
    hits: tuple[Hit, ...]
    explanation: tuple[dict, ...] | None = None
    """With `explain`: one entry per candidate, also those that were not returned."""
    trace: Searched | None = None
    """With `explain`: what the search did, for those who ask about one document."""
    understood: dict = field(default_factory=dict)
    """What the question was taken to mean, where that is not just its words: see `retrieval.queries.Query.told`."""
    warnings: tuple[str, ...] = ()
    """What did not go as set, such as a reranker that could not be reached."""
    nothing_relevant: bool = False
    """Whether there are candidates and none is relevant enough (`min_relevance`); the hits are the nearest."""
