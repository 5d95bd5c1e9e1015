"""What changed since, as people read it: of an answer, and of a collection."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from html import escape

import streamlit as st

from app import frame
from app.changes.differences import difference_html
from app.rendering import link, plain_html
from app.texts import say, say_html, say_moment, upright
from rag_platform.core.errors import RagError
from rag_platform.core.hits import Filters
from rag_platform.operations.search_scope import version_as_of
from rag_platform.operations.watching.since import AnswerSince, QuoteSince, corpus_since
from rag_platform.operations.watching.watch_changes import DocumentChange
from rag_platform.people.identity import Person
from rag_platform.text.text_diff import Line


def answer_since_html(found: AnswerSince) -> str:
    """Render whether an answer still stands, and what became of its quotes."""
    head = _until(found.until) if found.until else say_html("watches-still-right")
    again = f"<p>{say('watches-right-again')}</p>" if found.until and found.stands else ""
    return f"<p><b>{head}</b></p>{again}{''.join(map(_quote, found.quotes))}"


def _quote(one: QuoteSince) -> str:
    title = f'<a class="inner" href="{escape(link({"doc": one.doc_id}), quote=True)}" target="_self">'
    title += f"{plain_html(one.title or one.uri)}</a>"
    state = say("watches-quote-stands") if one.stands else _until(one.until)
    said = f'<blockquote dir="auto">{plain_html(one.quote)}</blockquote>'
    changed = lines_html(one.lines) if one.lines else ""
    return f'<section class="change"><p>[{one.n}] {title}: {state}</p>{changed or said}</section>'


def _until(moment: datetime | None) -> str:
    if moment is None:
        return say_html("watches-quote-gone")
    return say_html("watches-right-until", date=say_moment(moment.astimezone()))


def lines_html(lines: Iterable[Line]) -> str:
    """Render lines of a difference; nothing in them turns what follows around."""
    shown = (replace(line, parts=tuple((upright(piece), differs) for piece, differs in line.parts)) for line in lines)
    return f'<div class="diff" dir="auto">{difference_html(shown)}</div>'


def show_since(collection: str, person: Person) -> None:
    """Let somebody choose a day, and show what changed in a collection since its end."""
    with st.expander(say("watches-collection-since"), icon=":material/update:"):
        today = datetime.now(UTC).date()
        day = st.date_input(
            say("watches-since-day"), today - timedelta(days=7), max_value=today - timedelta(days=1), key="since-day"
        )
        if day is None or isinstance(day, tuple):
            return
        workspace = frame.workspace()
        moment = datetime.combine(day, time.max, UTC).isoformat()
        try:
            before = version_as_of(workspace, moment)
        except RagError:
            st.html(f'<div class="quiet">{say("watches-since-nothing")}</div>')
            return
        filters = Filters(collections=(collection,), principals=person.principals)
        st.html(collection_html(corpus_since(workspace.versions, before, filters).documents))


def collection_html(documents: Iterable[DocumentChange]) -> str:
    """Render the documents that came, changed and went."""
    items = "".join(map(document_html, documents))
    return f'<ul class="came">{items}</ul>' if items else f'<div class="quiet">{say("watches-since-same")}</div>'


def document_html(one: DocumentChange) -> str:
    """Name a document, with the way to what changed in it."""
    query = {"doc": one.doc_id} | ({"tab": "history"} if one.change == "changed" else {})
    title = plain_html(one.title or one.uri)
    state = {"came": "good", "changed": "", "went": "bad"}[one.change]
    label = f'<span class="state {state}">{escape(say(f"watches-document-{one.change}"))}</span>'
    address = escape(link(query), quote=True)
    return f'<li>{label} <a class="inner" dir="auto" href="{address}" target="_self">{title}</a></li>'
