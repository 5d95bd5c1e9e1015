"""The collections of one source: made, filled, changed and emptied by people, in many processes at a time."""

from collections.abc import Sequence, Set
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from rag_platform.core.errors import AlreadyThere, NotFound, UploadRefused
from rag_platform.core.principals import PUBLIC, limits
from rag_platform.sources.uploads.checking import checked, checked_id
from rag_platform.sources.uploads.database import insert
from rag_platform.sources.uploads.records import Collection
from rag_platform.sources.uploads.uploaded_files import UploadedFiles, remove_entry

_COLLECTIONS = (
    "select c.*, count(f.name) as files, coalesce(sum(f.size), 0) as bytes "
    "from collections c left join files f on f.collection = c.id"
)


class Collections(UploadedFiles):
    """The collections of a source of the kind `upload`."""

    def list(self, readers: Sequence[str] | None = None) -> Sequence[Collection]:
        """Return the collections by title; with `readers`, those that one of them may read."""
        rows = self._rows(f"{_COLLECTIONS} group by c.id order by lower(c.title), c.id")
        found = [self._collection(row) for row in rows]
        return [one for one in found if readers is None or may_read(one, self.asker(readers))]

    def show(self, collection: str, readers: Sequence[str] | None = None) -> Collection:
        """Return a collection; `NotFound` when there is none, or none that one of `readers` may read."""
        rows = self._rows(f"{_COLLECTIONS} where c.id = ? group by c.id", collection)
        found = self._collection(rows[0]) if rows else None
        if found is None or not (readers is None or may_read(found, self.asker(readers))):
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
            AlreadyThere: there is a collection of that id, or was one with files.
        """
        given = checked(title=title, description=description, language=language, principals=principals)
        self._refuse_others(principals or ())
        row = {"id": checked_id(id, title), **given, "owner": owner, "created_at": datetime.now(UTC).isoformat()}
        with self._database().writing() as connection:
            if connection.execute("select 1 from collections where id = ?", (row["id"],)).fetchone():
                raise AlreadyThere(
                    f"there is a collection {row['id']!r} already", "an id that is free", "Choose another id or title."
                )
            if connection.execute("select 1 from removed where collection = ?", (row["id"],)).fetchone():
                raise AlreadyThere(  # its readers would be those of the old files too
                    f"there was a collection {row['id']!r}, and versions that are kept may hold its files",
                    "an id that no collection with files has had",
                    "Choose another id or title.",
                )
            insert(connection, "collections", row)
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
                remove_entry(connection, collection, row["name"], who)
            connection.execute("delete from collections where id = ?", (collection,))
        self._sweep(collection)
        with suppress(OSError):  # something is still arriving there, and will find the collection gone
            (self.folder / collection).rmdir()

    def _refuse_others(self, principals: Sequence[str]) -> None:
        others = [one for one in principals if one not in self.principals]
        if others and PUBLIC not in self.principals:
            raise UploadRefused(
                f"{others[0]!r} may not read source {self.source!r}",
                f"some of: {', '.join(self.principals)}",
                "Choose among them, or change `principals` of the source in rag.toml.",
            )


def may_read(collection: Collection, readers: Set[str]) -> bool:
    """Return whether one of these principals may read a collection."""
    limited = limits(readers)
    if limited and collection.id not in limited:
        return False
    return not {PUBLIC, *readers}.isdisjoint(collection.principals)
