"""The form in which a grid is made."""

from functools import partial

import streamlit as st

from app import frame
from app.grids.choosing import choose_documents, chosen_documents, named_collections, named_documents, show_named
from app.navigation import set_title
from app.rendering import plain_label
from app.sharing.readers import sharer
from app.texts import say, say_html
from rag_platform.core.errors import RagError
from rag_platform.operations.grids.filling import begin_filling
from rag_platform.operations.grids.grid_making import make_grid
from rag_platform.people.grids.grid import LONGEST_NAME
from rag_platform.people.identity import Person


def show_form(person: Person) -> None:
    """Let somebody make a grid of what the address names, or of what they choose."""
    set_title(say("grids-new"))
    way = f'<a class="inner" href="grids" target="_self">{say_html("grids-all")}</a>'
    st.html(f'<p class="ways">{way}</p><h2 class="title">{say_html("grids-new")}</h2>')
    most = show_named(person)
    documents, collections = choose_documents(person, "grid-new") if most is None else ([], named_collections())
    with st.form("grid-new", border=False):
        name = st.text_input(say("grids-name"), max_chars=LONGEST_NAME, help=say("grids-name-help"))
        asked = st.text_area(say("grids-questions"), help=say("grids-questions-help"), height=160)
        generator = choose_writer("")
        made = st.form_submit_button(say("grids-make"), type="primary", icon=":material/table_chart:")
    if not made:
        return
    try:
        found = chosen_documents(documents, collections, person) if most is None else named_documents(person, most)
        if not found:
            st.warning(say("grids-choose"))
            return
        questions = [(line, "") for line in map(str.strip, (asked or "").splitlines()) if line]
        making = partial(make_grid, generator=generator, collections=collections)
        grid_id = making(frame.workspace(), sharer(person), name or "", questions, found)
        begin_filling(frame.workspace(), grid_id, person.id, person.principals)
    except RagError as error:
        st.warning(plain_label(str(error)))
        return
    st.query_params.from_dict({"grid": grid_id})
    st.rerun()


def choose_writer(chosen: str) -> str:
    """Let somebody choose who writes the answers."""
    known = dict.fromkeys((*frame.workspace().generators.choices(), *filter(None, (chosen,))))
    if len(known) == 1:
        return chosen
    place = [*known].index(chosen) if chosen else None
    return st.selectbox(say("grids-writer"), known, place, frame.writer_name, placeholder=say("grids-any-writer")) or ""
