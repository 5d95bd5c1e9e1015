"""What a search and an answer are in JSON: the same from the command line and from the API."""

from dataclasses import asdict, is_dataclass
from datetime import datetime
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


def plain(value: Any) -> Any:
    """Return what JSON can hold of a value of ours; for `json.dump`."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, frozenset | set):
        return sorted(value)
    if hasattr(value, "item"):  # a number of numpy
        return value.item()
    raise TypeError(f"{type(value).__name__} has no JSON form")
