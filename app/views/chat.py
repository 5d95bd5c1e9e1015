"""Ask: a chat whose answers carry their sources. The chat's id is in the address, so that it can be opened again."""

from datetime import UTC, datetime
from html import escape

import streamlit as st

from app import frame
from app.text import answer_html, excerpt, notes_html, place, plain_label, source_html
from rag_platform.journal import Receipt
from rag_platform.records import Answer, Citation, Filters, SearchResult


def show_history(chat: str | None) -> None:
    """Show what was said in this chat so far."""
    journal = frame.workspace().journal
    for message in journal.messages(chat) if chat else []:
        with st.chat_message(message.role, avatar=AVATARS[message.role]):
            if message.role == "user":
                st.html(f'<div class="asked">{escape(message.content)}</div>')
            else:
                show_answer(message.content, journal.receipt(message.receipt_id) if message.receipt_id else None)


def show_answer(text: str, receipt: Receipt | None) -> None:
    """Show a finished answer, what is to be known about it, and its sources."""
    if receipt is None:
        st.html(f'<div class="answer">{answer_html(text)}</div>')
        return
    revisions = {hit["doc_id"]: hit["revision"] for hit in receipt.hits}
    st.html(f'<div class="answer">{answer_html(text, receipt.citations, revisions)}</div>')
    if receipt.warnings:
        st.html(notes_html(receipt.warnings))
    for citation in receipt.citations:
        show_source(citation, receipt)
    if receipt.abstained:
        show_closest(receipt)
    with st.container(horizontal=True, vertical_alignment="center"):
        show_feedback(receipt)
        told = f"{escape(receipt.model)} · {receipt.took_ms.get('total', 0) / 1000:.1f} s"
        st.html(f'<div class="quiet">{told} · receipt <code>{receipt.id}</code></div>')


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
    chat = chat or journal.begin_chat(question)
    st.query_params["chat"] = chat
    journal.say(chat, "user", question)
    with st.chat_message("user", avatar=AVATARS["user"]):
        st.html(f'<div class="asked">{escape(question)}</div>')
    with st.chat_message("assistant", avatar=AVATARS["assistant"]):
        answer = write(question, st.empty())
    journal.say(chat, "assistant", answer.answer, answer.receipt_id)
    st.session_state.answered = True
    st.rerun()


def write(question: str, place_of_text: st.delta_generator.DeltaGenerator) -> Answer:
    """Show the answer while it is written, and return it verified."""
    text = ""
    place_of_text.html('<div class="answer writing quiet">Searching …</div>')
    for part in frame.workspace().answerer.stream(question, filters=Filters(principals=frame.PRINCIPALS)):
        match part:
            case SearchResult():
                place_of_text.html('<div class="answer writing quiet">Reading the sources …</div>')
            case str():
                text += part
                place_of_text.html(f'<div class="answer writing">{answer_html(text)}</div>')
            case Answer():
                return part
    raise AssertionError("a stream ends with its answer")


# The page follows what is written down to the last source; the reader wants to begin at the question.
SHOW_ANSWER = """<script>
setTimeout(() => [...document.querySelectorAll(".asked")].at(-1)?.scrollIntoView({block: "start"}), 900)
</script>"""
CLOSEST = 3
AVATARS = {"user": ":material/person:", "assistant": ":material/auto_stories:"}

chat = st.query_params.get("chat")
note = frame.version_note()
asked = st.chat_input("Ask about your documents", max_chars=10_000, key="question")
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
