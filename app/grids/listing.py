"""The grids that somebody may read, as a list."""

from datetime import UTC, datetime

import streamlit as st

from app import frame
from app.grids.table import address_of
from app.rendering import NEW, age, plain_html
from app.texts import say, say_html
from app.undo import is_leaving
from rag_platform.operations.asking.assisting import asker_of
from rag_platform.people.grids.grid import Grid
from rag_platform.people.identity import Person


def grids_of(person: Person) -> list[Grid]:
    """Return the grids that somebody may read, without those that they have just taken away."""
    workspace = frame.workspace()
    found = workspace.grids.of(asker_of(workspace, person.id, person.principals))
    return [one for one in found if not is_leaving("grid", one.id)]


def show_list(person: Person) -> None:
    """Show the grids, and the way to make another."""
    st.html(f'<h2 class="title">{say_html("grids-title")}</h2><p class="quiet">{say_html("grids-about")}</p>')
    if st.button(say("grids-new"), icon=":material/add:", type="primary", key="new-grid"):
        st.query_params[NEW] = "1"
        st.rerun()
    found = grids_of(person)
    if not found:
        st.html(f'<div class="empty">{say("grids-none")}</div>')
        return
    now = datetime.now(UTC)
    st.html(f'<ul class="watches">{"".join(_item(one, person, now) for one in found)}</ul>')


def _item(one: Grid, person: Person, now: datetime) -> str:
    columns, rows = frame.workspace().grids.size(one.id)
    facts = say_html("grids-facts", columns=columns, rows=rows, age=age(one.made_at, now))
    if one.owner != person.id:
        facts += f" · {say_html('grids-of-others', owner=one.owner.removeprefix('user:') or 'admin')}"
    filling = f' <span class="state good">{say_html("grids-is-filling")}</span>' if one.filling else ""
    name = f'<a class="inner name" dir="auto" href="{address_of(one.id)}" target="_self">{plain_html(one.name)}</a>'
    return f'<li>{name}{filling}<div class="quiet">{facts}</div></li>'
