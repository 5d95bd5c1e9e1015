"""Requests that make something, sent again because no answer came: what they made is told again, not made again.

A caller names a request by a key of theirs (the header Idempotency-Key); the answer to it is kept for a day, and
of each caller only so many.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from rag_platform.storage.relational.app_database import ALL, Connection, Database

KEPT = timedelta(days=1)
ABANDONED = timedelta(minutes=15)
"""After which a request that has no answer yet is taken for one whose server ended."""
MOST = 1000
"""Answers that are kept for one caller, the newest: nobody's can push out those of others."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What was answered to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    receipt: str | None = None
    """Of the documents that it tells of, "" where none was written; None: it tells of none."""


class RepeatedRequests:
    """The answers that are kept, in the journal's file."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def begin(
        self, who: str, key: str, request: str, now: datetime | None = None
    ) -> KeptAnswer | Literal["new", "running", "another", "gone"]:
        """Return what was answered to this request, or what is to be done with it.

        Args:
            who: the caller, whose keys are theirs alone.
            key: as the caller says.
            request: the hash of what is asked for.
            now: the moment; None: this one.

        Returns:
            The answer; "new": there is none, and it is noted as running; "running": the same is being answered just
            now; "another": the key was used for another request; "gone": it was answered, and is told no more.
        """
        now = now or datetime.now(UTC)
        with self._file.writing() as connection:
            _prune(connection, who, now)
            row = connection.execute("select * from repeated_requests where who = ? and key = ?", (who, key)).fetchone()
            if row is None:
                connection.execute(
                    "insert into repeated_requests (who, key, request, at) values (?, ?, ?, ?)",
                    (who, key, request, now.isoformat()),
                )
                return "new"
        if row["request"] != request:
            return "another"
        if row["status"] is None:
            return "running"
        if row["body"] is None:
            return "gone"
        return KeptAnswer(row["status"], json.loads(row["headers"]), row["body"], row["receipt"])

    def keep(self, who: str, key: str, answer: KeptAnswer, now: datetime | None = None) -> None:
        """Keep the answer to a request that was begun; `now` as of `begin`."""
        values = (answer.status, json.dumps({**answer.headers}), answer.body, answer.receipt, who, key)
        with self._file.writing() as connection:
            connection.execute(
                "update repeated_requests set status = ?, headers = ?, body = ?, receipt = ? "
                "where who = ? and key = ? and status is null",
                values,
            )
            _prune(connection, who, now or datetime.now(UTC))

    def give_up(self, who: str, key: str) -> None:
        """Forget a request that failed: it may be sent again."""
        with self._file.writing() as connection:
            connection.execute("delete from repeated_requests where who = ? and key = ? and status is null", (who, key))


def _prune(connection: Connection, who: str, now: datetime) -> None:
    """Drop what is too old of everybody, and what is too much of a caller."""
    connection.execute(
        "delete from repeated_requests where at < ? or (status is null and at < ?)",
        ((now - KEPT).isoformat(), (now - ABANDONED).isoformat()),
    )
    connection.execute(
        "delete from repeated_requests where who = :who and key in (select key from repeated_requests "
        "where who = :who and status is not null order by at desc limit :all offset :most)",
        {"who": who, "all": ALL, "most": MOST},
    )
