"""Files below a folder.

A file's uri is ``<source id>/<path in the folder>``, such as ``handbook/guide/install.md``: moving or renaming the
folder or the workspace keeps it, and two sources never share one. Hidden files and folders are skipped, and so is the
workspace's own ``data/`` where the folder contains it. A link to a file is read when it stays in the folder; a link to
a folder is not followed (what it leads to is listed at its own place). A link that leaves the folder is reported.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from rag_platform.config.source_kinds import Kind
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.files.directory_tree import Directory, TreeWatch
from rag_platform.sources.files.file_selection import TYPES, Selection, readable, wanted
from rag_platform.sources.files.globs import matches
from rag_platform.sources.files.rules import item_of
from rag_platform.storage.files.regular_files import listed, read_regular


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
        self._real = Path(os.path.realpath(self._root))
        self._own = Path(os.path.realpath(home / "data"))
        self._paths: dict[str, Path] = {}
        self._watch = TreeWatch(self._root, self._directory)

    def list(self) -> Listing:
        """Name the files; an unreadable folder inside makes the listing incomplete."""
        self._check_root()
        items: list[Item] = []
        failed: list[tuple[str, str]] = []
        unreadable: list[tuple[str, str]] = []
        pending = [Path()]
        while pending:
            inside = pending.pop()
            try:
                found = self._directory(inside)
            except OSError as error:
                unreadable.append((self._uri(inside), f"cannot be listed: {error.strerror}"))
                continue
            items += found.items
            failed += found.failed
            pending += found.folders
        everything = sorted(items, key=lambda item: item.uri)
        return Listing(everything, complete=not unreadable, failed=sorted(failed + unreadable))

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  a file has no validators
        """Read a file."""
        path = self._paths.get(item.uri) or self._root / item.uri.removeprefix(f"{self._settings.id}/")
        try:
            content = self._read(path)
        except OSError as error:
            raise FetchError(f"{path} cannot be read: {error.strerror or error}") from error
        return Fetched(content, TYPES.guess_type(path.name)[0])

    def fingerprint(self) -> str:
        """Return a mark of all files' sizes and times, reading only what may have changed; see `TreeWatch`."""
        self._check_root()
        return self._watch.fingerprint()

    def _check_root(self) -> None:
        root, source = self._root, self._settings.id
        if not root.is_dir():
            raise SourceError(
                f"the folder {root} of source {source!r} does not exist or is no folder; check `path` "
                "in its settings, or whether a disk is missing. Nothing was deleted."
            )
        self._real = Path(os.path.realpath(root))  # a link may lead elsewhere since
        if self._real == self._own:
            raise SourceError(
                f"the folder {root} of source {source!r} is the workspace's own data; expected a folder of documents. "
                "Nothing was deleted."
            )
        try:
            os.scandir(root).close()
        except OSError as error:
            raise SourceError(f"the folder {root} cannot be listed: {error.strerror}") from error

    def _directory(self, inside: Path) -> Directory:
        """List one directory, `inside` being its path in the folder; OSError when it cannot be listed."""
        folders: list[Path] = []
        items: list[Item] = []
        failed: list[tuple[str, str]] = []
        with listed(self._real, inside) as found:
            for entry in found:
                path = inside / entry.name
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders += [path] if self._enters(path) else []
                    continue
                try:
                    items += self._items(entry, path)
                except (OSError, FetchError) as error:
                    failed.append((self._uri(path), str(error)))
        return Directory(tuple(folders), tuple(items), tuple(failed))

    def _enters(self, inside: Path) -> bool:
        excluded = matches(inside.as_posix(), self._settings.exclude)
        return not excluded and self._real / inside != self._own

    def _uri(self, inside: Path) -> str:
        return f"{self._settings.id}/{readable(inside.as_posix())}"

    def _items(self, entry: "os.DirEntry[str]", inside: Path) -> Iterator[Item]:
        """Yield the file, if it is one that is read; FetchError for a link that leaves the folder, a folder's too."""
        path, found = self._root / inside, entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(found.st_mode) and _is_folder(path):  # what it leads to is listed at its own place
            if self._enters(inside) and not Path(os.path.realpath(path)).is_relative_to(self._own):
                self._followed(path)
            return
        if not wanted(inside.as_posix(), self._settings):
            return
        if stat.S_ISLNK(found.st_mode):
            found = self._followed(path).stat()
        if not stat.S_ISREG(found.st_mode):
            raise FetchError("not a regular file")
        uri = self._uri(inside)
        self._paths[uri] = path
        # The time is no date of the document: a copy or a checkout of the same files has others.
        # The inode tells a file that was moved here: written at the same moment as the one before, it has its time.
        mark = f"{found.st_size}-{found.st_mtime_ns}-{found.st_ino}"
        yield item_of(uri, mark, inside.as_posix(), self._settings.rules)

    def _followed(self, path: Path) -> Path:
        """Follow links, and refuse one that leaves the folder or leads to the workspace's own data."""
        real = Path(os.path.realpath(path, strict=True))  # unlike Path.resolve, an OSError for a loop of links
        if not real.is_relative_to(self._real):
            raise FetchError(f"{path} is a link that leaves the folder; it is not followed")
        if real.is_relative_to(self._own) and not self._real.is_relative_to(self._own):
            raise FetchError(f"{path} leads to the workspace's own data; it is not read")
        return real

    def _read(self, path: Path) -> bytes:
        limit = self._settings.max_bytes
        return read_regular(self._real, self._followed(path).relative_to(self._real), limit)


def _is_folder(path: Path) -> bool:
    """Return whether a link leads to a folder; a loop of links does not."""
    try:
        return path.is_dir()
    except OSError:
        return False


EXAMPLE = """
[[sources]]
id = "files"
kind = "folder"
path = "files"
"""
KIND = Kind(FolderSource, lambda settings, context: Folder(settings, context.home), watched=True, example=EXAMPLE)
