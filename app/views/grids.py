"""Grids: the same questions asked of many documents; the address names one, and what is opened above it."""

import streamlit as st

from app import frame
from app.grids.cell import open_cell
from app.grids.changing import change_column, change_row
from app.grids.listing import show_list
from app.grids.making import show_form
from app.grids.showing import grid_named, show_grid
from app.rendering import NEW
from app.sharing.shelves import may_keep
from app.texts import say
from rag_platform.operations.grids.grid_view import shown_grid
from rag_platform.people.grids.grid import Grid
from rag_platform.people.identity import Person


def open_above(grid: Grid, person: Person) -> None:
    """Open what the address names above a grid, once: a cell, a question, a document."""
    named = {name: st.query_params.pop(name) for name in ("cell", "column", "row") if name in st.query_params}
    if "cell" in named:
        open_cell(named["cell"], shown_grid(frame.workspace(), grid, person.principals))
    elif grid.owner != person.id:
        return
    elif "column" in named:
        columns = {str(one.id): one for one in frame.workspace().grids.columns(grid.id)}
        if column := columns.get(named["column"]):
            frame.dialog(say("grids-question"))(change_column)(grid, column)
    elif "row" in named and named["row"] in frame.workspace().grids.rows(grid.id):
        frame.dialog(say("grids-document"))(change_row)(grid, named["row"])


def main(person: Person) -> None:
    """Show what the address names: a grid, the form of a new one, or the list."""
    if not may_keep(person):
        st.html(f'<div class="empty">{say("grids-visitor")}</div>')
        return
    named = st.query_params.get("grid")
    if named and (grid := grid_named(named, person)):
        show_grid(grid, person)
        open_above(grid, person)
        return
    if NEW in st.query_params:
        show_form(person)
        return
    if named:
        st.html(f'<div class="notes"><p>{say("grids-gone")}</p></div>')
    show_list(person)


with frame.friendly():
    main(frame.person())
