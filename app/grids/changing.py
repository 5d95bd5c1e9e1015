"""The dialogs in which a grid is changed: its questions, its documents, its name and readers."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from html import escape

import streamlit as st

from app import frame
from app.grids.choosing import choose_documents, chosen_documents
from app.grids.making import choose_writer
from app.rendering import link, plain_html, plain_label
from app.sharing.readers import known_readers, reader_name, sharer
from app.texts import say, say_html
from app.undo import take_away, taken
from rag_platform.core.errors import NotFound, RagError
from rag_platform.core.principals import PUBLIC
from rag_platform.operations.grids.filling import begin_filling
from rag_platform.operations.grids.grid_making import change_grid
from rag_platform.operations.grids.grid_view import readable_rows
from rag_platform.people.grids.grid import LONGEST_NAME, LONGEST_QUESTION, Column, Grid
from rag_platform.people.grids.grids import Grids
from rag_platform.people.identity import Person


def change_column(grid: Grid, column: Column | None) -> None:
    """Let the owner change a question, or ask another one; it is asked at once."""
    person, grids = frame.person(), frame.workspace().grids
    question = st.text_area(say("grids-question"), column.question if column else "", max_chars=LONGEST_QUESTION)
    help_, name = say("grids-short-name-help"), column.name if column else ""
    name = st.text_input(say("grids-short-name"), name, max_chars=LONGEST_NAME, help=help_)
    with st.container(horizontal=True):
        if st.button(say("grids-save"), type="primary", key="save-column"):
            with _told():
                if column:
                    grids.change_column(grid.id, person.id, column.id, question or "", name or "")
                else:
                    grids.add_column(grid.id, person.id, question or "", name or "")
                _fill(grid, person)
        if column and st.button(say("grids-remove-column"), type="tertiary", icon=":material/delete:"):
            key = "grid-column", str(column.id)
            take_away(key, column.title, partial(_remove_column, grids, grid.id, person.id, column.id), person.id)
            st.rerun()


def change_row(grid: Grid, doc_id: str) -> None:
    """Let the owner open a document of a grid, or leave it out."""
    person, grids = frame.person(), frame.workspace().grids
    rows = readable_rows(frame.workspace(), [doc_id], person.principals)
    title = rows[0].title if rows else ""
    address = escape(link({"doc": doc_id}), quote=True)
    st.html(
        f'<h3 dir="auto">{plain_html(title)}</h3><p class="quiet">{plain_html(rows[0].uri if rows else "")}</p>'
        f'<p><a class="inner" href="{address}" target="_self">{say_html("grids-row-open")}</a></p>'
    )
    if st.button(say("grids-leave-out"), type="tertiary", icon=":material/delete:", key="leave-out"):
        with _told():
            grids.leave_out(grid.id, person.id, doc_id)
            taken(("grid-row", doc_id), title, partial(_take_in, grids, grid.id, person.id, doc_id), person.id)
            st.rerun()


def add_rows(grid: Grid) -> None:
    """Let the owner add documents; they are asked at once."""
    person = frame.person()
    documents, collections = choose_documents(person, f"grid-rows-{grid.id}")
    if st.button(say("grids-add"), type="primary", key="add-rows", disabled=not (documents or collections)):
        with _told():
            found = chosen_documents(documents, collections, person)
            frame.workspace().grids.add_rows(grid.id, person.id, found)
            _fill(grid, person)


def change_settings(grid: Grid) -> None:
    """Let the owner name a grid, choose who writes and who may read it, and remove it."""
    person = frame.person()
    name = st.text_input(say("grids-name"), grid.name, max_chars=LONGEST_NAME)
    generator = choose_writer(grid.generator)
    everybody = {PUBLIC} if person.may("editor") else set[str]()
    readers = st.multiselect(
        say("grids-readers"),
        sorted({*known_readers(person), *grid.readers, *everybody}),
        [*grid.readers],
        format_func=reader_name,
        accept_new_options=person.may("editor"),
        placeholder=say("grids-readers-none"),
        help=say("grids-readers-help"),
    )
    with st.container(horizontal=True):
        if st.button(say("grids-save"), type="primary", key="save-grid"):
            with _told():
                change_grid(frame.workspace(), grid, sharer(person), name or "", generator=generator, readers=readers)
                st.rerun()
        if st.button(say("grids-remove"), type="tertiary", icon=":material/delete:", key="remove-grid"):
            take_away(
                ("grid", grid.id), grid.name, partial(_remove, frame.workspace().grids, grid.id, person.id), person.id
            )
            st.query_params.clear()
            st.rerun()


@contextmanager
def _told() -> Iterator[None]:
    """Tell in the dialog, which stays open, what the library refuses."""
    try:
        yield
    except RagError as error:
        st.warning(plain_label(str(error)))


def _fill(grid: Grid, person: Person) -> None:
    begin_filling(frame.workspace(), grid.id, person.id, person.principals)
    st.rerun()


def _remove_column(grids: Grids, grid_id: str, owner: str, column: int) -> None:
    with suppress(NotFound):  # it was removed elsewhere
        grids.remove_column(grid_id, owner, column)


def _take_in(grids: Grids, grid_id: str, owner: str, doc_id: str) -> None:
    with suppress(RagError):  # the grid is gone, or full by now
        grids.add_rows(grid_id, owner, [doc_id])


def _remove(grids: Grids, grid_id: str, owner: str) -> None:
    with suppress(NotFound):  # it was removed elsewhere
        grids.remove(grid_id, owner)
