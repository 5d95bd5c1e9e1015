"""The list of collections: found by a word, a page at a time, however many there are."""

from collections.abc import Callable, Sequence
from html import escape
from typing import TypeVar

import streamlit as st

from app.collecting.dialogs import make_collection
from app.collecting.opening import changed, workspace
from app.collecting.showing import collection_html
from app.rendering import plain_label
from app.texts import say
from app.undo import is_leaving
from rag_platform.config.source_editing import add_source
from rag_platform.core.errors import RagError
from rag_platform.people.identity import Person
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection

SHOWN = 20
_Row = TypeVar("_Row")
PLACE = {"id": "uploads", "kind": "upload"}


def opened() -> Collections | None:
    """Open the collections of the source that is chosen; None when rag.toml has no source for them."""
    sources = [source.id for source in workspace().settings.sources if source.kind == "upload"]
    if not sources:
        return None
    label = say("collections-place")
    chosen = st.selectbox(label, sources, key="place", bind="query-params") if len(sources) > 1 else sources[0]
    return workspace().collections(chosen)


def show_place_missing(person: Person) -> None:
    """Show that there is no source for collections, and let an admin make one."""
    st.html(f'<div class="empty">{say("collections-no-place")}</div>')
    if person.may("admin") and st.button(say("collections-make-place"), type="primary", icon=":material/add:"):
        try:
            add_source(workspace().settings.home, PLACE)
        except RagError as error:
            st.error(plain_label(str(error)))
            return
        changed()
        st.rerun()


def show_list(collections: Collections, person: Person) -> None:
    """Show the collections that somebody may read, and the way to a new one."""
    listed = collections.list(person.principals)
    found = [one for one in listed if not is_leaving("collection", collections.source, one.id)]
    if person.may("editor") and st.button(
        say("collections-new"), icon=":material/add:", type="primary" if not found else "secondary"
    ):
        make_collection(collections, person)
    if not found:
        empty = say("collections-empty" if person.may("editor") else "collections-empty-reader")
        st.html(f'<div class="empty">{empty}</div>')
        return
    st.fragment(_browse)(found)


def _browse(found: Sequence[Collection]) -> None:
    show_pages(found, "collection", say("collections-find"), lambda one: f"{one.title} {one.description}", _row)


def show_pages(
    rows: Sequence[_Row], name: str, label: str, words_of: Callable[[_Row], str], show: Callable[[_Row], None]
) -> None:
    """Show rows a page at a time; of more than a page, those that hold the words of the search."""
    listed = rows
    if len(rows) > SHOWN:
        words = st.text_input(
            label, type="search", live=True, key=f"find-{name}", placeholder=label, label_visibility="collapsed"
        )
        wanted = (words or "").casefold().split()
        listed = [one for one in rows if all(word in words_of(one).casefold() for word in wanted)]
        if not listed:
            st.html(f'<div class="quiet centred">{escape(say("collections-found-none", words=words))}</div>')
        elif wanted:
            st.html(f'<div class="quiet">{say("collections-found-some", found=len(listed), all=len(rows))}</div>')
    pages = -(-len(listed) // SHOWN)
    page = st.pagination(pages, key=f"pages-{name}") - 1 if pages > 1 else 0
    with st.container(border=True, gap=None, key=f"{name}s"):
        for one in listed[page * SHOWN : (page + 1) * SHOWN]:
            show(one)


def _row(one: Collection) -> None:
    with st.container(gap=None, key=f"collection-{one.id}"):
        if open_button(one.title, f"open-{one.id}"):
            st.query_params["collection"] = one.id
            st.rerun()
        st.html(collection_html(one))


def open_button(title: str, key: str) -> bool:
    """Show a name that leads to its own page."""
    return st.button(
        plain_label(title), key=key, type="tertiary", icon=":material/chevron_right:", icon_position="right"
    )
