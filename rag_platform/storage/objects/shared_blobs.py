"""Raw bytes in an object store. What this machine has read or written lies in its folder too, which may be emptied."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import zstandard

from rag_platform.core.errors import DamagedFile, StorageError
from rag_platform.storage.atomic import atomic_write, write_bytes
from rag_platform.storage.blobs import Blobs, unpacked
from rag_platform.storage.objects.object_store import ObjectStore

FOLDER = "blobs"


class SharedBlobs(Blobs):
    """Raw bytes by their sha256; what was removed by another machine is not read from the folder of this one."""

    def __init__(self, folder: Path, objects: ObjectStore, handed_over: Callable[[], bool]) -> None:
        """`handed_over` tells whether the object store has all that lies in the folder."""
        super().__init__(folder)
        self._objects, self._handed_over = objects, handed_over

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process, which looks into its own folder of that name."""
        return _elsewhere, (self.folder, self._objects, self._handed_over())

    def put(self, content: bytes) -> str:
        """Keep the bytes and return their sha256."""
        sha256 = hashlib.sha256(content).hexdigest()
        packed = zstandard.compress(content)
        if not self._objects.exists(_name(sha256)):
            self._write(sha256, packed)
        if not self.path(sha256).exists():
            write_bytes(self.path(sha256), packed)
        return sha256

    def get(self, sha256: str) -> bytes:
        """Return the bytes of that hash, checked; a damaged file of this machine is fetched again."""
        try:
            return unpacked(self.file(sha256), sha256)
        except DamagedFile:
            self.path(sha256).unlink(missing_ok=True)
            return unpacked(self.file(sha256), sha256)

    def has(self, sha256: str) -> bool:
        """Return whether the bytes of that hash are there."""
        here = self.path(sha256).exists()
        return (here and not self._handed_over()) or self._objects.exists(_name(sha256))

    def file(self, sha256: str) -> Path:
        """Return the file of this machine, fetched if it has none; `StorageError` when the bytes are not there."""
        path = self.path(sha256)
        if not self.has(sha256):
            path.unlink(missing_ok=True)  # forgotten, perhaps by another machine
            raise StorageError(f"the raw bytes {sha256} are not in {self._objects.address}; sync their source again")
        if not path.exists():
            with atomic_write(path) as beside:
                if not self._objects.download(_name(sha256), beside):
                    raise StorageError(f"the raw bytes {sha256} were removed while they were read")
        return path

    def hashes(self) -> Iterator[str]:
        """Go through all that is there."""
        there = {PurePosixPath(name).name.removesuffix(".zst") for name in self._objects.sizes(FOLDER)}
        yield from sorted(there | (set() if self._handed_over() else {*super().hashes()}))

    def remove(self, sha256: str) -> None:
        """Remove the bytes of that hash, there and here."""
        self._objects.delete(_name(sha256))
        super().remove(sha256)

    def hand_over(self) -> None:
        """Give the object store what only this machine has."""
        there = self._objects.sizes(FOLDER)
        for sha256 in super().hashes():
            if _name(sha256) not in there:
                self._write(sha256, self.path(sha256).read_bytes())

    def trim(self) -> None:
        """Remove the files of this machine of what others have removed."""
        there = self._objects.sizes(FOLDER)
        for sha256 in [*super().hashes()]:
            if _name(sha256) not in there:
                super().remove(sha256)

    def _write(self, sha256: str, packed: bytes) -> None:
        self._objects.replace(_name(sha256), packed)
        self.written += len(packed)


def _name(sha256: str) -> str:
    return f"{FOLDER}/{sha256[:2]}/{sha256}.zst"


def _elsewhere(folder: Path, objects: ObjectStore, handed_over: bool) -> SharedBlobs:
    return SharedBlobs(folder, objects, lambda: handed_over)
