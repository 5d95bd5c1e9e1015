"""Tables on slides of old PowerPoint: groups of shapes, of which each is a cell."""

import struct
from collections.abc import Iterator

from rag_platform.documents.formats.markdown_writer import table

GROUP = 0xF003
_SHAPE, _PLACE, _TEXTS = 0xF004, 0xF00F, 0xF00D
_MORE_PROPERTIES, _IS_TABLE = 0xF122, 0x039F
"""[MS-ODRAW] 2.3.4.36: the lowest bit of this property of a group says that it is a table."""
_WIDE, _NARROW = 4000, 4008
_MOST = 10_000
"""Cells: PowerPoint makes tables of at most 75 rows and columns."""

Record = tuple[int, int, int, bytes]


def slide_table(group: bytes) -> str | None:
    """Return the table that a group of shapes is, a merged cell in each place that it covers.

    None: it is none, or larger than those of slides.
    """
    shapes = [content for kind, _, content in records(group) if kind == _SHAPE]
    if not shapes or not _is_table(shapes[0]):
        return None
    cells = [cell for shape in shapes[1:] if (cell := _cell(shape))]
    columns, rows = (sorted({cell[0][side] for cell in cells}) for side in (0, 1))
    if len(cells) > _MOST or len(rows) * len(columns) > _MOST:
        return None
    grid = [[""] * len(columns) for _ in rows]
    for (left, top, right, bottom), text in cells:
        for row, above in enumerate(rows):
            for column, before in enumerate(columns):
                if top <= above < bottom and left <= before < right:
                    grid[row][column] = text
    return table(grid)


def records(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the kind, the instance and the content of each record: [MS-PPT] 2.3.1."""
    at = 0
    while at + 8 <= len(data):
        version, kind, length = struct.unpack_from("<HHI", data, at)
        yield kind, version >> 4, data[at + 8 : at + 8 + length]
        at += 8 + length


def _is_table(shape: bytes) -> bool:
    for kind, count, content in records(shape):
        if kind == _MORE_PROPERTIES:
            pairs = (struct.unpack_from("<HI", content, 6 * at) for at in range(min(count, len(content) // 6)))
            return any(name & 0x3FFF == _IS_TABLE and value & 1 for name, value in pairs)
    return False


def _cell(shape: bytes) -> tuple[tuple[int, ...], str] | None:
    """Return where a shape lies (left, top, right, bottom) and what it says; None for a line of the grid."""
    parts = {kind: content for kind, _, content in records(shape)}
    place = parts.get(_PLACE, b"")
    if len(place) < 16 or _TEXTS not in parts:
        return None
    texts = (
        content.decode("utf-16-le" if kind == _WIDE else "cp1252", "replace")
        for kind, _, content in records(parts[_TEXTS])
        if kind in (_WIDE, _NARROW)
    )
    return struct.unpack_from("<4i", place), " ".join(" ".join(texts).split())
