"""Collections: files that people put here, what has become of each, and bringing them into the index."""

from html import escape
from typing import Any

import streamlit as st

from app import frame
from app.rendering import plain_label
from app.uploads import (
    LANGUAGES,
    collection_html,
    file_html,
    progress_text,
    readers_text,
    result_html,
    summary_html,
)
from rag_platform.errors import RagError
from rag_platform.syncs import start_sync, sync_state
from rag_platform.uploads.collections import Collections
from rag_platform.uploads.records import Collection
from rag_platform.uploads.status import FileStatus, count_states, file_states

SHOWN = 25
PIECE = 1 << 20


def opened() -> Collections | None:
    """Open the collections of the source that is chosen; None when rag.toml has no source for them."""
    settings = frame.workspace().settings
    sources = [source.id for source in settings.sources if source.kind == "upload"]
    if not sources:
        return None
    chosen = st.selectbox("Source", sources, key="source", bind="query-params") if len(sources) > 1 else sources[0]
    return frame.workspace().collections(chosen)


def show_list(collections: Collections) -> None:
    """Show all collections, and the way to a new one."""
    found = collections.list(frame.person().principals)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.html('<h2 class="title">Collections</h2>')
        if st.button("New collection", icon=":material/add:", type="primary" if not found else "secondary"):
            make_collection(collections)
    if not found:
        st.html(TEACHING)
    for one in found:
        with st.container(
            border=True, horizontal=True, wrap=False, vertical_alignment="center", key=f"collection-{one.id}"
        ):
            st.html(collection_html(one))
            st.button(
                "Open",
                key=f"open-{one.id}",
                icon=":material/arrow_forward:",
                icon_position="right",
                type="tertiary",
                on_click=st.query_params.update,
                args=({"collection": one.id},),
            )
    if found:
        show_sync(collections)


@st.dialog("New collection")
def make_collection(collections: Collections) -> None:
    """Ask for a title, what it is about, and its language."""
    with st.form("new", border=False):
        title = st.text_input("Title", max_chars=200, placeholder="Physics, first year")
        description = st.text_area("What it holds", max_chars=2000, height=90)
        language = st.selectbox("Language of its texts", list(LANGUAGES), format_func=LANGUAGES.__getitem__)
        st.html(f'<div class="quiet">May be read by {escape(readers_text(collections.principals))}.</div>')
        if not st.form_submit_button("Create", type="primary"):
            return
    try:
        made = collections.create(title, description=description, language=language or None)
    except RagError as error:
        st.error(plain_label(str(error)))
        return
    st.query_params["collection"] = made.id
    st.rerun()


def show_collection(collections: Collections, one: Collection) -> None:
    """Show a collection: what it is, a place to drop files, and what has become of them."""
    if st.button("All collections", icon=":material/arrow_back:", type="tertiary"):
        st.query_params.pop("collection", None)
        st.rerun()
    states = file_states(frame.workspace(), collections, one.id)
    st.html(f'<h2 class="title">{escape(one.title)}</h2>{summary_html(one, count_states(states))}')
    take_files(collections, one)
    show_sync(collections, waiting=any(status.state == "uploaded" for status in states))
    show_files(collections, one, states)
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Delete collection", icon=":material/delete:", type="tertiary"):
            delete_collection(collections, one)


def take_files(collections: Collections, one: Collection) -> None:
    """Take the files that are dropped, and tell which could not be taken."""
    round_ = st.session_state.setdefault("round", 0)
    key = f"files-{one.id}-{round_}"

    def keep() -> None:
        refused = []
        for file in st.session_state[key]:
            try:
                collections.add(
                    one.id, file.name, iter(lambda file=file: file.read(PIECE), b""), content_type=file.type
                )
            except RagError as error:
                refused.append(f"{file.name}: {error}")
        st.session_state.refused = refused
        st.session_state.round = round_ + 1  # another key: the uploader is empty again

    most = -(-collections.max_bytes >> 20)  # of whole MiB, rounded up: what is a little too large is refused below
    st.file_uploader(
        "Drop files here: documents, web pages, e-mail, archives",
        accept_multiple_files=True,
        key=key,
        on_change=keep,
        max_upload_size=most,
    )
    for problem in st.session_state.pop("refused", ()):
        st.error(plain_label(problem), icon=":material/block:")


