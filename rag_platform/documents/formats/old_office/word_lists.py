"""The style sheet and the lists of an old Word document (doc): [MS-DOC] 2.9.271, 2.9.144 and 2.9.131."""

import re
import struct

from rag_platform.documents.formats.office.word_styles import Level, Numbering
from rag_platform.documents.formats.old_office.word_properties import LEVELS, Properties, changed

_TITLE, _NORMAL = 0x3E, 0xFFF
_PARAGRAPHS = 1
"""The kind of style."""
_KINDS = {1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 23: "bullet", 255: "none"}


def style_sheet(data: bytes) -> dict[int, Properties]:
    """Return what each style of paragraphs says, by its number; an outline of -1 is the title's.

    Raises:
        struct.error, IndexError, KeyError: It is damaged.
    """
    own: dict[int, tuple[int, int, bytes]] = {}
    size, count, base = struct.unpack_from("<HHH", data)
    at = 2 + size
    for number in range(count):
        length = struct.unpack_from("<H", data, at)[0]
        if length:
            own[number] = _style(data[at + 2 : at + 2 + length], base)
        at += 2 + length + length % 2
    return {number: _inherited(number, own, LEVELS + 2) for number in own}


def _style(data: bytes, base: int) -> tuple[int, int, bytes]:
    """Return the kind of built-in style, the number of the one that it is based on, and what it changes."""
    built_in, kind = struct.unpack_from("<HH", data)
    at = base + 2 + 2 * struct.unpack_from("<H", data, base)[0] + 2
    at += at % 2
    changes = b""
    if kind & 0xF == _PARAGRAPHS and at + 4 <= len(data):
        changes = data[at + 4 : at + 2 + struct.unpack_from("<H", data, at)[0]]
    return built_in & 0xFFF, kind >> 4, changes


def _inherited(number: int, own: dict[int, tuple[int, int, bytes]], deepest: int) -> Properties:
    if number not in own or not deepest:
        return Properties()
    built_in, base, changes = own[number]
    about = Properties() if base == _NORMAL else _inherited(base, own, deepest - 1)
    if built_in == _TITLE:
        about = Properties(outline=-1)
    elif 1 <= built_in <= LEVELS:
        about = Properties(built_in - 1, about.list_number, about.list_level)
    return changed(about, changes)


def numbering(data: bytes, lists: tuple[int, int], used: tuple[int, int]) -> Numbering:
    """Return the lists of a document, by the number that its paragraphs say.

    Args:
        data: The stream of tables.
        lists: Place and length of the lists' definitions; those of their levels follow.
        used: The same of the list of those that are used.

    Raises:
        struct.error, IndexError: They are damaged.
    """
    found = Numbering()
    if not lists[1] or not used[1]:
        return found
    levels = _defined(data, *lists)
    for number in range(struct.unpack_from("<I", data, used[0])[0]):
        identity = struct.unpack_from("<i", data, used[0] + 4 + 16 * number)[0]
        found.add(str(number + 1), str(identity), levels.get(identity, {}))
    return found


def _defined(data: bytes, place: int, size: int) -> dict[int, dict[int, Level]]:
    found, at = {}, place + size
    for number in range(struct.unpack_from("<H", data, place)[0]):
        entry = place + 2 + 28 * number
        levels: dict[int, Level] = {}
        for level in range(1 if data[entry + 26] & 1 else LEVELS):
            levels[level], at = _level(data, at)
        found[struct.unpack_from("<i", data, entry)[0]] = levels
    return found


def _level(data: bytes, at: int) -> tuple[Level, int]:
    """Return a level of a list, and where the next one begins."""
    start, kind = struct.unpack_from("<iB", data, at)
    text = at + 28 + data[at + 24] + data[at + 25]
    length = struct.unpack_from("<H", data, text)[0]
    end = text + 2 + 2 * length
    shown = data[text + 2 : end].decode("utf-16-le", "replace")
    pattern = re.sub(r"[\x00-\x08]", lambda hole: f"%{ord(hole[0]) + 1}", shown)
    return Level(_KINDS.get(kind, "decimal"), pattern, start), end
