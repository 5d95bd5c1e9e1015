"""Objects of S3 and of what speaks its protocol, replaced only while they are what was read.

`If-None-Match` makes an object only where there is none, `If-Match` replaces one only while it has the mark (ETag) with
which it was read: of two writers that began from the same state one succeeds, and the other is told.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_platform.core.errors import MissingExtra, SettingsError, StorageError
from rag_platform.storage.objects.file_systems import S3, open_storage

_REFUSED = ("PreconditionFailed", "ConditionalRequestConflict")
_SMALL = 5_000_000_000
"""Bytes that one request takes at most; a conditional one is never cut in parts."""


class Overtaken(Exception):
    """Somebody else has written an object since it was read."""


class ObjectStore:
    """The objects below an address."""

    def __init__(self, address: str, options: Callable[[], Mapping[str, Any]]) -> None:
        """`options` are those of fsspec's file system; nothing is connected before the first use."""
        self.address = address.rstrip("/")
        self._options = options

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process with the options, for it may not have what they are made of."""
        return _with_options, (self.address, dict(self._options()))

    @cached_property
    def _opened(self) -> tuple[Any, str, str]:
        """Return the file system, the bucket and what the keys begin with; its conditions are tried once."""
        if self.address.partition("://")[0] not in S3:
            raise SettingsError(
                f"[scale] objects = {self.address!r}: expected s3://bucket/prefix. Other storages have no conditional "
                "puts that fsspec knows, and without them two writers lose each other's work"
            )
        try:
            storage, root = open_storage(self.address, self._options())
        except ImportError as error:
            raise MissingExtra("s3fs", "s3", "[scale] objects") from error
        bucket, _, prefix = root.partition("/")
        opened = storage, bucket, f"{prefix}/" if prefix else ""
        self._try_conditions(opened)
        return opened

    def read(self, name: str) -> tuple[bytes, str] | None:
        """Return an object's content and its mark; None: there is none."""
        from fsspec.asyn import sync

        storage, bucket, prefix = self._opened

        async def both() -> tuple[bytes, str]:
            found = await storage._call_s3("get_object", Bucket=bucket, Key=prefix + name)
            return await found["Body"].read(), found["ETag"]

        with self._explaining("read", name):
            try:
                content, mark = sync(storage.loop, both)
            except FileNotFoundError:
                return None
        return content, mark

    def write(self, name: str, content: bytes, mark: str | None) -> str:
        """Replace the object that has this mark, None: make one where there is none; returns the new mark.

        Raises:
            Overtaken: there is another by now.
        """
        return self._put(self._opened, name, content, {"IfMatch": mark} if mark else {"IfNoneMatch": "*"})

    def replace(self, name: str, content: bytes) -> None:
        """Write an object whose name says what it holds, so that no two writers differ."""
        self._put(self._opened, name, content, {})

    def upload(self, name: str, path: Path) -> None:
        """Write a file under a name that nobody else uses."""
        storage, bucket, prefix = self._opened
        with self._explaining("written", name):
            storage.put_file(str(path), f"{bucket}/{prefix}{name}")

    def download(self, name: str, path: Path) -> bool:
        """Write an object to a file; returns whether there is one."""
        storage, bucket, prefix = self._opened
        with self._explaining("read", name):
            try:
                storage.get_file(f"{bucket}/{prefix}{name}", str(path))
            except FileNotFoundError:
                return False
        return True

    def exists(self, name: str) -> bool:
        """Return whether there is an object."""
        storage, bucket, prefix = self._opened
        with self._explaining("looked at", name):
            try:
                storage.call_s3("head_object", Bucket=bucket, Key=prefix + name)  # `storage.exists` lists folders too
            except FileNotFoundError:
                return False
        return True

    def delete(self, name: str) -> None:
        """Remove an object, if it is there."""
        storage, bucket, prefix = self._opened
        with self._explaining("removed", name):
            storage.call_s3("delete_object", Bucket=bucket, Key=prefix + name)

    def sizes(self, folder: str) -> dict[str, int]:
        """Return the bytes of each object below a folder, by its name."""
        storage, bucket, prefix = self._opened
        with self._explaining("listed", folder):
            try:
                found = storage.find(f"{bucket}/{prefix}{folder}", detail=True)
            except FileNotFoundError:
                return {}
        begins, below = f"{bucket}/{prefix}", f"{folder}/" if folder else ""
        named = {path.removeprefix(begins): about["size"] for path, about in found.items()}
        return {name: size for name, size in named.items() if name.startswith(below)}

    def keeps_versions(self) -> bool:
        """Return whether the bucket keeps what is removed from it."""
        storage, bucket, _ = self._opened
        with self._explaining("asked", "whether it keeps versions"):
            return bool(storage.call_s3("get_bucket_versioning", Bucket=bucket).get("Status"))

    def _put(self, opened: tuple[Any, str, str], name: str, content: bytes, condition: Mapping[str, str]) -> str:
        storage, bucket, prefix = opened
        if len(content) > _SMALL:
            raise StorageError(f"{name} has {len(content)} bytes; an object of that size cannot be replaced at once")
        with self._explaining("written", name):
            try:
                made = storage.call_s3("put_object", Bucket=bucket, Key=prefix + name, Body=content, **condition)
            except Exception as error:
                if _refused(error):
                    raise Overtaken(name) from None
                raise
        return str(made["ETag"])

    def _try_conditions(self, opened: tuple[Any, str, str]) -> None:
        """Refuse a store that takes a put whose condition does not hold: there, two writers would lose work."""
        storage, bucket, prefix = opened
        name = f"tried/{secrets.token_hex(8)}"
        try:
            mark = self._put(opened, name, b"1", {"IfNoneMatch": "*"})
            self._put(opened, name, b"2", {"IfMatch": mark})
            for condition in ({"IfNoneMatch": "*"}, {"IfMatch": mark}):
                try:
                    self._put(opened, name, b"3", condition)
                except Overtaken:
                    continue
                raise StorageError(
                    f"{self.address} does not heed {next(iter(condition))}: two machines that write there would lose "
                    "each other's work. Expected conditional puts, as Amazon S3, MinIO and others have them"
                )
        finally:
            with self._explaining("removed", name):
                storage.call_s3("delete_object", Bucket=bucket, Key=prefix + name)

    @contextmanager
    def _explaining(self, done: str, name: str) -> Iterator[None]:
        try:
            yield
        except (Overtaken, StorageError):
            raise
        except Exception as error:
            said = (str(error) or type(error).__name__).split("\n")[0]
            raise StorageError(
                f"{self.address}: {name} could not be {done}: {said}; check [scale] objects, its options and the "
                "rights of its key. What was there before is untouched"
            ) from error


def _refused(error: BaseException) -> bool:
    """Return whether a put was refused because its condition does not hold."""
    told: Any = getattr(error, "response", None) or getattr(error.__cause__, "response", None) or {}
    return told.get("Error", {}).get("Code") in _REFUSED or any(code in str(error) for code in _REFUSED)


def _with_options(address: str, options: dict[str, Any]) -> ObjectStore:
    return ObjectStore(address, lambda: options)
