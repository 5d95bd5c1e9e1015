"""Ask: a chat whose answers carry their sources. The chat's id is in the address, so that it can be opened again."""

from datetime import datetime
from html import escape

import streamlit as st

from app import frame
from app.branching.versions import Versions
from app.chat import feedback
from app.chat.answering import ask, begin, follow, underway
from app.chat.finished import finished_html
from app.chat.listing import show_chats
from app.chat.managing import show_head
from app.chat.pending import PendingQuestion, ask_again, take_pending
from app.chat.suggesting import show_examples, show_next, show_starters
from app.chat.turns import Exchange, Viewer, exchanges, offer, question_html, show
from app.helping import help_html
from app.navigation import set_title
from app.parts import tell_notice
from app.rendering import age
from app.scope.attaching import MOST_MEGABYTES, show_attached, take_files
from app.scope.scoping import keep, scope_of, show_completions, show_scope, take_quote
from app.sharing.shelves import assistant_of, assistants_of, choice_html, greeting_html
from app.sharing.templates import show_template, take_template
from app.texts import say, say_html
from app.undo import is_leaving
from rag_platform.core.errors import NothingPublished, TooManyRequests
from rag_platform.journal.permissions import closed, unreadable
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.underway import AnswerUnderway
from rag_platform.operations.status.health import late
from rag_platform.people.chat_scopes import ChatScope
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.shelf import Shelved

SHOWN = 10
"""Questions of a chat that are shown at first, and as many more each time."""
SCROLL = "<script>window.beginAtQuestion?.()</script>"
"""The page follows what is written down to its end; who reads wants to begin at the last question. Our words alone."""


def show_chat(chat_id: str | None, person: Person, live: str) -> None:
    """Show a chat of one's own, or the way into a new one, and answer what is asked."""
    workspace = frame.workspace()
    chat = workspace.chats.find(chat_id, person.id) if chat_id and not is_leaving("chat", chat_id) else None
    if chat_id and chat is None:
        st.html(f'<div class="notes"><p>{say("ask-gone")}</p></div>')
    take_quote()
    said = st.chat_input(say("ask-placeholder"), key="question", accept_file="multiple", max_upload_size=MOST_MEGABYTES)
    typed, chat = take_files(said, chat, person)
    typed = take_template(typed, person)
    show_completions()
    with st.bottom.container(key="listen"):
        listen, failed = escape(say("ask-listen")), escape(say("ask-listen-failed"), quote=True)
        st.html(
            f'<button type="button" class="tool listen" aria-pressed="false" data-failed="{failed}">{listen}</button>'
        )
    pending, scope = take_pending(typed), scope_of(chat, person)
    if pending:
        try:
            chat = _begun(pending, chat, scope, person)
        except TooManyRequests as error:
            _refuse(pending, error)
            pending = None
    show_chats(chat.id if chat else None)
    written = underway().of(chat.id, person.id) if chat else None  # before the chat is read: it may end meanwhile
    if chat and pending:
        if not written:
            written, pending = ask(pending, chat, person), None
        st.query_params["chat"] = chat.id  # only now: whoever leaves for this address finds the question asked
    if not chat and not pending:
        _welcome(person, live, scope, assistant_of(None, person))
    if chat:
        set_title(chat.title)
        show_head(chat)
        _show_helper(chat, person)
        show_scope(scope, chat, person)
        show_attached(chat, person)
        receipts = workspace.chats.receipts(workspace.chats.messages(chat.id, person.id)).values()
        documents = {one for receipt in receipts for one in receipt.documents}
        versions = Versions(chat.id, person, ask_again, finished_html)
        viewer = Viewer(True, closed(workspace.versions, documents, person.principals), live, versions)
    show_template(person, ask_again)  # a dialog opens before what is written is followed to its end
    feedback.ask_why()
    if chat:
        _show_turns(chat, person, viewer, written, pending)


def _begun(pending: PendingQuestion, chat: Chat | None, scope: ChatScope, person: Person) -> Chat:
    """Return the chat in which a question is asked; a new one is about what the address said."""
    begun = begin(pending, chat, person)
    if chat is None:
        keep(scope, begun, person)
    return begun


def _refuse(pending: PendingQuestion, error: TooManyRequests) -> None:
    st.html(question_html(pending.question))
    st.warning(say("ask-too-many", seconds=error.seconds), icon=":material/hourglass_top:")
    st.html(help_html("limits"))
    offer(pending.question, 0, pending.generator)


def _show_turns(
    chat: Chat, person: Person, viewer: Viewer, written: AnswerUnderway | None, pending: PendingQuestion | None
) -> None:
    """Show what was said, what is being answered and what is asked, and offer what could be asked next."""
    if pending:  # one answer after the other
        ask_again(pending.question, pending.generator, pending.instead)  # should this run end before
        st.toast(say("ask-waits"), icon=":material/hourglass_top:")
    last = _show_said(chat, person, viewer, written)
    if written:
        last = follow(written, person, viewer)
    if (written is None or written.ended) and (pending := take_pending(None)):
        last = follow(ask(pending, chat, person), person, viewer)
    if last:
        st.html(f"{SCROLL}<!-- {last.id} -->", unsafe_allow_javascript=True)
        _warn_of_late(person, {hit["source"] for hit in last.hits})
        show_next(last, person, viewer.live)


