"""The dialog in which a grid is saved as CSV."""

import streamlit as st

from app import frame
from app.texts import say, say_html
from rag_platform.operations.grids.grid_csv import grid_csv
from rag_platform.operations.grids.grid_view import record_shown, shown_grid
from rag_platform.people.grids.grid import Grid


def show_export(grid: Grid) -> None:
    """Let somebody save a grid as they may read it, in their language."""
    st.html(f"<p>{say_html('grids-export-note')}</p>")
    quotes = st.toggle(say("grids-export-quotes"), key="export-quotes")
    st.download_button(
        say("grids-export-csv"),
        lambda: _csv(grid, quotes=quotes),
        file_name="grid.csv",
        mime="text/csv",
        icon=":material/download:",
        type="primary",
        on_click="ignore",
        key=f"save-csv-{quotes}",
    )


def _csv(grid: Grid, *, quotes: bool) -> bytes:
    person = frame.person()
    shown = shown_grid(frame.workspace(), grid, person.principals)
    record_shown(frame.workspace(), shown, person.principals, frame.named(person), "export")
    words = {name: say(f"grids-{name}") for name in ("document", "nothing", "failed", "missing")}
    words |= {verdict: say("grids-verdict", verdict=verdict) for verdict in ("yes", "no")}
    words |= {
        "address": say("grids-csv-address"),
        "quotes": say("grids-csv-quotes", question="{question}"),
        "page": say("grids-csv-page", page="{page}"),
        "stale": say("grids-csv-stale", answer="{answer}"),
    }
    return grid_csv(shown, quotes=quotes, words=words)
