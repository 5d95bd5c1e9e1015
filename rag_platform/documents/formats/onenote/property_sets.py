"""Objects and their properties: [MS-ONESTORE] 2.6."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.onenote.cursor import Cursor

Id = tuple[bytes, int]
"""An extended GUID."""
Properties = Mapping[int, object]
"""By their number, without the type: a flag, a number, bytes, ids (of objects or of spaces), or sets of properties."""

_SIZES = {3: 1, 4: 2, 5: 4, 6: 8}
"""Bytes of the types that have one size; 1 and 2 have no data beside the id."""
_SIMPLE, _FLAG, _BYTES, _SETS, _SET = 1, 2, 7, 0x10, 0x11
_OBJECTS, _SPACES, _CONTEXTS = (8, 9), (10, 11), (12, 13)


@dataclass(frozen=True, slots=True)
class Node:
    """An object: its kind (a JCID, [MS-ONE] 2.1.13), and what it says or holds."""

    kind: int
    properties: Callable[[], Properties] = dict
    file: bytes | None = None
    """Of a container of a file; None: it is no container, or the file is not in the section."""


@dataclass(slots=True)
class Space:
    """An object space, such as a page: its objects as they are now."""

    objects: dict[Id, Node] = field(default_factory=dict)
    roots: dict[int, Id] = field(default_factory=dict)
    """By role: 1 is the content, 2 what is told of it."""


@dataclass(frozen=True, slots=True)
class Store:
    """A section: its object spaces."""

    root: Hashable
    space: Callable[[Hashable], Space | None]


def read_properties(
    data: bytes,
    resolve: Callable[[int], Id],
    objects: list[Id] | None = None,
    spaces: list[Hashable] | None = None,
) -> Properties:
    """Return the properties of an object.

    Args:
        data: An ObjectSpaceObjectPropSet ([MS-ONESTORE] 2.6.1).
        resolve: What a CompactID stands for.
        objects: What it refers to, where that is told beside `data`.
        spaces: The same of object spaces.

    Raises:
        ExtractionError: It is damaged.
    """
    cursor = Cursor(data)
    streams: list[list[int]] = [[], [], []]
    wanted = 1
    for number in range(3):
        if wanted:
            head = cursor.number(4)
            streams[number] = [cursor.number(4) for _ in range(head & 0xFFFFFF)]
            more, no_spaces = head >> 30 & 1, head >> 31
        wanted = not no_spaces if number == 0 else more
    told = (
        iter(objects if objects is not None else map(resolve, streams[0])),
        iter(spaces if spaces is not None else map(resolve, streams[1])),
        iter(map(resolve, streams[2])),
    )
    return dict(_set(cursor, told))


def _set(cursor: Cursor, told: tuple[Iterator[Hashable], ...]) -> Iterator[tuple[int, object]]:
    ids = [cursor.number(4) for _ in range(cursor.number(2))]
    for one in ids:
        yield one & 0x3FFFFFF, _value(one, cursor, told)


def _value(one: int, cursor: Cursor, told: tuple[Iterator[Hashable], ...]) -> object:
    kind = one >> 26 & 0x1F
    if kind in _SIZES:
        return cursor.number(_SIZES[kind])
    if kind in (_SIMPLE, _FLAG):
        return bool(one >> 31)
    if kind == _BYTES:
        return cursor.take(cursor.number(4))
    for place, kinds in enumerate((_OBJECTS, _SPACES, _CONTEXTS)):
        if kind in kinds:
            count = 1 if kind == kinds[0] else cursor.number(4)
            return list(islice(told[place], count))
    if kind == _SETS:
        count = cursor.number(4)
        if count:
            cursor.take(4)
        return [dict(_set(cursor, told)) for _ in range(count)]
    if kind == _SET:
        return [dict(_set(cursor, told))]
    raise ExtractionError(f"damaged: a property of the unknown type {kind}")
