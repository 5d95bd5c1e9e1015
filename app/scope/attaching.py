"""Files of one chat: dropped into the box, or a text that is too long for it; shown as chips, and taken away."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.elements.widgets.chat import ChatInputValue

from app import frame
from app.helping import help_html
from app.rendering import plain_label
from app.scope.scoping import keep, scope_of
from app.sharing.shelves import begin_chat
from app.texts import say
from app.undo import taken
from rag_platform.answering.ask_options import LONGEST
from rag_platform.core.errors import NotFound, RagError
from rag_platform.operations.asking.attaching import MOST_BYTES, attach
from rag_platform.people.chat_files import Attachment
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person

MOST_MEGABYTES = MOST_BYTES // 1_000_000
_LONGEST_LINE = 300
"""Characters of a line that can be the question about a text that was pasted with it."""
_ENDS = ("?", "？", "؟")
_File = tuple[str, bytes, str | None]


def take_files(said: ChatInputValue | None, chat: Chat | None, person: Person) -> tuple[str | None, Chat | None]:
    """Attach what came with a question, to a new chat if there is none; returns the question, and the chat."""
    if said is None:
        return None, chat
    question, pasted = split_paste(said.text)
    files: list[_File] = [(file.name, file.getvalue(), file.type) for file in said.files]
    files += [(say("ask-pasted"), pasted.encode(), "text/plain")] if pasted else []
    if files:
        chat = _attached(files, question or files[0][0], chat, person)
    return question or None, chat


def split_paste(text: str) -> tuple[str, str]:
    """Return the question in what was typed, and what is too long to be one: a pasted text, with it or alone."""
    if len(text) <= LONGEST:
        return text, ""
    lines = [line.strip() for line in text.strip().splitlines()]
    asked = (line for line in (lines[0], lines[-1]) if len(line) <= _LONGEST_LINE and line.endswith(_ENDS))
    return next(asked, ""), text


def _attached(files: Sequence[_File], title: str, chat: Chat | None, person: Person) -> Chat | None:
    workspace, refused = frame.workspace(), list[str]()
    workspace.rates.take("searches", person.id, len(files))
    if chat is None:
        scope = scope_of(None, person)
        st.query_params["chat"] = begin_chat(title, person)
        chat = workspace.chats.own(st.query_params["chat"], person.id)
        keep(scope, chat, person)
    for name, content, kind in files:
        with st.spinner(plain_label(say("ask-attaching", name=name))):
            try:
                made = attach(workspace, chat.id, person.id, name, content, kind)
                refused += made.problems
            except RagError as error:
                refused.append(str(error))
    st.session_state["refused-files"] = refused
    return chat


def show_attached(chat: Chat, person: Person) -> None:
    """Show the files of a chat, each with the way to take it away, and whether they alone are asked."""
    if refused := st.session_state.pop("refused-files", ()):
        for problem in refused:
            st.warning(plain_label(problem), icon=":material/attach_file_off:")
        st.html(help_html("long"))
    if not (files := frame.workspace().attachments.of(chat.id, person.id)):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="attached"):
        st.html(f'<span class="quiet">{say("ask-attached")}</span>', width="content")
        for file in files:
            st.button(
                f"{plain_label(file.name)} ×",
                key=f"attached-{file.id}",
                help=plain_label(say("ask-attached-remove", name=file.name)),
                type="tertiary",
                on_click=_remove,
                args=(file, chat, person),
            )
        scope = scope_of(chat, person)
        alone = st.toggle(say("ask-attached-only"), value=scope.attached_only, key=f"alone-{chat.id}")
        if alone != scope.attached_only:
            frame.workspace().chat_scopes.set(chat.id, replace(scope, attached_only=alone), person.id)
    st.html(f'<div class="quiet">{say("ask-attached-note")}</div>')


def _remove(file: Attachment, chat: Chat, person: Person) -> None:
    """Take a file away at once, so that no answer reads it meanwhile; it can be had back."""
    kept = frame.workspace().attachments
    with suppress(NotFound):  # another tab was faster
        texts = kept.remove(chat.id, file.id, person.id)
        back = partial(kept.add, chat.id, file.name, texts, person.id)
        taken(("file", f"attached-{file.id}"), file.name, back, person.id)
