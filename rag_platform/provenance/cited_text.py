"""The text that an answer quotes, around its quotes: for whoever may read it now."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rag_platform.core.answers import Citation
from rag_platform.index.releases.document_history import DocumentState, document_state
from rag_platform.journal.receipts import Receipt
from rag_platform.text.notation.code_blocks import CodeBlock, code_at
from rag_platform.text.notation.markdown_tables import Table, table_at
from rag_platform.workspace import Workspace

_TELLING = re.compile(r"[|{}=;_<>$]|\w\(|(?:^|\s)--?\w")
"""A quote without any of these is neither of a table nor of code."""


@dataclass(frozen=True, slots=True)
class CitedTable:
    """A table of which an answer quotes rows."""

    table: Table
    citations: tuple[Citation, ...]
    """That quote it."""

    @property
    def cited(self) -> dict[int, tuple[int, ...]]:
        """The rows that are quoted, by their places, each with the numbers of its citations."""
        rows: dict[int, tuple[int, ...]] = {}
        for one in self.citations:
            for row in self.table.touched(one.span):
                rows[row] = (*rows.get(row, ()), one.n)
        return dict(sorted(rows.items()))


def cited_state(workspace: Workspace, receipt: Receipt, doc_id: str, principals: Sequence[str]) -> DocumentState | None:
    """Return a document as an answer cites it; None: nobody keeps that text, or these principals may not read it."""
    revision = receipt.revisions.get(doc_id)
    for version in (None, receipt.version):
        found = document_state(workspace.versions, doc_id, principals, version)
        if found is None or found.document.revision == revision:
            return found
    return None


@dataclass(frozen=True, slots=True)
class CitedParts:
    """What an answer quotes that is more than words."""

    tables: tuple[CitedTable, ...] = ()
    """In the order of their citations."""
    code: Mapping[int, CodeBlock] = field(default_factory=dict)
    """By the numbers of the citations that quote it."""


def may_quote_parts(citations: Iterable[Citation]) -> bool:
    """Tell by the quotes alone whether an answer can quote a table or code."""
    return any(_TELLING.search(one.quote) for one in citations)


def cited_parts(workspace: Workspace, receipt: Receipt, principals: Sequence[str], owner: str = "") -> CitedParts:
    """Return the tables and the code that an answer quotes.

    Args:
        workspace: has the documents.
        receipt: of the answer.
        principals: who looks: what they may not read now is left out.
        owner: whose the files are that the chat holds beside.
    """
    tables: dict[tuple[str, int], CitedTable] = {}
    code: dict[int, CodeBlock] = {}
    for doc_id, citations in _by_document(receipt.citations).items():
        text = _text(workspace, receipt, doc_id, principals, owner)
        for one in citations:
            if text[slice(*one.span)] != one.quote:
                continue
            if block := code_at(text, one.span):
                code[one.n] = block
            elif table := table_at(text, one.span):
                place = (doc_id, table.span[0])
                known = tables[place].citations if place in tables else ()
                tables[place] = CitedTable(table, (*known, one))
    return CitedParts(tuple(sorted(tables.values(), key=lambda found: found.citations[0].n)), code)


def _by_document(citations: Iterable[Citation]) -> dict[str, list[Citation]]:
    found: dict[str, list[Citation]] = {}
    for one in citations:
        if _TELLING.search(one.quote):
            found.setdefault(one.doc_id, []).append(one)
    return found


def _text(workspace: Workspace, receipt: Receipt, doc_id: str, principals: Sequence[str], owner: str) -> str:
    found = cited_state(workspace, receipt, doc_id, principals)
    attached = None if found else workspace.attachments.document(doc_id, owner)
    return found.document.text if found else attached.text if attached else ""
