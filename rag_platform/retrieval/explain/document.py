"""What a search made of one document: the outcomes of its chunks, or why it was not searched at all."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

import numpy as np

from rag_platform.core.hits import Filters
from rag_platform.core.principals import PUBLIC
from rag_platform.retrieval.candidates import Row
from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome, chunk_outcomes
from rag_platform.retrieval.explain.descriptions import describe, remedy
from rag_platform.retrieval.explain.outcomes import FILTERED, MERGED, RETURNED
from rag_platform.retrieval.query.parsing import interpretation_phrases
from rag_platform.retrieval.results import SearchTrace

_COLUMNS = {
    "collections": "collection",
    "sources": "source",
    "languages": "language",
    "types": "type",
    "tags": "tags",
    "documents": "doc_id",
}
"""The column that each filter compares with."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where a document ended, why, and what would bring it back."""

    stage: str
    """As in `Outcome`; "permission", "filtered", "archived", "unasked", "no passages"; or a stage before the index."""
    reason: str
    remedy: str | None = None
    rank: int | None = None
    """As in `Outcome`."""
    chunks: tuple[ChunkOutcome, ...] = ()
    """Of the document, the one that came furthest first: it decides."""


def explain_document(search: SearchTrace, doc_id: str, understood: Mapping[str, Any]) -> Explanation:
    """Explain what the search made of a document of its version; `understood` as in `SearchResult`."""
    catalog = search.index.catalog
    chunks = catalog.chunks_of(doc_id).to_dicts()
    if not chunks:
        return Explanation("no passages", "No passage could be cut from it.")
    keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
    row = catalog.candidates(keys[:1])[int(keys[0])]
    if not_searched := _not_searched(search, doc_id, keys, row, understood):
        return not_searched
    if not search.candidates.trace.retrievers:
        return Explanation("unasked", "Nothing was asked.")
    ended = tuple(chunk_outcomes(search, chunks, row["language"]))
    best = ended[0]
    stage = RETURNED if best.outcome.stage == MERGED else best.outcome.stage
    return Explanation(stage, describe(best, search, row), remedy(best, row), best.outcome.rank, ended)


def _not_searched(
    search: SearchTrace, doc_id: str, keys: np.ndarray, row: Row, understood: Mapping[str, Any]
) -> Explanation | None:
    """Explain why no chunk of a document could be retrieved; None: one could."""
    trace, catalog = search.candidates.trace, search.index.catalog
    if not _excludes(trace.allowed, keys):
        return None
    asker = Filters(principals=search.filters.principals)
    if _excludes(catalog.allowed(asker), keys):
        readers = next(row["principals"] for row in catalog.named(doc_id) if row["doc_id"] == doc_id)
        who, asks = ", ".join(one for one in readers if one != PUBLIC), ", ".join(asker.principals) or "the public"
        return Explanation(
            "permission", f"It is for {who}; {asks} may not read it.", f"Ask as one of them: --as {readers[0]}"
        )
    if doc_id in trace.hidden.get("unreadable", ()):
        return Explanation(
            "permission", "It may be read by fewer people today than then, and the asker is none of them."
        )
    if doc_id in trace.hidden.get("not archived", ()):
        return Explanation("filtered", "It is not archived, and only what is archived was searched.")
    if doc_id in trace.hidden.get("archived", ()):
        dated, source = row["published_at"] or row["updated_at"], row["source"]
        reason = f"It is of {dated:%Y-%m-%d}, and documents of {source} are archived by their age."
        remedy = f"Search what is archived (--archived), or raise archive_after_days of the source {source}."
        return Explanation("archived", reason, remedy)
    return _filtered(search, keys, row, understood)


def _filtered(search: SearchTrace, keys: np.ndarray, row: Row, understood: Mapping[str, Any]) -> Explanation:
    """Name the filters that exclude a document, each by itself; without any it is what the question says."""
    given = {one.name: getattr(search.filters, one.name) for one in fields(Filters)}
    principals = given.pop("principals")
    excluding = [
        name
        for name, value in given.items()
        if value and _excludes(search.index.catalog.allowed(Filters(**{name: value, "principals": principals})), keys)
    ]
    if not excluding:
        signs = "; ".join(interpretation_phrases(understood)) or "what it asks for"
        return Explanation(
            FILTERED, f"The question itself leaves it out: {signs}.", "Ask without the signs of the question."
        )
    compared = "; ".join(f"{name} = {_shown(given[name])}, it has {_value(name, row)}" for name in excluding)
    return Explanation(
        FILTERED, f"The filters leave it out: {compared}.", f"Search without the filter {', '.join(excluding)}."
    )


def _excludes(allowed: np.ndarray | None, keys: np.ndarray) -> bool:
    return allowed is not None and not np.isin(keys, allowed).any()


def _value(name: str, row: Row) -> str:
    if name in ("since", "until"):
        return _shown(row["published_at"] or row["updated_at"] or "no date")
    return _shown(row[_COLUMNS.get(name, name)] or "none")


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
