"""Watches and their changes as HTML."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from urllib.parse import quote

from app.changes.since import document_html, lines_html
from app.chat.answer_text import answer_html
from app.figures import short
from app.rendering import age, link, place, plain_html
from app.texts import say, say_html
from rag_platform.core.answers import Citation
from rag_platform.operations.watching.watch_changes import SaidThen, WatchChange
from rag_platform.people.watches import Watch


def list_html(watches: Sequence[Watch], unseen: dict[str, int], now: datetime) -> str:
    """Render links to watches, each with how many changes are new."""
    return f'<ul class="watches">{"".join(_item(one, unseen.get(one.id, 0), now) for one in watches)}</ul>'


def _item(watch: Watch, unseen: int, now: datetime) -> str:
    new = f'<span class="state good">{say_html("watches-new", count=unseen)}</span>' if unseen else ""
    problem = f'<span class="state bad">{say_html("watches-problem")}</span>' if watch.problem else ""
    facts = say_html(f"watches-is-{watch.kind}", age=age(watch.made_at, now))
    return (
        f'<li><a class="inner name" dir="auto" href="watches?watch={quote(watch.id)}" target="_self">'
        f'{plain_html(watch.question)}</a> {new}{problem}<div class="quiet">{facts}</div></li>'
    )


def change_html(change: WatchChange, now: datetime) -> str:
    """Render a change: what happened, the difference, the sources."""
    when = say_html("watches-when", age=age(change.at, now), version=short(change.version))
    new = "" if change.seen else f' <span class="state good">{say_html("watches-is-new")}</span>'
    parts = [f'<h3>{escape(_said(change))}{new}</h3><div class="quiet">{when}</div>']
    if change.lines:
        parts.append(lines_html(change.lines))
    elif change.after:
        parts.append(said_html(change.after))
    if change.documents:
        parts.append(f'<ul class="came">{"".join(map(document_html, change.documents))}</ul>')
    if change.after and change.after.citations:
        parts.append(f"<ol class=sources>{''.join(map(_source, change.after.citations))}</ol>")
    if change.mail_error:
        parts.append(f'<div class="notes"><p>{say_html("watches-mail-failed", why=change.mail_error)}</p></div>')
    return f'<section class="change">{"".join(parts)}</section>'


def said_html(said: SaidThen) -> str:
    """Render an answer as it was then, or that it is withheld."""
    if said.text is None:
        return f'<div class="withheld">{say("ask-withheld-now" if said.withheld else "watches-forgotten")}</div>'
    return f'<div class="answer" dir="auto">{answer_html(said.text, said.citations)}</div>'


def _said(change: WatchChange) -> str:
    """Say what happened, in the reader's language."""
    before, after = change.before, change.after
    if after is None or before is None:
        return say("watches-other-documents", count=len(change.documents))
    if after.abstained != before.abstained:
        return say("watches-lost" if after.abstained else "watches-found")
    return say("watches-changed")


def _source(citation: Citation) -> str:
    address = escape(link(place(citation.doc_id, citation.span)), quote=True)
    title = plain_html(citation.title or citation.uri)
    return f'<li value="{citation.n}"><a class="inner" dir="auto" href="{address}" target="_self">{title}</a></li>'
