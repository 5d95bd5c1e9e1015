"""A form made from what a section of rag.toml declares: a field of the right sort for each key, errors at the field."""

from collections.abc import Collection, Mapping
from html import escape
from typing import Any

import streamlit as st
from pydantic import BaseModel

from app.rendering import plain_label
from app.texts import say
from rag_platform.config.settings_fields import Given, SettingField, as_shown, read_form, setting_fields

_LONG = {"query", "template", "text"}
"""Keys whose values are often of several lines."""


def ask_settings(
    section: type[BaseModel], old: Mapping[str, Any], key: str, *, first: Collection[str], without: Collection[str] = ()
) -> dict[str, Any] | None:
    """Show the form of a section; returns what was typed, by field, when it is sent.

    Args:
        section: what declares the keys.
        old: what rag.toml says of them now, as plain values.
        key: of the form.
        first: the keys that are shown at once; others stand among the further settings. What is needed or set is.
        without: keys that are not asked for.
    """
    wrong: Mapping[str, str] = st.session_state.get(_wrong_key(key), {})
    fields = [one for one in setting_fields(section) if one.name not in without]
    shown = [one for one in fields if one.needed or one.name in old or one.name in first]
    others = [one for one in fields if one not in shown]
    with st.form(key, border=False, enter_to_submit=False):
        typed = {one.name: _ask(one, old.get(one.name), key, wrong.get(one.name)) for one in shown}
        if others:
            with st.expander(say("collections-more"), expanded=any(one.name in wrong for one in others)):
                typed |= {one.name: _ask(one, old.get(one.name), key, wrong.get(one.name)) for one in others}
        if wrong:
            message = wrong.get("") or say("collections-mend")
            st.html(f'<div class="wrong" role="alert">{escape(message)}</div>')
        sent = st.form_submit_button(say("collections-save"), type="primary", icon=":material/save:")
    return typed if sent else None


def read_settings(
    section: type[BaseModel], typed: Mapping[str, Any], old: Mapping[str, Any], key: str, secret: str = ""
) -> Given | None:
    """Return what is to be changed; None: something is wrong, and is shown at its field from the next run on."""
    given = read_form(section, typed, old, secret, say("collections-wrong-missing"))
    refuse(key, given.problems)
    return None if given.problems else given


def refuse(key: str, problems: Mapping[str, str]) -> None:
    """Let the form show from the next run on what is wrong: by field, "" the whole; nothing: all is right."""
    st.session_state[_wrong_key(key)] = dict(problems)


def _wrong_key(key: str) -> str:
    return f"{key}-wrong"


def _ask(one: SettingField, value: Any, form: str, wrong: str | None) -> Any:
    """Ask for one key; its name is that of rag.toml, its help what its declaration says."""
    shown, key, about = as_shown(one, value), f"{form}-{one.name}", plain_label(one.about) or None
    label = f"{one.name} *" if one.needed else one.name  # an identifier: nothing of it is Markdown
    usual = as_shown(one, one.default) if one.default is not None else None
    given: Any
    match one.sort:
        case "secret":
            hint = say("collections-secret-kept") if value else None
            given = st.text_input(
                label, type="password", key=key, help=about, placeholder=hint, autocomplete="new-password"
            )
        case "switch":
            given = st.toggle(label, value=bool(shown), key=key, help=about)
        case "choice":
            options = [*one.options] if not one.optional else [None, *one.options]
            index = options.index(shown) if shown in options else 0 if not one.needed else None
            named = {None: say("collections-not-set")}
            given = st.selectbox(
                label, options, index=index, key=key, help=about, format_func=lambda name: named.get(name, name)
            )
        case "number" | "whole":
            kind: type = int if one.sort == "whole" else float
            number = None if shown is None else kind(shown)
            step: Any = 1 if kind is int else 0.5
            given = st.number_input(label, value=number, step=step, key=key, help=about)
        case "lines" | "json":
            hint = say("collections-hint-json" if one.sort == "json" else "collections-hint-lines")
            given = st.text_area(label, value=shown, key=key, help=about, height=90, placeholder=usual or hint)
        case _ if one.name in _LONG or "\n" in shown:
            given = st.text_area(label, value=shown, key=key, help=about, height=110)
        case _:
            given = st.text_input(label, value=shown, key=key, help=about, placeholder=usual or None)
    if wrong:
        st.html(f'<div class="wrong" role="status">{escape(wrong)}</div>')
    return given
