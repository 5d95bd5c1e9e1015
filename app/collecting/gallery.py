"""The kinds of source that there are, each with what it needs and a table for rag.toml to begin with."""

import streamlit as st

from app.collecting.changing import may_change
from app.rendering import plain_label
from app.texts import say, say_html
from rag_platform.operations.source_gallery import KindCard, source_gallery
from rag_platform.people.identity import Person

MORE = "more"
"""Stands among the kinds that have a form for all that there are."""


def show_gallery(person: Person) -> None:
    """Show every kind, also those of other packages."""
    st.html(f'<div class="quiet">{say("collections-gallery-about")}</div>')
    for card in source_gallery():
        reads = say("collections-gallery-reads", kind=card.name, reads=card.reads)
        with st.expander(f"**{card.name}** · {plain_label(reads)}", key=f"kind-{card.name}"):
            _show(card, person)
    st.html(f'<div class="quiet">{say("collections-gallery-own")}</div>')


def _show(card: KindCard, person: Person) -> None:
    if card.error:
        st.html(f'<div class="wrong">{say_html("collections-gallery-broken", reason=card.error)}</div>')
        return
    if card.missing:
        st.html(f'<div class="quiet">{say_html("collections-gallery-missing", extras=", ".join(card.missing))}</div>')
        if person.may("admin"):
            st.code("\n".join(card.missing.values()), language="sh", wrap_lines=True)
    if may_change(card.name, person) and st.button(
        say("collections-gallery-add", kind=card.name), icon=":material/add:", key=f"add-by-settings-{card.name}"
    ):
        st.query_params["add"] = card.name
        st.rerun()
    st.code(card.example, language="toml", wrap_lines=True)
