"""Grids: made, filled in the background, read, changed, written as CSV."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.grids.grid_documents import (
    ColumnRow,
    GridChange,
    GridDocument,
    GridsDocument,
    NewColumn,
    NewGrid,
    NewRows,
    grid_document,
    grid_row,
)
from rag_platform.api.problems import Problem, reply
from rag_platform.api.resources.chats import sharer_of
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.assisting import asker_of
from rag_platform.operations.grids.filling import begin_filling
from rag_platform.operations.grids.grid_csv import grid_csv
from rag_platform.operations.grids.grid_making import change_grid, documents_found, documents_in, make_grid
from rag_platform.operations.grids.grid_view import record_shown, shown_grid
from rag_platform.operations.search_scope import refuse_unknown
from rag_platform.people.grids.grid import MOST_ROWS, Grid
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/grids", route_class=JsonRoute, tags=["grids"])
Id = Annotated[str, Path(alias="id", description="A grid's id.")]
ColumnId = Annotated[int, Path(alias="column", ge=1, le=2**53, description="A column's id.")]
_CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}


@router.get("", response_model=GridsDocument)
def list_grids(workspace: Served, caller: CurrentAsker) -> Response:
    """List the caller's grids, and those that others let them read."""
    found = workspace.grids.of(asker_of(workspace, caller.owner, caller.principals))
    return reply({"grids": [grid_row(one, caller.owner) for one in found]})


@router.post("", status_code=201, response_model=GridDocument)
def make(workspace: Served, caller: CurrentAsker, given: NewGrid) -> Response:
    """Make a grid, and have its answers written in the background, as the caller may read."""
    filters = replace(given.filters(caller.principals), documents=tuple(given.document))
    if given.search is None:
        documents = documents_in(workspace, filters)
    else:
        count_request(workspace, caller, "searches")
        refuse_unknown(workspace, filters)
        documents = documents_found(workspace, given.search, filters, given.most, caller.who)
    whole = not given.document and given.search is None
    grid_id = make_grid(
        workspace,
        sharer_of(caller),
        given.name,
        [(one.question, one.name) for one in given.columns],
        [one for one in given.document if one in documents] or documents,
        generator=given.generator,
        collections=given.collection if whole else (),
        readers=given.readers,
    )
    if given.fill:
        _begin(workspace, caller, grid_id)
    return _document(workspace, caller, grid_id, 201)


@router.get("/{id}", response_model=GridDocument)
def read_grid(
    workspace: Served,
    caller: CurrentAsker,
    grid: Id,
    first: Annotated[int, Query(ge=0, description="The first row, from 0.")] = 0,
    most: Annotated[int, Query(ge=1, le=MOST_ROWS, description="Most rows.")] = MOST_ROWS,
) -> Response:
    """Read a grid; what the caller may not read now is withheld."""
    return _document(workspace, caller, grid, first=first, most=most)


@router.patch("/{id}", response_model=GridDocument)
def change(workspace: Served, caller: CurrentAsker, grid: Id, given: GridChange) -> Response:
    """Change name, generator and readers."""
    own = _own(workspace, caller, grid)
    name, generator, readers = (
        before if wanted is None else wanted
        for wanted, before in ((given.name, own.name), (given.generator, own.generator), (given.readers, own.readers))
    )
    change_grid(workspace, own, sharer_of(caller), str(name), generator=str(generator), readers=list(readers))
    return _document(workspace, caller, grid)


@router.delete("/{id}", status_code=204)
def remove_grid(workspace: Served, caller: CurrentAsker, grid: Id) -> Response:
    """Remove a grid; the receipts of its answers stay."""
    workspace.grids.remove(grid, caller.owner)
    return Response(status_code=204)


@router.put("/{id}/filling", status_code=202, response_model=GridDocument)
def begin_grid(workspace: Served, caller: CurrentAsker, grid: Id) -> Response:
    """Have what is missing or stale written in the background."""
    _begin(workspace, caller, grid)
    return _document(workspace, caller, grid, 202)


