"""What changed since: an answer's quotes, a document's text, the documents of a collection, over the versions kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rag_platform.core.answers import Citation
from rag_platform.core.hits import Filters
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.releases.document_history import document_state
from rag_platform.index.releases.versions import Versions
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.watching.watch_changes import Change, DocumentChange, difference
from rag_platform.text.text_diff import Line

MOST = 500
"""Changed documents that are named."""


@dataclass(frozen=True, slots=True)
class QuoteSince:
    """What became of a quote of an answer."""

    n: int
    doc_id: str
    title: str
    uri: str
    quote: str
    stands: bool
    """Whether its document says it still, in the version that is live."""
    until: datetime | None
    """When the first version without it went live; None: all that are kept have it."""
    known_until: datetime | None
    """Up to when it is known to have stood: later than that and before `until`, versions are no longer kept."""
    lines: tuple[Line, ...]
    """What changed where it stood; none where it stands, or its document is gone."""


@dataclass(frozen=True, slots=True)
class AnswerSince:
    """Whether an answer is still what the documents say."""

    receipt_id: str
    version: str
    live: str
    stands: bool
    """Whether all of its quotes stand."""
    until: datetime | None
    """When the first of its quotes went; None: all stood in every version."""
    quotes: tuple[QuoteSince, ...]


@dataclass(frozen=True, slots=True)
class DocumentSince:
    """What changed in a document."""

    doc_id: str
    title: str
    uri: str
    before: str | None
    """The version that is compared; None: it held no such document, or none that the reader might read."""
    after: str
    live: bool
    """Whether it is still published."""
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class CorpusSince:
    """Which documents came, changed and went, of those that somebody may read."""

    before: str
    after: str
    came: int
    changed: int
    went: int
    documents: tuple[DocumentChange, ...]
    """The first of them, by address."""


def answer_since(versions: Versions, receipt: Receipt, principals: Sequence[str]) -> AnswerSince:
    """Look for an answer's quotes in each version that went live after it.

    The caller has made sure that the reader may see the receipt.
    """
    quotes = tuple(_quote_since(versions, receipt, one, principals) for one in receipt.citations)
    gone = [one.until for one in quotes if one.until]
    stands = all(one.stands for one in quotes)
    return AnswerSince(receipt.id, receipt.version, versions.live_id() or "", stands, min(gone, default=None), quotes)


def document_since(versions: Versions, doc_id: str, before: str, principals: Sequence[str]) -> DocumentSince | None:
    """Compare a document as a version had it with what it is; None: there is none that these principals may read."""
    now = document_state(versions, doc_id, principals)
    if now is None:
        return None
    then = document_state(versions, doc_id, principals, before)
    lines = difference(then.document.text, now.document.text, marks=True) if then else ()
    about = now.document
    return DocumentSince(doc_id, about.title, about.uri, before if then else None, now.version, now.live, lines)


def corpus_since(versions: Versions, before: str, filters: Filters) -> CorpusSince:
    """Compare what a version had with what is live: documents of these sources and collections that they may read."""
    live = versions.live().id
    then, now = (_listed(versions.open(one).catalog, filters) for one in (before, live))
    joined = then.join(now, on="doc_id", how="full", coalesce=True, suffix="_now")
    differs = joined.filter(pl.col("revision").ne_missing(pl.col("revision_now")))
    found = sorted(_changes(versions, before, live, differs, filters.principals), key=lambda one: one.uri)
    came, changed, went = (sum(one.change == kind for one in found) for kind in ("came", "changed", "went"))
    return CorpusSince(before, live, came, changed, went, tuple(found[:MOST]))


def _listed(catalog: Catalog, filters: Filters) -> pl.DataFrame:
    frame = catalog.documents("doc_id", "source", "collection", "uri", "title", "revision")
    if filters.sources:
        frame = frame.filter(pl.col("source").is_in(filters.sources))
    if filters.collections:
        frame = frame.filter(pl.col("collection").is_in(filters.collections))
    return frame.select("doc_id", "uri", "title", "revision")


def _changes(
    versions: Versions, before: str, after: str, differs: pl.DataFrame, principals: Sequence[str]
) -> Iterator[DocumentChange]:
    """Yield what somebody may hear of: what they may read now, and of what went what they may read as it stood last."""
    ids = differs["doc_id"].to_list()
    then = versions.open(before).catalog.readable(ids, principals, then=True)
    now = versions.open(after).catalog.readable(ids, principals)
    for row in differs.iter_rows(named=True):
        doc_id, change = row["doc_id"], _change(row["doc_id"] in then, row["doc_id"] in now)
        there = row["revision_now"] is not None
        if change is None or (not there and document_state(versions, doc_id, principals) is None):
            continue
        if there == (change != "went"):  # else it is there, and closed to them
            kind = "_now" if there else ""
            yield DocumentChange(doc_id, row[f"title{kind}"], row[f"uri{kind}"], change)


def _change(then: bool, now: bool) -> Change | None:
    return "changed" if then and now else "came" if now else "went" if then else None


def _quote_since(versions: Versions, receipt: Receipt, quote: Citation, principals: Sequence[str]) -> QuoteSince:
    known, until = receipt.asked_at, None
    for version, moment in _lives_after(versions, receipt):
        stands = _stands(versions, version, quote, principals)
        if stands is False:
            until = moment
            break
        known = moment if stands else known
    live = versions.live_id() or ""
    there = bool(_stands(versions, live, quote, principals))
    lines = () if there else tuple(_around(versions, receipt.version, quote, principals))
    about = (quote.n, quote.doc_id, quote.title, quote.uri, quote.quote)
    return QuoteSince(*about, there, until, known if until else None, lines)


def _lives_after(versions: Versions, receipt: Receipt) -> Iterator[tuple[str, datetime]]:
    """Yield the versions that went live after an answer, in order, and when."""
    for move in versions.moves():
        moment = datetime.fromisoformat(move["at"])
        if move["version"] and moment > receipt.asked_at:
            yield versions.form(move["version"]), moment


def _stands(versions: Versions, version: str, quote: Citation, principals: Sequence[str]) -> bool | None:
    """Return whether a version has a quote; None: it is no longer kept."""
    if not versions.path(version).exists():
        return None
    found = document_state(versions, quote.doc_id, principals, version)
    return found is not None and found.version == version and _plain(quote.quote) in _plain(found.document.text)


def _around(versions: Versions, before: str, quote: Citation, principals: Sequence[str]) -> Iterator[Line]:
    """Yield what changed of the lines in which a quote stood."""
    then = document_state(versions, quote.doc_id, principals, versions.form(before))
    now = document_state(versions, quote.doc_id, principals)
    if then is None or now is None or not now.live:
        return
    first, last = (then.document.text.count("\n", 0, place) + 1 for place in quote.span)
    lines, near = difference(then.document.text, now.document.text, marks=True), False
    for line in lines:
        near = first <= line.old <= last if line.old is not None else near  # new lines stand below those they replace
        if near:
            yield line


def _plain(text: str) -> str:
    return " ".join(text.split())
