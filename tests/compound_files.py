"""Writes OLE compound files (old Office, Outlook), as [MS-CFB] lays them out, for tests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from struct import pack

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


@dataclass
class _Entry:
    name: str
    content: bytes | None
    """None: a folder."""
    children: list[int] = field(default_factory=list)
    start: int = _END
    size: int = 0


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file of these streams, by their paths: "a/b" lies in the folder a."""
    entries = [_Entry("Root Entry", None)]
    places = {"": 0}
    for path, content in streams.items():
        *folders, name = path.split("/")
        above = ""
        for folder in folders:
            inner = f"{above}/{folder}" if above else folder
            if inner not in places:
                places[inner] = _add(entries, places[above], _Entry(folder, None))
            above = inner
        _add(entries, places[above], _Entry(name, content))
    fat: list[int] = []
    sectors = bytearray()
    mini = _store(entries, fat, sectors)
    directory = b"".join(_row(entries, number) for number in range(len(entries)))
    directory += b"\0" * (-len(directory) % _SECTOR)
    return _whole(fat, sectors, _append(fat, sectors, directory), mini)


def _add(entries: list[_Entry], parent: int, entry: _Entry) -> int:
    entries.append(entry)
    entries[parent].children.append(len(entries) - 1)
    return len(entries) - 1


def _store(entries: list[_Entry], fat: list[int], sectors: bytearray) -> tuple[int, int]:
    """Put long streams into sectors and short ones into the stream of the root; return where its table is, how long."""
    small: bytearray = bytearray()
    mini: list[int] = []
    for entry in entries:
        if entry.content is None:
            continue
        entry.size = len(entry.content)
        if entry.size >= _CUTOFF:
            entry.start = _append(fat, sectors, entry.content)
        elif entry.content:
            count = -(-entry.size // _MINI)
            entry.start = len(mini)
            mini += [*range(len(mini) + 1, len(mini) + count), _END]
            small += entry.content.ljust(count * _MINI, b"\0")
    if small:
        entries[0].start, entries[0].size = _append(fat, sectors, bytes(small)), len(small)
    if not mini:
        return _END, 0
    before = len(fat)
    return _append(fat, sectors, b"".join(pack("<I", one) for one in mini).ljust(512, b"\xff")), len(fat) - before


def _append(fat: list[int], sectors: bytearray, content: bytes) -> int:
    count = max(1, -(-len(content) // _SECTOR))
    start = len(fat)
    fat += [*range(start + 1, start + count), _END]
    sectors += content.ljust(count * _SECTOR, b"\0")
    return start


def _row(entries: list[_Entry], number: int) -> bytes:
    """Return an entry of the directory; the entries of a folder hang on each other's right, in their order."""
    entry = entries[number]
    kind = 5 if number == 0 else 1 if entry.content is None else 2
    siblings = next((_sorted(entries, one) for one in entries if number in one.children), [])
    right = siblings[siblings.index(number) + 1] if siblings and siblings[-1] != number else _FREE
    inner = _sorted(entries, entry)
    name = entry.name.encode("utf-16-le") + b"\0\0"
    return pack(
        "<64sHBBIII16sIQQIQ", name, len(name), kind, 1, _FREE, right, inner[0] if inner else _FREE, b"", 0, 0, 0,
        entry.start, entry.size,
    )  # fmt: skip


def _sorted(entries: list[_Entry], folder: _Entry) -> list[int]:
    """Return the entries of a folder as the format orders them: the shorter name first, then by capitals."""
    return sorted(folder.children, key=lambda one: (len(entries[one].name), entries[one].name.upper()))


def _whole(fat: list[int], sectors: bytearray, directory: int, mini: tuple[int, int]) -> bytes:
    """Return the header, the sectors, and the table of the sectors after them."""
    count = 1
    while len(fat) + count > count * _SECTOR // 4:
        count += 1
    places = [*range(len(fat), len(fat) + count)]
    table = [*fat, *[_FAT] * count]
    table += [_FREE] * (count * _SECTOR // 4 - len(table))
    header = pack(
        "<8s16sHHHHH6sIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"", 0x3E, 3, 0xFFFE, 9, 6, b"",
        0, count, directory, 0, _CUTOFF, *mini, _END, 0, places[0],
    )  # fmt: skip
    header += b"".join(pack("<I", one) for one in [*places[1:], *[_FREE] * (109 - count)])
    return header + bytes(sectors) + b"".join(pack("<I", one) for one in table)
