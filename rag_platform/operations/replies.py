"""What a search and an answer are in JSON: the same from the command line and from the API."""

from dataclasses import asdict
from typing import Any

from rag_platform.core.answers import Answer
from rag_platform.provenance.why import Why
from rag_platform.retrieval.results import SearchResult


def search_document(result: SearchResult) -> dict[str, Any]:
    """Return the document that `rag search --json` prints."""
    document = {
        "question": result.question,
        "version": result.version,
        "mode": result.mode,
        "took_ms": result.took_ms,
        "hits": [asdict(hit) for hit in result.hits],
        "nothing_relevant": result.nothing_relevant,
        "warnings": result.warnings,
    } | ({"understood": result.understood} if result.understood else {})
    return document | ({"explanation": result.explanation} if result.explanation is not None else {})


def answer_document(answer: Answer) -> dict[str, Any]:
    """Return the document that `rag ask --json` prints."""
    document = asdict(answer)
    document.pop("hits")
    return document


def why_document(told: Why) -> dict[str, Any]:
    """Return the document that `rag why --json` prints."""
    return asdict(told)
