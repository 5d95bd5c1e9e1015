"""A grid: what can be done with it, how far it is filled, and its table."""

from dataclasses import replace

import streamlit as st

from app import frame
from app.grids.changing import add_rows, change_column, change_settings
from app.grids.exporting import show_export
from app.grids.table import table_html
from app.navigation import set_title
from app.rendering import plain_html
from app.texts import say, say_html
from app.undo import is_leaving
from rag_platform.operations.asking.assisting import asker_of
from rag_platform.operations.grids.filling import begin_filling
from rag_platform.operations.grids.grid_making import newcomers
from rag_platform.operations.grids.grid_view import ShownGrid, record_shown, shown_grid
from rag_platform.people.grids.grid import Grid
from rag_platform.people.identity import Person

ROWS = 25
"""That are shown at once."""
POLLED = 1.5
"""Seconds after which a grid that is being filled is looked at again."""


def grid_named(grid_id: str, person: Person) -> Grid | None:
    """Return a grid that somebody may read, and has not just taken away."""
    workspace = frame.workspace()
    found = workspace.grids.find(grid_id, asker_of(workspace, person.id, person.principals))
    return None if found is None or is_leaving("grid", found.id) else found


def show_grid(grid: Grid, person: Person) -> None:
    """Show a grid; what changes while it is filled is drawn by itself."""
    set_title(grid.name)
    way = f'<a class="inner" href="grids" target="_self">{say_html("grids-all")}</a>'
    st.html(f'<p class="ways">{way}</p><h2 class="title" dir="auto">{plain_html(grid.name)}</h2>')
    mine = grid.owner == person.id
    with st.container(horizontal=True, vertical_alignment="center", key="grid-ways"):
        if mine and st.button(say("grids-add-column"), icon=":material/add:", key="add-column"):
            frame.dialog(say("grids-add-column"))(change_column)(grid, None)
        if mine and st.button(say("grids-add-rows"), icon=":material/note_add:", key="add-documents"):
            frame.dialog(say("grids-add-rows"))(add_rows)(grid)
        if st.button(say("grids-export"), icon=":material/download:", type="tertiary", key="export"):
            frame.dialog(say("grids-export-title"))(show_export)(grid)
        if mine and st.button(say("grids-settings"), icon=":material/settings:", type="tertiary", key="settings"):
            frame.dialog(say("grids-settings"))(change_settings)(grid)
    if mine:
        _offer_newcomers(grid, person)
    rows = len(frame.workspace().grids.rows(grid.id))
    pages = -(-rows // ROWS)
    page = st.pagination(pages, key=f"grid-page-{grid.id}") - 1 if pages > 1 else 0
    st.fragment(_live, run_every=POLLED if grid.filling else None)(grid.id, page, was_filling=grid.filling)


def shown_to(grid: Grid, person: Person, page: int = 0, most: int | None = None) -> ShownGrid:
    """Return a grid as somebody may read it, without questions that they have just taken away; the audit says so."""
    shown = shown_grid(frame.workspace(), grid, person.principals, page * ROWS, most)
    columns = tuple(one for one in shown.columns if not is_leaving("grid-column", str(one.id)))
    told = grid.id, shown.documents
    if st.session_state.get("audited-grid") != told:
        st.session_state["audited-grid"] = told
        record_shown(frame.workspace(), shown, person.principals, frame.named(person), "open")
    return replace(shown, columns=columns)


def _live(grid_id: str, page: int, *, was_filling: bool) -> None:
    with frame.friendly():
        person = frame.person()
        grid = grid_named(grid_id, person)
        if grid is None or grid.filling != was_filling:
            frame.refresh()
        if grid is None:
            return
        shown, mine = shown_to(grid, person, page, ROWS), grid.owner == person.id
        with st.container(horizontal=True, vertical_alignment="center", key="grid-progress"):
            st.html(f'<p class="quiet" role="status">{_progress(shown)}</p>', width="content")
            if mine:
                _offer_filling(shown, person)
        st.html(_body(shown, mine=mine))


def _body(shown: ShownGrid, *, mine: bool) -> str:
    withheld = f'<p class="quiet">{say_html("grids-withheld", count=shown.withheld)}</p>' if shown.withheld else ""
    if not shown.columns or not shown.count:
        missing = "grids-no-columns" if shown.count else "grids-no-rows"
        return f'<div class="empty">{say(missing)}</div>{withheld}'
    return table_html(shown, mine=mine) + withheld


def _progress(shown: ShownGrid) -> str:
    """Say how many answers there are, and how long the others will take."""
    asked = shown.answered + shown.missing + shown.stale
    facts = [say("grids-progress", done=shown.answered, all=asked)]
    if shown.stale:
        facts.append(say("grids-stale-count", count=shown.stale))
    if shown.grid.filling and shown.seconds is not None:
        minutes = round(shown.seconds / 60)
        facts.append(say("grids-remaining", count=minutes) if minutes else say("grids-remaining-seconds"))
    return " · ".join(map(plain_html, facts))


def _offer_filling(shown: ShownGrid, person: Person) -> None:
    grid, due = shown.grid, shown.missing + shown.stale
    if grid.filling:
        if st.button(say("grids-stop"), icon=":material/stop_circle:", type="tertiary", key="grid-stop"):
            frame.workspace().grid_cells.stop(grid.id, person.id)
            st.rerun()
    elif due and st.button(
        say("grids-fill", count=due), icon=":material/refresh:", key="fill-grid", help=say("grids-fill-help")
    ):
        begin_filling(frame.workspace(), grid.id, person.id, person.principals)
        st.rerun()


def _offer_newcomers(grid: Grid, person: Person) -> None:
    """Offer the documents that came into the collections of which a grid was made."""
    new = newcomers(frame.workspace(), grid, person.principals)
    if not new:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="newcomers"):
        st.html(f'<p class="quiet">{say_html("grids-newcomers", count=len(new))}</p>', width="content")
        if st.button(say("grids-add-newcomers", count=len(new)), type="tertiary", key="add-newcomers"):
            with frame.friendly():
                frame.workspace().grids.add_rows(grid.id, person.id, new)
                begin_filling(frame.workspace(), grid.id, person.id, person.principals)
                st.rerun()
