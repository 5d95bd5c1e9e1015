"""A source of any kind that has settings of its own: added, or changed after it was, by the form of its settings."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.collecting.opening import changed, workspace
from app.collecting.settings_form import ask_settings, read_settings, refuse
from app.navigation import set_title
from app.rendering import plain_label
from app.texts import say, say_html
from rag_platform.config.settings_fields import Given
from rag_platform.config.source_editing import add_source, change_source
from rag_platform.config.source_kinds import kind_names, kind_of
from rag_platform.core.errors import RagError
from rag_platform.people.identity import Person
from rag_platform.sources.bridges.settings import BridgeSettings

USUAL = ("principals", "schedule", "paused", "language")
"""Keys that are shown at once, whatever the kind."""


def may_change(kind: str, person: Person) -> bool:
    """Return whether somebody may add or change a source of that kind by its settings.

    What runs other libraries' code is for rag.toml alone, that is for who may write files here.
    """
    try:
        return person.may("admin") and not issubclass(kind_of(kind).settings, BridgeSettings)
    except ValueError:
        return False


def kinds_with_settings(person: Person) -> list[str]:
    """Return the kinds that this person may add by their settings."""
    return [kind for kind in kind_names() if may_change(kind, person)]


def show_adding(kind: str) -> None:
    """Ask for the settings of a new source, and add it."""
    st.html(f'<div class="quiet">{say_html("collections-add-by-settings", kind=kind)}</div>')
    section, key = kind_of(kind).settings, f"settings-of-new-{kind}"
    typed = ask_settings(section, {"kind": kind}, key, first=("id", *USUAL), without=("kind",))
    if typed is None:
        return
    given = read_settings(section, typed, {"kind": kind}, key, _free_name(str(typed.get("id") or kind)))
    if given is None or not _kept(given, key, lambda changes: _add(kind, changes)):
        st.rerun()
    changed()
    st.query_params.from_dict({"source": str(typed["id"]).strip()})
    st.session_state.reload = True
    st.rerun()


def show_changing(source_id: str, person: Person) -> None:
    """Ask what is to be changed of a source's settings, and change it, though its documents be closed to them.

    Raises:
        SettingsError: there is no such source.
    """
    if st.button(say("collections-back-sources"), icon=":material/arrow_back:", type="tertiary"):
        st.query_params.from_dict({"source": source_id})
        st.rerun()
    source = workspace().settings.source(source_id)
    set_title(say("collections-change-title", id=source_id))
    st.html(f'<h2 class="title">{say_html("collections-change-title", id=source_id)}</h2>')
    if notice := st.session_state.pop("notice", None):
        st.toast(plain_label(notice), icon=":material/check:")
    if not may_change(source.kind, person):
        st.html(f'<div class="empty">{say_html("collections-change-by-file", kind=source.kind)}</div>')
        return
    st.html(f'<div class="quiet">{say_html("collections-change-about", kind=source.kind)}</div>')
    section, key = kind_of(source.kind).settings, f"settings-of-{source_id}"
    old = source.model_dump(mode="json", exclude_unset=True)
    typed = ask_settings(section, old, key, first=USUAL, without=("kind", "id"))
    if typed is None:
        return
    given = read_settings(section, typed, old, key, _free_name(source_id))
    if given is None or not _kept(given, key, lambda changes: _change(source_id, changes)):
        st.rerun()
    changed()
    st.session_state["notice"] = say("collections-changed", count=len(given.changes) if given else 0)
    st.session_state.reload = True
    _forget(key)
    st.rerun()


def _add(kind: str, changes: Mapping[str, Any]) -> None:
    table = {key: value for key, value in changes.items() if value is not None}
    add_source(workspace().settings.home, {"id": table.pop("id"), "kind": kind, **table})


def _change(source_id: str, changes: Mapping[str, Any]) -> None:
    if changes:
        change_source(workspace().settings.home, source_id, changes)


def _kept(given: Given, key: str, write: Any) -> bool:
    """Keep the secrets, then write the changes; what could not be is told at the form, and leaves nothing behind."""
    secrets, kept = workspace().secrets, list[str]()
    try:
        for name, value in given.secrets.items():
            secrets.put(name, value)
            kept.append(name)
        write(given.changes)
    except RagError as error:
        for name in kept:
            secrets.delete(name)
        refuse(key, {"": str(error)})
        return False
    return True


def _free_name(source_id: str) -> str:
    """Return a name for a password under which nothing is stored yet."""
    taken = workspace().secrets.names()
    return next(name for name in (source_id, *(f"{source_id}-{n}" for n in range(2, 1000))) if name not in taken)


def _forget(key: str) -> None:
    for name in [name for name in st.session_state if str(name).startswith(key)]:
        del st.session_state[name]
