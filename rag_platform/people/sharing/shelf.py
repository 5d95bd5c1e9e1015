"""What somebody keeps for themselves, for groups, or for everybody: each item has one owner, and readers.

Its id is made of its name, so that an address and a model's name can be read; it stays when the name changes.
"""

import json
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Generic, Literal, TypeVar

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.storage.relational.app_database import Connection, Database, Row
from rag_platform.storage.removed_rows import putting_back, remove_rows
from rag_platform.text.cleaning import clean_line

MOST = 200
"""Items of a kind that one person may have."""
LONGEST_NAME = 80
"""Characters of a name."""
_LONGEST_ID = 60
_MOST_READERS = 50
Kind = Literal["assistant", "template"]
Body = TypeVar("Body")


@dataclass(frozen=True, slots=True)
class Shelved(Generic[Body]):
    """An item."""

    id: str
    owner: str
    name: str
    readers: tuple[str, ...]
    """Who may use it beside its owner: people and groups; `*`: everybody; empty: nobody else."""
    body: Body


class Shelf(Generic[Body]):
    """The items of one kind in a journal's file."""

    def __init__(self, journal: Database, kind: Kind, body: type[Body]) -> None:
        """Keep what `body`, a dataclass of texts and tuples of texts, holds."""
        self._journal, self.kind, self._body = journal, kind, body

    def of(self, asker: Collection[str]) -> list[Shelved[Body]]:
        """Return what is of one of these principals or for one, sorted by name."""
        found = [one for one in self._rows("") if _may_use(one, asker)]
        return sorted(found, key=lambda one: (one.name.casefold(), one.id))

    def find(self, item: str, asker: Collection[str]) -> Shelved[Body] | None:
        """Return an item that is of one of these principals or for one; None: there is none."""
        found = next(iter(self._rows("and id = ?", item)), None)
        return found if found and _may_use(found, asker) else None

    def put(self, owner: str, name: str, body: Body, readers: Sequence[str] = (), item: str | None = None) -> str:
        """Keep a new item, or, of that id, what its owner changed; returns its id.

        Raises:
            NotFound: it is not this owner's.
            SettingsError: it has no name, or the owner has as many as one may have.
        """
        name = clean_line(name)[:LONGEST_NAME]
        if not name:
            raise SettingsError(f"this {self.kind} has no name; expected a few words by which it is found")
        who = json.dumps(sorted({one.strip() for one in readers if one.strip()} - {owner})[:_MOST_READERS])
        kept = name, json.dumps(asdict(body), ensure_ascii=False), who, datetime.now(UTC).isoformat()  # type: ignore[call-overload]
        with self._journal.writing() as connection:
            if item is None:
                item = self._new_id(connection, owner, name)
                sql = (
                    "insert into shelf (name, body, readers, changed_at, kind, id, owner) values (?, ?, ?, ?, ?, ?, ?)"
                )
            else:
                changed = "name = ?, body = ?, readers = ?, changed_at = ?"
                sql = f"update shelf set {changed} where kind = ? and id = ? and owner = ?"
            if not connection.execute(sql, (*kept, self.kind, item, owner)).rowcount:
                raise NotFound(f"there is no {self.kind} {item!r} of yours; it may have been removed")
        return item

    def remove(self, item: str, owner: str) -> Callable[[], None]:
        """Remove an owner's item, and return what restores it; `NotFound` when there is none."""
        whose = "kind = ? and id = ? and owner = ?"
        rows = remove_rows(self._journal, "shelf", whose, (self.kind, item, owner))
        if not rows:
            raise NotFound(f"there is no {self.kind} {item!r} of yours; it may have been removed")
        return putting_back(self._journal, "shelf", rows)

    def _new_id(self, connection: Connection, owner: str, name: str) -> str:
        ids = dict(connection.execute("select id, owner from shelf where kind = ?", (self.kind,)).fetchall())
        if sum(one == owner for one in ids.values()) >= MOST:
            raise SettingsError(f"you have {MOST} of this kind, which is as many as one may have; remove one first")
        plain = readable_id(name, self.kind)
        tried = (plain if number == 1 else f"{plain}-{number}" for number in range(1, len(ids) + 2))
        return next(one for one in tried if one not in ids)

    def _rows(self, where: str, *values: str) -> list[Shelved[Body]]:
        with self._journal.reading() as connection:
            sql = f"select * from shelf where kind = ? {where}"
            return [self._item(row) for row in connection.execute(sql, (self.kind, *values)).fetchall()]

    def _item(self, row: Row) -> Shelved[Body]:
        held: dict[str, Any] = json.loads(row["body"])
        body = self._body(**{name: tuple(one) if isinstance(one, list) else one for name, one in held.items()})
        return Shelved(row["id"], row["owner"], row["name"], tuple(json.loads(row["readers"])), body)


def readable_id(name: str, otherwise: str) -> str:
    """Return a name as a part of an address: its letters and digits in small, with hyphens between."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    words = "".join(one if one.isalnum() else " " for one in folded).split()
    return "-".join(words)[:_LONGEST_ID].strip("-") or otherwise


def _may_use(item: Shelved[Any], asker: Collection[str]) -> bool:
    return not {item.owner, *item.readers}.isdisjoint(asker)
