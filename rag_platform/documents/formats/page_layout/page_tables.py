"""Tables of a page, whatever shows where their cells are, and what goes on of one on the next page."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rag_platform.documents.formats.page_layout.boxes import Line, Word

MARKER = re.compile(r"[•·▪▫◦‣●○■□–—*-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]")
"""What a point of a list begins with."""
_REPEATED = 80
"""Characters; what a cell over several rows or columns says is said in each of them, unless it is longer."""
_SAME_PLACE = 20.0
"""Points between the edges of a table and those of what goes on of it on the next page."""


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
    for line in sorted(lines, key=lambda line: line.middle):
        height = line.bottom - line.top
        first = rows[-1][0] if rows else None
        if first and abs(line.middle - first.middle) < 0.5 * max(min(height, first.bottom - first.top), 1):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.x0) if len(row) > 1 else row for row in rows]


def spread(texts: Sequence[str]) -> list[str]:
    """Return what each part of a merged cell says: all of it, or the first part when that is long."""
    text = " ".join(filter(None, texts))
    return [text] * len(texts) if len(text) <= _REPEATED else [text, *[""] * (len(texts) - 1)]


def carry_headers(pages: Sequence[list[Any]]) -> None:
    """Give tables that go on from the page before the names of their columns."""
    for before, after in pairwise(pages):
        if before and after and isinstance(before[-1], Table) and isinstance(after[0], Table):
            table, rest = before[-1], after[0]
            if _goes_on(table, rest):
                after[0] = replace(rest, rows=(table.rows[0], *rest.rows))


def _goes_on(table: Table, rest: Table) -> bool:
    """Return whether these are the next rows of a table, without its header."""
    if len(table.rows[0]) != len(rest.rows[0]) or table.rows[0] == rest.rows[0] or not _in_one_place(table, rest):
        return False
    if _bold_top(table):
        return not _bold_top(rest)
    return any(
        not _NUMBER.search(name) and _NUMBER.search(first) and all(_NUMBER.search(row[place]) for row in table.rows[1:])
        for place, (name, first) in enumerate(zip(table.rows[0], rest.rows[0], strict=True))
    )


_NUMBER = re.compile(r"\d")


def _in_one_place(table: Table, rest: Table) -> bool:
    (left, right), (start, end) = (
        (min(line.x0 for line in one.lines), max(line.x1 for line in one.lines)) for one in (table, rest)
    )
    return abs(left - start) <= _SAME_PLACE and abs(right - end) <= 3 * _SAME_PLACE  # names are longer than numbers


def _bold_top(table: Table) -> bool:
    """Return whether the first row alone is in bold letters."""
    top = min(line.middle for line in table.lines)
    heads = [line.bold for line in table.lines if line.middle - top < line.bottom - line.top]
    return all(heads) and not all(line.bold for line in table.lines)
