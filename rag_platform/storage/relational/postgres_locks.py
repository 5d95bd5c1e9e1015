"""Locks that a PostgreSQL server keeps, for machines that work on one workspace.

They are advisory locks of a session, which the server releases when the connection ends, however it does. The server
looks for a holder that went without a word, whose locks are then free within a minute.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from rag_platform.core.errors import LockLost, WorkspaceBusy
from rag_platform.storage.relational.postgres import connected, engine_of, lock_key

if TYPE_CHECKING:
    import psycopg

_OURS = f"rag {os.getpid()} {socket.gethostname()}"[:63]
"""As what the server knows a connection that holds locks; it keeps 63 characters."""
_ALIVE = "set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3"


class PostgresLocks:
    """The locks of a workspace's schema that belong to one purpose."""

    def __init__(self, url: Callable[[], str], schema: str, purpose: str) -> None:
        self._url, self._schema, self._purpose = url, schema, purpose
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        self._held: set[str] = set()

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Hold a lock; `WorkspaceBusy` names the process and the machine that hold it already."""
        self._take(name)
        try:
            yield
            self.assure()
        finally:
            self._release(name)

    @contextmanager
    def wait(self, name: str) -> Iterator[None]:
        """Hold a lock as soon as nobody else does, by a connection of its own."""
        with connected(engine_of(self._url()), self._schema) as raw:
            raw.execute("set lock_timeout = 0")  # as long as it takes: an erasure writes a version meanwhile
            raw.execute("select pg_advisory_lock(%s)", (self._key(name),))
            raw.execute("reset lock_timeout")
            try:
                yield
            finally:
                raw.execute("select pg_advisory_unlock(%s)", (self._key(name),))

    def is_held(self, name: str) -> bool:
        """Return whether anybody holds a lock."""
        return self._holder(name) is not None

    def assure(self) -> None:
        """Raise `LockLost` if the connection that holds our locks is gone; nothing is asked when none is held."""
        with self._lock:
            connection = self._connection if self._held else None
        if connection is not None and not _answers(connection):
            raise LockLost(
                f"the connection to PostgreSQL that held the lock of {', '.join(sorted(self._held))} was lost, so that "
                "another machine may be writing now. Nothing is written any more; run again"
            )

    def _take(self, name: str) -> None:
        with self._lock:
            if self._connection is None:
                self._connection = self._connect()
            asked = "select pg_try_advisory_lock(%s)"
            if name in self._held or not self._connection.execute(asked, (self._key(name),)).fetchone()[0]:  # type: ignore[index]
                holder = self._holder(name)
                self._let_go()
                raise WorkspaceBusy(
                    f"{_shown(holder)} is writing {name!r} of this workspace; wait until it ends, then run again"
                )
            self._held.add(name)

    def _release(self, name: str) -> None:
        with self._lock:
            self._held.discard(name)
            if self._connection is not None:
                with suppress(Exception):  # a lost connection has released it
                    self._connection.execute("select pg_advisory_unlock(%s)", (self._key(name),))
            self._let_go()

    def _let_go(self) -> None:
        """Close the connection once nothing is held by it."""
        if not self._held and self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> psycopg.Connection[Any]:
        """Take a connection out of the pool: it is kept for hours."""
        engine = engine_of(self._url())
        with connected(engine, self._schema):  # whose errors are told as ours
            lent = engine.raw_connection()
        connection: psycopg.Connection[Any] = lent.driver_connection  # type: ignore[assignment]
        lent.detach()
        connection.autocommit = True
        connection.execute("select set_config('application_name', %s, false)", (_OURS,))
        connection.execute(_ALIVE)
        return connection

    def _holder(self, name: str) -> str | None:
        """Return as what the holder's connection is known; None: nobody holds it."""
        key = self._key(name) & (2**64 - 1)
        asked = (
            "select application_name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' "
            "and classid = %s::bigint::oid and objid = %s::bigint::oid and granted"
        )
        with connected(engine_of(self._url()), self._schema) as raw:
            row = raw.execute(asked, (key >> 32, key & (2**32 - 1))).fetchone()
        return str(row[0]) if row else None

    def _key(self, name: str) -> int:
        return lock_key(self._schema, f"{self._purpose} {name}")


def _answers(connection: psycopg.Connection[Any]) -> bool:
    try:
        connection.execute("select 1")
    except Exception:  # noqa: BLE001  whatever it is, the lock cannot be counted on
        return False
    return True


def _shown(holder: str | None) -> str:
    ours, _, rest = (holder or "").partition(" ")
    process, _, machine = rest.partition(" ")
    return f"process {process} on {machine}" if ours == "rag" and machine else "another process"
