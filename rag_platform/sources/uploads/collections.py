"""The collections of one source: made, filled, changed and emptied by people, in many processes at a time.

The bytes of a file lie under their hash in ``<folder>/<collection>/``, so no name that somebody chose ever reaches the
file system. A file's bytes are on the disk before its entry is, and leave it after: a kill in between leaves bytes
without an entry, which the next change removes, and never an entry without bytes.
"""

import json
import os
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import AlreadyThere, NotFound, TooLarge, UploadRefused
from rag_platform.core.principals import PUBLIC
from rag_platform.sources.uploads.checking import checked, checked_id
from rag_platform.sources.uploads.names import in_uri, safe_name
from rag_platform.sources.uploads.receiving import Receiver
from rag_platform.sources.uploads.records import Collection, File
from rag_platform.sources.uploads.schema import MIGRATIONS
from rag_platform.storage.atomic import explaining_full_disk, fsync
from rag_platform.storage.sqlite import SqliteFile

DATABASE = "collections.sqlite"
NOBODY = ("(nobody)",)
"""The readers of a collection none of whose own may read its source any more."""
_HASH = re.compile(r"[0-9a-f]{64}")
_ABANDONED = 3600
"""Seconds after which bytes that were still arriving belong to nobody."""
_COLLECTIONS = (
    "select c.*, count(f.name) as files, coalesce(sum(f.size), 0) as bytes "
    "from collections c left join files f on f.collection = c.id"
)


