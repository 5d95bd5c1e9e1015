"""A question with its answer, and the sources beside it, in the same places while and after it is written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import frame
from app.branching.versions import Versions
from app.changes.watch_buttons import offer_answer, offer_since
from app.chat import feedback
from app.chat.answer_text import answer_html
from app.chat.cards import sources_html
from app.chat.export import answer_markdown
from app.chat.finished import fell_back, finished_html
from app.chat.missing import nearest_passages, offer_to_add
from app.chat.pending import ask_again
from app.chat.trace import trace_html
from app.figures import short
from app.helping import help_html
from app.illustrating.offering import offer_charts
from app.illustrating.pictures import offer_figures
from app.illustrating.quoting import parts_of
from app.rendering import age, excerpt, plain_html
from app.texts import say, say_html
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Message
from rag_platform.text.language import detect_language


@dataclass(frozen=True)
class Exchange:
    """A question, and what was answered."""

    question: Message
    answer: Message | None


def exchanges(messages: Sequence[Message]) -> list[Exchange]:
    """Put each question together with its answer."""
    found: list[Exchange] = []
    for message in messages:
        if message.role == "user":
            found.append(Exchange(message, None))
        elif found:
            found[-1] = Exchange(found[-1].question, message)
    return found


def question_html(question: str) -> str:
    """Render a question; `scripts/ask.js` knows by its attribute that it was sent."""
    unseen, sent = f'<span class="unseen">{say("ask-you-asked")}: </span>', escape(question.strip(), quote=True)
    return f'<h2 class="question" data-question="{sent}">{unseen}{plain_html(question)}</h2>'


@dataclass(frozen=True)
class AnswerSlots:
    """Where the parts of an answer are shown."""

    trace: DeltaGenerator
    thinking: DeltaGenerator
    body: DeltaGenerator
    below: DeltaGenerator
    sources: DeltaGenerator
    figures: DeltaGenerator

    @classmethod
    def of(cls, question: str, turn: int, versions: Versions | None = None) -> "AnswerSlots":
        """Show a question, with its versions, and make room for its answer."""
        with st.container(key=f"turn-{turn}"):
            st.html(question_html(question))
            if versions:
                versions.of_question(question, turn)
            left, right = st.columns([1.85, 1], gap="large")
        with left:
            trace, thinking, body, below = (st.empty() for _ in range(4))
        with right:
            sources, figures = st.empty(), st.empty()
        return cls(trace, thinking, body, below, sources, figures)

    def withhold(self, why: str) -> None:
        """Show nothing of the answer but why; `why` is HTML."""
        for place in (self.trace, self.thinking, self.below, self.sources, self.figures):
            place.empty()
        self.body.html(f'<div class="withheld">{why}{help_html("permission")}</div>')


@dataclass(frozen=True)
class Viewer:
    """Who reads a chat, and how."""

    mine: bool
    """By whom it belongs to, who can judge and ask again; else it was shared."""
    closed: frozenset[str]
    """Documents that the reader may not read."""
    live: str
    """The version that is live."""
    versions: Versions | None = None
    """What stands beside each message, for whom it belongs to."""


def show(exchange: Exchange, receipt: Receipt | None, viewer: Viewer, *, last: bool) -> None:
    """Show a question with its answer."""
    places = AnswerSlots.of(exchange.question.content, exchange.question.id, viewer.versions)
    if exchange.answer is None:
        if viewer.mine:
            unanswered(exchange.question.content, exchange.question.id, places, say_html("ask-unanswered"))
    elif not _may_be_shown(receipt, viewer):
        places.withhold(say("ask-withheld-now" if viewer.mine else "ask-withheld"))
    else:
        fill(places, exchange.answer, receipt, viewer, last=last)


def _may_be_shown(receipt: Receipt | None, viewer: Viewer) -> bool:
    """Return whether an answer may be shown: to others only when it is known what it was written from."""
    if receipt is None:
        return viewer.mine
    return not receipt.documents & viewer.closed


def fill(places: AnswerSlots, said: Message, receipt: Receipt | None, viewer: Viewer, *, last: bool) -> None:
    """Show a finished answer, what is to be known about it, and its sources."""
    if receipt is None:
        places.body.html(f'<div class="answer">{answer_html(said.content)}</div>')
        return
    places.trace.html(trace_html(receipt))
    if receipt.reasoning:
        with places.thinking.expander(say("ask-thought"), icon=":material/neurology:"):
            st.html(f'<div class="thought">{escape(receipt.reasoning)}</div>')
    near = nearest_passages(receipt, frame.person()) if receipt.abstained else {}
    places.body.html(finished_html(said, receipt))
    if sources := sources_html(receipt, passages=near):  # nothing at all, where none of what is asked may be read
        places.sources.html(sources)
    with places.below.container():
        offer_charts(said.content, parts_of(receipt, frame.person()).tables, said.id)
        if receipt.abstained and viewer.mine:
            offer_to_add(receipt, frame.person())
        if last and viewer.mine:
            _ways_on(said, receipt, viewer)
        _tools(said, receipt, viewer, last=last)
    with places.figures.container():
        offer_figures(receipt, said.id, frame.person())


def _ways_on(said: Message, receipt: Receipt, viewer: Viewer) -> None:
    """Offer to ask again where that may give another answer."""
    if fell_back(receipt):
        failed = receipt.settings["generator"]["name"]
        others = [name for name in _generators() if name not in (failed, Extractive.name)]
        offer(receipt.question, said.id, failed, also=others)
    elif said.stopped:
        offer(receipt.question, said.id)
    elif receipt.version != viewer.live:
        note = say_html("ask-older", version=short(receipt.version), live=short(viewer.live))
        st.html(f'<div class="notes">{note}{help_html("moved")}</div>')
        offer(receipt.question, said.id, label=say("ask-again"))


def unanswered(question: str, turn: int, places: AnswerSlots, why: str) -> None:
    """Show why the question in a message of that id has no answer, and offer to ask again; `why` is HTML."""
    places.body.html(f'<div class="notes failed"><p>{why}</p>{help_html("failed")}</div>')
    with places.below.container():
        offer(question, turn, also=_generators()[1:])


def offer(question: str, turn: int, generator: str | None = None, *, also: Sequence[str] = (), label: str = "") -> None:
    """Offer to ask a question again, by the same generator or others; `turn`: the id of the message below which."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            label or say("ask-try-again"),
            key=f"again-{turn}",
            icon=":material/refresh:",
            on_click=ask_again,
            args=(question, generator),
        )
        for other in also:
            label = say("ask-try-with", name=frame.writer_name(other))
            st.button(label, key=f"with-{turn}-{other}", on_click=ask_again, args=(question, other))


