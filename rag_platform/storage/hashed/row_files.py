"""Rows of bytes by 64-bit keys, in files that never change and that folders share by hard links.

A folder holds `INDEX` and files of rows, each named by the hash of its content. Rows whose keys ascend lie together, so
that a folder of nearly the same rows shares nearly all files with the one before: what is written is in proportion to
what changed. A row carries a checksum: a damaged one is as good as missing, and damage can do no other harm, since
nothing is mapped into memory.
"""

import hashlib
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import Any
from zipfile import BadZipFile

import numpy as np

from rag_platform.storage.array_files import HEADERS
from rag_platform.storage.atomic import atomic_write, explaining_full_disk, file_sha256, fsync, link_or_copy

INDEX = "rows.npz"
ROWS = ".rows"
"""How the names of the files end; before it comes the beginning of the SHA-256 of their content."""
_FILES = 1000
"""About so many files there are of many rows: an edited document changes few of them."""
_LEAST = 2**18
"""Bytes of a file, at least."""
_SMALL = 1 / 4
"""A file of less than this share of what a file should have is merged with others."""
_COLUMNS = {"keys": np.uint64, "files": np.uint32, "starts": np.uint32, "sizes": np.uint32, "sums": np.uint32}


@dataclass(frozen=True, slots=True, eq=False)
class RowFiles:
    """The rows of a folder. Safe to read from many threads; a folder that is not there has none."""

    folder: Path
    names: np.ndarray
    """Of the files."""
    keys: np.ndarray
    """Ascending."""
    files: np.ndarray
    """In which file each row is, where it begins there, its bytes, and their checksum:"""
    starts: np.ndarray
    sizes: np.ndarray
    sums: np.ndarray

    def __len__(self) -> int:
        return len(self.keys)

    def read(self, keys: Sequence[int]) -> list[bytes | None]:
        """Return the rows of these keys; None: there is none, or it is damaged."""
        wanted = np.array(keys, np.uint64)
        places = np.minimum(np.searchsorted(self.keys, wanted), max(0, len(self) - 1))
        there = self.keys[places] == wanted if len(self) else np.zeros(len(wanted), bool)
        found = dict(zip(places[there].tolist(), self._at(places[there]), strict=True))
        return [found[place] if known else None for place, known in zip(places.tolist(), there.tolist(), strict=True)]

    def _at(self, places: np.ndarray) -> list[bytes | None]:
        """Read rows; the disk is told of all before the first is waited for."""
        columns = (self.files[places], self.starts[places], self.sizes[places])
        spans = list(zip(*(column.tolist() for column in columns), strict=True))
        with ExitStack() as stack:
            opened = {}
            for file in {file for file, _, _ in spans}:
                with suppress(OSError):
                    path = self.folder / str(self.names[file])
                    opened[file] = stack.enter_context(path.open("rb", buffering=0))
            if hasattr(os, "posix_fadvise"):
                for file, start, size in spans:
                    if file in opened:
                        os.posix_fadvise(opened[file].fileno(), start, size, os.POSIX_FADV_WILLNEED)
            rows = [_read(opened[file], start, size) if file in opened else b"" for file, start, size in spans]
        sums = self.sums[places].tolist()
        return [row if zlib.crc32(row) == known else None for row, known in zip(rows, sums, strict=True)]

    def part(self, places: np.ndarray) -> "RowFiles":
        """Return those rows alone, of the same files."""
        return RowFiles(self.folder, self.names, *(getattr(self, name)[places] for name in _COLUMNS))

    def there(self) -> "RowFiles":
        """Return the rows of those files that are there, with as many bytes as were written."""
        written = np.bincount(self.files, self.sizes, len(self.names)).astype(np.int64).tolist()
        whole = [_size(self.folder / name) == size for name, size in zip(self.names.tolist(), written, strict=True)]
        return self if all(whole) else self.part(np.flatnonzero(np.array(whole)[self.files]))

    def strays(self) -> set[str]:
        """Name files of rows that the index does not know: a killed process has left them, or the index is damaged."""
        return {path.name for path in self.folder.glob(f"*{ROWS}")}.difference(self.names.tolist())

    def problems(self, *, thorough: bool = True) -> dict[str, str]:
        """Say what is wrong with which file; unless `thorough`, those that were written to since the index are read."""
        sized = np.isin(np.arange(len(self.names)), self.there().files)
        noted, found = _written_at(self.folder / INDEX), {}
        for name, whole in zip(self.names.tolist(), sized.tolist(), strict=True):
            path = self.folder / name
            if wrong := row_file_problem(path, sized=whole, thorough=thorough or _written_at(path) > noted):
                found[name] = wrong
                with suppress(OSError):  # so that whoever looks without reading all finds it too
                    os.utime(path)
        return found


def row_file_problem(path: Path, *, sized: bool = True, thorough: bool = True) -> str | None:
    """Return what is wrong with a file of rows; None: nothing. `sized`: it has as many bytes as were written."""
    if not path.is_file():
        return f"{path.name} is missing"
    if not sized or (thorough and not file_sha256(path).startswith(path.stem)):
        return f"{path.name} is not the file that was written"
    return None


def open_rows(folder: Path) -> RowFiles:
    """Open a folder of rows; one that is not there, or whose index is damaged, has none."""
    try:
        with HEADERS, (folder / INDEX).open("rb") as file, np.load(file) as index:
            names, columns = index["names"], [index[name].astype(kind) for name, kind in _COLUMNS.items()]
            return RowFiles(folder, names, *columns)
    except (OSError, ValueError, KeyError, EOFError, zlib.error, BadZipFile):
        return RowFiles(folder, np.empty(0, "U1"), *(np.empty(0, kind) for kind in _COLUMNS.values()))


