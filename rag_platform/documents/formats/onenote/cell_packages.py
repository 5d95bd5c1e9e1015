"""Sections as OneDrive and SharePoint hand them out: [MS-ONESTORE] 2.8, of parts that [MS-FSSHTTPB] describes."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.onenote.cursor import Budget, Cursor
from rag_platform.documents.formats.onenote.property_sets import Id, Node, Properties, Space, Store, read_properties

_HEADER = 68
"""Bytes before the package."""
_NOWHERE: Id = (bytes(16), 0)
_ELEMENT, _BLOB = 0x01, 0x02
_REVISION_MAP, _CELL_MAP = 0x0D, 0x0E
_STORAGE_ROOT, _CELL_MANIFEST = 0x07, 0x0B
_REVISION, _ROOT, _GROUP = 0x1A, 0x0A, 0x19
_DECLARED, _DECLARED_BLOB = 0x18, 0x05
_DATA, _BLOB_NAMED, _EXCLUDED = 0x16, 0x1C, 0x03
_PROPERTIES, _FILE, _KIND = 1, 2, 4
"""What a part of an object is."""
_CONTENT, _KEY = 2, 3
"""The root that is the section's content; the role of the key of an encrypted one."""


@dataclass(slots=True)
class _Element:
    """A data element: what stands in it, as (type, data), one after the other."""

    parts: list[tuple[int, bytes]] = field(default_factory=list)

    def of(self, *kinds: int) -> Iterator[tuple[int, Cursor]]:
        return ((kind, Cursor(data)) for kind, data in self.parts if kind in kinds)


def read_cell_package(content: bytes) -> Store:
    """Return the object spaces of a section.

    Raises:
        ExtractionError: It is damaged, or a password protects it.
    """
    elements = dict(_elements(content))
    cells = {_cell(data): _id(data) for one in elements.values() for _, data in one.of(_CELL_MAP)}
    revisions = {_id(data): _id(data) for one in elements.values() for _, data in one.of(_REVISION_MAP)}
    roots = {_id(data)[1]: _cell(data) for one in elements.values() for _, data in one.of(_STORAGE_ROOT)}
    budget = Budget(content)

    def space(cell: Hashable) -> Space | None:
        return next((_space(elements, revisions, budget, *one) for one in cells.items() if one[0] == cell), None)

    return Store(roots.get(_CONTENT), space)


def _space(
    elements: dict[Id, _Element], revisions: dict[Id, Id], budget: Budget, cell: tuple[Id, Id], manifest: Id
) -> Space:
    """Return an object space in its current revision: what that one lacks is that of the revision before."""
    space, seen, nothing = Space(), set(), _Element()
    current = next((_id(data) for _, data in elements.get(manifest, nothing).of(_CELL_MANIFEST)), _NOWHERE)
    while current in revisions and current not in seen:
        seen.add(current)
        element, current = elements.get(revisions[current], nothing), _NOWHERE
        for kind, data in element.of(_REVISION, _ROOT, _GROUP):
            name = _id(data)
            if kind == _REVISION:
                current = _id(data)
            elif kind == _ROOT:
                space.roots.setdefault(name[1], _id(data))
            else:
                group = elements.get(name, nothing)
                budget.spend(sum(len(part) for _, part in group.parts))
                for name, node in _objects(elements, group, cell):
                    space.objects.setdefault(name, node)
    if _KEY in space.roots:
        raise ExtractionError("a password protects this section of OneNote")
    return space


def _objects(elements: dict[Id, _Element], group: _Element, cell: tuple[Id, Id]) -> Iterator[tuple[Id, Node]]:
    """Yield the objects of a group: each is declared in parts, whose data stand below in the same order."""
    parts: dict[Id, dict[int, Cursor]] = {}
    data = (one for _, one in group.of(_DATA, _BLOB_NAMED, _EXCLUDED))
    for (kind, declared), one in zip(group.of(_DECLARED, _DECLARED_BLOB), data, strict=False):
        name = _id(declared)
        if kind == _DECLARED_BLOB:
            _id(declared)
        parts.setdefault(name, {})[_compact(declared)] = one
    for name, of in parts.items():
        if _KIND in of and _PROPERTIES in of:
            _references(of[_KIND])
            kind = int.from_bytes(_bytes(of[_KIND]), "little")
            yield name, Node(kind, cache(partial(_properties, of[_PROPERTIES], cell)), _blob(elements, of.get(_FILE)))


def _properties(data: Cursor, cell: tuple[Id, Id]) -> Properties:
    objects, cells = _references(data)
    spaces: list[Hashable] = [one for one in cells if one[1] != cell[1]]
    return read_properties(_bytes(data), lambda _: _NOWHERE, objects, spaces)


def _blob(elements: dict[Id, _Element], data: Cursor | None) -> bytes | None:
    if data is None:
        return None
    _references(data)
    return next((_bytes(found) for _, found in elements.get(_id(data), _Element()).of(_BLOB)), None)


def _elements(content: bytes) -> Iterator[tuple[Id, _Element]]:
    """Yield the data elements of the package, each with all that stands in it."""
    cursor, element = Cursor(content, _HEADER), _Element()
    while cursor.left:
        begins = cursor.number(1)
        if begins & 1:  # where something ends
            cursor.take(begins >> 1 & 1)
            continue
        head = begins | cursor.number(3 if begins & 2 else 1) << 8
        kind, size = (head >> 3 & 0x3FFF, head >> 17) if begins & 2 else (head >> 3 & 0x3F, head >> 9)
        data = cursor.take(_compact(cursor) if size == 0x7FFF else size)
        if kind == _ELEMENT:
            element = _Element()
            yield _id(Cursor(data)), element
        element.parts.append((kind, data))


def _references(data: Cursor) -> tuple[list[Id], list[tuple[Id, Id]]]:
    return [_id(data) for _ in range(_compact(data))], [_cell(data) for _ in range(_compact(data))]


def _bytes(data: Cursor) -> bytes:
    return data.take(_compact(data))


def _cell(data: Cursor) -> tuple[Id, Id]:
    return _id(data), _id(data)


def _id(data: Cursor) -> Id:
    """Return an extended GUID ([MS-FSSHTTPB] 2.2.1.7): the lowest bit that is set tells how long its number is."""
    first = data.number(1)
    if not first:
        return _NOWHERE
    for mark, more, shift in ((4, 0, 3), (32, 1, 6), (64, 2, 7), (128, 4, 8)):
        if first & (2 * mark - 1) == mark:
            number = first >> shift | data.number(more) << 8 - shift
            return data.take(16), number
    raise ExtractionError(f"damaged: an id that begins with the byte {first}")


def _compact(data: Cursor) -> int:
    """Return a number of variable size ([MS-FSSHTTPB] 2.2.1.1): the lowest bit that is set tells it."""
    first = data.number(1)
    if not first:
        return 0
    bits = (first & -first).bit_length()
    return data.number(8) if bits == 8 else (first | data.number(bits - 1) << 8) >> bits
