"""A question -> its answer, which the server writes; the page follows it, from whichever tab, and may leave."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import frame
from app.chat.answer_text import answer_html
from app.chat.pending import PendingQuestion
from app.chat.trace import Progress
from app.chat.turns import AnswerSlots, Viewer, exchanges, fill, unanswered
from app.sharing.shelves import assistant_of, begin_chat
from app.texts import say, say_html
from rag_platform.answering.events import AnswerEvent
from rag_platform.core.answers import Answer
from rag_platform.core.errors import AccessDenied, NotFound, RagError
from rag_platform.core.generation import PartialAnswer, Reply
from rag_platform.core.hits import Filters
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.underway import AnswersUnderway, AnswerUnderway
from rag_platform.people.chats import Chat, Message
from rag_platform.people.identity import Person
from rag_platform.retrieval.results import SearchResult

PAUSE = 0.05
"""Seconds between two drawings of a text that grows."""
BENEATH = 0.5
"""Seconds between two of them beneath a dialog, whose parts have their turn between them."""


def begin(pending: PendingQuestion, chat: Chat | None, person: Person) -> Chat:
    """Return the chat in which a question is asked: this one, else a new one.

    Raises:
        TooManyRequests: nothing was begun.
    """
    workspace = frame.workspace()
    workspace.rates.take("questions", person.id)
    if chat is None:
        chat = workspace.chats.find(begin_chat(pending.question, person), person.id)
    if chat is None:
        raise NotFound("the chat was deleted while it was begun; ask again")
    return chat


def underway() -> AnswersUnderway:
    """Return what the server is writing, for whomever."""
    return AnswersUnderway(frame.workspace())


def ask(pending: PendingQuestion, chat: Chat, person: Person) -> AnswerUnderway:
    """Let the server answer a question, written by whom the question names, the chat's assistant, or the visitor."""
    helped_by = assistant_of(chat, person)
    writer = helped_by.body.generator if helped_by else ""
    chosen = writer if frame.workspace().generators.knows(writer) else st.session_state.get("generator")
    if pending.instead is not None:
        frame.workspace().branches.turn_back(chat.id, pending.instead, person.id)
    return underway().begin(
        chat.id,
        person.id,
        pending.question,
        generator=pending.generator or chosen,
        prompt=st.session_state.get("prompt"),
        filters=Filters(principals=person.principals, archived=bool(st.session_state.get("archived"))),
        who=frame.named(person),
        session=person.id or chat.id,
    )


def follow(one: AnswerUnderway, person: Person, viewer: Viewer) -> Receipt | None:
    """Show an answer while it is written, and then whole; returns its receipt, None: there is no answer.

    Beneath an open dialog it is shown as it grows, and whole when that is closed: None until then.
    """
    writing = AnswerView(AnswerSlots.of(one.asked, one.question, viewer.versions))
    places = writing.places
    with places.below.container():
        st.button(say("ask-stop"), key=f"stop-{one.question}", icon=":material/stop_circle:", on_click=one.stop)
    if frame.has_dialog():  # what is pressed there would wait for the end of this run
        st.fragment(_glance, run_every=BENEATH)(one, person, writing)
        return None
    try:
        with closing(underway().follow(one, person.id, person.principals)) as parts:
            for new in parts:
                writing.show(new)
                time.sleep(PAUSE)  # what comes meanwhile is drawn at once
    except AccessDenied:
        places.withhold(say("ask-withheld-now"))
        return None
    said = _answer_to(one, person)
    if said is None:
        unanswered(one.asked, one.question, places, _why_not(one.error))
        return None
    receipt = frame.workspace().journal.receipt(said.receipt_id) if said.receipt_id else None
    fill(places, said, receipt, viewer, last=True)
    return receipt


def _glance(one: AnswerUnderway, person: Person, writing: "AnswerView") -> None:
    """Show what has been written since the last time."""
    try:
        with closing(underway().follow(one, person.id, person.principals, writing.seen)) as parts:
            writing.show(next(parts))
    except AccessDenied:
        writing.places.withhold(say("ask-withheld-now"))
    if one.ended:
        frame.refresh()


def _answer_to(one: AnswerUnderway, person: Person) -> Message | None:
    """Return what the chat's record has as the answer."""
    said = exchanges(frame.workspace().chats.messages(one.chat, person.id))
    return next((exchange.answer for exchange in reversed(said) if exchange.question.id == one.question), None)


def _why_not(error: Exception | None) -> str:
    if error is None:
        return say_html("ask-unanswered")
    return say_html("ask-failed", reason=str(error) if isinstance(error, RagError) else say("frame-unexpected"))


@dataclass
class AnswerView:
    """An answer while it is written."""

    places: AnswerSlots
    draft: PartialAnswer = field(default_factory=PartialAnswer)
    progress: Progress = field(default_factory=Progress)
    seen: int = 0
    """Parts that were shown."""
    reasoning_slot: DeltaGenerator | None = None
    drawn: tuple[str, str] = "", ""
    """What was done, and the reasoning, as they are shown."""

    def show(self, new: Sequence[AnswerEvent]) -> None:
        """Show further parts; to draw, even nothing new, lets Streamlit stop here if the visitor leaves."""
        self.seen += len(new)
        for part in new:
            if isinstance(part, SearchResult):
                self.progress.found.append(part)
                self.progress.state = "reading"
            elif not isinstance(part, Answer | Reply):
                self.draft.add(part)
        if self.draft.text or self.draft.reasoning:
            self.progress.state = "writing" if self.draft.text else "thinking"
        self._draw()

    def _draw(self) -> None:
        """Draw what changed; the steps and the reasoning only then, so that what was expanded stays so."""
        steps, reasoning = self.progress.html(), self.draft.reasoning
        if steps != self.drawn[0]:
            self.places.trace.html(steps)
        if reasoning != self.drawn[1]:
            if self.reasoning_slot is None:
                expander = self.places.thinking.expander(say("ask-thought"), icon=":material/neurology:")
                self.reasoning_slot = expander.empty()
            self.reasoning_slot.html(f'<div class="thought">{escape(reasoning)}</div>')
        self.drawn = steps, reasoning
        self.places.body.html(f'<div class="answer writing">{answer_html(self.draft.text)}</div>')
