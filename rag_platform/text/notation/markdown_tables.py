"""The tables of a Markdown text: their cells, and where each row stands.

A table is what GitHub Flavored Markdown calls one (spec 0.29, section 4.10): a line of cells, a line of dashes with as
many, and further lines of cells.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

Span = tuple[int, int]
Row = tuple[str, ...]

_LINE = re.compile(r"[^\n]*")
_DASHES = re.compile(r"[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_BAR = re.compile(r"(?<!\\)\|")
_MOST_COLUMNS = 60


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it is written."""

    head: Row
    rows: tuple[Row, ...]
    """Each as long as the head."""
    spans: tuple[Span, ...]
    """Where each row stands in the text."""
    span: Span
    """Where the whole of it stands, its head too."""

    def touched(self, span: Span) -> list[int]:
        """Return the places of the rows that a span of the text is about."""
        return [place for place, (start, end) in enumerate(self.spans) if start < span[1] and span[0] < end]


def tables_in(text: str) -> Iterator[Table]:
    """Yield the tables of a text, in their order."""
    lines = [found.span() for found in _LINE.finditer(text) if found.start() == 0 or text[found.start() - 1] == "\n"]
    last = -1
    for place, (above, below) in enumerate(pairwise(lines)):
        if place > last and (table := _table(text, lines, place, above, below)):
            last = place + 1 + len(table.rows)
            yield table


def table_at(text: str, span: Span) -> Table | None:
    """Return the table of which a span quotes rows; None: it quotes none."""
    return next((table for table in tables_in(text) if table.touched(span)), None)


def _table(text: str, lines: list[Span], place: int, above: Span, below: Span) -> Table | None:
    dashes = text[slice(*below)]
    if "|" not in dashes or not _DASHES.fullmatch(dashes):
        return None
    head = _cells(text[slice(*above)])
    if len(head) != len(_cells(dashes)) or not 1 < len(head) <= _MOST_COLUMNS:
        return None
    rows, spans = [], []
    for start, end in lines[place + 2 :]:
        if "|" not in text[start:end]:
            break
        cells = _cells(text[start:end])[: len(head)]
        rows.append((*cells, *[""] * (len(head) - len(cells))))
        spans.append((start, end))
    return Table(head, tuple(rows), tuple(spans), (above[0], spans[-1][1] if spans else below[1])) if rows else None


def _cells(line: str) -> Row:
    line = line.strip()
    inner = line[line.startswith("|") : -1 if line.endswith("|") and not line.endswith("\\|") else None]
    return tuple(cell.strip().replace("\\|", "|") for cell in _BAR.split(inner))
