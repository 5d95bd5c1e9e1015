"""Quotes -> the Markdown of an answer and its citations: nothing in it was written by anybody but the sources."""

import re
from collections.abc import Iterator, Sequence

from rag_platform.answering.citations.citing import cite
from rag_platform.answering.citations.support import VERBATIM
from rag_platform.answering.citations.verification import Verified
from rag_platform.core.answers import Citation, JudgedClaim
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit
from rag_platform.text.sentences import Sentence, split_sentences

_BREAK = re.compile(r"\n[ \t]*\n")
_BEGIN, _END = "\x02", "\x03"
"""Stand for the bold type of a short answer while a line is made plain; no document holds control characters."""
_EDGE_BEFORE, _EDGE_BEHIND = r"(?<![*_])", r"(?![*_])"


def quoted_answer(quotes: Sequence[QuotedSpan], hits: Sequence[Hit]) -> Verified:
    """Return an answer of quotes, numbered from 1: nothing in it has to be found again, and nothing is in doubt."""
    text, claims = "", []
    for n, quote in enumerate(quotes, 1):
        text += "\n\n" * bool(text) + "> "
        said = quote_text(hits[quote.place - 1].text, quote)
        claims.append(JudgedClaim(said, (len(text), len(text) + len(said)), "quoted", 1.0, VERBATIM, (n,)))
        text += f"{said} [{n}]"
    return Verified(text, tuple(_citations(quotes, hits)), (), tuple(claims))


def _citations(quotes: Sequence[QuotedSpan], hits: Sequence[Hit]) -> Iterator[Citation]:
    for n, quote in enumerate(quotes, 1):
        yield cite(hits[quote.place - 1], quote.span, n, quote.highlight)


def quotes_markdown(quotes: Sequence[QuotedSpan], hits: Sequence[Hit]) -> Iterator[str]:
    """Yield a block of Markdown for each quote, its hit's number behind it: what is shown until it is an answer."""
    for index, quote in enumerate(quotes):
        yield "\n\n" * bool(index) + f"> {quote_text(hits[quote.place - 1].text, quote)} [{quote.place}]"


def quote_text(text: str, quote: QuotedSpan) -> str:
    """Return a quote as Markdown within a block quotation, its first "> " left out, its short answer in bold.

    A paragraph is one line; items of a list, rows of a table and lines of code stand alone; headings are left out.
    """
    inside = (one for one in split_sentences(text) if quote.span[0] <= one.start and one.end <= quote.span[1])
    lines, before = [], None
    for one in (sentence for sentence in inside if sentence.kind != "heading"):
        said = _plain(text, one, quote.highlight)
        if before and same_paragraph(text, before, one):
            lines[-1] += " " * (one.start > before.end) + said
        else:
            lines.append("- " * (one.kind == "item") + said)
        before = one
    return "\n>\n> ".join(lines)


def same_paragraph(text: str, one: Sentence, other: Sentence) -> bool:
    """Tell whether a sentence and the next one are of one paragraph, or of one item of a list."""
    gap = text[one.end : other.start]
    apart = _BREAK.search(gap) or gap.strip("> \t\n")  # a mark of a list
    return one.kind == other.kind and one.kind in ("prose", "item") and not apart


def _plain(text: str, sentence: Sentence, highlight: tuple[int, int] | None) -> str:
    said, start = text[sentence.start : sentence.end], sentence.start
    if highlight and start <= highlight[0] and highlight[1] <= sentence.end:
        left, short, right = said[: highlight[0] - start], text[slice(*highlight)], said[highlight[1] - start :]
        said = f"{left}{_BEGIN}{short}{_END}{right}"
    return _in_bold(plain_line(said))


def _in_bold(line: str) -> str:
    """Put the marked words in bold type, unless CommonMark could not tell there where it begins and ends."""
    bold = re.sub(f"{_EDGE_BEFORE}{_BEGIN}(.+?){_END}{_EDGE_BEHIND}", r"**\1**", line)
    return re.sub(f"[{_BEGIN}{_END}]", "", bold)


def plain_line(text: str) -> str:
    """Return a sentence as one line, without its own footnote marks, images, links and a row's outer bars."""
    text = re.sub(r"^\|\s*|\s*\|$", "", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"\[\^?\d{1,3}\]", "", text).split())