def _show_said(chat: Chat, person: Person, viewer: Viewer, written: AnswerUnderway | None) -> Receipt | None:
    """Show what was said so far, the oldest only on demand; returns the last answer's receipt.

    The question that is being answered is left to what follows its answer.
    """
    chats, key = frame.workspace().chats, f"shown-{chat.id}"
    shown = st.session_state.get(key, SHOWN)
    count = chats.count(chat.id, person.id)
    said = chats.messages(chat.id, person.id, last=2 * shown)
    receipts = chats.receipts(said)
    if count > len(said):
        label = say("ask-earlier", count=(count - len(said)) // 2)
        if st.button(label, type="tertiary", icon=":material/expand_less:", key="earlier"):
            st.session_state[key] = shown + 2 * SHOWN
            st.rerun()
    there = exchanges(said)
    if written and there and there[-1].question.id == written.question:
        there.pop()
    for exchange in there:
        show(exchange, _receipt(exchange, receipts), viewer, last=written is None and exchange is there[-1])
    return _receipt(there[-1], receipts) if there else None


def _receipt(exchange: Exchange, receipts: dict[str, Receipt]) -> Receipt | None:
    return receipts.get(exchange.answer.receipt_id or "") if exchange.answer else None


def _warn_of_late(person: Person, sources: set[str] | None = None) -> None:
    """Warn which sources (None: any), as far as the reader knows of them, are late against their schedule."""
    workspace = frame.workspace()
    since = _late(str(workspace.settings.home))
    if known := since.keys() & workspace.retriever.live().facets(person.principals)["source"].keys():
        known = known if sources is None else known & sources
    if known:
        oldest = age(min(since[one] for one in known))
        warning = say_html("ask-late", sources=", ".join(sorted(known)), count=len(known), age=oldest)
        st.html(f'<div class="notes late" role="status"><p>{warning}</p></div>')


@st.cache_data(ttl=60, show_spinner=False)
def _late(home: str) -> dict[str, datetime]:
    del home  # the cache's key
    return late(frame.workspace())


def _welcome(person: Person, live: str, scope: ChatScope, helped_by: Shelved[Assistant] | None) -> None:
    """Show a new visitor what this is for, or whom they ask, of what, and questions to begin with."""
    if "assistant" in st.query_params and not helped_by:
        st.html(f'<div class="notes"><p>{say("assistants-not-here")}</p></div>')
    st.html(f"{SCROLL}<!-- welcome -->", unsafe_allow_javascript=True)
    if helped_by:
        set_title(helped_by.name)
    greeting = greeting_html(helped_by) if helped_by else say("ask-hero")
    st.html(f'<div class="hero">{greeting}{frame.version_note()}</div>')
    _warn_of_late(person)
    show_scope(scope, None, person)
    if helped_by and helped_by.body.starters:
        show_starters(helped_by.body.starters)
        return
    if not helped_by and (others := assistants_of(person)):
        st.html(choice_html(others))
    show_examples(person, live)


def _show_helper(chat: Chat, person: Person) -> None:
    """Show with whom a chat is."""
    if found := assistant_of(chat, person):
        st.html(f'<div class="quiet">{say_html("assistants-with", name=found.name)}</div>')
    elif chat.assistant:
        st.html(f'<div class="notes"><p>{say("assistants-not-here")}</p></div>')


def show_shared(token: str, person: Person, live: str) -> None:
    """Show a chat that somebody shared: what its reader may read of it."""
    workspace = frame.workspace()
    shared = workspace.chats.opened(token, {person.id, *workspace.access.asker(person.principals)})
    if shared is None:
        st.html(f'<div class="empty">{say("ask-shared-gone")}</div>')
    else:
        st.html(f'<div class="notes shared"><p>{say_html("ask-shared", title=shared.chat.title)}</p></div>')
        receipts = workspace.chats.receipts(shared.messages)
        documents = {one for receipt in receipts.values() for one in receipt.documents}
        shut = unreadable(workspace.versions, documents, person.principals)
        viewer = Viewer(False, frozenset(shut), live)
        for exchange in exchanges(shared.messages):
            show(exchange, _receipt(exchange, receipts), viewer, last=False)
    if st.button(say("ask-shared-own"), icon=":material/edit_square:"):
        st.query_params.clear()
        st.rerun()
    show_chats(None)


def teach() -> None:
    """Show how there comes to be something to ask."""
    steps = say("ask-unpublished-steps", may="editor" if frame.person().may("editor") else "reader")
    st.html(
        f'<div class="hero">{say("ask-unpublished")}</div><div class="steps">{steps}{help_html("unpublished")}</div>'
    )
    st.button(say("ask-look-again"), icon=":material/refresh:", key="look-again")


def show_view() -> None:
    """Show what the address names."""
    try:
        live = frame.workspace().retriever.live().id
    except NothingPublished:
        return teach()
    tell_notice()
    person = frame.person()
    if token := st.query_params.get("shared"):
        return show_shared(token, person, live)
    return show_chat(st.query_params.get("chat"), person, live)


show_view()
