"""Sections as OneNote keeps them on a disk: [MS-ONESTORE] 2.3 to 2.5.

Lists of nodes stand in chunks all over the file. Each object space has a list of its revisions, each revision groups
of objects that are new in it, and depends on one before it.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple
from uuid import UUID

from rag_platform.core.errors import ExtractionError
from rag_platform.documents.formats.onenote.cursor import Budget, Cursor
from rag_platform.documents.formats.onenote.property_sets import Id, Node, Properties, Space, Store, read_properties

_ROOT_LIST = 172
"""Where the header tells of the root list."""
_ROOT_SPACE, _SPACE, _REVISIONS, _FILES, _FILE = 0x04, 0x08, 0x10, 0x90, 0x94
_BEGINS, _ROLE, _ROOT, _GROUP, _ENCRYPTED = {0x1B: 8, 0x1E: 0, 0x1F: 0}, (0x5C, 0x5D), 0x5A, 0xB0, 0x7C
"""Numbers of nodes; of those that begin a revision, with the bytes between what it depends on and its role."""
_GUID, _OBJECT, _CONTAINER, _ENDS = 0x24, (0xA4, 0xA5, 0xC4, 0xC5), (0x72, 0x73), (0x00, 0xFF)
_NOWHERE: Id = (bytes(16), 0)
_CONTENT = 1


class _Chunk(NamedTuple):
    at: int
    size: int


@dataclass(slots=True)
class _Revision:
    before: Id
    groups: list[_Chunk] = field(default_factory=list)
    roots: dict[int, Id] = field(default_factory=dict)


def read_revision_store(content: bytes) -> Store:
    """Return the object spaces of a section.

    Raises:
        ExtractionError: It is damaged, or a password protects it.
    """
    return _File(content).store()


class _File:
    """The bytes of a section, and how much of them was read."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._budget = Budget(content)
        self._files: dict[bytes, _Chunk | None] = {}

    def store(self) -> Store:
        root, spaces = _NOWHERE, dict[Hashable, _Chunk]()
        head = Cursor(self._content, _ROOT_LIST)
        for number, chunk, data in self._nodes(_Chunk(head.number(8), head.number(4))):
            if number == _ROOT_SPACE:
                root = _id(data)
            elif number == _SPACE and chunk:
                spaces[_id(data)] = chunk
            elif number == _FILES and chunk:
                self._files |= {data.take(16): at for number, at, data in self._nodes(chunk) if number == _FILE}
        return Store(root, lambda name: self._space(spaces[name]) if name in spaces else None)

    def _space(self, chunk: _Chunk) -> Space:
        """Return an object space in its last revision; what that one lacks is that of the one that it depends on."""
        lists = [at for number, at, _ in self._nodes(chunk) if number == _REVISIONS and at]
        revisions, current = self._revisions(lists[-1]) if lists else ({}, _NOWHERE)
        space = Space()
        while (revision := revisions.pop(current, None)) is not None:
            space.roots = revision.roots | space.roots
            for group in reversed(revision.groups):
                for name, node in self._objects(group):
                    space.objects.setdefault(name, node)
            current = revision.before
        return space

    def _revisions(self, chunk: _Chunk) -> tuple[dict[Id, _Revision], Id]:
        """Return the revisions of an object space, and which is now its content; older pages have a context."""
        revisions: dict[Id, _Revision] = {}
        current, last = _NOWHERE, _Revision(_NOWHERE)
        for number, at, data in self._nodes(chunk):
            if number == _ENCRYPTED:
                raise ExtractionError("a password protects this section of OneNote")
            if number in _BEGINS:
                name, last = _id(data), _Revision(_id(data))
                revisions[name] = last
                data.take(_BEGINS[number])
                role = data.number(4)
                data.take(2)
            elif number in _ROLE:
                name, role = _id(data), data.number(4)
            elif number == _ROOT:
                root = _id(data)
                last.roots[data.number(4)] = root
            elif number == _GROUP and at:
                last.groups.append(at)
            if (number in _BEGINS or number in _ROLE) and role == _CONTENT and not any(data.take(min(16, data.left))):
                current = name
        return revisions, current

    def _objects(self, chunk: _Chunk) -> Iterator[tuple[Id, Node]]:
        """Yield the objects of a group; their properties are read when they are asked for."""
        guids: dict[int, bytes] = {}

        def resolve(compact: int) -> Id:
            return guids.get(compact >> 8, b""), compact & 0xFF

        for number, at, data in self._nodes(chunk):
            if number == _GUID:
                index = data.number(4)
                guids[index] = data.take(16)
            elif number in _OBJECT and at:
                name, kind = resolve(data.number(4)), data.number(4)
                yield name, Node(kind, cache(partial(self._properties, at, resolve)))
            elif number in _CONTAINER:
                name, kind = resolve(data.number(4)), data.number(4)
                data.take(1 if number == _CONTAINER[0] else 4)
                yield name, Node(kind, file=self._file(data.take(2 * data.number(4)).decode("utf-16-le", "replace")))

    def _properties(self, chunk: _Chunk, resolve: Callable[[int], Id]) -> Properties:
        self._budget.spend(chunk.size)
        return read_properties(self._content[chunk.at : chunk.at + chunk.size], resolve)

    def _file(self, named: str) -> bytes | None:
        """Return a file of the section's own; None: it lies in a folder beside the section, or is missing."""
        try:
            chunk = self._files.get(UUID(named.removeprefix("<ifndf>")).bytes_le)
        except ValueError:
            return None
        if chunk is None:
            return None
        self._budget.spend(chunk.size)
        cursor = Cursor(self._content, chunk.at + 16, chunk.at + chunk.size)
        size = cursor.number(8)
        cursor.take(12)
        return cursor.take(min(size, cursor.left))

    def _nodes(self, chunk: _Chunk) -> Iterator[tuple[int, _Chunk | None, Cursor]]:
        """Yield the nodes of a list: number, the chunk that one refers to, its further data."""
        while 0 < chunk.at < len(self._content):
            self._budget.spend(chunk.size)
            cursor = Cursor(self._content, chunk.at + 16, chunk.at + chunk.size - 20)
            while cursor.left >= 4:
                head = cursor.number(4)
                number, size = head & 0x3FF, head >> 10 & 0x1FFF
                if number in _ENDS or size < 4:
                    break
                data = Cursor(cursor.take(size - 4))
                yield number, _reference(data, head >> 23 & 3, head >> 25 & 3) if head >> 27 & 0xF else None, data
            after = Cursor(self._content, max(chunk.at + chunk.size - 20, chunk.at + 16))
            chunk = _Chunk(after.number(8), after.number(4))


def _reference(data: Cursor, places: int, sizes: int) -> _Chunk | None:
    """Return the chunk to which a node refers: both numbers may be short, and counted in units of 8 bytes."""
    bytes_at = (8, 4, 2, 4)[places]
    at = data.number(bytes_at)
    size = data.number((4, 8, 1, 2)[sizes])
    nil = at == (1 << 8 * bytes_at) - 1
    return None if nil else _Chunk(at * (8 if places > 1 else 1), size * (8 if sizes > 1 else 1))


def _id(data: Cursor) -> Id:
    return data.take(16), data.number(4)
