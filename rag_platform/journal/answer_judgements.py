"""What people think of answers; bad, preferred and abstained ones become proposed questions (see `proposals.py`)."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from rag_platform.journal.receipts import Receipt, receipt_of
from rag_platform.storage.relational.app_database import Connection, Database

Reason = Literal["wrong", "incomplete", "outdated", "source", "unanswered", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""Why an answer is bad: it is wrong, something is missing, it is out of date, its source is the wrong one, the
documents do hold an answer, or something else."""
_LONGEST_COMMENT = 2000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What somebody thinks of an answer."""

    good: bool
    reason: str
    """One of `REASONS`; empty: none was given."""
    comment: str


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer, and what somebody thought of it; who is not told."""

    receipt: Receipt
    good: bool
    reason: str
    """One of `REASONS`; empty: none was given."""
    given_at: datetime


class Feedback:
    """The feedback in a journal: at most one judgement of each person for each answer."""

    def __init__(self, journal: Database) -> None:
        """Store it in the journal's file."""
        self._journal = journal

    def give(
        self, receipt_id: str, good: bool, comment: str = "", principal: str = "", reason: Reason | None = None
    ) -> None:
        """Store what a person thinks of an answer; it replaces what they thought before."""
        with self._journal.writing() as connection:
            connection.execute(
                "insert into feedback (receipt_id, principal, good, comment, given_at, reason) "
                "values (?, ?, ?, ?, ?, ?) "
                "on conflict (receipt_id, principal) do update set good = excluded.good, comment = excluded.comment, "
                "given_at = excluded.given_at, reason = excluded.reason",
                (receipt_id, principal, good, comment[:_LONGEST_COMMENT], _now(), reason or ""),
            )
            update_proposal(connection, receipt_id)

    def withdraw(self, receipt_id: str, principal: str = "") -> None:
        """Remove what a person thought of an answer."""
        with self._journal.writing() as connection:
            connection.execute("delete from feedback where receipt_id = ? and principal = ?", (receipt_id, principal))
            update_proposal(connection, receipt_id)

    def since(self, moment: datetime, limit: int) -> list[Judged]:
        """Return what was judged since a moment's day began (UTC), the newest first."""
        with self._journal.reading() as connection:
            rows = connection.execute(
                "select receipts.*, good, reason, given_at from feedback join receipts on receipts.id = receipt_id "
                "where given_at >= ? order by given_at desc limit ?",
                (moment.astimezone(UTC).date().isoformat(), limit),
            ).fetchall()
        return [
            Judged(receipt_of(row), bool(row["good"]), row["reason"], datetime.fromisoformat(row["given_at"]))
            for row in rows
        ]

    def of(self, receipt_id: str, principal: str = "") -> Judgement | None:
        """Return what a person thinks of an answer; None: they gave no feedback."""
        with self._journal.reading() as connection:
            row = connection.execute(
                "select * from feedback where receipt_id = ? and principal = ?", (receipt_id, principal)
            ).fetchone()
        return Judgement(bool(row["good"]), row["reason"], row["comment"]) if row else None


def update_proposal(connection: Connection, receipt_id: str) -> None:
    """Propose the question of an answer while that is found bad or better than another, or declining is judged."""
    judged = (
        "select 1 from receipts where id = ? and (exists (select 1 from preferred_answers where better = receipts.id) "
        "or exists (select 1 from feedback where receipt_id = receipts.id and (not good or abstained)))"
    )
    if connection.execute(judged, (receipt_id,)).fetchone():
        row = (receipt_id, _now())
        connection.execute("insert into proposals (receipt_id, proposed_at) values (?, ?) on conflict do nothing", row)
    else:
        connection.execute("delete from proposals where receipt_id = ? and state = 'open'", (receipt_id,))


def _now() -> str:
    return datetime.now(UTC).isoformat()