def _generators() -> list[str]:
    return list(frame.workspace().generators.names())


def _tools(said: Message, receipt: Receipt, viewer: Viewer, *, last: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"tools-{said.id}"):
        if viewer.mine:
            feedback.thumbs(receipt, said.id)
        copied = escape(answer_markdown(said.content, receipt), quote=True)
        copy, done = escape(say("ask-copy")), escape(say("ask-copied"), quote=True)
        button = f'<button type="button" class="tool" data-copy="{copied}" data-done="{done}">{copy}</button>'
        st.html(button + _aloud_html(said.content), width="content")
        if viewer.mine:
            offer_answer(receipt, said.id, frame.person())
            if viewer.versions:
                viewer.versions.of_answer(receipt.question, said.id, _generators(), last=last)
            if receipt.citations and receipt.version != viewer.live:
                offer_since(receipt, said.id)
        when = age(receipt.asked_at, datetime.now(UTC))
        facts = say_html("ask-told", when=when, version=short(receipt.version), model=receipt.model)
        ids = f"<code>{escape(receipt.id)}</code> <code>{escape(receipt.version)}</code>"
        more = f'<details class="ids"><summary>{say_html("ask-ids")}</summary> {ids}</details>'
        st.html(f'<div class="quiet">{facts} · {more}</div>', width="content")


def _aloud_html(answer: str) -> str:
    """Render the button that has the browser read an answer aloud; without its marks of citations."""
    words = escape(excerpt(_MARKS.sub("", answer)), quote=True)
    speak, stop = (escape(say(f"ask-{name}"), quote=True) for name in ("speak", "speak-stop"))
    language = escape(detect_language(answer), quote=True)
    said = f'data-said="{words}" data-speak="{speak}" data-stop="{stop}" data-lang="{language}"'
    return f' <button type="button" class="tool" aria-pressed="false" {said}>{speak}</button>'


_MARKS = re.compile(r"\s?\[\d+(?:\s*,\s*\d+)*\]")
