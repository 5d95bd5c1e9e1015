"""The workspace as rag.toml says just now: on this view its sources change."""

from pathlib import Path

import streamlit as st

from app import frame
from rag_platform.config.settings import FILE
from rag_platform.config.settings_file import load_settings
from rag_platform.people.identity import Person
from rag_platform.workspace import Workspace


def workspace() -> Workspace:
    """Open the workspace with the settings of today; what is large is shared with the other views."""
    known = frame.workspace()
    opened = _as_of(str(known.settings.home), _stamp(known.settings.home / FILE))
    opened.versions, opened.journal = known.versions, known.journal
    return opened


def changed() -> None:
    """Let all views read rag.toml again."""
    if hasattr(frame.workspace, "clear"):  # a test's replacement has none
        frame.workspace.clear()


def who(person: Person) -> str:
    """Return under which name a change is written down."""
    return person.id or person.name


@st.cache_resource(show_spinner=False, max_entries=4)
def _as_of(home: str, stamp: tuple[int, int]) -> Workspace:  # noqa: ARG001 - another file, another workspace
    return Workspace(load_settings(home))


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
