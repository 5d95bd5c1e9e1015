"""A table -> what of it can be drawn: the column that names or dates its rows, against its numbers of one unit.

Nothing is drawn of a table that has no such columns, or more rows than one can read.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from rag_platform.text.notation.markdown_tables import Table
from rag_platform.text.notation.quantities import numeric_column

MOST_BARS, MOST_POINTS, MOST_SERIES = 30, 500, 4
_MARKS = re.compile(r"\*\*|__|`|\[\^?\w{1,4}\]|!?\[([^\]]*)\]\([^)]*\)")
_TOTAL = re.compile(
    r"(?:grand )?totals?|sum|summe|gesamt|insgesamt|suma|somme|ensemble|totale|合計|合计|कुल|जम्मा", re.IGNORECASE
)
_ID = re.compile(r"#|no\.?|nr\.?|id|pos\.?|rank|row|n[°º]|index|lfd\.? ?nr\.?", re.IGNORECASE)
_DATED = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:[ T]\d{2}:\d{2}.*)?")
_YEARS = range(1000, 2200)


@dataclass(frozen=True, slots=True)
class Series:
    """A column of numbers."""

    name: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class ChartChoice:
    """What to draw of a table."""

    labels: tuple[str, ...]
    """Of the rows, in their order; days as ISO 8601 where `dated`."""
    named: str
    """What the labels are."""
    dated: bool
    series: tuple[Series, ...]
    unit: str


def choose(table: Table) -> ChartChoice | None:
    """Return what of a table is worth a chart; None: nothing."""
    rows = [row for row in table.rows if not _TOTAL.fullmatch(_plain(row[0]).rstrip(":"))]
    if not 2 <= len(rows) <= MOST_POINTS:
        return None
    columns = [[_plain(row[place]) for row in rows] for place in range(len(table.head))]
    heads = [_plain(head) for head in table.head]
    at, days = _naming(heads, columns)
    if at is None or (not days and len(rows) > MOST_BARS):
        return None
    unit, series = _numbers(heads, columns, at)
    if not series:
        return None
    labels = tuple(days or columns[at])
    order = sorted(range(len(labels)), key=labels.__getitem__) if days else range(len(labels))
    sorted_series = tuple(Series(one.name, tuple(one.values[place] for place in order)) for one in series)
    return ChartChoice(tuple(labels[place] for place in order), heads[at], bool(days), sorted_series, unit)


def _plain(cell: str) -> str:
    return " ".join(_MARKS.sub(r"\1", cell).split())


def _naming(heads: Sequence[str], columns: Sequence[Sequence[str]]) -> tuple[int | None, list[str]]:
    """Return which column names the rows, and, where it dates them, their days."""
    for at, cells in enumerate(columns):
        if days := _days(cells):
            return at, days
    for at, cells in enumerate(columns):
        if _ID.fullmatch(heads[at]) or not all(cells):
            continue
        if numeric_column(heads[at], cells) is None and len(set(cells)) == len(cells):
            return at, []
    return None, []


def _days(cells: Sequence[str]) -> list[str]:
    """Return the days that a column of dates or years means; empty: it is none."""
    days = []
    for cell in cells:
        found = _DATED.fullmatch(cell)
        if not found or int(found[1]) not in _YEARS:
            return []
        try:
            days.append(date(int(found[1]), int(found[2] or 1), int(found[3] or 1)).isoformat())
        except ValueError:
            return []
    return days if len(set(days)) == len(days) else []


def _numbers(heads: Sequence[str], columns: Sequence[Sequence[str]], at: int) -> tuple[str, list[Series]]:
    """Return the unit of the first column of numbers, and all columns of that unit."""
    units: dict[str, list[Series]] = {}
    for place, cells in enumerate(columns):
        if place == at or _ID.fullmatch(heads[place]) or (place < at and _counts(cells)):
            continue
        if (found := numeric_column(heads[place], cells)) and sum(one is not None for one in found.values) > 1:
            units.setdefault(found.unit, []).append(Series(heads[place] or str(place + 1), found.values))
    unit = next(iter(units), "")
    return unit, _apart(units.get(unit, [])[:MOST_SERIES])


def _counts(cells: Sequence[str]) -> bool:
    """Tell whether a column only counts the rows."""
    return list(cells) in ([str(n) for n in range(first, first + len(cells))] for first in (0, 1))


def _apart(series: list[Series]) -> list[Series]:
    """Leave out series beside which the first could not be seen: without a unit they may count different things."""
    if not series:
        return []
    most = max(abs(value) for value in series[0].values if value is not None)

    def alike(one: Series) -> bool:
        own = max(abs(value) for value in one.values if value is not None)
        return most == own or (most > 0 and own > 0 and 1 / 50 <= own / most <= 50)

    return [one for one in series if alike(one)]
