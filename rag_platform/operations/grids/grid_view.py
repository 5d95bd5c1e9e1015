"""A grid as somebody may read it now: its rows, its cells, and what is still to be asked."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeGuard

from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.ids import digest
from rag_platform.index.releases.document_history import document_state
from rag_platform.journal.permissions import closed
from rag_platform.journal.receipts import Receipt, receipts_by_id
from rag_platform.people.grids.grid import Cell, Column, Grid, cell_mark
from rag_platform.workspace import Workspace

AT_ONCE = 4
"""Answers that are written at the same time where a server writes them; a local model, which takes all cores, one."""
State = Literal["missing", "answered", "nothing", "failed"]
"""Of a cell: it was not asked yet, has an answer, the document has none, or it could not be asked."""


@dataclass(frozen=True, slots=True)
class Row:
    """A document of a grid."""

    doc_id: str
    title: str
    uri: str
    revision: str
    live: bool
    """Whether it is published; of one that was removed the answers stay, and no more are asked."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """An answer as it may be read now."""

    state: State
    stale: bool = False
    """Whether its document, or who writes, has changed since."""
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class ShownGrid:
    """A grid as somebody may read it now."""

    grid: Grid
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    """Those that were asked for, of all that may be read."""
    cells: Mapping[tuple[int, str], ShownCell]
    """Of these rows, by column and document."""
    count: int
    """How many rows may be read."""
    withheld: int
    """How many may not, or are of documents that are nowhere any more."""
    missing: int
    """How many answers are missing: never asked, failed or forgotten."""
    stale: int
    """How many are of another revision of their document, or of another generator."""
    seconds: float | None
    """How long what is missing or stale will about take; None: nothing is known of that yet."""

    @property
    def answered(self) -> int:
        """How many answers are as they should be."""
        return self.count * len(self.columns) - self.missing - self.stale

    @property
    def documents(self) -> frozenset[str]:
        """The documents that the answers rest on."""
        receipts = (cell.receipt for cell in self.cells.values() if cell.receipt)
        return frozenset(doc_id for receipt in receipts for doc_id in receipt.documents)


def shown_grid(
    workspace: Workspace, grid: Grid, principals: Sequence[str], first: int = 0, most: int | None = None
) -> ShownGrid:
    """Return a grid as these principals may read it now.

    Args:
        workspace: whose.
        grid: that they may open.
        principals: who reads.
        first: the first row to show, from 0.
        most: rows to show; None: all.
    """
    columns, kept = tuple(workspace.grids.columns(grid.id)), workspace.grid_cells.of(grid.id)
    ids = workspace.grids.rows(grid.id)
    rows = readable_rows(workspace, ids, principals)
    writer = writer_of(workspace, grid)
    due = _living(columns, rows, kept)
    missing = sum(not _is_there(cell) for _, _, cell in due)
    stale = sum(_is_stale(cell, column, row, writer) for column, row, cell in due)
    some = tuple(rows[first : None if most is None else first + most])
    cells = _cells(workspace, columns, some, kept, writer, principals)
    known = [cell.seconds for cell in kept.values() if cell.receipt_id]
    seconds = _remaining(workspace, grid, missing + stale, known)
    counts = len(rows), len(ids) - len(rows), missing, stale
    return ShownGrid(grid, columns, some, cells, *counts, seconds)


def record_shown(
    workspace: Workspace, shown: ShownGrid, principals: Sequence[str], who: str | None, kind: Literal["open", "export"]
) -> None:
    """Record for the audit of which documents somebody is shown answers, or takes them away."""
    hits = [{"doc_id": doc_id} for doc_id in sorted(shown.documents)]
    workspace.audit.record(kind, who, principals, shown={"grid": shown.grid.id, "hits": hits})


def readable_rows(workspace: Workspace, ids: Sequence[str], principals: Sequence[str]) -> list[Row]:
    """Return those of the documents that these principals may read, in the given order."""
    versions = workspace.versions
    catalog = versions.live().catalog
    there = sorted(catalog.readable(ids, principals)) if ids else []
    columns = ("doc_id", "title", "uri", "revision")
    live = {row["doc_id"]: row for row in catalog.rows_of("documents", there, *columns).to_dicts()} if there else {}
    rows = []
    for doc_id in ids:
        if row := live.get(doc_id):
            rows.append(Row(doc_id, row["title"] or row["uri"], row["uri"], row["revision"], live=True))
        elif found := document_state(versions, doc_id, principals):
            one = found.document
            rows.append(Row(doc_id, one.title or one.uri, one.uri, one.revision, live=False))
    return rows


def due_cells(workspace: Workspace, grid: Grid, principals: Sequence[str]) -> list[tuple[Column, Row]]:
    """Return what is to be asked, row by row: first what has no answer, then what has one that is stale."""
    columns, kept = workspace.grids.columns(grid.id), workspace.grid_cells.of(grid.id)
    rows, writer = readable_rows(workspace, workspace.grids.rows(grid.id), principals), writer_of(workspace, grid)
    cells = _living(columns, rows, kept)
    missing = [(column, row) for column, row, cell in cells if not _is_there(cell)]
    return missing + [(column, row) for column, row, cell in cells if _is_stale(cell, column, row, writer)]


def generator_of(workspace: Workspace, grid: Grid) -> str:
    """Return the name of who writes a grid's answers: as chosen, or the default where there is none of that name."""
    generators = workspace.generators
    return grid.generator if grid.generator and generators.knows(grid.generator) else generators.default


