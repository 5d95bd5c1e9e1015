"""What every view stands in: the workspace, the live version's name, and errors told in plain words."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from html import escape

import streamlit as st

from app.text import age
from rag_platform.errors import NothingPublished, RagError
from rag_platform.parts import Workspace, open_workspace

PRINCIPALS: tuple[str, ...] = ()
"""Nobody is signed in: only public documents are shown."""


@st.cache_resource(show_spinner="Opening the workspace …")
def workspace() -> Workspace:
    """Open the workspace once for all sessions; its retriever notices a new version by itself."""
    return open_workspace()


@contextmanager
def friendly() -> Iterator[None]:
    """Show an error that we raised on purpose as a message, never as a trace."""
    try:
        yield
    except NothingPublished:
        st.html(
            '<div class="empty"><h3>Nothing is published yet</h3>Name your sources in <code>rag.toml</code>, then run'
            " <code>rag sync</code>. This page shows the first version as soon as it is live.</div>"
        )
        st.button("Look again", icon=":material/refresh:")
    except RagError as error:
        logging.getLogger(__name__).warning("shown to the user: %s", error)
        st.html(f'<div class="empty"><h3>This did not work</h3>{escape(str(error))}</div>')
        st.button("Try again", icon=":material/refresh:")


def version_note() -> str:
    """Tell which version is read and since when, as HTML."""
    versions = workspace().retriever.versions
    live = workspace().retriever.live()
    published = [move["at"] for move in versions.moves() if move["version"] == live.id]
    since = f" · published {age(datetime.fromisoformat(published[-1]), datetime.now(UTC))}" if published else ""
    documents = live.manifest["counts"]["documents"]
    return f'<div class="quiet">Version <code>{escape(live.id)}</code>{since} · {documents:,} documents</div>'
