"""Tables of a page: cells between ruling lines, or columns of short pieces below each other."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import median

from rag_platform.documents.formats.page_layout.boxes import Box, Line, Page, Rule, Word

_MOST_RULES = 500
"""Ruling lines; a page with more of them is a drawing."""
_NEAR = 3.0
"""Points; lines this close are one."""
_LONGEST_CELL = 150
"""Characters that ruled cells hold on average; boxes with more are the page's layout."""
_CELL = 28
"""Characters; most cells of a table without ruling lines are shorter."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of cells, and the lines of text that they were made from."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[Line, ...]

    @property
    def words(self) -> list[Word]:
        """All its words."""
        return [word for line in self.lines for word in line.words]

    @property
    def markdown(self) -> str:
        """The table in Markdown."""
        head, *body = (f"| {' | '.join(map(_cell, row))} |" for row in self.rows)
        return "\n".join([head, "|" + " --- |" * len(self.rows[0]), *body])

    def mirrored(self) -> "Table":
        """Return it with the right column first."""
        return Table(tuple(row[::-1] for row in self.rows), self.lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def visual_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Group lines at the same height, from the top down and from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (line.top + line.bottom) / 2):
        middle, height = (line.top + line.bottom) / 2, line.bottom - line.top
        first = rows[-1][0] if rows else None
        if first and abs(middle - (first.top + first.bottom) / 2) < 0.5 * max(min(height, first.bottom - first.top), 1):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) for row in rows]


# --- between ruling lines ---------------------------------------------------------------------------


def ruled_tables(page: Page) -> tuple[list[Table], list[Line]]:
    """Return the tables whose cells are ruled, and the lines that are in none."""
    rest, tables = list(page.lines), []
    if not page.lines or len(page.horizontal) + len(page.vertical) > _MOST_RULES:
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
             for y, left, right in page.horizontal]  # fmt: skip
    rules += [("v", (x - _NEAR, top - _NEAR, x + _NEAR, bottom + _NEAR), (x, top, bottom))
              for x, top, bottom in page.vertical]  # fmt: skip
    grids = []
    while rules:
        group, edge = [], [rules.pop()]
        while edge:
            _, box, _ = now = edge.pop()
            group.append(now)
            touched = [rule for rule in rules if _touch(box, rule[1])]
            rules = [rule for rule in rules if not _touch(box, rule[1])]
            edge += touched
        parts = [[rule for kind, _, rule in group if kind == wanted] for wanted in "hv"]
        if len(_places(parts[0])) >= 3 and len(_places(parts[1])) >= 2:
            grids.append((parts[0], parts[1]))
    return grids


def _touch(one: Box, other: Box) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


def _places(rules: Sequence[Rule]) -> list[float]:
    """Return the different places of parallel lines."""
    places: list[float] = []
    for place, _, _ in sorted(rules):
        if not places or place - places[-1] > _NEAR:
            places.append(place)
    return places


def _fill(horizontal: list[Rule], vertical: list[Rule], lines: Sequence[Line]) -> Table | None:
    """Put the text between the lines; None when they frame something else."""
    ys, xs = _places(horizontal), _places(vertical)
    left, right = min(rule[1] for rule in horizontal), max(rule[2] for rule in horizontal)
    xs = [*([left] if left < xs[0] - 2 * _NEAR else []), *xs, *([right] if right > xs[-1] + 2 * _NEAR else [])]
    inside = [line for line in lines if ys[0] < (line.top + line.bottom) / 2 < ys[-1]
              and xs[0] - _NEAR < line.x0 and line.x1 < xs[-1] + _NEAR]  # fmt: skip
    if len(xs) < 3 or not inside:
        return None
    cells: list[list[list[str]]] = [[[] for _ in xs[1:]] for _ in ys[1:]]
    for line in inside:
        row = cells[min(bisect_right(ys, (line.top + line.bottom) / 2), len(ys) - 1) - 1]
        for piece in _cut(line, vertical):
            start = min(word.x0 for word in piece) + _NEAR
            row[min(max(bisect_right(xs, start), 1), len(xs) - 1) - 1].append(" ".join(word.text for word in piece))
    rows = [tuple(" ".join(cell) for cell in row) for row in cells]
    return _plausible(rows, inside)


def _plausible(rows: list[tuple[str, ...]], lines: list[Line]) -> Table | None:
    used = [column for column in range(len(rows[0])) if any(row[column] for row in rows)]
    rows = [tuple(row[column] for column in used) for row in rows if any(row)]
    filled = [cell for row in rows for cell in row if cell]
    several = sum(sum(map(bool, row)) >= 2 for row in rows)
    if len(rows) < 2 or len(used) < 2 or several < 2 or len(filled) < 0.3 * len(rows) * len(used):
        return None
    if sum(map(len, filled)) > _LONGEST_CELL * len(filled):
        return None
    return Table(tuple(rows), tuple(lines))


def _cut(line: Line, vertical: Sequence[Rule]) -> list[list[Word]]:
    """Cut a line where a ruling line runs between two words."""
    middle = (line.top + line.bottom) / 2
    edges = sorted(x for x, top, bottom in vertical if top - _NEAR <= middle <= bottom + _NEAR)
    pieces: dict[int, list[Word]] = {}
    for word in line.words:
        pieces.setdefault(bisect_right(edges, (word.x0 + word.x1) / 2), []).append(word)
    return list(pieces.values())


# --- without ruling lines ---------------------------------------------------------------------------


def aligned_tables(rows: list[list[Line]]) -> list[Table]:
    """Find runs of three or more rows whose pieces are aligned in columns."""
    tables, start = [], 0
    while start < len(rows):
        end = _run(rows, start)
        table = _align(rows[start:end]) if end - start >= 3 else None
        if table:
            tables.append(table)
        start = end if table else start + 1
    return tables


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


def _align(rows: list[list[Line]]) -> Table | None:
    columns = _columns(rows)
    if len(columns) < 2:
        return None
    cells = []
    for row in rows:
        texts = [""] * len(columns)
        for line in row:
            place = min(range(len(columns)), key=lambda place: _distance(line, columns[place]))
            texts[place] = f"{texts[place]} {line.text}".strip()
        cells.append(tuple(texts))
    return Table(tuple(cells), tuple(chain.from_iterable(rows))) if _tabular(cells) else None


def _tabular(cells: list[tuple[str, ...]]) -> bool:
    """Return whether these are short cells in full rows: not a list, nor formulas or the labels of a figure."""
    filled = [cell for row in cells for cell in row if cell]
    if sum(sum(map(bool, row)) >= 2 for row in cells) < 3 or len(filled) < 0.55 * len(cells) * len(cells[0]):
        return False
    if median(map(len, filled)) > _CELL:
        return False
    sides = [[row[side] for row in cells if row[side]] for side in (0, -1)]
    return not any(all(map(_MARKER.fullmatch, side)) for side in sides)


_MARKER = re.compile(r"[•·▪▫◦‣●○■□–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]")


def _columns(rows: list[list[Line]]) -> list[tuple[float, float]]:
    """Return the extents of the columns: those of the rows with most pieces that agree with each other."""
    counts = Counter(len(row) for row in rows if len(row) >= 2)
    for count in sorted(counts, reverse=True):
        if counts[count] < max(2, 0.3 * len(rows)):
            continue
        columns: list[tuple[float, float]] = []
        for x0, x1 in sorted((line.x0, line.x1) for row in rows if len(row) == count for line in row):
            if columns and x0 < columns[-1][1]:
                columns[-1] = columns[-1][0], max(columns[-1][1], x1)
            else:
                columns.append((x0, x1))
        if len(columns) == count:
            return columns
    return []


def _distance(line: Line, column: tuple[float, float]) -> float:
    """Return how far a piece is from a column; below zero: how much of it is within it."""
    shared = min(line.x1, column[1]) - max(line.x0, column[0])
    return -shared if shared > 0 else abs(line.x0 - column[0])
