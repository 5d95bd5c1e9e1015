"""Tables whose cells stand between ruling lines."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Rule, Word
from rag_platform.documents.formats.page_layout.page_tables import MARKER, Table, spread, visual_rows

Flags = NDArray[np.bool_]

_MOST_RULES = 500
"""Ruling lines; a page with more of them is a drawing."""
_NEAR = 3.0
"""Points; lines this close are one."""
_ROWS, _COLUMNS = 3, 2
"""Lines that are the least around cells."""
_LONGEST_CELL = 150
"""Characters that ruled cells hold on average; boxes with more are the page's layout."""
_CROSSED, _FEW_CROSSED = 0.05, 2
"""Of the words in a table, and at least: more words that lines run through do not stand in cells."""


def ruled_tables(page: Page) -> tuple[list[Table], list[Line]]:
    """Return the tables whose cells are ruled, and the lines that are in none."""
    rest, tables = list(page.lines), []
    if not page.lines or len(page.horizontal) + len(page.vertical) > _MOST_RULES:
        return [], rest
    if len(_places(page.horizontal)) < _ROWS or len(_places(page.vertical)) < _COLUMNS:
        return [], rest
    for horizontal, vertical in _grids(page):
        table = _fill(horizontal, vertical, rest)
        if table:
            tables.append(table)
            taken = set(map(id, table.lines))
            rest = [line for line in rest if id(line) not in taken]
    return tables, rest


def _grids(page: Page) -> list[tuple[list[Rule], list[Rule]]]:
    """Group the lines that touch each other; two rows of two cells are the least that counts."""
    rules = [("h", (left - _NEAR, y - _NEAR, right + _NEAR, y + _NEAR), (y, left, right))
             for y, left, right in _joined(page.horizontal)]  # fmt: skip
    rules += [("v", (x - _NEAR, top - _NEAR, x + _NEAR, bottom + _NEAR), (x, top, bottom))
              for x, top, bottom in _joined(page.vertical)]  # fmt: skip
    grids = []
    for group in _touching([box for _, box, _ in rules]):
        horizontal, vertical = ([rules[n][2] for n in group if rules[n][0] == wanted] for wanted in "hv")
        if len(_places(horizontal)) >= _ROWS and len(_places(vertical)) >= _COLUMNS:
            grids.append((horizontal, vertical))
    return grids


def _touching(boxes: Sequence[Box]) -> list[list[int]]:
    """Group the numbers of boxes that touch each other, directly or through others."""
    left, top, right, bottom = np.array(boxes).T
    begins = (left[:, None] <= right) & (top[:, None] <= bottom)
    touching, first = begins & begins.T, np.arange(len(boxes))
    while ((found := np.where(touching, first, len(boxes)).min(axis=1)) != first).any():
        first = found[found]
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for number, known in enumerate(first.tolist()):
        groups[known].append(number)
    return [*groups.values()]


def _joined(rules: Sequence[Rule]) -> list[Rule]:
    """Make one rule of those that go on from each other, as the edges of the cells of a row do."""
    joined: list[Rule] = []
    for place, start, end in sorted((round(place, 1), start, end) for place, start, end in rules):
        last = joined[-1] if joined else None
        if last and place == last[0] and start <= last[2] + _NEAR:
            joined[-1] = place, last[1], max(end, last[2])
        else:
            joined.append((place, start, end))
    return joined


def _places(rules: Sequence[Rule]) -> list[float]:
    """Return the different places of parallel lines."""
    places: list[float] = []
    for place, _, _ in sorted(rules):
        if not places or place - places[-1] > _NEAR:
            places.append(place)
    return places


