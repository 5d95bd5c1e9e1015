"""The order in which a page is read: columns, then tables and lines within them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rag_platform.documents.formats.page_layout.boxes import Line, Page
from rag_platform.documents.formats.page_layout.page_tables import Table, aligned_tables, ruled_tables, visual_rows

_PROSE = 22
"""Characters; the lines of a column are mostly longer, cells mostly shorter."""
_FEW_ROWS = 5
"""Lines; a column has at least as many."""
_NEW_PARAGRAPH = 1.35
"""Times the usual distance of two lines."""

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
    for region in regions([*rest, *map(_as_line, tables)], page):
        cells = {id(line): line.table for line in region if isinstance(line, _TableLine) and line.table}
        found += _read_region(region, cells)
    return found


@dataclass(slots=True)
class _TableLine(Line):
    """A table that takes part in the ordering like a line."""

    table: Table | None = None

    def __post_init__(self) -> None:
        """Find its box."""
        Line.__post_init__(self)  # a dataclass with slots is made anew, and `super` would look in the old one


def _as_line(table: Table) -> _TableLine:
    return _TableLine(words=table.words, table=table)


# --- columns ----------------------------------------------------------------------------------------


def regions(lines: Sequence[Line], page: Page) -> Iterator[list[Line]]:
    """Split a page into parts that are read one after the other; within each, what was drawn first comes first."""
    gutter = find_gutter(lines, page.width)
    if gutter is None:
        yield _by_place(lines)
        return
    for across, band in _bands(lines, gutter):
        if across:
            yield _by_place(band)
            continue
        left = [line for line in band if line.x1 <= gutter]
        right = [line for line in band if line.x1 > gutter]
        for side in (right, left) if _leftward(band) else (left, right):
            if side:
                yield from regions(side, page)


def find_gutter(lines: Sequence[Line], width: float) -> float | None:
    """Return where a strip without text runs between two columns of prose; None: there is no such strip."""
    prose = [line for line in lines if len(line.text) >= _PROSE]
    best, crossed = None, len(prose) * 0.3
    for place in sorted({round(line.x1 + 2) for line in prose}):
        left = [line for line in prose if line.x1 <= place]
        right = [line for line in prose if line.x0 >= place]
        crossing = len(prose) - len(left) - len(right)
        if crossing < crossed and _side_by_side(left, right, width):
            best, crossed = float(place), crossing
    return best


def _side_by_side(left: Sequence[Line], right: Sequence[Line], width: float) -> bool:
    """Return whether both are columns: high enough, wide enough, and next to each other."""
    if min(len(left), len(right)) < _FEW_ROWS:
        return False
    if any(max(line.x1 for line in side) - min(line.x0 for line in side) < 0.15 * width for side in (left, right)):
        return False
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    beside = [sum(top - 2 <= line.top and line.bottom <= bottom + 2 for line in side) for side in (left, right)]
    return min(beside) >= _FEW_ROWS


def _bands(lines: Sequence[Line], gutter: float) -> Iterator[tuple[bool, list[Line]]]:
    """Cut at the lines that run across the gutter: (whether they do, lines), from the top down."""
    current: list[Line] = []
    state = False
    for line in sorted(lines, key=lambda line: line.top):
        across = line.x0 < gutter < line.x1
        if current and across != state:
            yield state, current
            current = []
        state = across
        current.append(line)
    if current:
        yield state, current


def _by_place(lines: Sequence[Line]) -> list[Line]:
    """Keep the order of drawing, but put tables, which come last, in their places."""
    drawn = [line for line in lines if not isinstance(line, _TableLine)]
    for table in (line for line in lines if isinstance(line, _TableLine)):
        before = [place for place, line in enumerate(drawn, start=1) if line.bottom <= table.top + 2]
        drawn.insert(max(before, default=0), table)
    return drawn


def _leftward(lines: Sequence[Line]) -> bool:
    letters = "".join(line.text for line in lines)
    return sum("\u0590" <= letter <= "\u08ff" for letter in letters) > len(letters) / 3


# --- lines ------------------------------------------------------------------------------------------


def _read_region(lines: list[Line], ruled: dict[int, Table]) -> list[TextLine | Table]:
    """Find tables without ruling lines, and join the pieces of one line."""
    free = [line for line in lines if id(line) not in ruled]
    inside = {id(line): table for table in aligned_tables(visual_rows(free)) for line in table.lines} | ruled
    step = _usual_step(free)
    found: list[TextLine | Table] = []
    above: list[Line] | None = None
    for piece in _pieces(lines, inside):
        if isinstance(piece, Table):
            found.append(piece.mirrored() if _leftward(piece.lines) else piece)
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
        if row and (table or not _beside(row[-1], line)):
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
    ordered = sorted(row, key=lambda line: line.x0, reverse=_leftward(row))
    largest = max(row, key=lambda line: len(line.text))
    return TextLine(" ".join(line.text for line in ordered), largest.size, all(line.bold for line in row), gap)


def _usual_step(lines: Sequence[Line]) -> float:
    """Return the usual distance from one line to the next, in points."""
    steps = [below.top - above.top for above, below in pairwise(lines)]
    return median([step for step in steps if 3 < step < 40] or [12.0])


def _beside(before: Line, line: Line) -> bool:
    height = max(before.bottom - before.top, line.bottom - line.top, 1.0)
    return abs((before.top + before.bottom) - (line.top + line.bottom)) / 2 < 0.5 * height


def _new_paragraph(above: list[Line], row: list[Line], step: float) -> bool:
    before, line = above[-1], row[0]
    down = line.bottom - before.bottom
    if down < 0:  # the next column: a sentence may go on there
        return before.text[-1:] in ".!?:।。؟" or not line.text[:1].islower()
    return down > _NEW_PARAGRAPH * max(step, line.size) or abs(line.size - before.size) > max(1.5, 0.15 * line.size)
