"""Text of documents and models -> HTML that is safe to show.

Every piece is escaped here before a tag of ours is put around it; images and links of others are left out, because
even to show a remote image tells its server something.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, Self
from urllib.parse import quote as percent_encode
from urllib.parse import urlencode

from markupsafe import Markup

from app import clock
from app.texts import say, say_day, say_html, upright
from rag_platform.core.answers import Citation
from rag_platform.core.hits import Hit
from rag_platform.text.cleaning import clean_line

NEW = "new"
"""In the address of the grids: one is made of what else the address names."""
FIND = "find"
"""There: of what this search finds. The box of Search has `q`, and takes it along when one leaves."""
IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_TITLE = re.compile(r"^ {0,3}#{1,6}\s+(.*)$", re.MULTILINE)
_QUOTED = re.compile(r"^(?: {0,3}>)+ ?", re.MULTILINE)
_MADE_INTO = re.compile(r"(?<=:)(?=//|[\w+-]+[:/])|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
"""Where Markdown would make a link, a picture or an icon even of signs that are escaped."""
_JOINER = "\u2060"
"""Nothing is seen of it, and no line is broken there."""
_EMPHASIS = re.compile(r"`+|(?<![\w*])\*{1,3}(?=\S)|(?<=\S)\*{1,3}(?![\w*])")


class Html(Markup):
    """HTML; a text that is put into it is escaped, and nothing in it reverses what follows it."""

    @classmethod
    def escape(cls, s: Any, /) -> Self:
        """Return what may be put into it: HTML as it is."""
        return super().escape(s if hasattr(s, "__html__") else upright(str(s)))


def place(doc_id: str, span: tuple[int, int], revision: str | None = None) -> dict[str, str]:
    """Return the query of the document view for a span, to be put into an address."""
    found = {"doc": doc_id, "start": str(span[0]), "end": str(span[1])}
    return found | {"rev": revision} if revision else found


def link(query: Mapping[str, str]) -> str:
    """Return the address of the document view with that query."""
    return "document?" + urlencode(query, quote_via=percent_encode)


def plain_label(text: str) -> str:
    """Escape a text for a widget's label, which would be read as Markdown."""
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~:$&])", r"\\\1", _MADE_INTO.sub(_JOINER, upright(text)))


def plain_html(text: str) -> str:
    """Escape a text; nothing in it reverses what follows it."""
    return escape(upright(text))


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Escape a text and highlight the spans, which may overlap."""
    parts, at = [], 0
    for start, end in sorted(spans):
        if end > max(start, at):
            parts += [escape(text[at : max(start, at)]), f"<mark>{escape(text[max(start, at) : end])}</mark>"]
            at = end
    return "".join(parts) + escape(text[at:])


def also_html(hit: Hit) -> str:
    """Render the near-duplicates of a hit's passage, each a link to its place."""
    links: dict[str, str] = {}
    titles = Counter([hit.title, *(title for _, title in {(other.uri, other.title) for other in hit.duplicates})])
    for other in hit.duplicates:
        address = link(place(other.doc_id, other.span))
        named = escape(other.title if titles[other.title] == 1 else clean_line(other.uri))
        links.setdefault(other.uri, f'<a href="{escape(address, quote=True)}" target="_self"><bdi>{named}</bdi></a>')
    return f'<div class="quiet">{say_html("search-also")} {", ".join(links.values())}</div>' if links else ""


def ask_about_html(
    text: str, *, collections: Sequence[str] = (), documents: Sequence[str] = (), selected: str = ""
) -> str:
    """Render the way to a chat about these alone; `selected` names the way for a text that is selected."""
    address = "./?" + urlencode({"collection": collections, "document": documents}, doseq=True)
    told = f' data-selected="{escape(selected, quote=True)}"' if selected else ""
    return f'<a class="ask-about inner" href="{escape(address, quote=True)}" target="_self"{told}>{escape(text)}</a>'


def compare_html(text: str, query: Sequence[tuple[str, str]]) -> str:
    """Render the way to a grid of what this query names: a search by `FIND`, a collection, documents."""
    address = "grids?" + urlencode([(NEW, "1"), *query], quote_via=percent_encode)
    return f'<a class="ask-about inner" href="{escape(address, quote=True)}" target="_self">{escape(text)}</a>'


def tags_html(tags: Sequence[str]) -> str:
    """Render a document's tags; nothing when it has none."""
    shown = "".join(f'<span class="state" title="{escape(tag, quote=True)}">{escape(tag)}</span> ' for tag in tags)
    return f'<div class="states">{shown}</div>' if tags else ""


def notes_html(warnings: Sequence[str]) -> str:
    """Render what is to be known about an answer."""
    return '<div class="notes">' + "".join(f"<p>{escape(warning)}</p>" for warning in warnings) + "</div>"


def excerpt(text: str) -> str:
    """Return a passage of a document as one line, without the marks of headings, tables, quotes, emphasis and code."""
    lines = [_cells(line) for line in _TITLE.sub(r"\1 —", LINK.sub(r"\1", _QUOTED.sub("", text))).splitlines()]
    return one_line(_EMPHASIS.sub("", " ".join(lines))).removesuffix(" ·").removesuffix(" —")


def _cells(line: str) -> str:
    """Return a row of a table as its cells, and nothing of the line below its head."""
    row = line.strip()
    if not (row.startswith("|") and row.endswith("|") and len(row) > 1):
        return line.removesuffix("\\")  # a line break of Markdown
    cells = [cell.strip() for cell in row[1:-1].split("|")]
    return "" if all(set(cell) <= set(":- ") for cell in cells) else " · ".join(filter(None, cells)) + " ·"


def highlighted(citation: Citation) -> str:
    """Render a quote as one line, with its short answer marked, if there is one."""
    if citation.highlight is None:
        return plain_html(excerpt(citation.quote))
    start, end = (at - citation.span[0] for at in citation.highlight)
    quote = upright(citation.quote)
    if quote != citation.quote:  # what was left out would move the marks
        return escape(excerpt(quote))
    line = excerpt(f"{quote[:start]}\x02{quote[start:end]}\x03{quote[end:]}")
    return escape(line).replace("\x02", "<mark>").replace("\x03", "</mark>")


def one_line(text: str) -> str:
    """Return a text without its line breaks."""
    return " ".join(text.split())


def day_and_age(moment: datetime, now: datetime | None = None) -> str:
    """Return a day, and how long ago it was."""
    return f"{say_day(moment)} ({age(moment, now)})"


def age(moment: datetime, now: datetime | None = None) -> str:
    """Return how long ago something was, as people say it."""
    seconds = ((now or clock.now()) - moment).total_seconds()
    if seconds < 0:
        return say("frame-age-future")
    for unit, length in (("year", 31_557_600), ("month", 2_629_800), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            return say(f"frame-age-{unit}", count=int(seconds // length))
    return say("frame-age-now")