@dataclass(frozen=True, slots=True)
class _Grid:
    """The cells between ruling lines."""

    xs: list[float]
    ys: list[float]
    horizontal: list[Rule]
    vertical: list[Rule]

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return the row and the column of a place."""
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        return min(max(row, 0), len(self.ys) - 2), min(max(column, 0), len(self.xs) - 2)

    def open_cells(self) -> tuple[Flags, Flags]:
        """Return, of each cell, whether nothing is drawn between it and the one below it, and the one right of it."""
        below = _walls(self.ys[1:], self.xs, self.horizontal)
        return ~below, ~_walls(self.xs[1:], self.ys, self.vertical).T


def _walls(edges: Sequence[float], bounds: Sequence[float], rules: Sequence[Rule]) -> Flags:
    """Return whether a rule runs along each edge (a row) past the middle of each two bounds (a column)."""
    place, start, end = np.array(rules).T
    middles = (np.array(bounds)[:-1] + np.array(bounds)[1:])[:, None] / 2
    near = np.abs(place - np.array(edges)[:, None]) <= _NEAR
    past: Flags = (start - _NEAR <= middles) & (middles <= end + _NEAR)
    found: Flags = near @ past.T
    return found


def _fill(horizontal: list[Rule], vertical: list[Rule], lines: Sequence[Line]) -> Table | None:
    """Put the text between the lines; None when they frame something else."""
    ys, xs = _places(horizontal), _places(vertical)
    left, right = min(rule[1] for rule in horizontal), max(rule[2] for rule in horizontal)
    xs = [*([left] if left < xs[0] - 2 * _NEAR else []), *xs, *([right] if right > xs[-1] + 2 * _NEAR else [])]
    inside = [line for line in lines if ys[0] < line.middle < ys[-1]
              and xs[0] - _NEAR < line.x0 and line.x1 < xs[-1] + _NEAR]  # fmt: skip
    if len(xs) < 3 or not inside or _crossed(inside, vertical):
        return None
    grid = _Grid(xs, ys, horizontal, vertical)
    cells: list[list[list[Line]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    for line in inside:
        for piece in _cut(line, vertical):
            row, column = grid.cell(piece.x0 + _NEAR, line.middle)
            cells[row][column].append(piece)
    used = [column for column in range(len(xs) - 1) if any(row[column] for row in cells)]
    texts = [[" ".join(piece.text for piece in cell) for cell in row] for row in cells]
    if not _plausible([[row[column] for column in used] for row in texts if any(row)]):
        return None
    rows = [
        tuple(row[column] for column in used)
        for pieces, whole in zip(cells, _merged(grid, texts), strict=True)
        if any(pieces)
        for row in (_rows_within(pieces) or [whole])
        if any(row)
    ]
    return Table(tuple(rows), tuple(inside))


def _crossed(lines: Sequence[Line], vertical: Sequence[Rule]) -> bool:
    """Return whether the upright lines run through words: then they are of a picture behind the text."""
    words = [word for line in lines for word in line.words]
    boxes, rules = np.array([(word.x0, word.x1, word.middle) for word in words]), np.array(vertical)
    x0, x1, middle = boxes.T[:, :, None]
    place, top, bottom = rules.T
    through = (x0 + _NEAR < place) & (place < x1 - _NEAR) & (top < middle) & (middle < bottom)
    return bool(np.count_nonzero(through.any(axis=1)) > max(_FEW_CROSSED, _CROSSED * len(words)))


def _plausible(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether this is a table: several cells in several rows, few of them empty, none of them a page's part."""
    filled = [cell for row in rows for cell in row if cell]
    several = sum(sum(map(bool, row)) >= 2 for row in rows)
    if len(rows) < 2 or len(rows[0]) < 2 or several < 2 or len(filled) < 0.3 * len(rows) * len(rows[0]):
        return False
    return sum(map(len, filled)) <= _LONGEST_CELL * len(filled)


