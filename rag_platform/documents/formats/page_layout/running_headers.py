"""Running headers and footers: what most pages begin or end with."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from rag_platform.documents.formats.page_layout.boxes import Line, Page
from rag_platform.documents.formats.page_layout.page_tables import visual_rows

_EDGE = 3
"""Rows at the top and at the bottom of a page that may be running ones."""
_SHARE = 0.6
"""Of the pages; a row on fewer is content."""
_FEW = 3
"""Pages; with fewer nothing can be called repeated."""


def remove_running(pages: Sequence[Page]) -> int:
    """Take headers and footers off the pages, and return how many rows went."""
    if len(pages) < _FEW:
        return 0
    rows = [visual_rows(page.lines) if page.plain is None else [] for page in pages]
    edges = [[_text(row) if place in _edges(page) else "" for place, row in enumerate(page)] for page in rows]
    removed = 0
    for page, found, gone in zip(pages, rows, running_rows(edges), strict=True):
        lines = {id(line) for place in gone for line in found[place]}
        page.lines = [line for line in page.lines if id(line) not in lines]
        removed += len(gone)
    return removed


def _text(row: Sequence[Line]) -> str:
    return " ".join(line.text for line in row)


def running_rows(pages: Sequence[Sequence[str]]) -> list[set[int]]:
    """Return the places, on each page, of the rows that most pages have at an edge, whatever page number they carry.

    Left and right pages of a book have headers of their own, so each side is also looked at alone.
    """
    gone: list[set[int]] = [set() for _ in pages]
    for first, step in ((0, 1), (0, 2), (1, 2)):
        part = list(pages[first::step])
        printed = sum(map(bool, part))
        if printed < _FEW:
            continue
        counts = Counter(key for page in part for key in {_key(page[place]) for place in _edges(page)})
        running = {key for key, count in counts.items() if count >= max(_FEW, _SHARE * printed)}
        for place, page in zip(range(first, len(pages), step), part, strict=True):
            gone[place] |= {row for row in _edges(page) if _key(page[row]) in running}
    return [_outermost(rows, len(page)) for rows, page in zip(gone, pages, strict=True)]


def _outermost(rows: set[int], count: int) -> set[int]:
    """Keep those that nothing but others of them parts from the edge: below a heading, what repeats is text."""
    above = set(takewhile(rows.__contains__, range(count)))
    return above | set(takewhile(rows.__contains__, reversed(range(count))))


def _edges(rows: Sequence[object]) -> set[int]:
    few = min(_EDGE, len(rows) // 3)  # so that a page of two rows loses none
    return {*range(few), *range(len(rows) - few, len(rows))}


def _key(row: str) -> str:
    """Return the row with its page number masked; a row of several numbers is a table's, and stays itself."""
    row = " ".join(row.split())
    numbers = re.findall(r"\d+", row)
    if re.fullmatch(r"[ivxlc]{1,7}", row):
        return "#"
    return re.sub(r"\d+", "#", row) if len(numbers) == 1 or re.search(r"\d\s*(?:/|of|von|sur|de)\s*\d", row) else row