class Collections:
    """The collections of a source of the kind `upload`."""

    def __init__(
        self,
        folder: Path,
        source: str,
        *,
        max_bytes: int,
        max_files: int,
        principals: Sequence[str] = (PUBLIC,),
    ) -> None:
        """Open the collections in `folder`, where all of the source's lie.

        Args:
            folder: made with the first collection.
            source: the source's id.
            max_bytes: of one file.
            max_files: of one collection.
            principals: who may read the source. A collection that says so itself has fewer readers, never others.
        """
        self.folder = folder
        self.source = source
        self.max_bytes = max_bytes
        self.max_files = max_files
        self.principals = tuple(principals)
        self._opened: SqliteFile | None = None

    # --- collections -----------------------------------------------------------------------------------

    def list(self, readers: Sequence[str] | None = None) -> list[Collection]:
        """Return the collections by title; with `readers`, those that one of them may read."""
        rows = self._rows(f"{_COLLECTIONS} group by c.id order by lower(c.title), c.id")
        found = [self._collection(row) for row in rows]
        return [one for one in found if readers is None or may_read(one, readers)]

    def show(self, collection: str, readers: Sequence[str] | None = None) -> Collection:
        """Return a collection; `NotFound` when there is none, or none that one of `readers` may read."""
        rows = self._rows(f"{_COLLECTIONS} where c.id = ? group by c.id", collection)
        found = self._collection(rows[0]) if rows else None
        if found is None or not (readers is None or may_read(found, readers)):
            known = ", ".join(one.id for one in self.list(readers)) or "none yet"
            raise NotFound(f"source {self.source!r} has no collection {collection!r}; there are: {known}")
        return found

    def create(
        self,
        title: str,
        *,
        id: str | None = None,  # noqa: A002 - the record's name
        description: str = "",
        language: str | None = None,
        principals: Sequence[str] = (),
        owner: str = "",
    ) -> Collection:
        """Make an empty collection and return it.

        Args:
            title: as people call it.
            id: its name in addresses and filters; None: made of the title.
            description: what it holds.
            language: ISO 639 code of its texts, where they do not tell it themselves.
            principals: who may read it; none: as the source says.
            owner: who made it.

        Raises:
            UploadRefused: the title or the id is not well formed.
            AlreadyThere: there is a collection of that id.
        """
        given = checked(title=title, description=description, language=language, principals=principals)
        self._refuse_others(principals or ())
        row = {"id": checked_id(id, title), **given, "owner": owner, "created_at": datetime.now(UTC).isoformat()}
        with self._database().writing() as connection:
            if connection.execute("select 1 from collections where id = ?", (row["id"],)).fetchone():
                raise AlreadyThere(
                    f"there is a collection {row['id']!r} already", "an id that is free", "Choose another id or title."
                )
            _insert(connection, "collections", row)
        return self.show(row["id"])

    def change(self, collection: str, **changes: Any) -> Collection:
        """Change title, description, language or principals of a collection; the next sync publishes it."""
        unknown = sorted(changes.keys() - {"title", "description", "language", "principals"})
        if unknown:
            raise UploadRefused(
                f"{unknown[0]!r} cannot be changed", "title, description, language or principals", "Leave it out."
            )
        self.show(collection)
        given = checked(**changes)
        self._refuse_others(changes.get("principals") or ())
        with self._database().writing() as connection:
            for name, value in given.items():
                connection.execute(f"update collections set {name} = ? where id = ?", (value, collection))
        return self.show(collection)

    def delete(self, collection: str, *, who: str = "") -> None:
        """Remove a collection with all its files; the next sync takes them out of the index."""
        self.show(collection)
        with self._database().writing() as connection:
            for row in connection.execute("select name from files where collection = ?", (collection,)).fetchall():
                _bury(connection, collection, row["name"], who)
            connection.execute("delete from collections where id = ?", (collection,))
        self._sweep(collection)
        with suppress(OSError):  # something is still arriving there, and will find the collection gone
            (self.folder / collection).rmdir()

    # --- files -----------------------------------------------------------------------------------------

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
    def receiving(self, collection: str, name: str) -> Iterator["Receiver"]:
        """Give what takes a file's bytes as they come; without `Receiver.keep`, nothing of them stays."""
        if not (self.folder / DATABASE).exists():
            self.show(collection)  # which tells that there is none
        with self._database().reading() as connection:
            self._room_in(connection, collection, safe_name(name))
        receiver = Receiver(self, collection, safe_name(name))
        try:
            yield receiver
        finally:
            receiver.close()

    def remove(self, collection: str, name: str, *, who: str = "") -> None:
        """Remove a file; the next sync takes it out of the index."""
        found = self.file(collection, name)
        with self._database().writing() as connection:
            _bury(connection, collection, found.name, who)
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

    def path(self, file: File) -> Path:
        """Return where a file's bytes lie."""
        return self.folder / file.collection / file.sha256

    def uri(self, collection: str, name: str) -> str:
        """Return the address of a file."""
        return f"{self.source}/{collection}/{in_uri(name)}"

    # --- inside ----------------------------------------------------------------------------------------

    def enter(self, row: dict[str, Any], arrived: Path) -> File:
        """Enter a file whose bytes are in `arrived`; for `Receiver`."""
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
            _insert(connection, "files", row)
            connection.execute("delete from removed where collection = ? and name = ?", place)
        if before and not same:
            self._sweep(collection)
        return self._file(row)

    def _refuse_others(self, principals: Sequence[str]) -> None:
        others = [one for one in principals if one not in self.principals]
        if others and PUBLIC not in self.principals:
            raise UploadRefused(
                f"{others[0]!r} may not read source {self.source!r}",
                f"some of: {', '.join(self.principals)}",
                "Choose among them, or change `principals` of the source in rag.toml.",
            )

    def _room_in(self, connection: sqlite3.Connection, collection: str, name: str) -> None:
        if not connection.execute("select 1 from collections where id = ?", (collection,)).fetchone():
            raise NotFound(
                f"source {self.source!r} has no collection {collection!r}; `rag collection list` names those there are"
            )
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

    def _rows(self, sql: str, *values: Any) -> Sequence[sqlite3.Row]:
        """Ask the database; before the first collection there is none, and asking makes none."""
        if not (self.folder / DATABASE).exists():
            return []
        with self._database().reading() as connection:
            return connection.execute(sql, values).fetchall()

    def _database(self) -> SqliteFile:
        self._opened = self._opened or SqliteFile(self.folder / DATABASE, MIGRATIONS)
        return self._opened

    def _collection(self, row: sqlite3.Row) -> Collection:
        values = dict(row)
        own = tuple(json.loads(values["principals"]))
        created = datetime.fromisoformat(values["created_at"])
        within = own if PUBLIC in self.principals else tuple(one for one in own if one in self.principals)
        readers = (within or NOBODY) if own else self.principals
        return Collection(**values | {"source": self.source, "principals": readers, "created_at": created})

    def _file(self, row: sqlite3.Row | dict[str, Any]) -> File:
        values = dict(row)
        uri = self.uri(values["collection"], values["name"])
        read = {"tags": tuple(json.loads(values["tags"])), "added_at": datetime.fromisoformat(values["added_at"])}
        return File(**values | read | {"uri": uri})


def may_read(collection: Collection, readers: Sequence[str]) -> bool:
    """Tell whether one of these principals may read a collection."""
    return not {PUBLIC, *readers}.isdisjoint(collection.principals)


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
    connection.execute(f"insert or replace into {table} ({names}) values ({values})", row)


def _bury(connection: sqlite3.Connection, collection: str, name: str, who: str) -> None:
    """Take a file's entry away and note who did, so that its document may go without being asked for."""
    connection.execute("delete from files where collection = ? and name = ?", (collection, name))
    now = datetime.now(UTC).isoformat()
    _insert(connection, "removed", {"collection": collection, "name": name, "who": who, "at": now})


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime
