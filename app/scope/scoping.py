"""What a chat is answered from: shown as chips above it, chosen by address, by sign in the box, or taken away."""

from html import escape

import streamlit as st

from app import frame
from app.rendering import plain_label
from app.sharing.templates import names_html
from app.texts import say
from rag_platform.operations.asking.scope_names import ScopeName, complete, named
from rag_platform.people.chat_scopes import ChatScope
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person

LONGEST_QUOTE = 600
"""Characters of a selected text that are asked about."""


def scope_of(chat: Chat | None, person: Person) -> ChatScope:
    """Return what a chat is about; of one that is yet to begin, what the address says."""
    if chat:
        return frame.workspace().chat_scopes.of(chat.id, person.id)
    collections, documents = (tuple(st.query_params.get_all(name)) for name in ("collection", "document"))
    return ChatScope(collections, documents)


def keep(scope: ChatScope, chat: Chat, person: Person) -> None:
    """Let a chat that has just begun be about what its address said."""
    st.query_params.pop("assistant", None)  # the chat has it
    if scope != ChatScope():
        frame.workspace().chat_scopes.set(chat.id, scope, person.id)
        for name in ("collection", "document"):
            st.query_params.pop(name, None)


def show_scope(scope: ChatScope, chat: Chat | None, person: Person) -> None:
    """Show what the next question is answered from, each with the way to be rid of it."""
    if not scope.collections and not scope.documents:
        return
    everything = ChatScope(attached_only=scope.attached_only)
    with st.container(horizontal=True, vertical_alignment="center", key="scope"):
        st.html(f'<span class="quiet">{say("ask-scope")}</span>', width="content")
        for one in (known := named(frame.workspace(), scope, person.principals)):
            label = f"{plain_label(one.title)} ×"
            told = plain_label(say("ask-scope-remove", name=one.title))
            st.button(
                label, key=f"scope-{one.id}", help=told, type="tertiary", on_click=_drop, args=(one, chat, person)
            )
        if not known:
            st.html(f'<span class="quiet">{say("ask-scope-gone")}</span>', width="content")
        st.button(
            say("ask-scope-all"), key="scope-all", type="tertiary", on_click=_set, args=(everything, chat, person)
        )


def _drop(one: ScopeName, chat: Chat | None, person: Person) -> None:
    scope = scope_of(chat, person)
    collections, documents = (
        tuple(name for name in of if name != one.id) for of in (scope.collections, scope.documents)
    )
    _set(ChatScope(collections, documents, scope.attached_only), chat, person)


def _set(scope: ChatScope, chat: Chat | None, person: Person) -> None:
    if chat:
        frame.workspace().chat_scopes.set(chat.id, scope, person.id)
        return
    for name, chosen in (("collection", scope.collections), ("document", scope.documents)):
        st.query_params.pop(name, None)
        if chosen:
            st.query_params[name] = chosen


def take_quote() -> None:
    """Begin the question in the box with the text that was selected elsewhere, once."""
    quote = " ".join(st.query_params.pop("quote", "").split())[:LONGEST_QUOTE] if "quote" in st.query_params else ""
    if quote:
        st.session_state["question"] = f"“{quote}” "


@st.fragment
def show_completions() -> None:
    """Complete what is typed behind #, @ or ! in the box; `scripts/complete.js` asks, and shows what is found."""
    with st.container(key="completing"), frame.friendly():
        typed = st.text_input(say("ask-complete"), key="complete", live="120ms")
        found = complete(frame.workspace(), typed or "", frame.person().principals)
        items = (
            names_html(typed or "", frame.person())
            if (typed or "").startswith("!")
            else "".join(
                f'<li data-sign="{escape(one.sign, quote=True)}" data-kind="{say(f"ask-complete-{one.kind}")}">'
                f"{escape(one.title)}</li>"
                for one in found
            )
        )
        named = escape(say("ask-complete"), quote=True)
        st.html(f'<ul data-for="{escape(typed or "", quote=True)}" data-label="{named}">{items}</ul>')
