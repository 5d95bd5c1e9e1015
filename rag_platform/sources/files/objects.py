"""Objects below an address of a storage: S3 and what speaks its protocol, Google Cloud, Azure, SFTP and others.

fsspec reads them; the package for a storage is an extra. An object whose mark (its ETag, else its size and time of
change) is the same as at the last sync is not read again. Hidden objects (``.name``) are skipped, as hidden files are.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, model_validator

from rag_platform.config.secrets import Secrets
from rag_platform.config.source_kinds import Kind
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, MissingExtra, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.files.file_selection import TYPES, Selection, chosen
from rag_platform.sources.files.rules import item_of
from rag_platform.storage.objects.file_systems import S3, open_storage

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem

ELSEWHERE = {"http": "web", "https": "web", "file": "folder", "local": "folder"}
"""Kinds that read these addresses with the care they need."""
MARKS = ("ETag", "etag", "md5Hash", "generation", "LastModified", "last_modified", "mtime", "updated", "created")
"""What storages call that which changes with an object, the surest first."""
ADVICE = "check `url` and the credentials of the source. Nothing was deleted"


class ObjectsSource(Selection):
    """Objects below an address."""

    kind: Literal["objects"]
    url: str
    """Such as ``s3://bucket/folder``."""
    endpoint_url: str | None = None
    """Server of an S3 storage that is not Amazon's."""
    anon: bool = False
    """Read S3 without credentials."""
    options: dict[str, str | int | bool] = Field(default_factory=dict)
    """For fsspec's file system; ``${secret:NAME}`` is a stored secret, ``${NAME}`` a variable of the environment."""

    @model_validator(mode="after")
    def _one_storage(self) -> "ObjectsSource":
        protocol, separator, rest = self.url.partition("://")
        if not separator or not rest or "::" in self.url or "@" in rest:
            raise ValueError(f"url = {self.url!r}: expected an address without a password, such as s3://bucket/folder")
        if kind := ELSEWHERE.get(protocol.lower()):
            raise ValueError(f"url = {self.url!r}: this kind reads storages; use kind = '{kind}'")
        if protocol.lower() not in S3 and (self.endpoint_url or self.anon):
            raise ValueError("endpoint_url and anon are for s3:// alone; give others what they need in `options`")
        return self


class Objects:
    """Lists objects with their marks, and reads those that are fetched."""

    def __init__(
        self, settings: ObjectsSource, environ: Mapping[str, str] | None = None, secrets: Secrets | None = None
    ) -> None:
        self._settings = settings
        self._url = settings.url.rstrip("/")
        self._variables = Variables(os.environ if environ is None else environ, secrets)
        self._options = self._expanded()
        self._opened: tuple[AbstractFileSystem, str] | None = None
        self._sizes: dict[str, int | None] = {}
        self._lock = threading.Lock()

    def list(self) -> Listing:
        """Name the objects; an error anywhere is an error of the whole listing, never a shorter one."""
        with self._explaining(SourceError, self._url):
            storage, root = self._open()
            found = {path[len(root) :].lstrip("/"): about for path, about in _files(storage, root)}
        paths = [path for path in sorted(found) if chosen(path, self._settings)]
        self._sizes = {self._uri(path): found[path].get("size") for path in paths}
        items = [item_of(self._uri(path), _mark(found[path]), path, self._settings.rules) for path in paths]
        empty = [] if found else [(self._url, "there is no object below this address; check `url`")]
        return Listing(items, complete=True, failed=empty)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  the listing's mark has decided
        """Read an object."""
        size, limit = self._sizes.get(item.uri), self._settings.max_bytes
        if size is not None and size > limit:
            raise FetchError(f"{item.uri} has {size} bytes, more than max_bytes = {limit}")
        with self._explaining(FetchError, item.uri):  # S3 knows no range of an empty object
            content = self._read(item.uri.removeprefix(self._url), limit) if size != 0 else b""
        if size is not None and len(content) != size:
            raise FetchError(
                f"{item.uri} has {len(content)} bytes and was listed with {size}: it was written while it was read, or "
                "did not arrive whole; the next sync reads it again"
            )
        if len(content) > limit:
            raise FetchError(f"{item.uri} has more than max_bytes = {limit}")
        return Fetched(content, TYPES.guess_type(PurePosixPath(item.uri).name)[0])

    def _read(self, path: str, limit: int) -> bytes:
        from fsspec.asyn import AsyncFileSystem

        storage, root = self._open()
        with nullcontext() if isinstance(storage, AsyncFileSystem) else self._lock:  # others may not bear threads
            content: bytes = storage.cat_file(root + path, start=0, end=limit + 1)
            return content

    def _uri(self, path: str) -> str:
        return f"{self._url}/{path}" if path else self._url

    def _open(self) -> tuple["AbstractFileSystem", str]:
        with self._lock:
            if self._opened is None:
                self._opened = open_storage(self._url, self._options)
            return self._opened

    def _expanded(self) -> dict[str, Any]:
        settings, where = self._settings, f"sources[{self._settings.id}].options"
        given = {
            name: self._variables.expand(value, f"{where}.{name}") if isinstance(value, str) else value
            for name, value in settings.options.items()
        }
        if settings.url.lower().partition(":")[0] in S3:
            return {"endpoint_url": settings.endpoint_url, "anon": settings.anon} | given
        return given

    @contextmanager
    def _explaining(self, kind: type[SourceError], what: str) -> Iterator[None]:
        try:
            yield
        except ImportError as error:
            if self._url.partition(":")[0] in S3:
                raise MissingExtra("s3fs", "s3", "reading S3") from error
            raise SourceError(f"source {self._settings.id!r} needs a package: {error}") from error
        except Exception as error:  # noqa: BLE001  each storage has errors of its own
            reason = self._variables.without_secrets(str(error)) or type(error).__name__
            raise kind(f"{what} of source {self._settings.id!r} cannot be read: {reason}; {ADVICE}") from None


def _files(storage: "AbstractFileSystem", root: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield path and facts of each object; unlike fsspec's own walk, an error of one folder is raised."""
    if set(S3) & set(_protocols(storage)):  # one flat listing, of pages of a thousand
        listed = [about for about in storage.find(root, detail=True).values() if about]
    else:
        listed = list(_walk(storage, root))
    for about in listed:
        if about["type"] == "file" and not about["name"].endswith("/"):
            yield about["name"], about


def _walk(storage: "AbstractFileSystem", folder: str) -> Iterator[dict[str, Any]]:
    for about in storage.ls(folder, detail=True):
        if about["type"] != "directory":
            yield about
        elif about["name"].rstrip("/") != folder.rstrip("/"):
            yield from _walk(storage, about["name"])


def _protocols(storage: "AbstractFileSystem") -> tuple[str, ...]:
    return (storage.protocol,) if isinstance(storage.protocol, str) else tuple(storage.protocol)


def _mark(about: Mapping[str, Any]) -> str | None:
    """Return what tells one state of an object from another; None when the storage says nothing."""
    found = next((str(about[name]) for name in MARKS if about.get(name)), None)
    return found and f"{found} {about.get('size')}"


EXAMPLE = """
[[sources]]
id = "reports"
kind = "objects"
url = "s3://company-reports/published"
options = { key = "${secret:s3-key}", secret = "${secret:s3-secret}" }
"""
KIND = Kind(
    ObjectsSource, lambda settings, context: Objects(settings, secrets=context.secrets), example=EXAMPLE, extras=("s3",)
)
