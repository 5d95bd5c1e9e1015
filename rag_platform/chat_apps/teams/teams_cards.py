"""An answer as Teams shows it: a card of its text, its sources with their quotes, and two buttons to judge it.

All that was written by others stands in text runs, in which nothing is mark-up, a link or a mention.
"""

import json
from collections.abc import Iterator
from typing import Any

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.urls import is_web
from rag_platform.journal.answer_notes import answer_notes

Block = dict[str, Any]
LONGEST_TEXT, LONGEST_QUOTE, LONGEST_NOTE = 5000, 600, 500
LONGEST_CARD = 13_000
"""Characters of a card: Teams takes 28 kB of UTF-16 from every kind of app, and more from some."""


def answer_message(answer: Answer) -> Block:
    """Return the message that tells an answer."""
    card = {"contentType": "application/vnd.microsoft.card.adaptive", "content": answer_card(answer)}
    return {"type": "message", "summary": answer.answer[:200], "attachments": [card]}


def answer_card(answer: Answer) -> Block:
    """Return the card of an answer, with as many of its sources as it can hold."""
    body = list(_lines(answer.answer[:LONGEST_TEXT]))
    body += [_block(note[:LONGEST_NOTE], isSubtle=True) for note in answer_notes(answer)[:3]]
    for shown, citation in enumerate(answer.citations):
        source = _source(citation)
        if len(json.dumps([*body, *source], ensure_ascii=False)) > LONGEST_CARD:
            body.append(_block(f"{len(answer.citations) - shown} more sources: receipt {answer.receipt_id}"))
            break
        body += source
    return {
        "type": "AdaptiveCard",
        "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
        "version": "1.4",
        "body": body,
        "actions": [_thumb(verb, title, answer.receipt_id) for verb, title in _THUMBS],
    }


_THUMBS = (("good", "👍 Helpful"), ("bad", "👎 Not helpful"))


def _lines(text: str) -> Iterator[Block]:
    for line in filter(str.strip, text.splitlines()[:60]):
        yield _block(line.removeprefix("> "), italic=line.startswith(">"))


def _source(citation: Citation) -> list[Block]:
    title = " ".join((citation.title or citation.uri).split())[:200]
    page = f", page {citation.page_label or citation.page}" if citation.page else ""
    named = _run(title, weight="Bolder")
    if is_web(citation.uri):
        named["selectAction"] = {"type": "Action.OpenUrl", "url": citation.uri}
    heading = {"type": "RichTextBlock", "separator": True, "inlines": [_run(f"[{citation.n}] "), named, _run(page)]}
    return [heading, _block(" ".join(citation.quote.split())[:LONGEST_QUOTE], isSubtle=True)]


def _block(text: str, **style: Any) -> Block:
    return {"type": "RichTextBlock", "inlines": [_run(text, **style)]}


def _run(text: str, **style: Any) -> Block:
    return {"type": "TextRun", "text": text, **style}


def _thumb(verb: str, title: str, receipt: str) -> Block:
    return {"type": "Action.Execute", "verb": verb, "title": title, "data": {"receipt": receipt}}
