"""A question -> its answer, shown while it is written, and stored however it ends."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from html import escape
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import frame
from app.chat.answer_text import answer_html
from app.chat.pending import IN_PROGRESS, PendingQuestion
from app.chat.trace import Progress
from app.chat.turns import AnswerSlots, Viewer, fill, unanswered
from app.texts import say, say_html
from rag_platform.answering import Answerer
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.errors import NotFound, RagError
from rag_platform.core.generation import PartialAnswer, Piece, Reply
from rag_platform.core.hits import Filters
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.chat_turns import remembered
from rag_platform.people.chats import Chat, Message
from rag_platform.people.identity import Person
from rag_platform.retrieval.results import SearchResult

REMEMBERED = 40
"""Messages of a chat that may be read to understand the next question."""
PAUSE = 0.05
"""Seconds between two drawings of a text that grows."""


def begin(pending: PendingQuestion, chat: Chat | None, person: Person) -> Chat:
    """Return the chat in which a question is asked: this one, else a new one.

    Raises:
        TooManyRequests: nothing was begun.
    """
    workspace = frame.workspace()
    workspace.rates.take("questions", person.id)
    if chat is None:
        st.query_params["chat"] = workspace.chats.begin(pending.question, person.id)
        chat = workspace.chats.find(st.query_params["chat"], person.id)
    if chat is None:
        raise NotFound("the chat was deleted while it was begun; ask again")
    return chat


def answer(pending: PendingQuestion, chat: Chat, person: Person, viewer: Viewer) -> Receipt | None:
    """Answer a question, word by word, store both, and return the receipt; None: there is no answer."""
    workspace = frame.workspace()
    chats = workspace.chats
    history = remembered(workspace, chat.id, person.id, person.principals, REMEMBERED)
    before = chats.messages(chat.id, person.id, last=1)
    turn = before[0].id if pending.again and before else chats.say(chat.id, "user", pending.question)
    writing = AnswerView(pending, history, person, AnswerSlots.of(pending.question, turn))
    with writing.places.below.container(key="stopped"):  # seen when the writing was stopped: it shows what was stored
        st.button(say("ask-show-stopped"), key="show-stopped", icon=":material/stop_circle:")
    try:
        IN_PROGRESS.add(turn)
        said = writing.run(chat.id)
    except RagError as error:
        unanswered(pending.question, writing.places, say_html("ask-failed", reason=str(error)))
        return None
    finally:
        IN_PROGRESS.discard(turn)
    receipt = workspace.journal.receipt(said.receipt_id) if said.receipt_id else None
    fill(writing.places, said, receipt, viewer, last=True)
    return receipt


@dataclass
class AnswerView:
    """An answer while it is written."""

    pending: PendingQuestion
    history: Sequence[Turn]
    person: Person
    places: AnswerSlots
    draft: PartialAnswer = field(default_factory=PartialAnswer)
    progress: Progress = field(default_factory=Progress)
    drawn: float = 0.0
    reasoning_slot: DeltaGenerator | None = None

    def run(self, chat: str) -> Message:
        """Write, and store the answer; whoever stops it, or leaves, finds what was written so far."""
        workspace, who, whole = frame.workspace(), self._asker(chat), None
        answerer, chats = workspace.answerer, workspace.chats
        self._now("searching")
        try:
            whole = self._written(answerer, who)
        finally:  # nothing of Streamlit can be called here when it was stopped
            if whole is None and self.draft.text.strip() and self.progress.found:
                partial = answerer.stopped(self.pending.question, self.progress.found, self.draft, **who)
                chats.say(chat, "assistant", partial.answer, partial.receipt_id, stopped=True)
        chats.say(chat, "assistant", whole.answer, whole.receipt_id)
        return chats.messages(chat, self.person.id, last=1)[0]

    def _asker(self, chat: str) -> dict[str, Any]:
        return {
            "generator": self.pending.generator or st.session_state.get("generator"),
            "prompt": st.session_state.get("prompt"),
            "filters": Filters(
                principals=self.person.principals, archived=bool(st.session_state.get("archived", False))
            ),
            "asker": self.person.id,
            "who": frame.named(self.person),
            "history": self.history,
            "session": self.person.id or chat,
        }

    def _written(self, answerer: Answerer, who: dict[str, Any]) -> Answer:
        with closing(answerer.stream(self.pending.question, **who)) as parts:
            for part in parts:
                if isinstance(part, Answer):
                    return part
                if isinstance(part, SearchResult):
                    self.progress.found.append(part)
                    self._now("reading")
                elif not isinstance(part, Reply):
                    self._add(part)
        raise AssertionError("a stream ends with its answer")

    def _add(self, piece: Piece) -> None:
        """Show a piece more; drawing nothing new still lets Streamlit stop here if the user wants it."""
        before = self.draft.reasoning
        self.draft.add(piece)
        if self.draft.text:
            self._now("writing")
        elif self.draft.reasoning:
            self._now("thinking")
        if time.monotonic() - self.drawn < PAUSE and isinstance(piece, str):
            return
        self.drawn = time.monotonic()
        if self.draft.reasoning != before:
            if self.reasoning_slot is None:
                expander = self.places.thinking.expander(say("ask-thought"), icon=":material/neurology:")
                self.reasoning_slot = expander.empty()
            self.reasoning_slot.html(f'<div class="thought">{escape(self.draft.reasoning)}</div>')
        self.places.body.html(f'<div class="answer writing">{answer_html(self.draft.text)}</div>')

    def _now(self, state: str) -> None:
        """Show what is done just now; only when that changes, so that what was expanded stays so."""
        if state != self.progress.state or state in ("searching", "reading"):
            self.progress.state = state
            self.places.trace.html(self.progress.html())
