"""A finished answer as HTML: its text, and all that is to be known before anybody relies on it."""

from collections.abc import Iterator
from html import escape

from app import frame
from app.chat.answer_text import answer_html
from app.chat.cards import is_quotes
from app.chat.checked import checks_html, taken_away_html
from app.chat.disagreeing import disagreements_html
from app.chat.missing import searched_html
from app.collecting.showing import language_name
from app.helping import help_html
from app.illustrating.quoting import beside_answer, in_place_of_quotes, parts_of
from app.rendering import highlighted, link, notes_html, place
from app.texts import say, say_html
from rag_platform.answering.answerer import STOPPED
from rag_platform.answering.generation_step import FELL_BACK
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.journal.receipts import Receipt
from rag_platform.people.chats import Message

_SHOWN_OTHERWISE = STOPPED, FELL_BACK
"""Beginnings of warnings that the page shows in words of its own."""


def finished_html(said: Message, receipt: Receipt) -> str:
    """Render an answer: what failed, the text, what other languages say, its checks, and notes."""
    revisions = receipt.revisions
    quoted = parts_of(receipt, frame.person())
    instead = in_place_of_quotes(quoted, receipt) if is_quotes(said.content) else {}
    text = answer_html(said.content, receipt.citations, revisions, receipt.claims, instead=instead)
    beside = beside_answer(quoted, receipt, instead)
    parts = [
        _failure(receipt),
        f'<div class="answer">{_verdict(receipt)}{text}{"".join(_also(receipt, revisions))}{beside}</div>',
        searched_html(receipt) if receipt.abstained else "",
        disagreements_html(receipt.disagreements, revisions),
        taken_away_html(receipt.claims, receipt.citations),
        _notes(said, receipt),
        checks_html(receipt.claims),
    ]
    return "".join(parts)


def _verdict(receipt: Receipt) -> str:
    return f'<p class="reason">{say("ask-verdict", verdict=receipt.verdict)}</p>' if receipt.verdict else ""


def _also(receipt: Receipt, revisions: dict[str, str]) -> Iterator[str]:
    """Render what sources in other languages say, each a link to its passage."""
    for one in receipt.also:
        address = escape(link(place(one.doc_id, one.span, revisions.get(one.doc_id))), quote=True)
        title = f'<a href="{address}" target="_self">{escape(one.title or one.uri)}</a>'
        language = escape(say("ask-also-in", language=language_name(one.language)))
        quote = f'<q lang="{escape(one.language, quote=True)}">{highlighted(one)}</q>'
        yield f'<p class="also"><span class="quiet">{language}</span> {quote} {title}</p>'


def _failure(receipt: Receipt) -> str:
    """Render that a language model failed, and for those who may mend it why: the reason names its address."""
    if not fell_back(receipt):
        return ""
    why = next((warning for warning in receipt.warnings if warning.startswith(FELL_BACK)), "")
    detail = f"<p>{escape(why.removeprefix(FELL_BACK + ': '))}</p>" if frame.person().may("editor") else ""
    failure = say_html("ask-model-failed", model=frame.writer_name(receipt.settings["generator"]["name"]))
    return f'<div class="notes failed"><p>{failure}</p>{detail}{help_html("generator")}</div>'


def _notes(said: Message, receipt: Receipt) -> str:
    warnings = [warning for warning in receipt.warnings if not warning.startswith(_SHOWN_OTHERWISE)]
    head = f'<div class="notes stopped"><p>{say("ask-stopped")}</p></div>' if said.stopped else ""
    return head + (notes_html(warnings) if warnings else "")


def fell_back(receipt: Receipt) -> bool:
    """Return whether the sources' own sentences replace those of a language model that failed."""
    return receipt.model == Extractive.name and bool(receipt.settings.get("generator")) and not receipt.abstained
