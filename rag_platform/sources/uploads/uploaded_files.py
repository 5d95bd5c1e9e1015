"""The files of an upload source's collections: taken, listed, removed and erased.

The bytes of a file lie under their hash in ``<folder>/<collection>/``, so no name that somebody chose ever reaches the
file system. A file's bytes are on the disk before its entry is, and leave it after: a kill in between leaves bytes
without an entry, which the next change removes, and never an entry without bytes.
"""

import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import NotFound, TooLarge
from rag_platform.sources.uploads.database import UploadDatabase, insert
from rag_platform.sources.uploads.names import safe_name
from rag_platform.sources.uploads.receiving import Receiver
from rag_platform.sources.uploads.records import File
from rag_platform.storage.atomic import explaining_full_disk, fsync

_HASH = re.compile(r"[0-9a-f]{64}")
_ABANDONED = 3600
"""Seconds after which bytes that were still arriving belong to nobody."""


class UploadedFiles(UploadDatabase):
    """The files of all collections of a source."""

    def files(self, collection: str | None = None) -> Sequence[File]:
        """Return the files by name, of one collection or of all."""
        rows = self._rows("select * from files where ? in (collection, '') order by collection, name", collection or "")
        return [self._file(row) for row in rows]

    def file(self, collection: str, name: str) -> File:
        """Return a file; `NotFound` when there is none."""
        rows = self._rows("select * from files where collection = ? and name = ?", collection, safe_name(name))
        if not rows:
            raise NotFound(f"the collection {collection!r} of source {self.source!r} has no file {name!r}")
        return self._file(rows[0])

    def add(
        self,
        collection: str,
        name: str,
        content: Iterable[bytes],
        *,
        title: str = "",
        content_type: str | None = None,
        tags: Sequence[str] = (),
        who: str = "",
    ) -> File:
        """Take a file; one of the same name becomes its next revision.

        Args:
            collection: which must be there.
            name: as the uploader's machine has it; folders in it do not count.
            content: its bytes, in pieces.
            title: as people call it; empty: the document's own.
            content_type: what the uploader's program says it is.
            tags: to find it by.
            who: uploads it.

        Raises:
            NotFound: there is no such collection.
            TooLarge: the file, or the number of files; nothing was kept.
        """
        with self.receiving(collection, name) as receiver:
            for piece in content:
                receiver.write(piece)
            return receiver.keep(title=title, content_type=content_type, tags=tags, who=who)

    @contextmanager
    def receiving(self, collection: str, name: str) -> Iterator[Receiver]:
        """Give what takes a file's bytes as they come; without `Receiver.keep`, nothing of them stays."""
        if not self.exists:
            raise self._no_collection(collection)
        with self._database().reading() as connection:
            self._room_in(connection, collection, safe_name(name))
        receiver = Receiver(self.folder / collection, safe_name(name), self.source, self.max_bytes, self._enter)
        try:
            yield receiver
        finally:
            receiver.close()

    def remove(self, collection: str, name: str, *, who: str = "") -> None:
        """Remove a file; the next sync takes it out of the index."""
        found = self.file(collection, name)
        with self._database().writing() as connection:
            remove_entry(connection, collection, found.name, who)
        self._sweep(collection)

    def removed(self) -> Sequence[tuple[str, str, str]]:
        """Return what somebody removed: (uri, who, when as ISO 8601)."""
        rows = self._rows("select * from removed order by collection, name")
        return [(self.uri(row["collection"], row["name"]), row["who"], row["at"]) for row in rows]

    def erase(self, uris: Iterable[str]) -> int:
        """Remove these files with every trace, also that they were removed; returns how many files went."""
        wanted, gone = set(uris), 0
        for file in self.files():
            if file.uri in wanted:
                self.remove(file.collection, file.name)
                gone += 1
        if not any(uri in wanted for uri, _, _ in self.removed()):
            return gone
        with self._database().reading() as connection:
            connection.execute("pragma secure_delete = on")
            for place in self._rows("select collection, name from removed"):
                if self.uri(*place) in wanted:
                    connection.execute("delete from removed where collection = ? and name = ?", tuple(place))
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        return gone

    def _enter(self, row: dict[str, Any], arrived: Path) -> File:
        """Enter a file whose bytes are in `arrived`."""
        collection, name = place = row["collection"], row["name"]
        with self._database().writing() as connection:
            self._room_in(connection, collection, name)
            before = connection.execute(
                "select sha256, revision from files where collection = ? and name = ?", place
            ).fetchone()
            same = before is not None and before["sha256"] == row["sha256"]
            final = self.folder / collection / row["sha256"]
            with explaining_full_disk(final):
                os.replace(arrived, final)  # within the transaction: `_sweep` sees bytes and entry, or neither
                fsync(final.parent)
            row = row | {"revision": before["revision"] + (not same) if before else 1}
            insert(connection, "files", row)
            connection.execute("delete from removed where collection = ? and name = ?", place)
        if before and not same:
            self._sweep(collection)
        return self._file(row)

    def _no_collection(self, collection: str) -> NotFound:
        return NotFound(
            f"source {self.source!r} has no collection {collection!r}; `rag collection list` names those there are"
        )

    def _room_in(self, connection: sqlite3.Connection, collection: str, name: str) -> None:
        if not connection.execute("select 1 from collections where id = ?", (collection,)).fetchone():
            raise self._no_collection(collection)
        others = connection.execute(
            "select count(*) from files where collection = ? and name <> ?", (collection, name)
        ).fetchone()[0]
        if others >= self.max_files:
            raise TooLarge(
                f"{name}: the collection {collection!r} has {others} files",
                f"at most max_files = {self.max_files}",
                f"Remove some, or raise `max_files` of source {self.source!r} in rag.toml.",
            )

    def _sweep(self, collection: str) -> None:
        """Remove the bytes that no entry names; what is only just arriving is left alone."""
        folder = self.folder / collection
        with self._database().writing() as connection:  # nobody enters one between the look and the removal
            sql = "select sha256 from files where collection = ?"
            named = {sha256 for (sha256,) in connection.execute(sql, (collection,))}
            for path in folder.iterdir() if folder.is_dir() else ():
                arriving = not _HASH.fullmatch(path.name)
                with suppress(FileNotFoundError):
                    if path.name not in named and not (arriving and _age(path) < _ABANDONED):
                        path.unlink()


def remove_entry(connection: sqlite3.Connection, collection: str, name: str, who: str) -> None:
    """Take a file's entry away and note who did, so that its document may go without being asked for."""
    connection.execute("delete from files where collection = ? and name = ?", (collection, name))
    now = datetime.now(UTC).isoformat()
    insert(connection, "removed", {"collection": collection, "name": name, "who": who, "at": now})


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime
