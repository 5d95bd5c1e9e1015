"""Collections: files that people put here, and the sources that are read by themselves."""

import streamlit as st

from app import frame
from app.changes.since import show_since
from app.chat.missing import show_wanted
from app.collecting.adding import show_form
from app.collecting.changing import show_changing
from app.collecting.files import show_collection
from app.collecting.listing import opened, show_list, show_place_missing
from app.collecting.sources import show_source, show_sources
from app.navigation import set_title
from app.rendering import plain_label
from app.texts import say
from rag_platform.core.errors import NotFound, RagError, SettingsError
from rag_platform.people.identity import Person


def main(person: Person) -> None:
    """Show what the address names: a collection, a source, the form of a new one, or a list."""
    query = st.query_params
    show_wanted(person)
    if person.may("admin") and "change" in query:
        try:
            show_changing(query["change"], person)
        except SettingsError as error:
            _lost("change", error)
            overview(person)
    elif person.may("editor") and "add" in query:
        show_form(person)
    elif person.may("editor") and "source" in query:
        try:
            show_source(query["source"], person)
        except NotFound as error:
            _lost("source", error)
            overview(person)
    else:
        overview(person)


def overview(person: Person) -> None:
    """Show the collections, one of them, or the sources."""
    place = None
    named = st.query_params.get("collection")
    if named and (place := opened()) is not None:
        try:
            show_collection(place, place.show(named, person.principals), person)
            show_since(named, person)
        except RagError as error:
            _lost("collection", error)
        else:
            return
    if heading(person) == "sources":
        show_sources(person)
    elif (place := place or opened()) is None:
        show_place_missing(person)
    else:
        show_list(place, person)


def heading(person: Person) -> str:
    """Show what this is; return which of the two lists is wanted."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"):
        st.html(f'<h2 class="title">{say("collections-title")}</h2>')
        if not person.may("editor"):
            return "collections"
        names = {"collections": say("collections-show-collections"), "sources": say("collections-show-sources")}
        shown = st.segmented_control(
            say("collections-both"),
            list(names),
            default="sources" if st.query_params.get("show") == "sources" else "collections",
            required=True,
            format_func=names.__getitem__,
            label_visibility="collapsed",
        )
    if shown == "sources":
        set_title(names[shown])
        st.query_params["show"] = shown
    else:
        st.query_params.pop("show", None)
    return shown


def _lost(name: str, error: RagError) -> None:
    st.query_params.pop(name, None)
    st.warning(plain_label(str(error)), icon=":material/folder_off:")


main(frame.person())
