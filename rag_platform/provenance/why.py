"""Why a document was found for a question, or at which stage of its way it was lost."""

from dataclasses import dataclass, fields, replace
from datetime import datetime

import numpy as np

from rag_platform.config.settings import Mode
from rag_platform.core.hits import Filters
from rag_platform.core.principals import PUBLIC
from rag_platform.provenance import document_path
from rag_platform.provenance.document_path import DocumentPath, MayRead
from rag_platform.provenance.inventory import KnownDocument, find_documents, only_one
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.explanation import MERGED, RETURNED
from rag_platform.retrieval.explain.outcome import ChunkOutcome, chunk_outcomes
from rag_platform.retrieval.explain.sentences import describe, remedy
from rag_platform.retrieval.query.parsing import in_words
from rag_platform.retrieval.results import Searched
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Why:
    """Where a document ended on its way to the hits of a question, and what would bring it back."""

    question: str
    version: str
    mode: str
    k: int
    document: KnownDocument | None
    """None: nothing of that name is known to the asker."""
    returned: bool
    rank: int | None
    """Of the hit that shows it; else how many hits would have to be asked for to see it; None: no number helps."""
    stage: str
    """"returned", or where it was lost: a stage of `whereabouts`, "permission", "filtered", "expired", or one of
    `ChunkOutcome.stage`."""
    reason: str
    remedy: str | None = None
    chunks: tuple[ChunkOutcome, ...] = ()
    """Of the document, the one that came furthest first: it decides."""


def why(
    workspace: Workspace,
    question: str,
    name: str,
    *,
    k: int = 10,
    mode: Mode | None = None,
    filters: Filters = Filters(),  # noqa: B008 - frozen
    retriever: Retriever | None = None,
    now: datetime | None = None,
    per_document: int | None = None,
    operator: bool = False,
) -> Why:
    """Tell what became of a document in a search.

    Args:
        workspace: where it may be.
        question: what is asked.
        name: the document's address, the end of it from a slash on, or its id.
        k: how many hits are asked for.
        mode: as of a search.
        filters: what is searched, and who asks. Of what they may not read, nothing is told, not even that it exists.
        retriever: searches another version than the live one.
        now: the moment from which ages are counted; None: this one.
        per_document: as of a search.
        operator: tell of every document, whoever may read it.

    Raises:
        NotFound: several documents have that name; the message lists those that the asker may read.
    """
    options = {"k": k, "mode": mode, "filters": filters, "now": now, "per_document": per_document}
    result = (retriever or workspace.retriever).search(question, **options, explain=True)
    searched = result.trace
    if searched is None:
        raise AssertionError("a search with `explain` keeps its trace")
    found = _located(workspace, searched, name, document_path.reader(filters.principals, operator=operator))
    made = Why(question, result.version, result.mode, k, None, returned=False, rank=None, stage="", reason="")
    if isinstance(found, KnownDocument):
        return _searched_for(made, searched, found, result.understood)
    if found.document is None and operator:
        found = document_path.forgotten(workspace, name) or found
    return replace(made, document=found.document, stage=found.stage, reason=found.reason, remedy=found.remedy)


def _located(workspace: Workspace, searched: Searched, name: str, may_read: MayRead) -> KnownDocument | DocumentPath:
    """Return the document, if the version that was searched has it for the asker; else how far it came."""
    today = set(searched.found.trace.hidden.get("unreadable", ()))
    here = {
        KnownDocument(row["source"], row["uri"], row["doc_id"])
        for row in searched.index.catalog.named(name)
        if may_read(row["principals"]) and (row["doc_id"] not in today or may_read(()))
    }
    if len(exact := find_documents(here, name)) == 1 and name in (exact[0].uri, exact[0].doc_id):
        return exact[0]
    tables = document_path.in_tables(workspace, name, may_read)
    others = document_path.in_other_versions(workspace, name, may_read)
    if not (known := find_documents({*here, *tables, *others}, name)):
        return document_path.unknown(name)
    one = only_one(known, name)
    if one in here:
        return one
    told = tables.get(one)
    if told is None or (told.stage == "gone" and one in others):
        return document_path.dropped(one, searched.index.id, others[one], told)
    if told.stage != "unpublished":
        return told
    return document_path.unpublished(workspace, one, searched.index.id, others.get(one, ()))


