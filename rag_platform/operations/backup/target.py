"""Where copies lie: a folder, or an address that fsspec reaches (s3://bucket/folder, sftp://…).

A piece of content is kept once, compressed, under the SHA-256 of its bytes. What is there was written whole: a file
takes its name when it has reached the disk, and an object store shows an object when all of it has arrived.
"""

import hashlib
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Protocol

import zstandard

from rag_platform.core.errors import MissingExtra, StorageError, WorkspaceBusy
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.locks import LockFile
from rag_platform.storage.objects.file_systems import S3, open_storage

OBJECTS = "objects"


class Target(Protocol):
    """Small files by name; a name has folders with slashes."""

    place: str
    """For people: where that is."""

    def read(self, name: str) -> bytes:
        """Return a file's content; `FileNotFoundError` when there is none."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all."""
        ...

    def delete(self, name: str) -> None:
        """Remove a file, if it is there."""
        ...

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of each file below a folder, by its name."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """Keep other processes from changing what is here, as far as the place allows."""
        ...


class Folder:
    """A folder of this machine or of a mounted disk."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.place = folder, str(folder)

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        return (self.folder / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        """Write a file beside its place, then move it there."""
        write_bytes(self.folder / name, content)

    def delete(self, name: str) -> None:
        """Remove a file."""
        (self.folder / name).unlink(missing_ok=True)

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of each file; what is being written is none yet."""
        found = (path for path in (self.folder / folder).rglob("*") if not path.name.startswith("."))
        return {path.relative_to(self.folder).as_posix(): path.stat().st_size for path in found if path.is_file()}

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the lock of the folder; `WorkspaceBusy` when another process does."""
        with LockFile(self.folder / ".lock") as file:
            if not file.attempt():
                raise WorkspaceBusy(f"another process writes a backup in {self.folder}; wait until it ends")
            for unfinished in self.folder.rglob(".*.new"):  # by killed processes
                unfinished.unlink(missing_ok=True)
            yield


class Remote:
    """An address of any storage that fsspec reaches."""

    def __init__(self, address: str, options: Mapping[str, Any]) -> None:
        self.place = address
        with self._explaining("opened"):
            self._storage, self._root = open_storage(address, options)
        from fsspec.asyn import AsyncFileSystem

        whole = isinstance(self._storage, AsyncFileSystem)  # object stores; others may not bear threads
        self._lock: AbstractContextManager[Any] = nullcontext() if whole else threading.Lock()
        self._whole = whole

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        with self._explaining(f"read: {name}"), self._lock:
            content: bytes = self._storage.cat_file(f"{self._root}/{name}")
            return content

    def write(self, name: str, content: bytes) -> None:
        """Write a file; where half of one could be seen, under another name first."""
        path = f"{self._root}/{name}"
        with self._explaining(f"written: {name}"), self._lock:
            if self._whole:
                self._storage.pipe_file(path, content)
                return
            beside = f"{path}.{secrets.token_hex(4)}.new"
            self._storage.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._storage.pipe_file(beside, content)
            self._storage.mv(beside, path)

    def delete(self, name: str) -> None:
        """Remove a file."""
        with self._explaining(f"removed: {name}"), self._lock:
            try:
                self._storage.rm_file(f"{self._root}/{name}")
            except FileNotFoundError:
                return

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of each file."""
        with self._explaining(f"listed: {folder}"), self._lock:
            try:
                found = self._storage.find(f"{self._root}/{folder}", detail=True)
            except FileNotFoundError:
                return {}
        root = self._root.lstrip("/")
        named = {path.lstrip("/").removeprefix(root).lstrip("/"): about for path, about in found.items()}
        return {name: about["size"] for name, about in named.items() if not name.endswith(".new")}

    def alone(self) -> AbstractContextManager[None]:
        """A storage has no locks: docs/operating.md says that a target belongs to one workspace."""
        return nullcontext()

    @contextmanager
    def _explaining(self, done: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except ImportError as error:
            if self.place.partition(":")[0] in S3:
                raise MissingExtra("s3fs", "s3", "a backup in S3") from error
            raise StorageError(f"{self.place} needs a package: {error}") from error
        except Exception as error:  # noqa: BLE001  each storage has errors of its own
            said = str(error) or type(error).__name__
            raise StorageError(
                f"{self.place} could not be {done}: {said}; check the address and its credentials. Finished backups "
                "there are whole, and the next run goes on from what has arrived"
            ) from None


def open_target(address: str, options: Mapping[str, Any] | None = None) -> Target:
    """Open a folder or an address."""
    if "://" in address and not address.startswith("file://"):
        return Remote(address.rstrip("/"), options or {})
    return Folder(Path(os.path.abspath(Path(address.removeprefix("file://")).expanduser())))  # noqa: PTH100


class Pieces:
    """The content in a target, by its hash."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.known = {name: size for name, size in target.sizes(OBJECTS).items() if size}
        """What is there, and its bytes; an empty one was never whole."""
        self.written = 0
        """Bytes written through this object, after compression."""

    def put(self, content: bytes) -> tuple[str, bool]:
        """Keep bytes; returns their sha256 and whether they are new here."""
        sha256 = hashlib.sha256(content).hexdigest()
        name = object_name(sha256)
        if name in self.known:
            return sha256, False
        packed = zstandard.compress(content)
        self._target.write(name, packed)
        self.known[name] = len(packed)
        self.written += len(packed)
        return sha256, True

    def get(self, sha256: str) -> bytes:
        """Return bytes, checked; `StorageError` when they are missing or damaged."""
        name = object_name(sha256)
        try:
            content = zstandard.decompress(self._target.read(name))
        except FileNotFoundError:
            raise StorageError(f"{name} is missing in {self._target.place}") from None
        except zstandard.ZstdError as error:
            raise StorageError(f"{name} in {self._target.place} is damaged: {error}") from None
        if hashlib.sha256(content).hexdigest() != sha256:
            raise StorageError(f"{name} in {self._target.place} is damaged: other bytes than its name says")
        return content

    def remove_all_but(self, needed: Iterable[str]) -> int:
        """Remove what none of these hashes names; returns the bytes that were freed."""
        kept, freed = {object_name(sha256) for sha256 in needed}, 0
        for name in self.known.keys() - kept:
            self._target.delete(name)
            freed += self.known.pop(name)
        return freed


def object_name(sha256: str) -> str:
    """Return where the bytes of a hash lie in a target."""
    return f"{OBJECTS}/{sha256[:2]}/{sha256}.zst"
