"""Files below a folder.

A file's uri is ``<source id>/<path in the folder>``, such as ``handbook/guide/install.md``: moving or renaming the
folder or the workspace keeps it, and two sources never share one. Hidden files and folders are skipped. A link to a
file is read when it stays in the folder; a link to a folder is not followed (what it leads to is listed at its own
place). ``page.html.gz`` is read as the ``page.html`` that it holds.
"""

import mimetypes
import os
import re
import stat
from collections.abc import Iterator, MutableSequence
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from rag_platform.config.source_kinds import Kind
from rag_platform.config.source_settings import SourceSettings
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.compression import gunzip
from rag_platform.sources.files.globs import matches
from rag_platform.sources.files.rules import FileRule, item_of

TYPES = mimetypes.MimeTypes()  # its built-in table only: the machine's own would make results differ
for suffix, kind in {
    ".adoc": "text/asciidoc",
    ".asciidoc": "text/asciidoc",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rst": "text/x-rst",
    ".vtt": "text/vtt",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}.items():
    TYPES.add_type(kind, suffix)


class Selection(SourceSettings):
    """Which of many files are read."""

    include: tuple[str, ...] = ("**/*",)
    """Glob patterns of the files to read."""
    exclude: tuple[str, ...] = ()
    max_bytes: int = Field(200_000_000, gt=0)
    rules: tuple[FileRule, ...] = ()
    """What is said of files by where they lie."""


class FolderSource(Selection):
    """Files below a folder."""

    kind: Literal["folder"]
    path: Path
    """Relative to the workspace."""


class Folder:
    """Lists and reads files; one whose size and time of change are the same is not read again."""

    def __init__(self, settings: FolderSource, home: Path) -> None:
        self._settings = settings
        self._root = home / settings.path.expanduser()
        self._paths: dict[str, Path] = {}

    def list(self) -> Listing:
        """Name the files; an unreadable folder inside makes the listing incomplete."""
        if not self._root.is_dir():
            raise SourceError(
                f"the folder {self._root} of source {self._settings.id!r} does not exist or is no folder; check `path` "
                "in its settings, or whether a disk is missing. Nothing was deleted."
            )
        problems: list[OSError] = []
        items, failed = [], []
        for path in self._walk(problems):
            uri = self._uri(path)
            try:
                items.append(self._item(path, uri))
            except (OSError, FetchError) as error:
                failed.append((uri, str(error)))
        self._stop_if_unreadable(problems)
        failed += [(self._uri(Path(error.filename)), f"cannot be listed: {error.strerror}") for error in problems]
        return Listing(sorted(items, key=lambda item: item.uri), complete=not problems, failed=sorted(failed))

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  a file has no validators
        """Read a file, decompressed when it is gzip."""
        path = self._paths.get(item.uri) or self._root / item.uri.removeprefix(f"{self._settings.id}/")
        try:
            content = self._read(self._inside(path))
        except OSError as error:
            raise FetchError(f"{path} cannot be read: {error.strerror or error}") from error
        name = path.name.removesuffix(".gz")
        return Fetched(content, TYPES.guess_type(name)[0])

    def _walk(self, problems: MutableSequence[OSError]) -> Iterator[Path]:
        for folder, folders, files in os.walk(self._root, onerror=problems.append):
            inside = Path(folder).relative_to(self._root)
            folders[:] = sorted(name for name in folders if self._enters(inside / name))
            for name in sorted(files):
                if not name.startswith(".") and wanted((inside / name).as_posix(), self._settings):
                    yield self._root / inside / name

    def _enters(self, folder: Path) -> bool:
        return not folder.name.startswith(".") and not matches(folder.as_posix(), self._settings.exclude)

    def _stop_if_unreadable(self, problems: MutableSequence[OSError]) -> None:
        for error in problems:
            if Path(error.filename) == self._root:
                raise SourceError(f"the folder {self._root} cannot be listed: {error.strerror}") from error

    def _uri(self, path: Path) -> str:
        name = os.fsencode(path.relative_to(self._root).as_posix())
        readable = re.sub(
            r"[\udc80-\udcff]", lambda m: quote(os.fsencode(m[0])), name.decode("utf-8", "surrogateescape")
        )
        return f"{self._settings.id}/{readable}"

    def _item(self, path: Path, uri: str) -> Item:
        found = self._inside(path).stat()
        if not stat.S_ISREG(found.st_mode):
            raise FetchError("not a regular file")
        self._paths[uri] = path
        # The time is no date of the document: a copy or a checkout of the same files has others.
        inside = path.relative_to(self._root).as_posix()
        return item_of(uri, f"{found.st_size}-{found.st_mtime_ns}", inside, self._settings.rules)

    def _inside(self, path: Path) -> Path:
        """Follow links, and refuse one that leaves the folder."""
        real = Path(os.path.realpath(path, strict=True))  # unlike Path.resolve, an OSError for a loop of links
        if not real.is_relative_to(self._root.resolve()):
            raise FetchError(f"{path} is a link that leaves the folder; it is not followed")
        return real

    def _read(self, path: Path) -> bytes:
        limit = self._settings.max_bytes
        if path.stat().st_size > limit:
            raise FetchError(f"{path} has {path.stat().st_size} bytes, more than max_bytes = {limit}")
        return unpacked(str(path), path.read_bytes(), limit)


def wanted(path: str, settings: Selection) -> bool:
    """Tell whether a file is to be read, by its path in the source; its folders have been asked about before."""
    return matches(path, settings.include) and not matches(path, settings.exclude)


def unpacked(name: str, content: bytes, limit: int) -> bytes:
    """Return the bytes that a gzip file holds, those of any other as they are."""
    if not name.endswith(".gz"):
        return content
    try:
        return gunzip(content, limit)
    except ValueError as error:
        raise FetchError(f"{name}: {error}") from error


KIND = Kind(FolderSource, lambda settings, context: Folder(settings, context.home), watched=True)
