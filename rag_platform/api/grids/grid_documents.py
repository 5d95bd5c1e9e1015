"""What routes of grids are sent and answer."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from rag_platform.api.models.fields import Count, Flag, Question, RequestModel, Text, TextOrTexts, Texts
from rag_platform.api.models.searching import Where
from rag_platform.core.answers import Citation
from rag_platform.operations.grids.cell_text import cell_text
from rag_platform.operations.grids.grid_view import ShownCell, ShownGrid, State
from rag_platform.people.grids.grid import Column, Grid


class NewColumn(RequestModel):
    """A question that is asked of each document."""

    question: Question
    name: Text = Field("", description="What stands above the column; empty: the question.")


class NewGrid(Where):
    """A grid of documents that are named, that a search finds, or that pass the filters."""

    name: Question
    columns: list[NewColumn] = Field(default_factory=list)
    document: TextOrTexts = Field(default_factory=list, description="Only these documents, by their ids.")
    search: Question | None = Field(None, description="Only the best documents that this search finds.")
    most: Count = Field(20, description="So many documents of the search.")
    generator: Text = ""
    readers: Texts = Field(default_factory=list, description="People and groups who may read it beside its owner.")
    fill: Flag = Field(True, description="Whether its answers are written at once.")


class GridChange(RequestModel):
    """What is to be different; what is left out stays."""

    name: Question | None = None
    generator: Text | None = None
    readers: Texts | None = None


class NewRows(RequestModel):
    """Documents to be added."""

    documents: Texts


class ColumnRow(BaseModel):
    """A column."""

    id: int
    question: str
    name: str


class GridRow(BaseModel):
    """A grid in a list."""

    id: str
    name: str
    mine: bool
    generator: str
    readers: list[str]
    made_at: datetime
    filling: bool = Field(description="Whether its answers are being written, or wait for their turn.")


class GridsDocument(BaseModel):
    """Grids, the newest first."""

    grids: list[GridRow]


class CellDocument(BaseModel):
    """An answer to a column's question from a row's document."""

    column: int
    state: State
    stale: bool = Field(description="Whether its document, or who writes, has changed since.")
    verdict: Literal["yes", "no", ""]
    value: str = Field(description="A date, a number or a name, where it is sure.")
    answer: str = Field(description="Without marks; empty: the document has none, or it was not asked yet.")
    citations: list[Citation]
    receipt_id: str | None


class RowDocument(BaseModel):
    """A document with its answers, in the order of the columns."""

    doc_id: str
    title: str
    uri: str
    live: bool = Field(description="Whether it is published; else its answers stay and no more are asked.")
    cells: list[CellDocument]


class GridDocument(GridRow):
    """A grid as the caller may read it now."""

    columns: list[ColumnRow]
    rows: list[RowDocument]
    count: int = Field(description="Rows that the caller may read.")
    withheld: int = Field(description="Rows that they may not, or whose documents are nowhere any more.")
    answered: int
    missing: int
    stale: int
    seconds: float | None = Field(description="That what is missing or stale will about take.")


def grid_row(grid: Grid, owner: str) -> dict[str, Any]:
    """Return a grid as a list shows it."""
    named = {name: getattr(grid, name) for name in ("id", "name", "generator", "made_at", "filling")}
    mine = grid.owner == owner
    return named | {"mine": mine, "readers": list(grid.readers) if mine else []}


def grid_document(shown: ShownGrid, owner: str) -> dict[str, Any]:
    """Return a grid with its cells."""
    rows = [
        {name: getattr(row, name) for name in ("doc_id", "title", "uri", "live")}
        | {"cells": [_cell(column, shown.cells[column.id, row.doc_id]) for column in shown.columns]}
        for row in shown.rows
    ]
    columns = [{"id": one.id, "question": one.question, "name": one.name} for one in shown.columns]
    counts = {name: getattr(shown, name) for name in ("count", "withheld", "answered", "missing", "stale", "seconds")}
    return grid_row(shown.grid, owner) | {"columns": columns, "rows": rows} | counts


def _cell(column: Column, cell: ShownCell) -> dict[str, Any]:
    told = cell_text(cell.receipt) if cell.receipt else None
    return {
        "column": column.id,
        "state": cell.state,
        "stale": cell.stale,
        "verdict": told.verdict if told else "",
        "value": told.value if told else "",
        "answer": told.text if told else "",
        "citations": list(told.citations) if told else [],
        "receipt_id": cell.receipt.id if cell.receipt else None,
    }
