"""A page's lines and tables as Markdown."""

import re
from collections.abc import Mapping, Sequence

from rag_platform.documents.formats.page_layout.characters import readable, unhyphenated
from rag_platform.documents.formats.page_layout.headings import Item
from rag_platform.documents.formats.page_layout.page_tables import Table
from rag_platform.documents.formats.page_layout.reading_order import TextLine
from rag_platform.text.cleaning import clean_line

_ACTIVE = re.compile(r"(?=#{1,6}(?:\s|$)|```|~~~|<[A-Za-z!/?])")
"""What would begin a heading, code or HTML in Markdown although the page only shows it."""
_RULE = re.compile(r"[-=_*~\s]{2,}")


def written(page: Sequence[Item], levels: Mapping[int, int]) -> str:
    """Write a page.

    Args:
        page: Its lines and tables, in reading order.
        levels: Level of each line that is a heading, by its identity.
    """
    parts: list[str] = []
    before: TextLine | None = None
    for item in page:
        if isinstance(item, Table):
            parts += ["", readable(item.markdown), ""]
            before = None
        elif level := levels.get(id(item)):
            goes_on = before is not None and levels.get(id(before)) == level and not item.gap
            _add_heading(parts, readable(item.text), level, goes_on=goes_on)
            before = item
        elif text := _line(item.text):
            parts += ["", text] if item.gap else [text]
            before = item
    return unhyphenated("\n".join(parts))


def _add_heading(parts: list[str], text: str, level: int, *, goes_on: bool) -> None:
    if goes_on:  # a heading of two lines is one
        parts[-2] = f"{parts[-2]} {text}"
    else:
        parts += ["", f"{'#' * level} {text}", ""]


def _line(text: str) -> str:
    """Return a line that Markdown takes as nothing else; one that only draws a rule is left out."""
    text = clean_line(readable(text))
    return "" if _RULE.fullmatch(text) else _ACTIVE.sub(r"\\", text, count=1) if _ACTIVE.match(text) else text


def joined(pages: Sequence[str]) -> tuple[str, list[int]]:
    """Join pages by blank lines; a page without text starts where the next one does."""
    starts, position = [], 0
    for page in pages:
        starts.append(position)
        position += len(page) + 2 if page else 0
    text = "\n\n".join(filter(None, pages))
    return text, [min(start, len(text)) for start in starts]
