"""The blob store: raw bytes by their hash, compressed, written once."""

import hashlib
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
        try:
            content = zstandard.decompress(self.path(sha256).read_bytes())
        except FileNotFoundError:
            raise StorageError(f"the raw bytes {sha256} are not in {self.folder}; sync their source again") from None
        except zstandard.ZstdError as error:
            raise self._damaged(sha256, str(error)) from error
        if hashlib.sha256(content).hexdigest() != sha256:
            raise self._damaged(sha256, "other bytes than its name says")
        return content

    def _damaged(self, sha256: str, why: str) -> StorageError:
        return DamagedFile(self.path(sha256), why)