def _merged(grid: _Grid, texts: list[list[str]]) -> list[list[str]]:
    """Say in each part of a merged cell what the cell says, where it names columns or rows.

    Cells with nothing drawn between them are one. A name of columns is said once in each of them, one of rows once in
    each of these, and a cell across all columns is a title, which is said once.
    """
    merged = [list(row) for row in texts]
    groups = [*_groups(grid)]
    head = _header_rows(texts, groups)
    for whole in groups:
        if not (group := [(row, column) for row, column in whole if any(texts[row])]):  # rows without text are left out
            continue
        said = [texts[row][column] for row, column in group]
        columns = {column for _, column in group}
        alone, upright = sum(map(bool, said)) == 1, len(columns) == 1
        names = group[0][0] <= head or (upright and max(columns) < _STUB)
        if names and any(said) and (alone or upright) and len(columns) < len(grid.xs) - 1:
            for (row, column), text in zip(group, spread(said), strict=True):
                merged[row][column] = text if row == group[0][0] or row > head else ""
    return merged


_STUB = 2
"""Columns at the left that may name several rows together."""
_FULL = 0.6
"""Of the cells of a row that is no header of several columns."""


def _header_rows(texts: list[list[str]], groups: Sequence[Sequence[tuple[int, int]]]) -> int:
    """Return the place of the last row of the header; -1 when there is none.

    It is the first with a name for most columns, or what is above a row whose cells are merged as in the one above it:
    names of several columns stand above narrower ones.
    """
    used = sum(any(row[column] for row in texts) for column in range(len(texts[0])))
    merged = [{(group[0][1], group[-1][1]) for group in groups
               if group[0][0] == row and group[0][1] < group[-1][1]} for row in range(len(texts))]  # fmt: skip
    for place, row in enumerate(texts):
        if place and merged[place] and merged[place] == merged[place - 1]:
            return place - 1
        if sum(map(bool, row)) > _FULL * used:
            return place
    return -1


def _groups(grid: _Grid) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of the cells that are one, in the order of their rows."""
    below, right = grid.open_cells()
    left = {(row, column) for row in range(len(grid.ys) - 1) for column in range(len(grid.xs) - 1)}
    while left:
        edge, group = [left.pop()], []
        while edge:
            row, column = edge.pop()
            group.append((row, column))
            near = [
                ((row, column + 1), right[row, column]),
                ((row, column - 1), column and right[row, column - 1]),
                ((row + 1, column), below[row, column]),
                ((row - 1, column), row and below[row - 1, column]),
            ]
            found = [one for one, opened in near if opened and one in left]
            left -= set(found)
            edge += found
        if len(group) > 1:
            yield sorted(group)


_FEW_ROWS = 3
_CELL = 28
"""Characters; most cells of rows that are not parted are shorter, and lines of a paragraph longer."""


def _rows_within(cells: list[list[Line]]) -> list[list[str]]:
    """Return the rows of text between two ruling lines where these do not part each row; none when they do."""
    pieces = [piece for cell in cells for piece in cell]
    column = {id(piece): place for place, cell in enumerate(cells) for piece in cell}
    rows = [[" ".join(piece.text for piece in row if column[id(piece)] == place) for place in range(len(cells))]
            for row in visual_rows(pieces)]  # fmt: skip
    used = [place for place, cell in enumerate(cells) if cell]
    full = all(row[used[0]] and sum(map(bool, row)) > 0.6 * len(used) for row in rows)
    texts = [text for row in rows for text in row if text]
    short = median(map(len, texts)) <= _CELL and not any(MARKER.fullmatch(text.split()[0]) for text in texts)
    return rows if full and short and len(rows) >= _FEW_ROWS and len(used) > 1 else []


def _cut(line: Line, vertical: Sequence[Rule]) -> list[Line]:
    """Cut a line where a ruling line runs between two words."""
    edges = sorted([x for x, top, bottom in vertical if line.x0 < x < line.x1
                    and top - _NEAR <= line.middle <= bottom + _NEAR])  # fmt: skip
    if not edges:
        return [line]
    pieces: dict[int, list[Word]] = {}
    for word in line.words:
        pieces.setdefault(bisect_right(edges, (word.x0 + word.x1) / 2), []).append(word)
    return [Line(words) for words in pieces.values()]
