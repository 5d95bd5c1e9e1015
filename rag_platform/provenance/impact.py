"""What rests on a document: its chunks in every version, and every past answer that cites it or had it as a hit."""

from dataclasses import asdict, dataclass

import polars as pl

from rag_platform.journal.receipts import Receipt
from rag_platform.provenance.inventory import KnownDocument
from rag_platform.raw.renames import earlier_names
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Standing:
    """A document as it stands in one version."""

    version: str
    live: bool
    revision: str
    chunks: tuple[str, ...]
    """Ids, in the order of the text."""


@dataclass(frozen=True, slots=True)
class RestingAnswer:
    """A past answer that a document has to do with."""

    receipt_id: str
    asked_at: str
    question: str
    version: str
    cited: bool
    """False: it was among the hits, and the answer does not cite it."""


@dataclass(frozen=True, slots=True)
class Impact:
    """What would notice if the document changed or went."""

    document: KnownDocument
    first_seen: str | None
    """When the source first had it, under whatever name; None when the source no longer tells."""
    earlier_names: tuple[str, ...]
    """Addresses that it had before it was renamed, the newest first."""
    versions: tuple[Standing, ...]
    """Oldest first."""
    chunks: tuple[dict, ...]
    """Of the live version: chunk_id, section, page, start, end, tokens."""
    answers: tuple[RestingAnswer, ...]
    """Newest first."""

    def to_dict(self) -> dict:
        """Return what JSON can hold."""
        whole = asdict(self)
        return {**whole.pop("document"), **whole}


def impact(workspace: Workspace, document: KnownDocument) -> Impact:
    """Find everything that rests on a document."""
    live = workspace.versions.live_id()
    standings, chunks = [], ()
    for version in workspace.versions.ids():
        rows = _chunks(workspace, version, document.doc_id)
        if rows.is_empty():
            continue
        standings.append(Standing(version, version == live, rows["revision"][0], tuple(rows["chunk_id"])))
        if version == live:
            chunks = tuple(rows.select("chunk_id", "section", "page", "start", "end", "tokens").to_dicts())
    answers = workspace.journal.receipts(_EVERY, document.doc_id, seen=True)
    resting = tuple(_resting(receipt, document.doc_id) for receipt in answers)
    return Impact(document, *_history(workspace, document), tuple(standings), chunks, resting)


def _history(workspace: Workspace, document: KnownDocument) -> tuple[str | None, tuple[str, ...]]:
    rows = {row["uri"]: row for row in workspace.store.read("raw", document.source).iter_rows(named=True)}
    row = rows.get(document.uri)
    return row and row["first_seen"].isoformat(), tuple(earlier_names(rows, document.uri))


_EVERY = -1
"""SQLite's word for no limit."""


def _chunks(workspace: Workspace, version: str, doc_id: str) -> pl.DataFrame:
    return workspace.versions.open(version).catalog.chunks_of(doc_id)


def _resting(receipt: Receipt, doc_id: str) -> RestingAnswer:
    cited = any(citation.doc_id == doc_id for citation in receipt.citations)
    return RestingAnswer(receipt.id, receipt.asked_at.isoformat(), receipt.question, receipt.version, cited)
