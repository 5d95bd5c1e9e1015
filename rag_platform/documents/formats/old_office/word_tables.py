"""Tables of an old Word document (doc): the cells of rows, where they lie and which are merged: [MS-DOC] 2.9.315."""

import re
import struct
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

CELL, ROW, WITHIN = "\x07", "\x1a", "\x1b"
"""What ends a cell of a table, a row, and a paragraph within a cell."""
MARK, END = "\x1c", "\x1d"
"""Around what marks a paragraph as a heading or an item, before its words, and around a row's layout, at its end."""
_LAYOUT = re.compile(f"{MARK}([^{END}]*){END}")
_ABOUT_CELL, _NARROW = 20, 144
"""Bytes that tell of a cell; twips, of which an inch has 1,440: edges that are as close are meant to be one."""
_MERGED_LEFT, _MERGED_UP, _FIRST = 0x02, 0x20, 0x40
_LEFT, _UP, _OWN = "<^."
_MOST, _LONG = 20, 200
"""Places of a table for each of its cells, at most; characters of a cell that stands in more than one, at most."""


class _Row(NamedTuple):
    cells: list[str]
    edges: list[int]
    """One more than cells; none: they are not told."""
    merged: str
    """Of each cell: with which one it is merged."""


def layout(definition: bytes) -> str:
    """Return the edges of a row's cells and how these are merged, from the operand that defines a row; "": damaged."""
    count = definition[2] if len(definition) > 2 else 0
    begin = 3 + 2 * (count + 1)
    if len(definition) < begin:
        return ""
    edges = struct.unpack_from(f"<{count + 1}h", definition, 3)
    flags = definition[begin::_ABOUT_CELL].ljust(count, b"\0")
    return f"{' '.join(map(str, edges))}|{''.join(map(_merged, flags[:count]))}"


def _merged(flags: int) -> str:
    return _LEFT if flags & _MERGED_LEFT else _UP if flags & (_MERGED_UP | _FIRST) == _MERGED_UP else _OWN


def table_rows(raw: str) -> list[list[str]]:
    """Return the rows of a table; a merged cell stands in each place that it covers, if the rows tell where that is."""
    rows = [row for row in _rows(raw) if row.cells]
    if len({len(row.cells) for row in rows}) == 1:  # also where somebody moved the edges of single rows
        places: list[Sequence[int]] = [range(len(row.cells) + 1) for row in rows]
    else:
        edges = sorted({edge for row in rows for edge in row.edges})
        grid = edges[:1] + [edge for before, edge in pairwise(edges) if edge - before > _NARROW]
        places = [[bisect_right(grid, edge) - 1 for edge in row.edges] for row in rows]
        uneven = any(not _fits(row, at) for row, at in zip(rows, places, strict=True))
        if uneven or len(rows) * len(grid) > _MOST * sum(len(row.cells) for row in rows):
            return [row.cells for row in rows]
    return list(_filled(zip(rows, places, strict=True)))


def _fits(row: _Row, places: Sequence[int]) -> bool:
    return len(places) == len(row.cells) + 1 and all(left < right for left, right in pairwise(places))


def _filled(rows: Iterable[tuple[_Row, Sequence[int]]]) -> Iterator[list[str]]:
    above: list[str] = []
    for row, places in rows:
        line = [""] * places[-1]
        for number, (left, right) in enumerate(pairwise(places)):
            text, merged = row.cells[number], row.merged[number : number + 1]
            again = text if len(text) <= _LONG else ""
            line[left:right] = [text, *[again] * (right - left - 1)]
            if merged == _UP and not text.strip():
                line[left:right] = [*above[left:right], *[""] * (right - max(left, len(above)))][: right - left]
            elif merged == _LEFT and not text.strip() and left:
                line[left:right] = line[left - 1 : left] * (right - left)
        above = [text if len(text) <= _LONG else "" for text in line]
        yield line


def _rows(raw: str) -> Iterator[_Row]:
    """Yield each row; where no row ends, the width is guessed."""
    if ROW not in raw:
        cells = raw.split(CELL)[:-1]
        width = _width(cells) + 1
        for at in range(0, len(cells), width):
            yield _Row(_full(cells[at : at + width]), [], "")
        return
    for row in raw.split(ROW):
        *cells, rest = row.split(CELL)
        told = _LAYOUT.match(rest)
        edges, _, merged = told[1].partition("|") if told else ("", "", "")
        yield _Row(_full([*cells, _LAYOUT.sub("", rest)]), [int(edge) for edge in edges.split()], merged)


def _full(cells: list[str]) -> list[str]:
    """Return a row's cells, among them what stands behind the last one, if it says anything."""
    return cells if cells[-1].strip() else cells[:-1]


def _width(cells: list[str]) -> int:
    """Return the columns of a table: the fewest such that an empty mark ends each row."""
    fits = (width for width in range(1, len(cells)) if not any(cell.strip() for cell in cells[width :: width + 1]))
    return next((width for width in fits if len(cells) % (width + 1) == 0), max(len(cells) - 1, 1))
