"""The headers of 7z archives: which files there are, and how the streams that hold them were packed.

After `7zFormat.txt` of the LZMA SDK, which is in the public domain.
"""

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

SIGNATURE = b"7z\xbc\xaf\x27\x1c"
_HEADER, _MAIN, _FILES, _PACKED, _UNPACKED, _SUBSTREAMS = 1, 4, 5, 6, 7, 8
_SIZE, _CRC, _FOLDER, _CODER_SIZES, _COUNTS = 9, 10, 11, 12, 13
_EMPTY_STREAM, _EMPTY_FILE, _NAMES, _ATTRIBUTES, _ENCODED = 14, 15, 17, 21, 23
_START = 32
"""Bytes before the first packed stream."""
_DEEPEST = 4
"""Times that a header is packed: programs do it once, and one that holds itself would never end."""


@dataclass(frozen=True, slots=True)
class Coder:
    """One step of unpacking."""

    method: bytes
    properties: bytes


@dataclass(slots=True)
class Folder:
    """A stream of one or several files, packed together."""

    coders: tuple[Coder, ...]
    """In the order in which they unpack; empty: they are connected in a way that is not read."""
    sizes: list[int]
    """Bytes that come out of each coder, in the file's order."""
    last: int = 0
    """Which of them is the size of all files in it."""
    streams: int = 1
    """That it is packed in."""
    start: int = 0
    packed: int = 0
    """Bytes of the first of them."""
    files: tuple[int, ...] = ()
    """Bytes of each file in it."""
    sums: tuple[int | None, ...] = ()
    """CRC-32 of each file; None: not stated."""

    @property
    def size(self) -> int:
        """Bytes of all files in it."""
        return self.sizes[self.last]


@dataclass(frozen=True, slots=True)
class Entry:
    """A name in the archive."""

    name: str
    has_stream: bool
    is_folder: bool
    mode: int
    """Of Unix; 0: not known."""