def show_files(collections: Collections, one: Collection, states: list[FileStatus]) -> None:
    """Show the files, those first that want somebody's attention."""
    if not states:
        st.html('<div class="quiet centred">Nothing is in this collection yet.</div>')
        return
    ordered = sorted(states, key=lambda status: (ORDER.index(status.state), status.file.name.casefold()))
    pages = -(-len(ordered) // SHOWN)
    page = st.pagination(pages, key=f"page-{one.id}") - 1 if pages > 1 else 0
    with st.container(border=True, gap=None, key="files"):
        for place, status in enumerate(ordered[page * SHOWN : (page + 1) * SHOWN]):
            with st.container(horizontal=True, wrap=False, vertical_alignment="center", key=f"file-{place}"):
                st.html(file_html(status), width="stretch")
                st.button(
                    "Remove",
                    icon=":material/close:",
                    key=f"remove-{status.file.name}",
                    type="tertiary",
                    help=plain_label(f"Remove {status.file.name}"),
                    on_click=remove,
                    args=(collections, one.id, status.file.name),
                )


def remove(collections: Collections, collection: str, name: str) -> None:
    """Remove a file; somebody else may have done it before."""
    try:
        collections.remove(collection, name, who=VISITOR)
    except RagError as error:
        st.session_state.refused = [str(error)]


@st.dialog("Delete this collection?")
def delete_collection(collections: Collections, one: Collection) -> None:
    """Ask once more."""
    st.markdown(
        f"**{plain_label(one.title)}** and its {one.files} files go for good. The next sync takes them out of the "
        "index."
    )
    if st.button("Delete", type="primary", icon=":material/delete:"):
        collections.delete(one.id, who=VISITOR)
        st.query_params.pop("collection", None)
        st.rerun()


def show_sync(collections: Collections, *, waiting: bool = False) -> None:
    """Show what is running, live; or a button that starts it, and how the last one ended."""
    state = sync_state(frame.workspace())
    if state["running"]:
        watch()
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html(result_html(state["last"], waiting=waiting))
        st.button(
            "Sync now",
            icon=":material/sync:",
            type="primary" if waiting else "secondary",
            on_click=begin,
            args=(collections,),
            help="Reads what is new, checks it, and publishes it.",
        )


def begin(collections: Collections) -> None:
    """Start a sync; somebody else may have been faster."""
    try:
        start_sync(frame.workspace(), [collections.source])
    except RagError as error:
        st.session_state.refused = [str(error)]


@st.fragment(run_every=0.7)
def watch() -> None:
    """Follow what is running; when it ends, show what has become of everything."""
    state = sync_state(frame.workspace())
    if not state["running"]:
        st.rerun()
    text, share = progress_text(state["doing"])
    st.progress(share, plain_label(text))


VISITOR = "somebody on the page"
ORDER = ("failed", "excluded", "forgotten", "uploaded", "fetched", "read", "chunked", "embedded", "live")
TEACHING = """<div class="empty"><h3>Put your own material here</h3>
A collection holds files that belong together: the handouts of a course, the papers of a project. Make one, drop your
files into it, and press <b>Sync now</b>. Each file is read, cut into passages and indexed; then you can
<b>ask</b> about it and <b>search</b> in it, and every answer leads back to the passage in your file.</div>"""
NO_SOURCE = """<div class="empty"><h3>There is no place for collections yet</h3>
Add these lines to <code>rag.toml</code>, then load this page again.
<pre>[[sources]]
id = "uploads"
kind = "upload"</pre></div>"""

source = opened()
named: Any = st.query_params.get("collection")
if source is None:
    st.html(NO_SOURCE)
elif named:
    try:
        shown = source.show(named, frame.person().principals)
    except RagError as error:
        st.query_params.pop("collection", None)
        st.warning(plain_label(str(error)), icon=":material/folder_off:")
        show_list(source)
    else:
        show_collection(source, shown)
else:
    show_list(source)
