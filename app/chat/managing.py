"""What one does with a chat: share it, export it, rename it, delete it."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from html import escape

import streamlit as st

from app import frame
from app.chat.export import chat_markdown
from app.sharing.readers import known_readers, sharer
from app.texts import say
from app.undo import settle, take_away, taken
from rag_platform.core.errors import NotFound
from rag_platform.journal.permissions import closed
from rag_platform.operations.asking.chat_turns import chat_messages, delete_chat
from rag_platform.operations.asking.sharing import end_share, share_chat
from rag_platform.operations.asking.underway import AnswersUnderway
from rag_platform.operations.exporting.chat_document import chat_word, record_export
from rag_platform.operations.exporting.word_file import WORD_TYPE
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person
from rag_platform.provenance.cited_text import cited_parts
from rag_platform.workspace import Workspace


def show_head(chat: Chat) -> None:
    """Show a chat's title, and what can be done with it."""
    workspace, person = frame.workspace(), frame.person()  # the file is made outside the visitor's session
    with st.container(horizontal=True, vertical_alignment="center", key="chat-head"):
        st.html(f'<h1 class="chat-title">{escape(chat.title)}</h1>')
        if st.button(say("ask-share"), icon=":material/share:", type="tertiary", key="share"):
            frame.dialog(say("ask-share-title"))(_share)(chat)
        with st.popover(say("ask-export"), icon=":material/download:", type="tertiary", key="export-as"):
            _download("export", "md", "text/markdown", chat, lambda: _exported(chat, workspace, person))
            _download("export-word", "docx", WORD_TYPE, chat, lambda: _as_word(chat, workspace, person))
            label = escape(say("ask-export-print"))
            st.html(f'<button type="button" class="tool" data-print="1">{label}</button>')
        with st.popover(say("ask-more"), icon=":material/more_horiz:", type="tertiary", key="more"):
            if st.button(say("ask-rename"), icon=":material/edit:", type="tertiary", key="rename"):
                frame.dialog(say("ask-rename-title"))(_rename)(chat)
            label = say("ask-unpin" if chat.pinned else "ask-pin")
            if st.button(label, icon=":material/push_pin:", type="tertiary", key="pin"):
                workspace.folders.pin(chat.id, person.id, pinned=not chat.pinned)
                st.rerun()
            if st.button(say("ask-delete"), icon=":material/delete:", type="tertiary", key="delete"):
                _delete(chat)
            _choose_folder(chat)


def _download(key: str, ending: str, mime: str, chat: Chat, make: Callable[[], str | bytes]) -> None:
    st.download_button(
        say("ask-export-word" if ending == "docx" else "ask-export-markdown"),
        make,
        file_name=f"{_file_name(chat.title)}.{ending}",
        mime=mime,
        icon=":material/description:",
        type="tertiary",
        on_click="ignore",
        key=key,
    )


def _as_word(chat: Chat, workspace: Workspace, person: Person) -> bytes:
    """Return the chat as a file of Word, without answers that rest on what its owner may no longer read."""
    said = chat_messages(workspace, chat.id, person.id, person.principals)
    record_export(workspace, said, person.principals, frame.named(person))
    words = {
        "withheld": say("ask-withheld-now"),
        "stopped": say("ask-stopped"),
        "facts": say("ask-export-asked", date="{date}", version="{version}", model="{model}", receipt="{receipt}"),
        "page": say("ask-export-page", page="{page}"),
    }
    quoted = partial(cited_parts, workspace, principals=person.principals, owner=person.id)
    return chat_word(chat.title, said, words, quoted)


def _exported(chat: Chat, workspace: Workspace, person: Person) -> str:
    """Return the chat as a file, without answers that rest on what its owner may no longer read."""
    said = workspace.chats.messages(chat.id, person.id)
    receipts = workspace.chats.receipts(said)
    documents = {one for receipt in receipts.values() for one in receipt.documents}
    cited = {citation.doc_id for receipt in receipts.values() for citation in receipt.citations}
    shown = {"hits": [{"doc_id": doc_id} for doc_id in sorted(cited)]}
    workspace.audit.record("export", frame.named(person), person.principals, shown=shown)
    return chat_markdown(chat.title, said, receipts, closed(workspace.versions, documents, person.principals))


def _file_name(title: str) -> str:
    letters = "".join(letter if letter.isalnum() else "-" for letter in title.lower())
    return "-".join(filter(None, letters.split("-")))[:60] or "chat"


def _share(chat: Chat) -> None:
    workspace, person = frame.workspace(), frame.person()
    chats = workspace.chats
    st.html(f"<p>{say('ask-share-note')}</p>")
    token = chats.shared_as(chat.id, person.id)
    if token:
        st.code(f"{_page()}?shared={token}", language=None, wrap_lines=True)
    named = st.multiselect(
        say("ask-share-readers"),
        sorted({*known_readers(person), *chats.shared_with(chat.id, person.id)}),
        chats.shared_with(chat.id, person.id),
        accept_new_options=True,
        placeholder=say("ask-share-everybody"),
        help=say("ask-share-readers-help"),
        key="share-readers",
    )
    with st.container(horizontal=True):
        label = say("ask-share-renew" if token else "ask-share-make")
        if st.button(label, type="secondary" if token else "primary", icon=":material/link:", key="share-make"):
            settle(("link", chat.id))  # a new one takes its place
            share_chat(workspace, chat.id, named, sharer(person))
            st.rerun(scope="fragment")
        if token and st.button(say("ask-share-end"), icon=":material/link_off:", key="share-end"):
            end_link(workspace, chat, person)
            st.rerun()


def end_link(workspace: Workspace, chat: Chat, person: Person) -> None:
    """Let a chat's link lead nowhere at once, and again to the chat when that is undone."""
    with suppress(NotFound):  # the chat is gone, and its link with it
        taken(("link", chat.id), chat.title, end_share(workspace, chat.id, sharer(person)), person.id)


def _page() -> str:
    """Return the address of this view, as the visitor's browser knows it."""
    return (st.context.url or "").partition("?")[0].rstrip("/") + "/"


def _rename(chat: Chat) -> None:
    title = st.text_input(say("ask-title"), value=chat.title, max_chars=200, key="title")
    if st.button(say("ask-save"), type="primary", disabled=not (title or "").strip(), key="save-title"):
        frame.workspace().chats.rename(chat.id, title, frame.person().id)
        st.rerun()


def _choose_folder(chat: Chat) -> None:
    """Let the owner choose in which folder a chat is kept, or name a new one."""
    folders, person, key = frame.workspace().folders, frame.person(), f"folder-{chat.id}"
    st.selectbox(
        say("ask-folder"),
        names := folders.of(person.id),
        index=names.index(chat.folder) if chat.folder in names else None,
        placeholder=say("ask-no-folder"),
        help=say("ask-folder-help"),
        accept_new_options=True,
        key=key,
        on_change=lambda: folders.move(chat.id, st.session_state[key] or "", person.id),
    )


def _delete(chat: Chat) -> None:
    """Leave a chat, which is deleted a little later."""
    workspace, by = frame.workspace(), frame.person().id
    take_away(("chat", chat.id), chat.title, partial(_remove, workspace, chat.id, by), by)
    st.query_params.clear()
    st.rerun()


def _remove(workspace: Workspace, chat_id: str, by: str) -> None:
    if writing := AnswersUnderway(workspace).of(chat_id, by):
        writing.stop()
    with suppress(NotFound):  # another tab was faster
        delete_chat(workspace, chat_id, by)
