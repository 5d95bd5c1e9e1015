"""An answer as Slack shows it: its text, its sources with their quotes, and two buttons to judge it."""

import html
import re
from typing import Any

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.urls import is_web
from rag_platform.journal.answer_notes import answer_notes

Block = dict[str, Any]
LONGEST = 2900
"""Characters of a block's text; Slack takes 3000."""
LONGEST_TITLE, LONGEST_ADDRESS = 200, 1500
"""Characters; a source of a longer address is named without a link."""
MOST_SOURCES = MOST_PIECES = 20
"""Slack takes 50 blocks."""
_MARKUP = re.compile(r"<(?:[@#!][^>|]*\|?([^>]*)|([^>|]+)\|([^>]+)|([^>]+))>")


def question_of(text: str) -> str:
    """Return what somebody wrote, without Slack's markup: mentions are left out, links are their labels."""
    plain = _MARKUP.sub(lambda found: found[1] or found[3] or found[4] or "", text)
    return " ".join(html.unescape(plain).split())


def escaped(text: str) -> str:
    """Return a text that is no markup in Slack, and mentions nobody."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def answer_blocks(answer: Answer) -> list[Block]:
    """Return the blocks of an answer."""
    shown = [_section(piece) for piece in _pieces(_quotes_marked(answer.answer))]
    sources = [_source(citation) for citation in answer.citations[:MOST_SOURCES]]
    notes = [_context(escaped(note)) for note in answer_notes(answer)[:5]]
    return [*shown, *sources, *notes, _thumbs(answer.receipt_id)]


def _quotes_marked(text: str) -> str:
    """Return a text escaped, but for the marks of quotes at the beginnings of lines."""
    return re.sub(r"^&gt; ?", ">", escaped(text), flags=re.MULTILINE)


def _pieces(text: str) -> list[str]:
    """Cut a text that is escaped between words, and never within what stands for one character."""
    pieces = list[str]()
    while len(text) > LONGEST and len(pieces) < MOST_PIECES - 1:
        cut = max(text.rfind(sign, 1, LONGEST) for sign in " \n&")
        cut = cut if cut > 0 else LONGEST
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, *([text[:LONGEST]] if text.strip() else [])]


def _source(citation: Citation) -> Block:
    title = escaped(" ".join((citation.title or citation.uri).split())[:LONGEST_TITLE]).replace("|", "¦")
    address = citation.uri.replace("&", "&amp;")
    linked = is_web(address) and len(address) <= LONGEST_ADDRESS and not re.search(r"[\s<>|]", address)
    named = f"<{address}|{title}>" if linked else title
    page = f", page {citation.page_label or citation.page}" if citation.page else ""
    quote = escaped(" ".join(citation.quote.split()))[: LONGEST - len(named) - 100]
    return _section(f"*[{citation.n}]* {named}{page}\n>{quote}")


def _section(text: str) -> Block:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _context(text: str) -> Block:
    return {"type": "context", "elements": [{"type": "mrkdwn", "text": text[:LONGEST], "verbatim": True}]}


def _thumbs(receipt: str) -> Block:
    marks = (("good", ":+1:", "Helpful"), ("bad", ":-1:", "Not helpful"))
    return {
        "type": "actions",
        "elements": [
            {"type": "button", "action_id": name, "value": receipt, "accessibility_label": label,
             "text": {"type": "plain_text", "text": sign, "emoji": True}}
            for name, sign, label in marks
        ],
    }  # fmt: skip
