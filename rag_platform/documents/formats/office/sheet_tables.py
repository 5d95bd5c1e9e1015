"""The cells of a sheet to Markdown: cut at empty rows and columns into tables, each with its title."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby

from rag_platform.documents.formats.markdown_writer import link, paragraph, table

MOST_ROWS = 20_000
"""Rows of a sheet that become text."""
MOST_CELLS = 1_000_000
_EXACT = 1e16
"""Below it a whole number has no more digits than are stored; of others 15 are, as in Excel: the rest is noise."""

Grid = Sequence[Sequence[str]]
Range = tuple[tuple[int, int], tuple[int, int]]
"""The first and the last cell: row, column."""
Links = Mapping[tuple[int, int], Sequence[tuple[str, str]]]
"""By the row and column of a cell the words that lead elsewhere and the addresses; "": all of its words do."""


def most_rows(width: int) -> int:
    """Return how many rows of a sheet of so many columns are read."""
    return min(MOST_ROWS, max(MOST_CELLS // max(width, 1), 1))


def sheet_blocks(values: Sequence[Sequence[object]], merged: Sequence[Range], links: Links | None = None) -> list[str]:
    """Return the tables of a sheet, whose cells are as their library gives them."""
    grid = [[shown(value) for value in row] for row in values]
    for (row, column), found in (links or {}).items():
        if 0 <= row < len(grid) and column < len(grid[row]):  # -1: it does not say
            grid[row][column] = _linked(grid[row][column], found)
    _spread(grid, merged)
    return [block for part in _parts(grid) for block in _blocks(part)]


def shown(value: object) -> str:
    """Return a cell as people see it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return " ".join(str(value).split())


def _linked(text: str, links: Sequence[tuple[str, str]]) -> str:
    for words, address in links:
        told = words if words and words in text else text or words
        text = text.replace(told, link(told, address), 1) if text else link(told, address)
    return text


def _spread(grid: list[list[str]], merged: Sequence[Range]) -> None:
    """Write a merged cell's value into every place that it covers."""
    for (top, left), (bottom, right) in merged:
        if top >= len(grid) or left >= len(grid[top]) or (bottom - top + 1) * (right - left + 1) > MOST_ROWS:
            continue
        for row in grid[top : bottom + 1]:
            row[left : right + 1] = [grid[top][left]] * len(row[left : right + 1])


def _parts(grid: Grid) -> Iterator[Grid]:
    """Cut a sheet at its empty rows, then at the empty columns that separate tables side by side."""
    for filled, rows in groupby(grid, key=any):
        if not filled:
            continue
        block = list(rows)
        used = [any(column) for column in zip(*block, strict=True)]
        spans = _spans(used)
        if len(spans) > 1 and all(right - left > 1 for left, right in spans) and len(block) > 1:
            for left, right in spans:
                yield from _parts([row[left:right] for row in block])
        else:
            yield [[value for value, filled in zip(row, used, strict=True) if filled] for row in block]


def _spans(used: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the runs of columns in use."""
    found, place = [], 0
    for filled, run in groupby(used):
        length = len(list(run))
        if filled:
            found.append((place, place + length))
        place += length
    return found


def _blocks(rows: Grid) -> Iterator[str]:
    """Yield a block's title, a lone cell or one merged over the whole width, then the table."""
    first = 0
    while first < len(rows) and len(set(rows[first])) == 1:
        if len(rows[first]) == 1 and len(rows) > 1:  # a table of one column
            break
        yield paragraph(rows[first][0])
        first += 1
    yield table(rows[first:])
