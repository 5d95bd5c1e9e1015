"""The hits of several searches for one question, as one list in which each hit keeps its number."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rag_platform.core.hits import Hit
from rag_platform.retrieval.results import SearchResult


@dataclass
class HitPool:
    """What was searched for so far, and what was found."""

    find: Callable[[str, str | None], SearchResult]
    """Searches for a query in a version; None: in the live one."""
    results: list[SearchResult] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    """Ranks count on from search to search; a passage that is found again keeps its rank."""
    warnings: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    """Of a model while it chose the queries."""

    @property
    def queries(self) -> tuple[str, ...]:
        """What was searched for, in this order."""
        return tuple(result.question for result in self.results)

    @property
    def version(self) -> str | None:
        """The version that was searched, and that is searched on, wherever the pointer moves; None: none yet."""
        return self.results[0].version if self.results else None

    def search(self, query: str) -> SearchResult:
        """Search, and return what was found with the numbers that the hits have here.

        The nearest passages of a search that found nothing relevant get none.
        """
        result = self.find(query, self.version)
        if not result.nothing_relevant:
            result = replace(result, hits=tuple(self._numbered(hit) for hit in result.hits))
        self.results.append(result)
        return result

    def as_result(self, question: str) -> SearchResult:
        """Return all that was found as the result of one search for the question; there must have been one."""
        first = self.results[0]
        if len(self.results) == 1:
            return replace(first, question=question)
        took = {"total": round(sum(result.took_ms.get("total", 0.0) for result in self.results), 1)}
        return replace(
            first,
            question=question,
            took_ms=took,
            hits=tuple(self.hits) or first.hits,
            warnings=tuple(dict.fromkeys(warning for result in self.results for warning in result.warnings)),
            nothing_relevant=all(result.nothing_relevant for result in self.results),
        )

    def _numbered(self, hit: Hit) -> Hit:
        for index, other in enumerate(self.hits):
            if other.doc_id == hit.doc_id and (_within(hit, other) or _within(other, hit)):
                wider = other if _within(hit, other) else hit
                self.hits[index] = replace(wider, rank=other.rank)
                return self.hits[index]
        self.hits.append(replace(hit, rank=len(self.hits) + 1))
        return self.hits[-1]


def _within(inner: Hit, outer: Hit) -> bool:
    return outer.span[0] <= inner.span[0] and inner.span[1] <= outer.span[1]
