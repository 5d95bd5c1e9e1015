"""What is told of a passage, whatever framework it is handed to."""

from typing import Any

from rag_platform.core.hits import Hit, page_name
from rag_platform.retrieval.results import SearchResult


def metadata_of(hit: Hit, found: SearchResult) -> dict[str, Any]:
    """Return where a passage stands, in values that JSON can hold; `span` counts characters of the document's text."""
    return {
        "source": hit.uri,
        "title": hit.title,
        "doc_id": hit.doc_id,
        "chunk_id": hit.chunk_id,
        "source_id": hit.source,
        "collection": hit.collection,
        "language": hit.language,
        "type": hit.type,
        "section": hit.section,
        "page": page_name(hit.page, hit.page_label),
        "span": list(hit.span),
        "published_at": hit.published_at.isoformat() if hit.published_at else "",
        "revision": hit.revision,
        "version": found.version,
        "score": hit.score,
    }
