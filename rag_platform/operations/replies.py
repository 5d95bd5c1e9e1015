"""What a search and an answer are in JSON: the same from the command line and from the API."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rag_platform.core.answers import Answer
from rag_platform.core.hits import Filters
from rag_platform.journal.answer_notes import answer_notes, missing_document
from rag_platform.retrieval.results import SearchResult

if TYPE_CHECKING:
    from rag_platform.provenance.why import Why
    from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome


def search_document(result: SearchResult) -> dict[str, Any]:
    """Return the document that `rag search --json` prints."""
    document = {
        "question": result.question,
        "version": result.version,
        "mode": result.mode,
        "k": result.k,
        "filters": _filters(result.filters),
        "took_ms": {stage: round(took) for stage, took in result.took_ms.items()},  # finer ones help to guess
        "hits": [asdict(hit) for hit in result.hits],
        "nothing_relevant": result.nothing_relevant,
        "warnings": result.warnings,
    } | ({"understood": result.understood} if result.understood else {})
    return document | ({"explanation": result.explanation} if result.explanation is not None else {})


def _filters(filters: Filters) -> dict[str, Any]:
    """Return what was searched; as whom is known to whoever searched."""
    return {name: value for name, value in asdict(filters).items() if name != "principals"}


def answer_document(answer: Answer) -> dict[str, Any]:
    """Return the document that `rag ask --json` prints."""
    document = asdict(answer)
    del document["hits"], document["searched"]
    return document | {"notes": answer_notes(answer), "missing": missing_document(answer)}


def why_document(why: "Why") -> dict[str, Any]:
    """Return the document that `rag why --json` prints."""
    return {
        "question": why.question,
        "version": why.version,
        "mode": why.mode,
        "k": why.k,
        "document": asdict(why.document) if why.document else None,
        "returned": why.returned,
        "rank": why.explanation.rank,
        "stage": why.explanation.stage,
        "reason": why.explanation.reason,
        "remedy": why.explanation.remedy,
        "chunks": [_chunk(one) for one in why.chunks],
    }


def _chunk(chunk: "ChunkOutcome") -> dict[str, Any]:
    end, into = chunk.outcome, chunk.outcome.into or {}
    drop = end.drop
    return {
        "chunk_id": chunk.chunk_id,
        "ordinal": chunk.ordinal,
        "section": chunk.section,
        "span": chunk.span,
        "stage": end.stage,
        "rank": end.rank,
        "into": into.get("chunk_id"),
        "into_uri": into.get("uri"),
        "ranks": end.ranks,
        "legs": {name: asdict(one) for name, one in chunk.retrievers.items()},
        "lacks": chunk.missing_terms,
        "scores": asdict(chunk.scores),
        "drop": drop
        and {
            "stage": drop.stage,
            "score": drop.score,
            "limit": drop.limit,
            "of": drop.measure,
            "value": drop.value,
        },
    }
