"""The way in for whoever runs the workspace, where nobody signs in: a link that opens one session, once.

Only who may read the workspace's files can make a link. It is printed when a server starts, and by `rag link`.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rag_platform.people.secret_keys import SecretKey, new_key, read_key
from rag_platform.storage.relational.app_database import Database

LASTS = timedelta(hours=1)
"""Until a link that nobody opened expires."""
PARAMETER = "token"
"""Of a link's address."""


@dataclass(frozen=True, slots=True)
class AdminSession:
    """What a link opened."""

    secret: str
    """Sent with every request: by the page's cookie, or as the API's bearer token."""
    expires_at: datetime


class AdminLinks:
    """The links of a workspace and the sessions they opened, in the journal's file."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def create(self, address: str, now: datetime | None = None) -> str:
        """Return a link to a page or an API at that address, such as ``http://127.0.0.1:8501``."""
        made = self._keep("link", (now or datetime.now(UTC)) + LASTS)
        return f"{address.rstrip('/')}/?{PARAMETER}={made}"

    def redeem(self, token: str, hours: float, now: datetime | None = None) -> AdminSession | None:
        """Open a session that lasts so many hours; None: the link was used, has expired, or never was one."""
        now = now or datetime.now(UTC)
        key = read_key("link", token)
        if key is None or not self._holds("link", key, now) or not self._remove(key):
            return None
        expires_at = now + timedelta(hours=hours)
        return AdminSession(self._keep("session", expires_at), expires_at)

    def is_session(self, secret: str, now: datetime | None = None) -> bool:
        """Return whether this opens a session that goes on."""
        key = read_key("session", secret)
        return key is not None and self._holds("session", key, now or datetime.now(UTC))

    def revoke_all(self) -> int:
        """End all links and all sessions; return how many there were."""
        with self._file.writing() as connection:
            return connection.execute("delete from admin_keys").rowcount

    def _keep(self, kind: str, expires_at: datetime) -> str:
        key = new_key(kind)
        with self._file.writing() as connection:
            connection.execute("delete from admin_keys where expires_at < ?", (datetime.now(UTC).isoformat(),))
            connection.execute(
                "insert into admin_keys values (?, ?, ?, ?)", (key.id, kind, key.hash, expires_at.isoformat())
            )
        return key.text

    def _holds(self, kind: str, key: SecretKey, now: datetime) -> bool:
        with self._file.reading() as connection:
            row = connection.execute(
                "select hash from admin_keys where id = ? and kind = ? and expires_at > ?",
                (key.id, kind, now.isoformat()),
            ).fetchone()
        return key.matches(row["hash"] if row else None)

    def _remove(self, key: SecretKey) -> bool:
        """Return whether it was there still: of two who open a link at once, one does."""
        with self._file.writing() as connection:
            return connection.execute("delete from admin_keys where id = ?", (key.id,)).rowcount == 1