def writer_of(workspace: Workspace, grid: Grid) -> str:
    """Tell who writes a grid's answers, with model and parameters, from all others."""
    name = generator_of(workspace, grid)
    parameters = getattr(workspace.generators.of(name), "parameters", None)
    return digest(name, json.dumps(parameters, sort_keys=True, default=str))


def at_once(workspace: Workspace, grid: Grid) -> int:
    """Return how many answers of a grid are written at the same time."""
    return 1 if isinstance(workspace.generators.of(generator_of(workspace, grid)), Extractive) else AT_ONCE


def _cells(
    workspace: Workspace,
    columns: Sequence[Column],
    rows: Sequence[Row],
    kept: Mapping[tuple[int, str], Cell],
    writer: str,
    principals: Sequence[str],
) -> dict[tuple[int, str], ShownCell]:
    found = {(column.id, row.doc_id): kept.get((column.id, row.doc_id)) for row in rows for column in columns}
    ids = {cell.receipt_id for cell in found.values() if cell and cell.receipt_id}
    receipts = receipts_by_id(workspace.journal, ids)
    documents = {doc_id for receipt in receipts.values() for doc_id in receipt.documents}
    hidden = closed(workspace.versions, documents, principals)
    readable = {name: one for name, one in receipts.items() if one.documents.isdisjoint(hidden)}
    return {
        (column.id, row.doc_id): _shown(cell, column, row, writer, readable)
        for row in rows
        for column in columns
        for cell in (found[column.id, row.doc_id],)
    }


def _shown(cell: Cell | None, column: Column, row: Row, writer: str, receipts: Mapping[str, Receipt]) -> ShownCell:
    receipt = receipts.get(cell.receipt_id or "") if cell else None
    if cell is None or receipt is None:
        return ShownCell("failed" if cell and cell.failed else "missing")
    stale = _is_stale(cell, column, row, writer)
    return ShownCell("nothing" if receipt.abstained else "answered", stale, receipt)


def _living(
    columns: Sequence[Column], rows: Sequence[Row], kept: Mapping[tuple[int, str], Cell]
) -> list[tuple[Column, Row, Cell | None]]:
    """Return the cells of rows that are published, row by row; None: it was never asked."""
    return [(column, row, kept.get((column.id, row.doc_id))) for row in rows if row.live for column in columns]


def _is_there(cell: Cell | None) -> TypeGuard[Cell]:
    return cell is not None and cell.receipt_id is not None


def _is_stale(cell: Cell | None, column: Column, row: Row, writer: str) -> bool:
    return _is_there(cell) and cell.mark != cell_mark(row.revision, column.question, writer)


def _remaining(workspace: Workspace, grid: Grid, due: int, known: Sequence[float]) -> float | None:
    if not known or not due:
        return None
    most = workspace.settings.access.grid_answers_per_minute
    limited = 60 * (due // most) if most else 0
    return max(due * sum(known) / len(known) / at_once(workspace, grid), limited)
