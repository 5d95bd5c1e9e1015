"""What depends on a document: its chunks in every version, and every past answer that cites it or had it as a hit."""

from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from rag_platform.journal.receipts import Receipt
from rag_platform.provenance.inventory import KnownDocument
from rag_platform.raw.renames import earlier_names
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class InVersion:
    """A document in one version."""

    version: str
    live: bool
    revision: str
    chunks: tuple[str, ...]
    """Ids, in the order of the text."""


@dataclass(frozen=True, slots=True)
class AnswerOfDocument:
    """A past answer that a document was cited or found for."""

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
    """When the source first had it, under whatever name; None when the source no longer has it."""
    earlier_names: tuple[str, ...]
    """Addresses that it had before it was renamed, the newest first."""
    versions: tuple[InVersion, ...]
    """Oldest first."""
    chunks: tuple[dict[str, Any], ...]
    """Of the live version: chunk_id, section, page, start, end, tokens."""
    answers: tuple[AnswerOfDocument, ...]
    """Newest first."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        whole = asdict(self)
        return {**whole.pop("document"), **whole}


def impact(workspace: Workspace, document: KnownDocument) -> Impact:
    """Find everything that depends on a document."""
    live = workspace.versions.live_id()
    found: list[InVersion] = []
    chunks: tuple[dict[str, Any], ...] = ()
    for version in workspace.versions.ids():
        rows = _chunks(workspace, version, document.doc_id)
        if rows.is_empty():
            continue
        found.append(InVersion(version, version == live, rows["revision"][0], tuple(rows["chunk_id"])))
        if version == live:
            chunks = tuple(rows.select("chunk_id", "section", "page", "start", "end", "tokens").to_dicts())
    answers = workspace.journal.receipts(_EVERY, document.doc_id, seen=True)
    dependent = tuple(_answer_of(receipt, document.doc_id) for receipt in answers)
    return Impact(document, *_history(workspace, document), tuple(found), chunks, dependent)


def _history(workspace: Workspace, document: KnownDocument) -> tuple[str | None, tuple[str, ...]]:
    rows = {row["uri"]: row for row in workspace.store.read("raw", document.source).iter_rows(named=True)}
    row = rows.get(document.uri)
    first_seen = row["first_seen"].isoformat() if row else None
    return first_seen, tuple(earlier_names(rows, document.uri))


_EVERY = -1
"""SQLite's word for no limit."""


def _chunks(workspace: Workspace, version: str, doc_id: str) -> pl.DataFrame:
    return workspace.versions.open(version).catalog.chunks_of(doc_id)


def _answer_of(receipt: Receipt, doc_id: str) -> AnswerOfDocument:
    cited = any(citation.doc_id == doc_id for citation in receipt.citations)
    return AnswerOfDocument(receipt.id, receipt.asked_at.isoformat(), receipt.question, receipt.version, cited)
