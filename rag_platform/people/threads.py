"""Which chat a conversation elsewhere belongs to, and which messages were taken: threads of Slack, e-mails.

What they are called there is kept as a hash alone.
"""

import hashlib
from datetime import UTC, datetime, timedelta

from rag_platform.storage.relational.app_database import Database

HELD = timedelta(hours=1)
"""For which a message that belongs to no chat is taken: whoever took it ended, or nobody sends it again so late."""


class Threads:
    """The threads of a journal; every process of the workspace may use them at once."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file."""
        self._journal = journal

    def take(self, key: str, now: datetime | None = None) -> bool:
        """Note that a message is being answered, now or at that moment; False: it was taken before."""
        now = now or datetime.now(UTC)
        with self._journal.writing() as connection:
            connection.execute("delete from threads where chat_id is null and seen_at < ?", ((now - HELD).isoformat(),))
            added = connection.execute(
                "insert into threads (key, seen_at) values (?, ?) on conflict do nothing",
                (_hashed(key), now.isoformat()),
            )
            return bool(added.rowcount)

    def release(self, key: str) -> None:
        """Give a message back, which could not be answered, to be taken again."""
        with self._journal.writing() as connection:
            connection.execute("delete from threads where key = ?", (_hashed(key),))

    def bind(self, key: str, chat_id: str) -> None:
        """Note that a thread, or a message, belongs to a chat."""
        with self._journal.writing() as connection:
            connection.execute(
                "insert into threads (key, chat_id, seen_at) values (?, ?, ?) "
                "on conflict (key) do update set chat_id = excluded.chat_id, seen_at = excluded.seen_at",
                (_hashed(key), chat_id, datetime.now(UTC).isoformat()),
            )

    def chat_of(self, *keys: str) -> str | None:
        """Return the chat of the first of these that has one."""
        with self._journal.reading() as connection:
            for key in keys:
                row = connection.execute("select chat_id from threads where key = ?", (_hashed(key),)).fetchone()
                if row and row["chat_id"]:
                    return str(row["chat_id"])
        return None


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