@router.delete("/{id}/filling", status_code=204)
def stop_grid(workspace: Served, caller: CurrentAsker, grid: Id) -> Response:
    """Have no more answers written; what is being asked is the last."""
    workspace.grid_cells.stop(grid, caller.owner)
    return Response(status_code=204)


@router.post("/{id}/columns", status_code=201, response_model=ColumnRow)
def add_column(workspace: Served, caller: CurrentAsker, grid: Id, given: NewColumn) -> Response:
    """Add a question; its answers are written once the grid is filled."""
    column = workspace.grids.add_column(grid, caller.owner, given.question, given.name)
    return _column(workspace, grid, column, 201)


@router.put("/{id}/columns/{column}", response_model=ColumnRow)
def change_column(workspace: Served, caller: CurrentAsker, grid: Id, column: ColumnId, given: NewColumn) -> Response:
    """Change a question; the answers to another one are not kept."""
    workspace.grids.change_column(grid, caller.owner, column, given.question, given.name)
    return _column(workspace, grid, column, 200)


@router.delete("/{id}/columns/{column}", status_code=204)
def remove_column(workspace: Served, caller: CurrentAsker, grid: Id, column: ColumnId) -> Response:
    """Remove a question with its answers."""
    workspace.grids.remove_column(grid, caller.owner, column)
    return Response(status_code=204)


@router.post("/{id}/rows", response_model=GridDocument)
def add_rows(workspace: Served, caller: CurrentAsker, grid: Id, given: NewRows) -> Response:
    """Add documents that the caller may read."""
    refuse_unknown(workspace, Filters(documents=tuple(given.documents), principals=tuple(caller.principals)))
    workspace.grids.add_rows(grid, caller.owner, given.documents)
    return _document(workspace, caller, grid)


@router.delete("/{id}/rows/{document}", status_code=204)
def leave_out(workspace: Served, caller: CurrentAsker, grid: Id, document: str) -> Response:
    """Leave a document out; adding it again brings its answers back."""
    workspace.grids.leave_out(grid, caller.owner, document)
    return Response(status_code=204)


@router.get("/{id}/csv", response_class=Response, responses=_CSV)
def export_grid(
    workspace: Served,
    caller: CurrentAsker,
    grid: Id,
    quotes: Annotated[bool, Query(description="With a column more for each question: what its answer quotes.")] = False,
) -> Response:
    """Return a grid as CSV, in which nothing is a formula; what the caller may not read is left out."""
    shown = shown_grid(workspace, _readable(workspace, caller, grid), caller.principals)
    record_shown(workspace, shown, caller.principals, caller.who, "export")
    named = {"content-disposition": 'attachment; filename="grid.csv"', "cache-control": "private, no-store"}
    return Response(grid_csv(shown, quotes=quotes), headers=named, media_type="text/csv")


def _begin(workspace: Workspace, caller: Caller, grid: str) -> None:
    kind, _, name = caller.who.partition(":")
    begin_filling(workspace, grid, caller.owner, caller.principals, name if kind == "token" else "")


def _readable(workspace: Workspace, caller: Caller, grid: str) -> Grid:
    found = workspace.grids.find(grid, asker_of(workspace, caller.owner, caller.principals))
    if found is None:
        raise Problem(404, "there is no such grid that you may read", "the id of one", "GET /v1/grids lists them.")
    return found


def _own(workspace: Workspace, caller: Caller, grid: str) -> Grid:
    found = _readable(workspace, caller, grid)
    if found.owner != caller.owner:
        raise Problem(404, "this grid is not yours", "the id of one that is", "GET /v1/grids lists them.")
    return found


def _column(workspace: Workspace, grid: str, column: int, status: int) -> Response:
    found = next(one for one in workspace.grids.columns(grid) if one.id == column)
    return reply({"id": found.id, "question": found.question, "name": found.name}, status)


def _document(workspace: Workspace, caller: Caller, grid: str, status: int = 200, **part: int) -> Response:
    shown = shown_grid(workspace, _readable(workspace, caller, grid), caller.principals, **part)
    record_shown(workspace, shown, caller.principals, caller.who, "open")
    return reply(grid_document(shown, caller.owner), status)
