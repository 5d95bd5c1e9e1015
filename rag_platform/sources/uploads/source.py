"""Files that people upload to collections, from the page, the API or the command line.

The files are listed in the collections' own database, so listing costs one query. A file that
somebody removed is named as removed: its document goes at the next sync, however large its share.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.source_kinds import Kind
from rag_platform.core.errors import FetchError, SourceError, StorageError
from rag_platform.core.ids import digest
from rag_platform.core.ports import REMOVED, Fetched, Item, Listing, Validators
from rag_platform.sources.files.file_selection import TYPES
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.database import Asker
from rag_platform.sources.uploads.records import Collection, File
from rag_platform.storage.files.regular_files import read_regular


class UploadSource(SourceSettings):
    """Collections of files that people upload."""

    kind: Literal["upload"]
    max_bytes: int = Field(200_000_000, gt=0)
    """Of one file."""
    max_files: int = Field(10_000, gt=0)
    """Of one collection."""


def collections_of(settings: UploadSource, data: Path, asker: Asker = frozenset) -> Collections:
    """Open the collections of a source; `data` is the workspace's folder of everything that is made."""
    return Collections(
        data / "uploads" / settings.id,
        settings.id,
        max_bytes=settings.max_bytes,
        max_files=settings.max_files,
        principals=settings.principals,
        asker=asker,
    )


class Upload:
    """Lists the files of all collections, each with what its collection says."""

    def __init__(self, collections: Collections) -> None:
        self._collections = collections
        self._files: dict[str, File] = {}

    def list(self) -> Listing:
        """Name the files, and those that were removed."""
        try:
            about = {one.id: one for one in self._collections.list()}
            files, removed = self._collections.files(), self._collections.removed()
        except StorageError as error:
            raise SourceError(f"{error}. Nothing was deleted.") from error
        self._files = {file.uri: file for file in files}
        items = [item_of(file, about[file.collection]) for file in files if file.collection in about]
        gone = [(uri, f"{REMOVED}{who or 'somebody'} on {at[:16]}") for uri, who, at in removed]
        return Listing(items, complete=True, removed=gone)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002 - the bytes are here
        """Read a file's bytes, checked."""
        file = self._files.get(item.uri)
        if file is None:
            raise FetchError(f"{item.uri} is in no collection any more")
        try:
            path = self._collections.path(file)
            content = read_regular(Path(os.path.realpath(path.parent)), Path(path.name), self._collections.max_bytes)
        except OSError as error:
            raise FetchError(f"the bytes of {item.uri} cannot be read: {error.strerror}; upload it again") from error
        if hashlib.sha256(content).hexdigest() != file.sha256:
            raise FetchError(f"the bytes of {item.uri} are damaged; upload it again")
        return Fetched(content, media_type(file))

    def fingerprint(self) -> str:
        """Return a mark of all files and of those removed: the cost is three queries."""
        listing = self.list()
        marks = (part for item in listing.items for part in (item.uri, item.fingerprint or ""))
        return digest(*marks, *(uri for uri, _ in listing.removed))


def item_of(file: File, collection: Collection) -> Item:
    """Return what a listing says of a file; its fingerprint changes with its bytes and with what is said of it."""
    about: dict[str, Any] = {
        "title": file.title,
        "collection": collection.id,
        "language": collection.language,
        "principals": list(collection.principals),
        "owner": file.added_by,
        "tags": list(file.tags),
    }
    known = {name: value for name, value in about.items() if value}
    return Item(file.uri, digest(file.sha256, json.dumps(known, sort_keys=True)), known)


def media_type(file: File) -> str | None:
    """Return what a file is by its name, else what the uploader's program said."""
    return TYPES.guess_type(file.name)[0] or file.content_type


EXAMPLE = """
[[sources]]
id = "uploads"
kind = "upload"
"""
KIND = Kind(
    UploadSource,
    lambda settings, context: Upload(collections_of(settings, context.home / "data")),
    watched=True,
    example=EXAMPLE,
)
