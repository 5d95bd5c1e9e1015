"""Ask: a chat whose answers carry their sources. The chat's id is in the address, so that it can be opened again."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import frame
from app.rendering import answer_html, excerpt, notes_html, place, plain_html, plain_label, source_html
from rag_platform.answering.writing import Piece, Retracted, Thought
from rag_platform.journal import Receipt
from rag_platform.records import Answer, Citation, Filters, SearchResult, Turn


def show_history(chat: str | None) -> None:
    """Show what was said in this chat so far."""
    journal = frame.workspace().journal
    for message in journal.messages(chat) if chat else []:
        with st.chat_message(message.role, avatar=AVATARS[message.role]):
            if message.role == "user":
                st.html(f'<div class="asked">{plain_html(message.content)}</div>')
            else:
                show_answer(message.content, journal.receipt(message.receipt_id) if message.receipt_id else None)


def show_answer(text: str, receipt: Receipt | None) -> None:
    """Show a finished answer, what is to be known about it, and its sources."""
    if receipt is None:
        st.html(f'<div class="answer">{answer_html(text)}</div>')
        return
    if thought := st.session_state.get(f"thought-{receipt.id}"):
        with st.expander(THINKING, icon=":material/neurology:"):
            st.html(f'<div class="thought">{escape(thought)}</div>')
    revisions = {hit["doc_id"]: hit["revision"] for hit in receipt.hits}
    st.html(f'<div class="answer">{answer_html(text, receipt.citations, revisions)}</div>')
    if receipt.warnings:
        st.html(notes_html(receipt.warnings))
    show_queries(receipt)
    for citation in receipt.citations:
        show_source(citation, receipt)
    if receipt.abstained:
        show_closest(receipt)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_feedback(receipt)
        told = f"{escape(receipt.model)} · {receipt.took_ms.get('total', 0) / 1000:.1f} s"
        st.html(f'<div class="quiet">{told} · receipt <code>{receipt.id}</code></div>')


def show_queries(receipt: Receipt) -> None:
    """Show, folded, what was searched for, where that is not just the question."""
    if receipt.queries and receipt.queries != (receipt.question,):
        with st.expander("Searched for", icon=":material/search:"):
            st.html("<br>".join(escape(query) for query in receipt.queries))


def show_source(citation: Citation, receipt: Receipt) -> None:
    """Show one source as a card that leads to the passage."""
    hit = next((hit for hit in receipt.hits if hit["chunk_id"] == citation.chunk_id), {})
    facts = [fact for fact in (hit.get("section"), hit.get("source")) if fact]
    with st.container(border=True, gap="small", key=f"source-{receipt.id}-{citation.n}"):
        quote = f"<mark>{escape(excerpt(citation.quote))}</mark>"
        st.html(source_html(citation, quote, datetime.now(UTC), n=citation.n, facts=facts))
        st.page_link(
            "views/document.py",
            label="Open at this passage",
            icon=":material/arrow_forward:",
            icon_position="right",
            query_params=place(citation.doc_id, citation.span, hit.get("revision")),
        )


def show_closest(receipt: Receipt) -> None:
    """Lead to the passages that came closest to a question without an answer."""
    if receipt.hits:
        st.html('<div class="quiet">The closest passages:</div>')
    for hit in receipt.hits[:CLOSEST]:
        st.page_link(
            "views/document.py",
            label=plain_label(hit["title"] or hit["uri"]),
            icon=":material/description:",
            query_params=place(hit["doc_id"], hit["span"], hit["revision"]),
        )


def show_feedback(receipt: Receipt) -> None:
    """Let the user say whether the answer was good."""
    journal = frame.workspace().journal
    key = f"feedback-{receipt.id}"
    given = journal.judgement(receipt.id)

    def keep() -> None:
        if st.session_state[key] is not None:
            journal.judge(receipt.id, good=bool(st.session_state[key]))

    st.feedback("thumbs", key=key, default=None if given is None else int(given), on_change=keep)


def ask(question: str, chat: str | None) -> None:
    """Answer a question, word by word, and keep both."""
    journal = frame.workspace().journal
    history = journal.turns(chat) if chat else []
    chat = chat or journal.begin_chat(question)
    st.query_params["chat"] = chat
    journal.say(chat, "user", question)
    with st.chat_message("user", avatar=AVATARS["user"]):
        st.html(f'<div class="asked">{plain_html(question)}</div>')
    with st.chat_message("assistant", avatar=AVATARS["assistant"]):
        answer = write(question, history, st.container(), st.empty())
    st.session_state[f"thought-{answer.receipt_id}"] = answer.reasoning
    journal.say(chat, "assistant", answer.answer, answer.receipt_id)
    st.session_state.answered = True
    st.rerun()


def write(question: str, history: Sequence[Turn], thinking: DeltaGenerator, place_of_text: DeltaGenerator) -> Answer:
    """Show the answer and what the model thinks while they are written, and return it verified."""
    said = Said(thinking, place_of_text)
    place_of_text.html('<div class="answer writing quiet">Searching …</div>')
    asked = {"generator": st.session_state.get("generator"), "history": history}
    asked |= {"filters": Filters(principals=frame.person().principals)}
    with closing(frame.workspace().answerer.stream(question, **asked)) as parts:  # a stopped question ends its work
        for part in parts:
            if isinstance(part, SearchResult):
                found = f"Reading what was found for “{escape(part.question)}” …"
                place_of_text.html(f'<div class="answer writing quiet">{found}</div>')
            elif isinstance(part, Answer):
                return part
            else:
                said.hear(part)
    raise AssertionError("a stream ends with its answer")


@dataclass
class Said:
    """What was written so far, and where it is shown."""

    thinking: DeltaGenerator
    writing: DeltaGenerator
    text: str = ""
    thought: str = ""
    folded: DeltaGenerator | None = None

    def hear(self, piece: Piece) -> None:
        """Show a piece more; an empty thought only lets Streamlit stop here if the user wants it."""
        match piece:
            case Thought(text):
                self.thought += text
            case Retracted():
                self.text, self.thought = "", self.thought + self.text
            case str():
                self.text += piece
        if self.thought and not isinstance(piece, str):
            self.folded = self.folded or self.thinking.expander(THINKING, icon=":material/neurology:").empty()
            self.folded.html(f'<div class="thought">{escape(self.thought)}</div>')
        else:
            self.writing.html(f'<div class="answer writing">{answer_html(self.text) or "Reading the sources …"}</div>')


def choose_generator() -> None:
    """Let the user choose who writes the answer, where there is a choice."""
    names = frame.workspace().generators.names()
    if len(names) > 1:
        st.selectbox("Written by", names, key="generator", label_visibility="collapsed", width=180)


# The page follows what is written down to the last source; the reader wants to begin at the question.
SHOW_ANSWER = """<script>
setTimeout(() => [...document.querySelectorAll(".asked")].at(-1)?.scrollIntoView({block: "start"}), 900)
</script>"""
CLOSEST = 3
THINKING = "What the model thought"
AVATARS = {"user": ":material/person:", "assistant": ":material/auto_stories:"}

chat = st.query_params.get("chat")
note = frame.version_note()
choose_generator()
asked = st.chat_input("Ask about your documents", max_chars=10_000, key="question", submit_mode="stop")
if not chat and not asked:
    st.html(
        '<div class="hero"><h1>Ask your documents</h1><p>Answers are written from what is published, and every sentence'
        " leads to the passage it rests on. When the documents do not say, the answer says so.</p>"
        f"{note}</div>"
    )
show_history(chat)
if asked:
    ask(asked, chat)
if chat:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.html(note)
        if st.button("New chat", icon=":material/add:", type="tertiary"):
            st.query_params.clear()
            st.rerun()
if st.session_state.pop("answered", False):
    st.html(SHOW_ANSWER, unsafe_allow_javascript=True)  # our own words alone
