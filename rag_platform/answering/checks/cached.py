"""Judgements of a check, kept in a file: the same claim beside the same source is judged once.

Only whoever has a source in hand can ask for its judgement, and the file has no text: its keys are hashes. Forgetting
a document still empties it, because a hash tells somebody who kept the text that it was here.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from rag_platform.answering.checks.check import Check, Judgement
from rag_platform.core.errors import StorageError
from rag_platform.core.ids import digest
from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.sqlite import SqliteFile

FILE = "judgements.sqlite"
"""Below the data folder."""
MOST = 100_000
"""Judgements; the oldest go first."""
MIGRATIONS = (
    """
    create table judgements (
        id integer primary key, key text not null unique, supported real not null, contradicted real not null
    )
    """,
)


class JudgementFile:
    """Judgements by key. Safe to use from threads and processes; a file that cannot be used counts as empty."""

    def __init__(self, path: Path) -> None:
        """Keep them in `path`, which is made by the first that is kept."""
        self._path = path

    def get(self, keys: Sequence[str]) -> dict[str, Judgement]:
        """Return what is known of these keys."""
        if not self._path.exists():
            return {}
        try:
            with self._file.reading() as connection:
                return {key: found for key in keys if (found := _judgement(connection, key))}
        except StorageError:
            return {}

    def put(self, judgements: dict[str, Judgement]) -> None:
        """Keep judgements."""
        rows = [(key, one.supported, one.contradicted) for key, one in judgements.items()]
        try:
            with self._file.writing() as connection:
                insert = "insert or replace into judgements (key, supported, contradicted) values (?, ?, ?)"
                connection.executemany(insert, rows)
                connection.execute("delete from judgements where id <= (select max(id) from judgements) - ?", (MOST,))
        except StorageError:
            return

    def clear(self) -> int:
        """Remove them all, also from the free pages of the file; return how many there were."""
        if not self._path.exists():
            return 0
        with self._file.writing() as connection:
            connection.execute("pragma secure_delete = on")
            count = connection.execute("delete from judgements").rowcount
        with self._file.reading() as connection:
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")
        return count

    @locked_cached_property
    def _file(self) -> SqliteFile:
        return SqliteFile(self._path, MIGRATIONS)


def _judgement(connection: sqlite3.Connection, key: str) -> Judgement | None:
    row = connection.execute("select supported, contradicted from judgements where key = ?", (key,)).fetchone()
    return Judgement(row["supported"], row["contradicted"]) if row else None


class CachedCheck:
    """Another check, whose judgements are kept by its name, the claim and the source; fulfils `Check`."""

    def __init__(self, check: Check, file: JudgementFile) -> None:
        """Ask `check` for what is not in `file`."""
        self._check = check
        self._known = file

    @property
    def name(self) -> str:
        """The check's."""
        return self._check.name

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> list[Judgement | None]:
        """Judge each (claim, source) as the check does; what it could not judge is asked again next time."""
        if not pairs:
            return []
        name = self.name
        keys = [digest(name, *pair, length=32) for pair in pairs]
        known = self._known.get(keys)
        missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in known}
        if missing:
            asked = zip(missing, self._check(list(missing.values())), strict=True)
            fresh = {key: judgement for key, judgement in asked if judgement}
            self._known.put(fresh)
            known |= fresh
        return [known.get(key) for key in keys]