def _searched_for(made: Why, searched: Searched, known: KnownDocument, understood: dict) -> Why:
    """Tell what the search made of a document of its version."""
    made = replace(made, document=known)
    chunks = searched.index.catalog.chunks_of(known.doc_id).to_dicts()
    keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
    if left_out := _left_out(searched, known, keys, understood):
        stage, reason, advice = left_out
        return replace(made, stage=stage, reason=reason, remedy=advice)
    if not searched.found.trace.legs or not chunks:
        said = "Nothing was asked." if chunks else "No passage could be cut from it."
        return replace(made, stage="unasked" if chunks else "no passages", reason=said)
    row = searched.index.catalog.candidates(keys[:1])[int(keys[0])]
    ended = tuple(chunk_outcomes(searched, chunks, row["language"]))
    best = ended[0]
    return replace(
        made,
        returned=best.stage in (RETURNED, MERGED),
        rank=best.rank,
        stage=RETURNED if best.stage == MERGED else best.stage,
        reason=describe(best, searched, row),
        remedy=remedy(best, row),
        chunks=ended,
    )


def _left_out(
    searched: Searched, known: KnownDocument, keys: np.ndarray, understood: dict
) -> tuple[str, str, str | None] | None:
    """Tell why a document was not searched at all: stage, reason, remedy."""
    allowed, catalog = searched.found.trace.allowed, searched.index.catalog
    if allowed is None or np.isin(keys, allowed).any():
        return None
    mine = Filters(principals=searched.filters.principals)
    if _without(catalog.allowed(mine), keys):
        readers = next(row["principals"] for row in catalog.named(known.doc_id) if row["doc_id"] == known.doc_id)
        who = ", ".join(one for one in readers if one != PUBLIC)
        asks = ", ".join(mine.principals) or "the public"
        return "permission", f"It is for {who}; {asks} may not read it.", f"Ask as one of them: --as {readers[0]}"
    if known.doc_id in searched.found.trace.hidden.get("unreadable", ()):
        return "permission", "It may be read by fewer people today than then, and the asker is none of them.", None
    row = catalog.candidates(keys[:1])[int(keys[0])]
    if known.doc_id in searched.found.trace.hidden.get("expired", ()):
        dated = row["published_at"] or row["updated_at"]
        reason = f"It is of {dated:%Y-%m-%d}, and the documents of {known.source} are found for a limited time only."
        return "expired", reason, f"Raise expires_after_days of the source {known.source}."
    names = [one.name for one in fields(Filters) if one.name != "principals" and getattr(searched.filters, one.name)]
    alone = {name: Filters(**{name: getattr(searched.filters, name)}, principals=mine.principals) for name in names}
    guilty = [name for name in names if _without(catalog.allowed(alone[name]), keys)]
    if not guilty:
        signs = "; ".join(in_words(understood)) or "what it asks for"
        return "filtered", f"The question itself leaves it out: {signs}.", "Ask without the signs of the question."
    asked = "; ".join(
        f"{name} = {_shown(getattr(searched.filters, name))}, it has {_has(name, row)}" for name in guilty
    )
    return "filtered", f"The filters leave it out: {asked}.", f"Search without the filter {', '.join(guilty)}."


def _without(allowed: np.ndarray | None, keys: np.ndarray) -> bool:
    return allowed is not None and not np.isin(keys, allowed).any()


def _has(name: str, row: dict) -> str:
    if name in ("since", "until"):
        return _shown(row["published_at"] or row["updated_at"] or "no date")
    column = {"collections": "collection", "sources": "source", "languages": "language", "types": "type"}.get(
        name, name
    )
    return _shown(row[column] or "none")


def _shown(value: object) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
