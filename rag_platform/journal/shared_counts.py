"""What was taken of each rate limit, in a database that several processes count in together."""

import hashlib
import time

from rag_platform.storage.relational.app_database import Database


class SharedCounts:
    """A storage of `limits` for its moving window; names are kept as hashes, for as long as they count."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def acquire_entry(self, key: str, limit: int, expiry: int, amount: int = 1) -> bool:
        """Count so many more unless that is over `limit` within `expiry` seconds; return whether it was counted."""
        if amount > limit:
            return False
        now, hashed = time.time(), _hashed(key)
        with self._database.writing() as connection:
            connection.execute("delete from rate_hits where ends < ?", (now,))
            taken = connection.execute("select count(*) from rate_hits where key = ?", (hashed,)).fetchone()[0]
            if taken + amount > limit:
                return False
            row = "insert into rate_hits (key, begun, ends) values (?, ?, ?)"
            connection.executemany(row, [(hashed, now, now + expiry)] * amount)
        return True

    def get_moving_window(self, key: str, limit: int, expiry: int) -> tuple[float, int]:  # noqa: ARG002  as `limits` asks
        """Return when the first that counts was taken, and how many count."""
        now = time.time()
        with self._database.reading() as connection:
            first, taken = connection.execute(
                "select min(begun), count(*) from rate_hits where key = ? and ends >= ?", (_hashed(key), now)
            ).fetchone()
        return (now if first is None else first), taken

    def clear(self, key: str) -> None:
        """Forget what was taken."""
        with self._database.writing() as connection:
            connection.execute("delete from rate_hits where key = ?", (_hashed(key),))


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
