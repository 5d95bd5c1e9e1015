"""Properties of paragraphs in an old Word document (doc): the changes that [MS-DOC] 2.2.5 calls Prls."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rag_platform.documents.formats.old_office.word_tables import layout

_OUTLINE, _LIST_LEVEL, _LIST, _IN_TABLE, _ROW_END = 0x2640, 0x260A, 0x460B, 0x2416, 0x2417
_ELSEWHERE = (0x6645, 0x6646)
"""These say where all others lie that are too long to lie here: those of a row of many cells."""
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of an operand, by the upper three bits of what it changes."""
_VARIABLE, _WIDE = 6, 0xD608
"""The operand of these begins with its length: one byte, of a table's definition two."""
_BODY = 9
"""The outline level of what is no heading."""
LEVELS = 9


@dataclass(frozen=True, slots=True)
class Properties:
    """What is known of a paragraph or of a style."""

    outline: int | None = None
    """Of headings, from 0; at least 9: it is none; None: not said."""
    list_number: int | None = None
    """Of its list in the document, from 1; 0: in none; None: not said."""
    list_level: int = 0
    """From 0."""
    in_table: bool = False
    ends_row: bool = False
    """Whether it is no text, but the mark behind the last cell of a table's row."""

    row: str = ""
    """The layout of that row, if it is told."""

    @property
    def heading(self) -> int | None:
        """The level of heading that it makes, from 1; None: none."""
        return self.outline + 1 if self.outline is not None and self.outline < _BODY else None


def changed(about: Properties, changes: bytes) -> Properties:
    """Return properties as these changes leave them.

    Raises:
        struct.error, IndexError: They are damaged.
    """
    for what, operand in _changes(changes):
        if what == _OUTLINE:
            about = replace(about, outline=operand[0])
        elif what == _LIST:
            about = replace(about, list_number=struct.unpack_from("<H", operand)[0])
        elif what == _LIST_LEVEL:
            about = replace(about, list_level=min(operand[0], LEVELS - 1))
        elif what == _IN_TABLE:
            about = replace(about, in_table=bool(operand[0]))
        elif what == _ROW_END:
            about = replace(about, ends_row=bool(operand[0]))
        elif what == _WIDE:
            about = replace(about, row=layout(operand))
        elif what in _ELSEWHERE:
            about = replace(about, ends_row=True)
    return about


def _changes(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 2 < len(data):
        what = struct.unpack_from("<H", data, at)[0]
        at += 2
        if what == _WIDE:
            size = struct.unpack_from("<H", data, at)[0] + 1
        else:
            size = data[at] + 1 if what >> 13 == _VARIABLE else _SIZES[what >> 13]
        yield what, data[at : at + size]
        at += size