class Fields:
    """Reads a header from its beginning; ValueError when it ends too early."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        found = self._content[self._at : self._at + count]
        if len(found) < count:
            raise ValueError("its header ends too early")
        self._at += count
        return found

    def byte(self) -> int:
        """Return the next byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """Return a number whose first byte says by its leading ones how many more bytes it has."""
        first, mask, value = self.byte(), 0x80, 0
        for shift in range(0, 64, 8):
            if not first & mask:
                return value | (first & (mask - 1)) << shift
            value |= self.byte() << shift
            mask >>= 1
        return value

    def count(self) -> int:
        """Return a number of things, each of which takes some of the header."""
        value = self.number()
        if value > 8 * len(self._content):
            raise ValueError("its header promises more than it holds")
        return value

    def bits(self, count: int) -> list[bool]:
        """Return that many bits, the highest first."""
        taken = self.take((count + 7) // 8)
        return [bool(taken[at // 8] & (0x80 >> at % 8)) for at in range(count)]

    def marks(self, count: int) -> list[bool]:
        """Return bits that are written only when not all of them are set."""
        return [True] * count if self.byte() else self.bits(count)


def entries_of(content: bytes, decoded: Callable[[bytes, Folder], bytes]) -> tuple[list[Entry], list[Folder]]:
    """Return the names of an archive and the streams that hold its files, in their order.

    Args:
        content: The archive.
        decoded: Unpacks a folder, as most headers are packed themselves.

    Raises:
        ValueError: It is damaged.
    """
    if len(content) < _START:
        raise ValueError("it is cut short")
    offset, size, crc = struct.unpack_from("<QQI", content, 12)
    header = content[_START + offset : _START + offset + size]
    if len(header) < size or zlib.crc32(header) != crc:
        raise ValueError("it is cut short, or its header is damaged")
    for _ in range(_DEEPEST):
        fields = Fields(header)
        kind = fields.byte() if header else 0
        if kind == _HEADER:
            return _contents(fields)
        if kind != _ENCODED:
            return [], []
        header = decoded(content, _folders(fields)[0])
    raise ValueError(f"its header is packed more than {_DEEPEST} times")


def _contents(fields: Fields) -> tuple[list[Entry], list[Folder]]:
    folders: list[Folder] = []
    entries: list[Entry] = []
    while kind := fields.byte():
        if kind == _MAIN:
            folders = _folders(fields)
        elif kind == _FILES:
            entries = _entries(fields)
        else:
            raise ValueError(f"its header has a part of an unknown kind, {kind}")
    return entries, folders


def _folders(fields: Fields) -> list[Folder]:
    folders: list[Folder] = []
    start, packed = 0, [0]
    while kind := fields.byte():
        if kind == _PACKED:
            start, packed = _packed(fields)
        elif kind == _UNPACKED:
            folders = _coded(fields)
        elif kind == _SUBSTREAMS:
            _divide(fields, folders)
        else:
            raise ValueError(f"its streams are described in an unknown way, {kind}")
    starts = iter(list(zip(accumulate(packed, initial=start), packed, strict=False)))
    for folder in folders:
        places = [next(starts, (0, 0)) for _ in range(folder.streams)]
        folder.start, folder.packed = places[0]
    return folders


def _packed(fields: Fields) -> tuple[int, list[int]]:
    start, count, sizes = _START + fields.number(), fields.count(), [0]
    while kind := fields.byte():
        if kind == _SIZE:
            sizes = [fields.number() for _ in range(count)]
        elif kind == _CRC:
            _sums(fields, count)
    return start, sizes


def _coded(fields: Fields) -> list[Folder]:
    folders: list[Folder] = []
    while kind := fields.byte():
        if kind == _FOLDER:
            count = fields.count()
            fields.byte()  # whether this lies elsewhere: no program writes that
            folders = [_folder(fields) for _ in range(count)]
        elif kind == _CODER_SIZES:
            for folder in folders:
                folder.sizes = [fields.number() for _ in folder.sizes]
                folder.files = (folder.size,)
        elif kind == _CRC:
            for folder, stated in zip(folders, _sums(fields, len(folders)), strict=True):
                folder.sums = (stated,)
    return folders


def _folder(fields: Fields) -> Folder:
    coders, ins, outs = [], 0, 0
    for _ in range(fields.count()):
        flags = fields.byte()
        method = fields.take(flags & 15)
        taken, given = (fields.count(), fields.count()) if flags & 16 else (1, 1)
        ins, outs = ins + taken, outs + given
        coders.append(Coder(method, fields.take(fields.count()) if flags & 32 else b""))
    pairs = [(fields.number(), fields.number()) for _ in range(outs - 1)]
    streams = ins - len(pairs)
    if streams > 1:
        [fields.number() for _ in range(streams)]
    read = {out for _, out in pairs}
    last = next((at for at in range(outs) if at not in read), 0)
    return Folder(_chain(coders, pairs) if ins == outs == len(coders) else (), [0] * outs, last, streams)


def _chain(coders: Sequence[Coder], pairs: Sequence[tuple[int, int]]) -> tuple[Coder, ...]:
    """Return the coders in the order in which they unpack: each but the first reads what one other gives."""
    giver = dict(pairs)
    first = next((at for at in range(len(coders)) if at not in giver), 0)
    reader = {out: into for into, out in pairs}
    order = [first]
    while order[-1] in reader and len(order) < len(coders):
        order.append(reader[order[-1]])
    return tuple(coders[at] for at in order) if sorted(order) == list(range(len(coders))) else ()


def _divide(fields: Fields, folders: list[Folder]) -> None:
    """Learn how many files each folder holds, and how long they are; the last one is what is left."""
    counts = [1] * len(folders)
    kind = fields.byte()
    if kind == _COUNTS:
        counts = [fields.count() for _ in folders]
        kind = fields.byte()
    sized = kind == _SIZE
    for folder, count in zip(folders, counts, strict=True):
        sizes = [fields.number() for _ in range(count - 1)] if sized else []
        folder.files = (*sizes, folder.size - sum(sizes)) if count else ()
        if len(folder.files) != count or (count and folder.files[-1] < 0):
            raise ValueError("the sizes of its files do not fit")
    kind = fields.byte() if sized else kind
    while kind:
        if kind != _CRC:
            raise ValueError(f"its files are described in an unknown way, {kind}")
        _learn_sums(fields, folders)
        kind = fields.byte()


def _learn_sums(fields: Fields, folders: list[Folder]) -> None:
    """Read the sums of the files; that of a folder with one file stands with the folder, if it stands there."""
    open_ones = [folder for folder in folders if len(folder.files) != 1 or folder.sums in ((), (None,))]
    stated = iter(_sums(fields, sum(len(folder.files) for folder in open_ones)))
    for folder in open_ones:
        folder.sums = tuple(next(stated) for _ in folder.files)


def _sums(fields: Fields, count: int) -> list[int | None]:
    return [int.from_bytes(fields.take(4), "little") if known else None for known in fields.marks(count)]


def _entries(fields: Fields) -> list[Entry]:
    count = fields.count()
    empty, files, names, modes = [False] * count, [], [""] * count, [0] * count
    while kind := fields.number():
        field = Fields(fields.take(fields.number()))
        if kind == _EMPTY_STREAM:
            empty = field.bits(count)
        elif kind == _EMPTY_FILE:
            files = field.bits(sum(empty))
        elif kind == _NAMES:
            names = _names(field, count)
        elif kind == _ATTRIBUTES:
            modes = _modes(field, count)
    folders = iter([not one for one in files] or [True] * sum(empty))
    return [
        Entry(name, not bare, bare and next(folders, False), mode)
        for name, bare, mode in zip(names, empty, modes, strict=True)
    ]


def _names(field: Fields, count: int) -> list[str]:
    field.byte()
    names = []
    for _ in range(count):
        letters = bytearray()
        while (letter := field.take(2)) != b"\0\0":
            letters += letter
        names.append(letters.decode("utf-16-le", "replace").replace("\\", "/"))
    return names


def _modes(field: Fields, count: int) -> list[int]:
    """Return the file modes of Unix: the upper half of the attributes, where the lower one says so."""
    known = field.marks(count)
    field.byte()
    attributes = [int.from_bytes(field.take(4), "little") if one else 0 for one in known]
    return [value >> 16 if value & 0x8000 else 0 for value in attributes]
