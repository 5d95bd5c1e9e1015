"""Tables without ruling lines: columns of short pieces below each other."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from statistics import median

from rag_platform.documents.formats.page_layout.boxes import Line, Rule
from rag_platform.documents.formats.page_layout.page_tables import MARKER, Table, spread

Extent = tuple[float, float]
"""The left and the right edge of a column."""

_CELL = 28
"""Characters; most cells of a table without ruling lines are shorter."""
_ENCLOSED_CELL = 60
"""Characters, between lines of one length above and below."""
_LABEL = 3
"""Characters of the longest one."""
_LONGEST_CELL = 200
"""Characters; what is longer is a paragraph."""
_SAME = 4.0
"""Points; edges this close are one."""
_HEADER = 3
"""Rows at the top that may name several columns together."""
_UNDER = 8.0
"""Points from a name to the line below it."""
_WRAPPED = 0.8
"""Of the usual distance of two rows; the lines of one row are closer."""


def aligned_tables(rows: list[list[Line]], rules: Sequence[Rule] = ()) -> list[Table]:
    """Find runs of rows whose pieces are aligned in columns: three or more, or what lines above and below enclose.

    Args:
        rows: Lines at the same height, from the top down and from left to right.
        rules: The page's horizontal lines.
    """
    tables, start = [], 0
    rules = sorted(rules)
    enclosed = dict(_enclosed(rows, rules))
    while start < len(rows):
        end = enclosed.get(start, start)
        table = _align(rows[start:end], rules, enclosed=True) if end > start else None
        if table is None:
            end = _run(rows, start)
            table = _align(rows[start:end], rules) if end - start >= 3 else None
        if table:
            tables.append(table)
        start = end if table else start + 1
    return tables


def _enclosed(rows: list[list[Line]], rules: Sequence[Rule]) -> Iterator[tuple[int, int]]:
    """Yield the first row and the one after the last of what stands between lines of one length."""
    lengths: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    for y, left, right in rules:
        lengths[round(left / _SAME), round(right / _SAME)].append(y)
    middles = [row[0].middle for row in rows]
    for (left, right), heights in lengths.items():
        top, bottom = min(heights), max(heights)
        if bottom - top < _UNDER:
            continue
        inside = [place for place, row in enumerate(rows) if top < middles[place] < bottom
                  and row[0].x0 > (left - 2) * _SAME and row[-1].x1 < (right + 2) * _SAME]  # fmt: skip
        if inside and inside[-1] - inside[0] == len(inside) - 1:
            several = [place for place in inside if len(rows[place]) > 1]  # titles and sources are no rows
            if len(several) >= 2:
                yield several[0], several[-1] + 1


def _run(rows: list[list[Line]], start: int) -> int:
    """Return where the rows of several pieces that begin here end; a single piece may be between two of them."""
    if len(rows[start]) < 2:
        return start
    end = last = start
    while end + 1 < len(rows) and _follows(rows[end], rows[end + 1]) and end - last < 2:
        end += 1
        last = end if len(rows[end]) >= 2 else last
    return last + 1


def _follows(above: list[Line], below: list[Line]) -> bool:
    height = max(line.bottom - line.top for line in chain(above, below))
    return min(line.top for line in below) - max(line.bottom for line in above) < 1.5 * height


def _align(rows: list[list[Line]], rules: Sequence[Rule], *, enclosed: bool = False) -> Table | None:
    columns = _columns(rows)
    if len(columns) < 2:
        return None
    cells = []
    for row in rows:
        texts = [""] * len(columns)
        for piece in chain.from_iterable(_by_column(line, columns) for line in row):
            place = min(range(len(columns)), key=lambda place: _distance(piece, columns[place]))
            texts[place] = f"{texts[place]} {piece.text}".strip()
        cells.append(texts)
    if not _tabular(cells, enclosed=enclosed):
        return None
    for row, texts in zip(rows[:_HEADER], cells, strict=False):
        _widen(row, texts, columns, rules)
    return Table(tuple(_unwrapped(rows, cells)), tuple(chain.from_iterable(rows)))


def _by_column(line: Line, columns: Sequence[Extent]) -> list[Line]:
    """Part words that stand so close that they were taken for one piece, where each is in a column of its own."""
    pieces = [Line([word], line.size) for word in line.words]
    places = [place for piece in pieces for place, column in enumerate(columns) if _distance(piece, column) < 0]
    return pieces if len(pieces) == len(places) == len(set(places)) else [line]


_HEIGHT = itemgetter(0)


def _widen(row: list[Line], texts: list[str], columns: list[Extent], rules: Sequence[Rule]) -> None:
    """Say the name of several columns in each of them: it stands over all, or the first of the rules below it does.

    The rules go from the top down.
    """
    for line in row:
        first, last = (
            bisect_right(rules, line.middle, key=_HEIGHT),
            bisect_left(rules, line.bottom + _UNDER, key=_HEIGHT),
        )
        wider = [(left, right) for _, left, right in rules[first:last] if left <= line.x0 + 2 and line.x1 <= right + 2]
        left, right = max([(line.x0, line.x1), *wider], key=lambda extent: extent[1] - extent[0])
        over = [place for place, (x0, x1) in enumerate(columns) if left <= (x0 + x1) / 2 <= right]
        said = [texts[place] for place in over if texts[place]]
        if 2 <= len(over) < len(columns) and said == [line.text]:
            texts[over[0] : over[-1] + 1] = spread([*said, *[""] * (len(over) - 1)])


def _unwrapped(rows: list[list[Line]], cells: list[list[str]]) -> list[tuple[str, ...]]:
    """Put lines of one row together: those nearer to the row above than rows are to each other."""
    heights = [min(line.middle for line in row) for row in rows]
    steps = [below - above for above, below in pairwise(heights)]
    usual = median(steps)
    joined = [list(cells[0])]
    for step, texts in zip(steps, cells[1:], strict=True):
        above = joined[-1]
        if (
            step < _WRAPPED * usual
            and not all(texts)
            and all(one or not text for one, text in zip(above, texts, strict=True))
        ):
            joined[-1] = [f"{one} {text}".strip() for one, text in zip(above, texts, strict=True)]
        else:
            joined.append(list(texts))
    return list(map(tuple, joined))


def _tabular(cells: Sequence[Sequence[str]], *, enclosed: bool) -> bool:
    """Return whether these are short cells in full rows: not a list, nor formulas or the labels of a figure."""
    filled = [cell for row in cells for cell in row if cell]
    if any(len(cell) > _LONGEST_CELL for cell in filled):
        return False
    several = sum(sum(map(bool, row)) >= 2 for row in cells)
    least, share, longest = (2, 0.4, _ENCLOSED_CELL) if enclosed else (3, 0.55, _CELL)
    if several < max(least, 0.5 * len(cells) * enclosed) or len(filled) < share * len(cells) * len(cells[0]):
        return False
    if median(map(len, filled)) > longest or _are_labels(filled):
        return False
    columns = [[row[place] for row in cells if row[place]] for place in range(len(cells[0]))]
    if sum(map(_is_list, columns)) > 1:
        return False
    return not any(all(map(MARKER.fullmatch, side)) for side in (columns[0], columns[-1]))


def _are_labels(cells: Sequence[str]) -> bool:
    """Return whether these are the letters of a figure: none is a word, nor a number."""
    return max(map(len, cells)) <= _LABEL and not any(letter.isdigit() for cell in cells for letter in cell)


def _is_list(column: Sequence[str]) -> bool:
    """Return whether most of what stands below each other are points of a list."""
    points = sum(len(words) > 1 and bool(MARKER.fullmatch(words[0])) for words in map(str.split, column))
    return points > max(1, 0.5 * len(column))


def _columns(rows: list[list[Line]]) -> list[Extent]:
    """Return the extents of the columns: those of the rows with most pieces that agree with each other."""
    counts = Counter(len(row) for row in rows if len(row) >= 2)
    for count in sorted(counts, reverse=True):
        if counts[count] < max(2, 0.3 * len(rows)):
            continue
        alike = counts[count] == len(rows)  # then names may stand otherwise than the numbers, which end at one edge
        for start in (0, 1) if alike else (0,):
            columns = _apart([line for row in rows[start:] if len(row) == count for line in row])
            if len(columns) == count:
                return columns
    return []


def _apart(lines: Sequence[Line]) -> list[Extent]:
    """Return the extents of the lines that are below each other."""
    columns: list[Extent] = []
    for x0, x1 in sorted((line.x0, line.x1) for line in lines):
        if columns and x0 < columns[-1][1]:
            columns[-1] = columns[-1][0], max(columns[-1][1], x1)
        else:
            columns.append((x0, x1))
    return columns


def _distance(line: Line, column: Extent) -> float:
    """Return how far a piece is from a column; below zero: how much of it is within it."""
    shared = min(line.x1, column[1]) - max(line.x0, column[0])
    return -shared if shared > 0 else abs(line.x0 - column[0])
