"""A collection's own page: what it is, a place to drop files, and how far each has come."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from html import escape

import streamlit as st

from app.collecting.dialogs import delete_collection, edit_collection
from app.collecting.opening import who, workspace
from app.collecting.showing import ORDER, collection_html, file_html, states_html
from app.collecting.syncing import begin_polling, current_status, poll_seconds, show_sync
from app.navigation import set_title
from app.notices import show_release
from app.rendering import ask_about_html, compare_html, plain_label
from app.texts import say
from app.undo import is_leaving, take_away
from rag_platform.core.errors import RagError
from rag_platform.operations.status.source_status import last_read
from rag_platform.operations.status.upload_status import FileStatus, count_states, file_states
from rag_platform.people.identity import Person
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection

SHOWN = 25
PIECE = 1 << 20


def show_collection(collections: Collections, one: Collection, person: Person) -> None:
    """Show a collection."""
    set_title(one.title)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="head"):
        if st.button(say("collections-back"), icon=":material/arrow_back:", type="tertiary"):
            st.query_params.pop("collection", None)
            st.rerun()
        if person.may("editor"):
            with st.container(horizontal=True, width="content"):
                if st.button(say("collections-edit"), icon=":material/edit:", type="tertiary"):
                    edit_collection(collections, one, person)
                if st.button(say("collections-delete"), icon=":material/delete:", type="tertiary"):
                    delete_collection(collections, one, person)
    about = ask_about_html(say("collections-ask"), collections=[one.id])
    about += f" {compare_html(say('grids-compare'), [('collection', one.id)])}"
    st.html(f'<h2 class="title">{escape(one.title)}</h2>{collection_html(one)}{about}')
    if person.may("editor"):
        take_files(collections, one, person)
    now = current_status(collections.source)
    st.session_state.was_running = now.running
    st.fragment(live, run_every=poll_seconds(now))(collections, one.id, person)


def live(collections: Collections, collection: str, person: Person) -> None:
    """Show what changes while a sync runs."""
    now = current_status(collections.source)
    begin_polling(now)
    if st.session_state.pop("taken", False):
        st.rerun()  # the bar of what can be taken back is drawn by the whole view
    try:
        states = [
            one
            for one in file_states(workspace(), collections, collection)
            if not is_leaving("file", collections.source, collection, one.file.name)
        ]
    except RagError:  # somebody else has just deleted it
        st.rerun()
    waiting = any(status.state in ("uploaded", "fetched") for status in states)
    read_at = last_read(workspace(), collections.source)
    st.html(states_html(count_states(states)) or "<div></div>")
    with st.container(key="sync-part"):  # each part keeps its place, whatever the others hold
        show_sync(collections.source, now, person, waiting=waiting, read_at=read_at)
        show_release(person)
    with st.container(key="files-part"):
        show_files(collections, collection, states, person)


def take_files(collections: Collections, one: Collection, person: Person) -> None:
    """Take the files that are dropped, and tell which could not be taken."""
    round_ = st.session_state.setdefault("round", 0)
    key = f"files-{one.id}-{round_}"

    def store() -> None:
        refused = []
        for file in st.session_state[key]:
            try:
                pieces = iter(partial(file.read, PIECE), b"")
                collections.add(one.id, file.name, pieces, content_type=file.type, who=who(person))
            except RagError as error:
                refused.append(f"{file.name}: {error}")
        st.session_state.refused = refused
        st.session_state.round = round_ + 1  # another key: the uploader is empty again

    most = -(-collections.max_bytes >> 20)  # of whole MiB, rounded up: what is a little too large is refused below
    st.file_uploader(
        say("collections-drop", most=most), accept_multiple_files=True, key=key, on_change=store, max_upload_size=most
    )


def show_files(collections: Collections, collection: str, states: Sequence[FileStatus], person: Person) -> None:
    """Show the files, those first that want somebody's attention."""
    if not states:
        empty = say("collections-nothing-drop" if person.may("editor") else "collections-nothing")
        st.html(f'<div class="quiet centred">{empty}</div>')
        return
    ordered = sorted(states, key=lambda status: (ORDER.index(status.state), status.file.name.casefold()))
    if len(ordered) > SHOWN:
        ordered = _found(ordered, collection)
    pages = -(-len(ordered) // SHOWN)
    page = st.pagination(pages, key=f"page-{collection}") - 1 if pages > 1 else 0
    with st.container(border=True, gap=None, key="files"):
        for place, status in enumerate(ordered[page * SHOWN : (page + 1) * SHOWN]):
            with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"file-{place}"):
                st.html(file_html(status), width="stretch")
                if person.may("editor"):
                    st.button(
                        say("collections-remove"),
                        icon=":material/close:",
                        key=f"remove-{status.file.name}",
                        type="tertiary",
                        help=plain_label(say("collections-remove-help", name=status.file.name)),
                        on_click=_take_away,
                        args=(collections, collection, status.file.name, person),
                    )


def _take_away(collections: Collections, collection: str, name: str, person: Person) -> None:
    key = "file", collections.source, collection, name
    take_away(key, name, partial(remove, collections, collection, name, who(person)), person.id)
    st.session_state["taken"] = True


def _found(states: list[FileStatus], collection: str) -> list[FileStatus]:
    words = st.text_input(
        say("collections-find-file"),
        type="search",
        live=True,
        key=f"find-file-{collection}",
        placeholder=say("collections-find-file"),
        label_visibility="collapsed",
    )
    wanted = (words or "").casefold().split()
    found = [one for one in states if all(word in f"{one.file.name} {one.file.title}".casefold() for word in wanted)]
    if not found:
        st.html(f'<div class="quiet centred">{escape(say("collections-found-none", words=words))}</div>')
    return found


def remove(collections: Collections, collection: str, name: str, by: str) -> None:
    """Remove a file; somebody else may have done it before."""
    with suppress(RagError):
        collections.remove(collection, name, who=by)
