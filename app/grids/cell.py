"""The dialog of a cell: the whole answer, and what it rests on."""

from datetime import UTC, datetime

import streamlit as st

from app import frame
from app.chat.answer_text import answer_html
from app.chat.cards import sources_html
from app.figures import short
from app.rendering import age, plain_html
from app.texts import say, say_html
from rag_platform.operations.grids.grid_view import ShownGrid


def show_cell(shown: ShownGrid, place: tuple[int, str]) -> None:
    """Show the answer in a cell of a grid, with its sources."""
    cell = shown.cells[place]
    column = next(one for one in shown.columns if one.id == place[0])
    row = next(one for one in shown.rows if one.doc_id == place[1])
    st.html(f'<h3 dir="auto">{plain_html(column.question)}</h3><p class="quiet" dir="auto">{plain_html(row.title)}</p>')
    receipt = cell.receipt
    if receipt is None:
        st.html(f'<p class="quiet">{say_html(f"grids-{cell.state}")}</p>')
        return
    if cell.stale:
        st.html(f'<div class="notes"><p>{say_html("grids-stale-help")}</p></div>')
    if cell.state == "nothing":
        st.html(f"<p>{say_html('grids-nothing')}</p>")
    else:
        said = answer_html(receipt.answer, receipt.citations, receipt.revisions, receipt.claims, receipt.asked_at)
        st.html(f'<div class="answer" dir="auto">{said}</div>')
    st.html(sources_html(receipt, datetime.now(UTC)) or "<div></div>")
    made = {"age": age(receipt.asked_at), "version": short(receipt.version), "model": receipt.model}
    st.html(f'<p class="quiet">{say_html("grids-cell-facts", **made)}</p>')


def place_of(named: str, shown: ShownGrid) -> tuple[int, str] | None:
    """Return which cell an address names; None: none of those that may be read."""
    column, _, doc_id = named.partition(".")
    place = int(column) if column.isascii() and column.isdigit() and len(column) < 19 else 0, doc_id
    return place if place in shown.cells else None


def open_cell(named: str, shown: ShownGrid) -> bool:
    """Open the cell that an address names; returns whether there is one."""
    place = place_of(named, shown)
    if place:
        frame.dialog(say("grids-cell-title"), "large")(show_cell)(shown, place)
    return place is not None
