"""One's chats in the sidebar: found, and opened."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import groupby

import streamlit as st

from app import frame
from app.changes.watch_buttons import may_watch
from app.sharing.shelves import may_keep
from app.texts import say
from app.undo import is_leaving
from rag_platform.operations.search_scope import prompts_for
from rag_platform.people.chats import Chat

LISTED = 40
"""Chats that are listed at first, and as many more each time."""
ARRANGED = 1000
"""Chats in folders and pinned ones that are listed, always."""


def show_chats(current: str | None) -> None:
    """List the chats in the sidebar."""
    with st.sidebar:
        if st.button(say("ask-new"), icon=":material/edit_square:", width="stretch", key="new-chat"):
            st.query_params.clear()
            st.rerun()
        choose_generator()
        choose_prompt()
        choose_archived()
        _watched()
        _assistants()
        _listed(current)


def choose_generator() -> None:
    """Let the user choose who writes the answers, where there is a choice."""
    workspace, person = frame.workspace(), frame.person()
    generators, names = workspace.generators, workspace.generators.choices()
    last = workspace.preferences.get(person.id, "generator")
    last = last if last and generators.knows(last) else names[0]
    names = tuple(dict.fromkeys((*names, last)))  # of a server that is silent just now
    if len(names) > 1:

        def keep() -> None:
            workspace.preferences.set(person.id, "generator", st.session_state["generator"])

        label, at = say("ask-written-by"), names.index(last)
        st.selectbox(label, names, at, format_func=frame.writer_name, key="generator", on_change=keep)


def choose_prompt() -> None:
    """Let the user choose a saved prompt, where there are some."""
    if names := prompts_for(frame.workspace(), frame.person().principals):
        st.selectbox(say("ask-prompt"), names, index=None, placeholder=say("ask-no-prompt"), key="prompt")


def choose_archived() -> None:
    """Let the user ask what is archived by its age, where a source archives."""
    if frame.workspace().settings.max_ages:
        st.toggle(say("ask-archived"), key="archived", help=say("ask-archived-help"))


def _watched() -> None:
    """Show the way to what somebody watches, and how much of it is new."""
    person = frame.person()
    if may_watch(person):
        new = sum(frame.workspace().watches.unseen(person.id).values())
        label = say("watches-link-new", count=new) if new else say("watches-link")
        st.page_link("views/watches.py", label=label, icon=":material/notifications:")


def _assistants() -> None:
    """Show the way to assistants."""
    if may_keep(frame.person()):
        st.page_link("views/assistants.py", label=say("assistants-title"), icon=":material/smart_toy:")


@st.fragment
def _listed(current: str | None) -> None:
    chats, person = frame.workspace().chats, frame.person()
    words = st.text_input(
        say("ask-find"),
        type="search",
        placeholder=say("ask-find"),
        label_visibility="collapsed",
        live=True,
        key="chat-words",
        icon=":material/search:",
    )
    most = st.session_state.get("chats-listed", LISTED)
    arranged, others = (
        [chat for chat in chats.of(person.id, words or "", limit, arranged=kept) if not is_leaving("chat", chat.id)]
        for kept, limit in ((True, ARRANGED), (False, most + 1))
    )
    if not arranged and not others:
        st.html(f'<div class="quiet">{say("ask-none-found" if words else "ask-no-chats")}</div>')
    st.html(chats_html([*arranged, *others[:most]], current, datetime.now(UTC), opened=bool(words)))
    if len(others) > most and st.button(say("ask-more-chats"), type="tertiary", key="more-chats"):
        st.session_state["chats-listed"] = most + LISTED
        st.rerun(scope="fragment")


def chats_html(chats: Sequence[Chat], current: str | None, now: datetime, *, opened: bool = False) -> str:
    """Render links to chats: the pinned ones, folders, which are closed at first, then by when they were used last."""
    pinned = [chat for chat in chats if chat.pinned]
    foldered = sorted((chat for chat in chats if chat.folder and not chat.pinned), key=lambda chat: chat.folder)
    days = groupby(
        (chat for chat in chats if not chat.pinned and not chat.folder), lambda one: day_of(one.used_at, now)
    )
    parts = [_group(say("ask-pinned"), pinned, current)] if pinned else []
    parts += [_folder(name, [*kept], current, opened) for name, kept in groupby(foldered, lambda one: one.folder)]
    parts += [_group(say(day), used, current) for day, used in days]
    return f'<nav class="chats" aria-label="{say("ask-chats")}">{"".join(parts)}</nav>'


def _folder(name: str, chats: Sequence[Chat], current: str | None, opened: bool) -> str:
    is_open = " open" if opened or any(chat.id == current for chat in chats) else ""
    count = f'<span class="count">{len(chats)}</span>'
    return f"<details{is_open}><summary>{escape(name)} {count}</summary>{_links(chats, current)}</details>"


def _group(name: str, chats: Iterable[Chat], current: str | None) -> str:
    return f"<h3>{name}</h3>{_links(chats, current)}"


def _links(chats: Iterable[Chat], current: str | None) -> str:
    links = "".join(
        f'<li><a class="inner" href="./?chat={escape(chat.id, quote=True)}" target="_self"'
        f"{' aria-current=page' if chat.id == current else ''}>{escape(chat.title)}</a></li>"
        for chat in chats
    )
    return f"<ul>{links}</ul>"


def day_of(moment: datetime, now: datetime) -> str:
    """Return the text that names the time of a chat, by the days of the machine's zone."""
    day, today = moment.astimezone().date(), now.astimezone().date()
    if day >= today:
        return "ask-today"
    if day == today - timedelta(days=1):
        return "ask-yesterday"
    return "ask-week" if day > today - timedelta(days=7) else "ask-before"
