"""The shadow set: real questions, with leave and masked, and who gave leave or refused it.

A question is kept no longer than its receipt: what removes the receipt, such as forgetting whoever asked, removes it.
"""

import json
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rag_platform.config.sections.releases import ShadowSettings
from rag_platform.core.ids import digest
from rag_platform.core.lazy import locked_cached_property
from rag_platform.storage.sqlite import SqliteFile
from rag_platform.trials.migrations import MIGRATIONS


class ShadowSet:
    """The sampled questions of a workspace."""

    def __init__(self, path: Path, settings: ShadowSettings) -> None:
        """Keep them in a file, as [shadow] says; without it there are none."""
        self.path = path
        self._settings = settings

    def sampled(self, receipt_id: str) -> bool:
        """Return whether the question of a receipt is among the share that is taken; the same for good."""
        return int(digest("shadow", receipt_id), 16) < self._settings.sample * 2**64

    def may_take(self, person: str) -> bool:
        """Return whether this person's questions may be taken: they gave leave or, if it is assumed, did not refuse."""
        given = self.leave(person)
        return self._settings.leave == "assumed" if given is None else given

    def leave(self, person: str) -> bool | None:
        """Return what somebody decided; None: nothing."""
        if not self.path.exists():
            return None
        with self.file.reading() as connection:
            row = connection.execute("select given from leave where person = ?", (digest(person),)).fetchone()
        return bool(row["given"]) if row else None

    def decide(self, person: str, *, given: bool, receipts: Collection[str] = ()) -> None:
        """Write down somebody's leave or refusal, by a hash of who it is; a refusal takes back what was taken.

        `receipts` are the ids of this person's.
        """
        with self.file.writing() as connection:
            row = (digest(person), given, datetime.now(UTC).isoformat())
            connection.execute("replace into leave values (?, ?, ?)", row)
            if not given:
                own = json.dumps(list(map(digest, receipts)))
                connection.execute("delete from questions where receipt in (select value from json_each(?))", (own,))

    def add(self, receipt_id: str, question: str, now: datetime) -> None:
        """Keep a masked question; the oldest go when there are too many, and those that expired."""
        oldest = (now - timedelta(days=self._settings.keep_days)).date().isoformat()
        with self.file.writing() as connection:
            row = (digest(receipt_id), question, now.date().isoformat(), question)
            new = "select ?, ?, ? where not exists (select 1 from questions where question = ?)"
            connection.execute(f"insert or ignore into questions {new}", row)
            connection.execute("delete from questions where day < ?", (oldest,))
            newest = "select receipt from questions order by day desc, receipt limit ?"
            connection.execute(f"delete from questions where receipt not in ({newest})", (self._settings.questions,))

    def questions(self, now: datetime | None = None) -> list[str]:
        """Return the questions that have not expired, in an order that tells nothing."""
        if not self.path.exists():
            return []
        oldest = ((now or datetime.now(UTC)) - timedelta(days=self._settings.keep_days)).date().isoformat()
        with self.file.reading() as connection:
            rows = connection.execute("select question from questions where day >= ? order by receipt", (oldest,))
            return [row["question"] for row in rows]

    def keep_only(self, receipts: Collection[str], person: str | None = None) -> int:
        """Remove the questions whose receipt is not among these, and the leave, not a refusal, of `person`."""
        if not self.path.exists():
            return 0
        with self.file.writing() as connection:
            connection.execute("pragma secure_delete = on")
            known = json.dumps(list(map(digest, receipts)))
            gone = "delete from questions where receipt not in (select value from json_each(?))"
            removed = connection.execute(gone, (known,)).rowcount
            connection.execute("delete from leave where given and person = ?", (digest(person or ""),))
        return removed

    @locked_cached_property
    def file(self) -> SqliteFile:
        """The file, which trials are recorded in too."""
        return SqliteFile(self.path, MIGRATIONS)