def write_rows(
    folder: Path, wanted: np.ndarray, givers: Sequence[RowFiles], fresh: Mapping[int, bytes] = MappingProxyType({})
) -> RowFiles:
    """Make a folder hold those of the wanted rows that somebody gives, and nothing else; nobody else may be writing it.

    A file of which all rows are wanted is linked, or copied where the disk has no links.

    Args:
        folder: Where; what it holds must be among the givers to stay.
        wanted: The keys, uint64, ascending.
        givers: Of a key that several have, the first one's row is taken.
        fresh: Rows by key, which come before the givers'.
    """
    given = np.fromiter(fresh, np.uint64, len(fresh))
    parts = _taken(np.setdiff1d(wanted, given, assume_unique=True), givers)
    new = {key: fresh[key] for key in np.intersect1d(wanted, given, assume_unique=True).tolist()}
    total = sum(int(part.sizes.sum()) for part in parts) + sum(map(len, new.values()))
    size = max(_LEAST, total // _FILES)
    written = _Writing(folder)
    with explaining_full_disk(folder):
        folder.mkdir(parents=True, exist_ok=True)
        loose = [_linked(part, giver, size, written) for part, giver in zip(parts, givers, strict=True)]
        for rows in _in_files(loose, new, size):
            written.add(rows)
        return written.finish()


def _taken(wanted: np.ndarray, givers: Sequence[RowFiles]) -> list[RowFiles]:
    """Return which rows are taken from each giver."""
    parts, left = [], wanted
    for giver in givers:
        parts.append(giver.part(np.flatnonzero(np.isin(giver.keys, left, assume_unique=True))))
        left = np.setdiff1d(left, parts[-1].keys, assume_unique=True)
    return parts


def _linked(part: RowFiles, giver: RowFiles, size: int, written: "_Writing") -> RowFiles:
    """Link the files of which everything is taken, unless they are small; return the other rows."""
    count = len(giver.names)
    whole = np.bincount(part.files, minlength=count) == np.bincount(giver.files, minlength=count)
    whole &= np.bincount(part.files, part.sizes, minlength=count) >= size * _SMALL
    for file in np.flatnonzero(whole).tolist():
        whole[file] = written.link(part.part(np.flatnonzero(part.files == file)))
    return part.part(np.flatnonzero(~whole[part.files]))


def _in_files(loose: Sequence[RowFiles], fresh: Mapping[int, bytes], size: int) -> Iterator[dict[int, bytes]]:
    """Yield rows, ascending by key, a file's at a time."""
    keys = np.concatenate([np.fromiter(fresh, np.uint64, len(fresh)), *(part.keys for part in loose)])
    sizes = np.concatenate([np.array([*map(len, fresh.values())], np.int64), *(part.sizes for part in loose)])
    order = np.argsort(keys)
    keys = keys[order]
    ends = np.cumsum(sizes[order])
    for group in np.split(keys, np.flatnonzero(np.diff((ends - 1) // size)) + 1):
        rows = {key: fresh[key] for key in group.tolist() if key in fresh}
        for part in loose:
            mine = group[np.isin(group, part.keys, assume_unique=True)].tolist()
            rows |= {key: row for key, row in zip(mine, part.read(mine), strict=True) if row is not None}
        if rows:
            yield dict(sorted(rows.items()))


class _Writing:
    """A folder of rows that is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []
        self._new: list[Path] = []
        self._columns: list[tuple[np.ndarray, ...]] = []

    def link(self, rows: RowFiles) -> bool:
        """Take over a file with all its rows; returns whether it could be."""
        name = str(rows.names[rows.files[0]])
        target, source = self.folder / name, rows.folder / name
        try:
            if not target.exists():
                link_or_copy(source, target)
        except OSError:  # it is not there: the rows that can be read are written anew
            return False
        self._note(name, rows.keys, rows.starts, rows.sizes, rows.sums)
        return True

    def add(self, rows: Mapping[int, bytes]) -> None:
        """Write a file of these rows."""
        content = b"".join(rows.values())
        path = self.folder / f"{hashlib.sha256(content).hexdigest()[:32]}{ROWS}"
        path.unlink(missing_ok=True)  # other folders share it, and a full disk would cut it there too
        path.write_bytes(content)
        self._new.append(path)
        sizes = np.array([*map(len, rows.values())], np.uint32)
        sums = np.array([*map(zlib.crc32, rows.values())], np.uint32)
        self._note(path.name, np.fromiter(rows, np.uint64, len(rows)), np.cumsum(sizes) - sizes, sizes, sums)

    def _note(self, name: str, *columns: np.ndarray) -> None:
        file = np.full(len(columns[0]), len(self.names), np.uint32)
        self._columns.append((columns[0], file, *columns[1:]))
        self.names.append(name)

    def finish(self) -> RowFiles:
        """Write the index, then remove the files that are not in it."""
        nothing = tuple(np.empty(0, kind) for kind in _COLUMNS.values())
        made = [np.concatenate(columns) for columns in zip(nothing, *self._columns, strict=True)]
        order = np.argsort(made[0])
        arrays: dict[str, Any] = {
            name: column[order].astype(kind) for (name, kind), column in zip(_COLUMNS.items(), made, strict=True)
        }
        names = np.array(self.names, f"U{32 + len(ROWS)}")
        for path in self._new:  # all were written before the disk is waited for
            fsync(path)
        with atomic_write(self.folder / INDEX) as beside, beside.open("wb") as file:
            np.savez(file, names=names, **arrays)
        for path in self.folder.glob(f"*{ROWS}"):
            if path.name not in self.names:
                path.unlink()
        return RowFiles(self.folder, names, **arrays)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _written_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _read(file: FileIO, start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size) or b""
