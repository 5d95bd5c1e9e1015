"""A retriever whose searches are in the audit: what every interface searches through."""

from dataclasses import replace
from typing import Any

from rag_platform.audit.audit_log import AuditLog
from rag_platform.core.hits import Filters
from rag_platform.retrieval.facets import Facets
from rag_platform.retrieval.results import SearchResult
from rag_platform.retrieval.retriever import Retriever


class AuditedRetriever(Retriever):
    """Searches as another does, and records what was shown to whom."""

    def __init__(self, retriever: Retriever, audit: AuditLog) -> None:
        self.__dict__.update(retriever.__dict__)  # it shares all parts
        self._plain, self._audit = retriever, audit

    def search(self, question: str, *, who: str | None = None, **options: Any) -> SearchResult:
        """Search, and record it; `who` asks, None: whoever runs this process. A search that shows no text is none."""
        result = self._plain.search(question, **options)
        if not question.strip():
            return result
        principals = options.get("filters", Filters()).principals
        warning = self._audit.searched(question, result.hits, result.version, principals, who)
        return replace(result, warnings=(*result.warnings, warning)) if warning else result

    def facets(self, *given: Any, **options: Any) -> Facets:
        """Count; no text is shown by that."""
        return self._plain.facets(*given, **options)

    def as_of(self, version: str) -> "AuditedRetriever":
        """Return a retriever of what that version held."""
        return AuditedRetriever(self._plain.as_of(version), self._audit)
