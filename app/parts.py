"""What views of several parts share: the chosen part stands in the address; several parts begin with a period."""

from collections.abc import Callable, Mapping

import streamlit as st

from app import frame
from app.navigation import set_title
from app.rendering import plain_label
from app.texts import say, say_html
from rag_platform.people.identity import Person

Part = Callable[[Person], None]
PERIODS = (7, 30, 90)
"""Days."""


def tell_notice() -> None:
    """Tell what was done before the view was drawn anew."""
    if notice := st.session_state.pop("notice", None):
        st.toast(plain_label(notice), icon=":material/check:")


def show_parts(view: str, parts: Mapping[str, Part], person: Person, labels: Mapping[str, str] | None = None) -> None:
    """Show a view's title, the choice of its parts, and the one that the address names; else the first.

    Args:
        view: what its messages begin with.
        parts: by name.
        person: who looks.
        labels: of parts that are called otherwise than their message says.
    """
    wanted, key, shown = st.query_params.get("part"), f"{view}-part", f"{view}-shown"
    st.html(f'<h2 class="title">{say_html(f"{view}-title")}</h2>')
    named = wanted if wanted in parts else None
    lost = st.session_state.get(key) is None  # a browser that drew a second run first knows of no choice, and says so
    if lost or (named and named != st.session_state.get(shown)):  # by a link, or the way back
        st.session_state[key] = named or next(iter(parts))
    chosen = st.segmented_control(
        say(f"{view}-part"),
        list(parts),
        required=True,
        format_func=lambda name: (labels or {}).get(name) or say(f"{view}-{name}"),
        key=key,
        label_visibility="collapsed",
    )
    part = chosen or next(iter(parts))
    set_title(f"{(labels or {}).get(part) or say(f'{view}-{part}')} · {say(f'{view}-title')}")
    st.query_params["part"] = st.session_state[shown] = part
    with frame.friendly():
        parts[part](person)


def choose_days(key: str) -> int:
    """Let somebody choose a period; returns its days."""
    return st.segmented_control(
        say("operate-period"),
        PERIODS,
        default=30,
        required=True,
        format_func=lambda count: say("operate-days", count=count),
        key=key,
        label_visibility="collapsed",
    )
