"""Which of two answers to a question people find better: read by whoever compares generators, versions, settings."""

from datetime import UTC, datetime

from rag_platform.journal.answer_judgements import update_proposal
from rag_platform.journal.receipts import Receipt, receipt_of
from rag_platform.storage.relational.app_database import Database


class AnswerPreferences:
    """The preferences in a journal: of two answers each person finds at most one better."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file."""
        self._journal = journal

    def prefer(self, better: str, worse: str, principal: str = "") -> None:
        """Keep which of two answers, by their receipts, a person finds better; it replaces what they found before.

        The question of the better one is proposed for the evaluation.
        """
        with self._journal.writing() as connection:
            both = "principal = ? and better in (?, ?) and worse in (?, ?)"
            connection.execute(f"delete from preferred_answers where {both}", (principal, better, worse, better, worse))
            connection.execute(
                "insert into preferred_answers (principal, better, worse, given_at) values (?, ?, ?, ?)",
                (principal, better, worse, datetime.now(UTC).isoformat()),
            )
            for receipt in (better, worse):
                update_proposal(connection, receipt)

    def better(self, one: str, other: str, principal: str = "") -> str | None:
        """Return the receipt of the answer that a person found better; None: they have not said."""
        both = "principal = ? and better in (?, ?) and worse in (?, ?)"
        with self._journal.reading() as connection:
            sql = f"select better from preferred_answers where {both}"
            row = connection.execute(sql, (principal, one, other, one, other)).fetchone()
        return row["better"] if row else None

    def since(self, moment: datetime, limit: int) -> list[tuple[Receipt, Receipt]]:
        """Return the better and the worse answer of each since a moment's day began (UTC), the newest first."""
        day, found = moment.astimezone(UTC).date().isoformat(), []
        with self._journal.reading() as connection:
            newest = "where given_at >= ? order by given_at desc, principal, better, worse limit ?"
            for side in ("better", "worse"):
                sql = f"select receipts.* from preferred_answers join receipts on receipts.id = {side} {newest}"
                found.append([receipt_of(row) for row in connection.execute(sql, (day, limit)).fetchall()])
        return list(zip(*found, strict=True))
