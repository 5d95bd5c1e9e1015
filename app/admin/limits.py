"""Limits: how often somebody may ask and search, how long they stay signed in, and what one answer may cost."""

from collections.abc import Collection
from typing import Any

import streamlit as st

from app.collecting.opening import changed, workspace
from app.collecting.settings_form import ask_settings, read_settings, refuse
from app.rendering import Html
from app.texts import say, say_html
from rag_platform.config.source_editing import set_value
from rag_platform.core.errors import RagError
from rag_platform.people.identity import Person

LIMITS: dict[str, tuple[str, ...]] = {
    "access": ("questions_per_minute", "searches_per_minute", "widget_questions_per_minute", "session_hours"),
    "answer": ("sources", "max_searches", "search_tokens", "search_seconds", "history_tokens"),
    "generator": ("max_tokens", "timeout"),
}
"""By section of rag.toml: the keys that bound what people, or one answer, may take."""


def show_limits(person: Person) -> None:  # noqa: ARG001 - as every part is called
    """Show the limits of today, and let them be changed."""
    st.html(f'<p class="about">{say_html("admin-limits-about")}</p>')
    for section, keys in LIMITS.items():
        st.html(Html('<h3 class="part">{} <small><code>[{}]</code></small></h3>').format(
            say(f"admin-limits-{section}"), section
        ))  # fmt: skip
        _form(section, keys)


def _form(section: str, keys: Collection[str]) -> None:
    current = getattr(workspace().settings, section)
    fields: dict[str, Any] = current.model_dump(mode="json", exclude_unset=True)
    old, key = {name: fields[name] for name in keys if name in fields}, f"limits-{section}"
    others = [name for name in type(current).model_fields if name not in keys]
    typed = ask_settings(type(current), old, key, first=keys, without=others)
    if typed is None:
        return
    given = read_settings(type(current), typed, fields, key)
    if given is not None:
        try:
            for name, value in given.changes.items():
                set_value(workspace().settings.home, section, name, value)
        except RagError as error:
            refuse(key, {"": str(error)})
        else:
            changed()
            st.session_state["notice"] = say("collections-changed", count=len(given.changes))
    st.rerun()
