"""The order in which a page is read: columns, then tables and lines within them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rag_platform.documents.formats.page_layout.aligned_tables import aligned_tables
from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Rule
from rag_platform.documents.formats.page_layout.gutters import in_order, leftward, regions
from rag_platform.documents.formats.page_layout.page_tables import Table, visual_rows
from rag_platform.documents.formats.page_layout.ruled_tables import ruled_tables
from rag_platform.documents.formats.page_layout.side_captions import captions_apart, is_caption
from rag_platform.text.notation.captions import CAPTION

_NEW_PARAGRAPH = 1.35
"""Times the usual distance of two lines."""

FIGURE = "!["
"""What the line of a figure that is described begins with."""

_LINE_HYPHEN = re.compile("[\u0002\ufffe](?:\r?\n)?")  # how PDFium writes a hyphen that ends a line


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line as it is read."""

    text: str
    size: float = 0.0
    bold: bool = False
    gap: bool = False
    """Whether a paragraph ends before it."""


def read_layout(page: Page) -> list[TextLine | Table]:
    """Return the page's lines and tables in reading order."""
    if page.plain is not None:
        lines = _LINE_HYPHEN.sub("-\n", page.plain).splitlines()
        return [TextLine(text) for text in lines if text.strip()]
    tables, rest = ruled_tables(page)
    found: list[TextLine | Table] = []
    for part in regions([*rest, *map(_as_line, tables)], page.width):
        region = captions_apart(_by_place(part, by_columns=page.by_columns))
        cells = {id(line): line.table for line in region if isinstance(line, _TableLine) and line.table}
        found += _read_region(region, cells, page.horizontal)
    return found


@dataclass(slots=True)
class _TableLine(Line):
    """A table that takes part in the ordering like a line."""

    table: Table | None = None

    def __post_init__(self, box: Box | None) -> None:
        """Find its box."""
        Line.__post_init__(self, box)  # a dataclass with slots is made anew, and `super` would look in the old one


def _as_line(table: Table) -> _TableLine:
    return _TableLine(words=table.words, table=table)


def _by_place(lines: Sequence[Line], *, by_columns: bool) -> list[Line]:
    """Put tables, which come last, in their places; PDFium has columns that run down in any order."""
    drawn = [line for line in lines if not isinstance(line, _TableLine)]
    drawn = sorted(drawn, key=lambda line: line.top) if by_columns else in_order(drawn)
    for table in (line for line in lines if isinstance(line, _TableLine)):
        before = [place for place, line in enumerate(drawn, start=1) if line.bottom <= table.top + 2]
        drawn.insert(max(before, default=0), table)
    return drawn


# --- lines ------------------------------------------------------------------------------------------


def _read_region(lines: list[Line], ruled: dict[int, Table], rules: Sequence[Rule]) -> list[TextLine | Table]:
    """Find tables without ruling lines, and join the pieces of one line."""
    free = [line for line in lines if id(line) not in ruled]
    inside = {id(line): table for table in aligned_tables(visual_rows(free), rules) for line in table.lines} | ruled
    step = _usual_step(free)
    found: list[TextLine | Table] = []
    above: list[Line] | None = None
    for piece in _pieces(lines, inside):
        if isinstance(piece, Table):
            found.append(piece.mirrored() if leftward(piece.lines) else piece)
            above = None
        else:
            found.append(_joined(piece, gap=above is None or _new_paragraph(above, piece, step)))
            above = piece
    return found


def _pieces(lines: Sequence[Line], inside: dict[int, Table]) -> Iterator[list[Line] | Table]:
    """Yield each table once, where it begins, and the other lines, those beside each other together."""
    row: list[Line] = []
    written: set[int] = set()
    for line in lines:
        table = inside.get(id(line))
        if row and (table or not _beside(row[-1], line) or (is_caption(row[0]) and is_caption(line))):
            yield row
            row = []
        if table is None:
            row.append(line)
        elif id(table) not in written:
            written.add(id(table))
            yield table
    if row:
        yield row


def _joined(row: list[Line], gap: bool) -> TextLine:
    if len(row) == 1:
        return TextLine(row[0].text, row[0].size, row[0].bold, gap)
    ordered = sorted(row, key=lambda line: line.x0, reverse=leftward(row))
    largest = max(row, key=lambda line: len(line.text))
    return TextLine(" ".join(line.text for line in ordered), largest.size, all(line.bold for line in row), gap)


def _usual_step(lines: Sequence[Line]) -> float:
    """Return the usual distance from one line to the next, in points."""
    steps = [below.top - above.top for above, below in pairwise(lines)]
    return median([step for step in steps if 3 < step < 40] or [12.0])


def _beside(before: Line, line: Line) -> bool:
    """Return whether two lines are pieces of one: at one height, and not one below the other, however high a letter."""
    height = max(before.bottom - before.top, line.bottom - line.top, 1.0)
    shared = min(before.x1, line.x1) - max(before.x0, line.x0)
    apart = shared < 0.5 * min(before.x1 - before.x0, line.x1 - line.x0)
    return apart and abs((before.top + before.bottom) - (line.top + line.bottom)) / 2 < 0.5 * height


def _new_paragraph(above: list[Line], row: list[Line], step: float) -> bool:
    before, line = above[-1], row[0]
    down = line.bottom - before.bottom
    if CAPTION.match(line.text):
        return not before.text.startswith(FIGURE)
    if down < 0:  # the next column: a sentence may go on there
        return before.text[-1:] in ".!?:।。؟" or not line.text[:1].islower()
    return down > _NEW_PARAGRAPH * max(step, line.size) or abs(line.size - before.size) > max(1.5, 0.15 * line.size)
