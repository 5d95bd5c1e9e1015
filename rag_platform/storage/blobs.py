"""The blob store: raw bytes by their hash, compressed, written once."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import zstandard

from rag_platform.core.errors import DamagedFile, StorageError
from rag_platform.storage.atomic import write_bytes


class Blobs:
    """Raw bytes by their sha256, compressed, written once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        """Bytes written through this object."""

    def path(self, sha256: str) -> Path:
        """Return where the bytes of that hash lie."""
        return self.folder / sha256[:2] / f"{sha256}.zst"

    def put(self, content: bytes) -> str:
        """Keep the bytes and return their sha256."""
        sha256 = hashlib.sha256(content).hexdigest()
        if not self.path(sha256).exists():
            packed = zstandard.compress(content)
            write_bytes(self.path(sha256), packed)
            self.written += len(packed)
        return sha256

    def get(self, sha256: str) -> bytes:
        """Return the bytes of that hash, checked."""
        return unpacked(self.file(sha256), sha256)

    def has(self, sha256: str) -> bool:
        """Return whether the bytes of that hash are there."""
        return self.path(sha256).exists()

    def file(self, sha256: str) -> Path:
        """Return the file that has them, compressed; `StorageError` when they are not there."""
        if not self.path(sha256).exists():
            raise StorageError(f"the raw bytes {sha256} are not in {self.folder}; sync their source again")
        return self.path(sha256)

    def hashes(self) -> Iterator[str]:
        """Go through all that is there."""
        for folder in sorted(self.folder.glob("??")):
            yield from sorted(path.stem for path in folder.glob("*.zst"))

    def remove(self, sha256: str) -> None:
        """Remove the bytes of that hash, if they are there."""
        self.path(sha256).unlink(missing_ok=True)


def unpacked(path: Path, sha256: str) -> bytes:
    """Return the bytes of a file, which are to have this hash; `DamagedFile` when they have another."""
    try:
        content = zstandard.decompress(path.read_bytes())
    except FileNotFoundError:
        raise StorageError(f"the raw bytes {sha256} are not in {path.parent}; sync their source again") from None
    except zstandard.ZstdError as error:
        raise DamagedFile(path, str(error)) from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise DamagedFile(path, "other bytes than its name says")
    return content
