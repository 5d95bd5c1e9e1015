"""Captions that stand beside each other, as those of two figures do: each is read with the lines below it."""

from collections.abc import Sequence

from rag_platform.documents.formats.page_layout.boxes import Line
from rag_platform.documents.formats.page_layout.page_tables import visual_rows
from rag_platform.text.notation.captions import CAPTION

_NEAR = 0.5
"""Times the height of a line: what is farther below a caption does not belong to it."""


def captions_apart(lines: Sequence[Line]) -> list[Line]:
    """Return lines in their order, but captions that begin at one height one after the other, each whole."""
    ordered = list(lines)
    if sum(is_caption(line) for line in lines) < 2:
        return ordered
    rows = visual_rows(lines)
    for place, row in enumerate(rows):
        if len(columns := _columns(row)) > 1:
            _add_below(columns, rows[place + 1 :])
            captions = [line for column in columns for line in column]
            moved = set(map(id, captions))
            first = next(number for number, line in enumerate(ordered) if id(line) in moved)
            ordered = [line for line in ordered if id(line) not in moved]
            ordered[first:first] = captions
    return ordered


def is_caption(line: Line) -> bool:
    """Return whether a caption begins with this line."""
    return bool(CAPTION.match(line.text))


def _columns(row: Sequence[Line]) -> list[list[Line]]:
    """Return the captions of a row, each with the pieces beside it; none when something else begins the row."""
    columns: list[list[Line]] = []
    for line in row:
        if is_caption(line):
            columns.append([line])
        elif columns:
            columns[-1].append(line)
        else:
            return []
    return columns


def _add_below(columns: list[list[Line]], rows: Sequence[Sequence[Line]]) -> None:
    """Add the rows that go on closely below captions, as long as each piece stands under one of them alone."""
    extents = [(column[0].x0, max(line.x1 for line in column)) for column in columns]
    under = [line for column in columns for line in column]
    for row in rows:
        far = min(line.top for line in row) - max(line.bottom for line in under)
        owners = [[column for column, (x0, x1) in zip(columns, extents, strict=True) if line.x0 < x1 and x0 < line.x1]
                  for line in row]  # fmt: skip
        if far > _NEAR * (under[0].bottom - under[0].top) or any(len(found) != 1 for found in owners):
            return
        for line, found in zip(row, owners, strict=True):
            found[0].append(line)
        under = list(row)
