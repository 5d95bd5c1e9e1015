"""Watches: questions and searches that are asked again after each publication, and what they found, in the journal.

A finding keeps no text: of an answer its receipt, of a search ids of documents. So what is forgotten is gone here too,
and who may read a change is decided when it is read.
"""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.core.principals import limits
from rag_platform.people.secret_keys import new_key, read_key
from rag_platform.storage.relational.app_database import Connection, Database, Row

Kind = Literal["question", "search"]
MOST = 50
"""Watches of one owner: each is asked after every publication."""
KEPT = 60
"""Findings of a watch that are kept."""
LEASE = timedelta(minutes=5)
"""For how long nobody else does what a process is doing: look, or send an e-mail."""
LONGEST_PAUSE = timedelta(hours=1)
"""Between two attempts to send an e-mail."""
GIVEN_UP_AFTER = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Watch:
    """What somebody watches."""

    id: str
    owner: str
    token: str
    """The name of the token by which it was made, whose rights count; empty: the owner's."""
    principals: tuple[str, ...]
    """As whom the owner read when they were seen last."""
    seen_at: datetime
    kind: Kind
    question: str
    options: Mapping[str, Any]
    """Of the question or the search: generator, mode, and the filters that are set."""
    mail: bool
    feed: bool
    """Whether a token reads its feed."""
    made_at: datetime
    problem: str
    """Why the last look failed; empty: it did not."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a watch found once it was another thing than before; the first is what it began with."""

    id: int
    watch_id: str
    at: datetime
    version: str
    receipt_id: str | None
    """Of an answer; None: of a search, or it was forgotten."""
    change: bool
    seen: bool
    mailed: datetime | None
    mail_error: str
    documents: Mapping[str, str]
    """The documents found, by id their revision, of a search."""


class Watches:
    """The watches of a journal. Each belongs to one owner, and is nothing to others."""

    def __init__(self, file: Database) -> None:
        self._file = file

    # --- an owner's own --------------------------------------------------------------------------------

    def begin(
        self,
        owner: str,
        question: str,
        now: datetime,
        *,
        kind: Kind = "question",
        options: Mapping[str, Any] | None = None,
        principals: Sequence[str] = (),
        token: str = "",
        mail: bool = False,
    ) -> str:
        """Begin to watch, and return the watch's id; one that the owner has already is not made twice.

        Raises:
            SettingsError: the owner has as many as one may have.
        """
        written, moment = json.dumps(options or {}, sort_keys=True), now.isoformat()
        same = (owner, token, kind, question, written)
        with self._file.writing() as connection:
            row = connection.execute(
                "select id from watches where (owner, token, kind, question, options) = (?, ?, ?, ?, ?)", same
            ).fetchone()
            if row:
                connection.execute("update watches set mail = mail or ? where id = ?", (mail, row["id"]))
                return str(row["id"])
            count = connection.execute("select count(*) from watches where owner = ?", (owner,)).fetchone()[0]
            if count >= MOST:
                raise SettingsError(f"there are {count} watches, and one may have {MOST}; end one that is not needed")
            watch_id = secrets.token_urlsafe(12)
            connection.execute(
                "insert into watches (id, owner, token, kind, question, options, principals, seen_at, mail, made_at) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (watch_id, *same, json.dumps([*principals]), moment, mail, moment),
            )
        return watch_id

    def of(self, owner: str) -> list[Watch]:
        """Return an owner's watches, the newest first."""
        return self._watches("where owner = ? order by made_at desc, id", owner)

    def find(self, watch_id: str, owner: str) -> Watch | None:
        """Return an owner's watch; None when there is none of that id, or it is somebody else's."""
        return next(iter(self._watches("where id = ? and owner = ?", watch_id, owner)), None)

    def end(self, watch_id: str, owner: str) -> None:
        """Watch no longer: its findings and its feed are gone. `NotFound` when it is not this owner's."""
        self._change("delete from watches where", (), watch_id, owner)

    def set_mail(self, watch_id: str, owner: str, *, wanted: bool) -> None:
        """Tell of changes by e-mail, or no longer. `NotFound` when it is not this owner's."""
        self._change("update watches set mail = ? where", (wanted,), watch_id, owner)

    def make_feed(self, watch_id: str, owner: str) -> str:
        """Return a token that reads the feed of a watch; it is shown this once only, and one before it ends."""
        key = new_key("feed")
        self._change("update watches set feed_id = ?, feed_hash = ? where", (key.id, key.hash), watch_id, owner)
        return key.text

    def end_feed(self, watch_id: str, owner: str) -> Callable[[], None]:
        """Let nobody read the feed of a watch, and return what restores it. `NotFound` when it is not this owner's."""
        with self._file.reading() as connection:
            row = connection.execute("select feed_id, feed_hash from watches where id = ?", (watch_id,)).fetchone()
        self._change("update watches set feed_id = null, feed_hash = null where", (), watch_id, owner)

        def restore() -> None:
            with self._file.writing() as connection:
                sql = "update watches set feed_id = ?, feed_hash = ? where feed_id is null and id = ?"
                connection.execute(sql, (*row, watch_id))

        return restore

    def of_feed(self, given: str) -> Watch | None:
        """Return the watch whose feed this token reads; None: it is none."""
        key = read_key("feed", given)
        if key is None:
            return None
        with self._file.reading() as connection:
            row = connection.execute("select * from watches where feed_id = ?", (key.id,)).fetchone()
        return _watch(row) if key.matches(row["feed_hash"] if row else None) else None

    def arrived(self, owner: str, principals: Sequence[str], now: datetime) -> None:
        """Note as whom an owner reads now: so their watches read until they come again."""
        reach = {*limits(principals)}
        seen = json.dumps([*principals]), now.isoformat()
        with self._file.writing() as connection:
            rows = connection.execute("select id, principals from watches where owner = ? and token = ''", (owner,))
            own = [row["id"] for row in rows.fetchall() if {*limits(json.loads(row["principals"]))} == reach]
            connection.executemany(
                "update watches set principals = ?, seen_at = ? where id = ?", [(*seen, one) for one in own]
            )

    # --- findings --------------------------------------------------------------------------------------

    def findings(self, watch_id: str, limit: int = KEPT) -> list[Finding]:
        """Return what a watch found, the newest first."""
        with self._file.reading() as connection:
            rows = connection.execute(
                "select * from findings where watch_id = ? order by id desc limit ?", (watch_id, limit)
            ).fetchall()
            return [_finding(connection, row) for row in rows]

    def unseen(self, owner: str) -> dict[str, int]:
        """Return how many changes of an owner's watches they have not seen, by watch."""
        sql = (
            "select watch_id, count(*) from findings join watches on watches.id = watch_id "
            "where owner = ? and change and not seen group by watch_id"
        )
        with self._file.reading() as connection:
            return dict(connection.execute(sql, (owner,)).fetchall())

    def see(self, watch_id: str, owner: str) -> None:
        """Note that an owner has seen the changes of a watch. `NotFound` when it is not this owner's."""
        self._change("update watches set problem = problem where", (), watch_id, owner)
        with self._file.writing() as connection:
            connection.execute("update findings set seen = true where watch_id = ?", (watch_id,))

    def add(
        self,
        watch: Watch,
        version: str,
        now: datetime,
        *,
        receipt_id: str | None = None,
        documents: Mapping[str, str] | None = None,
    ) -> None:
        """Keep what a watch found, which is another thing than before; what is too old goes."""
        with self._file.writing() as connection:
            change = connection.execute("select 1 from findings where watch_id = ?", (watch.id,)).fetchone() is not None
            due = now.isoformat() if change and watch.mail else None
            added = connection.execute(
                "insert into findings (watch_id, at, version, receipt_id, change, mail_due) values (?, ?, ?, ?, ?, ?) "
                "returning id",
                (watch.id, now.isoformat(), version, receipt_id, change, due),
            ).fetchone()["id"]
            connection.executemany(
                "insert into found_documents values (?, ?, ?)",
                [(added, doc_id, revision) for doc_id, revision in (documents or {}).items()],
            )
            connection.execute(
                "delete from findings where watch_id = ? and id not in "
                "(select id from findings where watch_id = ? order by id desc limit ?)",
                (watch.id, watch.id, KEPT),
            )

    # --- looking ---------------------------------------------------------------------------------------

    def claim(self, move: str, now: datetime, watch_id: str | None = None) -> Watch | None:
        """Take a watch that has not looked since the live version was moved last; nobody else gets it for a while.

        Args:
            move: when it was moved, as the log of moves says.
            now: the clock.
            watch_id: this one alone.
        """
        with self._file.writing() as connection:
            row = connection.execute(
                "select * from watches where looked <> ? and leased <= ? and coalesce(id = ?, true) "
                "order by leased, made_at limit 1",
                (move, now.isoformat(), watch_id),
            ).fetchone()
            if row is None:
                return None
            until = (now + LEASE).isoformat()
            connection.execute("update watches set leased = ? where id = ?", (until, row["id"]))
        return _watch(row)

    def looked(self, watch: Watch, move: str) -> None:
        """Note that a watch has looked since that move."""
        with self._file.writing() as connection:
            done = "update watches set looked = ?, leased = '', problem = '' where id = ?"
            connection.execute(done, (move, watch.id))

    def failed(self, watch: Watch, problem: str) -> None:
        """Note why a watch could not look; it looks again once its lease has ended."""
        with self._file.writing() as connection:
            connection.execute("update watches set problem = ? where id = ?", (problem, watch.id))

    # --- e-mails ---------------------------------------------------------------------------------------

    def claim_mail(self, now: datetime) -> tuple[Watch, int] | None:
        """Take the oldest change that is to be told by e-mail once it is due: its watch, and the finding's id."""
        with self._file.writing() as connection:
            connection.execute(
                "update findings set mail_due = null where mail_due is not null and at < ?",
                ((now - GIVEN_UP_AFTER).isoformat(),),
            )
            row = connection.execute(
                "select watches.*, findings.id as finding from findings join watches on watches.id = watch_id "
                "where mail_due <= ? order by findings.id limit 1",
                (now.isoformat(),),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "update findings set mail_due = ?, mail_attempts = mail_attempts + 1 where id = ?",
                ((now + LEASE).isoformat(), row["finding"]),
            )
        return _watch(row), row["finding"]

    def mailed(self, finding: int, now: datetime, problem: str = "") -> None:
        """Note that an e-mail was sent, or, with a problem, that none is to be."""
        moment = None if problem else now.isoformat()
        with self._file.writing() as connection:
            sql = "update findings set mailed = ?, mail_due = null, mail_error = ? where id = ?"
            connection.execute(sql, (moment, problem, finding))

    def mail_failed(self, finding: int, why: str, now: datetime) -> None:
        """Note that an e-mail could not be sent: it waits, longer each time."""
        with self._file.writing() as connection:
            row = connection.execute("select mail_attempts from findings where id = ?", (finding,)).fetchone()
            due = now + min(timedelta(minutes=2 ** min(row[0] if row else 0, 10)), LONGEST_PAUSE)
            sql = "update findings set mail_due = ?, mail_error = ? where id = ?"
            connection.execute(sql, (due.isoformat(), why, finding))

    def _watches(self, where: str, *values: str) -> list[Watch]:
        with self._file.reading() as connection:
            return [_watch(row) for row in connection.execute(f"select * from watches {where}", values).fetchall()]

    def _change(self, sql: str, values: tuple[Any, ...], watch_id: str, owner: str) -> None:
        with self._file.writing() as connection:
            if not connection.execute(f"{sql} id = ? and owner = ?", (*values, watch_id, owner)).rowcount:
                raise NotFound("there is no such watch of yours; it may have ended")


def _watch(row: Row) -> Watch:
    named: dict[str, Any] = {name: row[name] for name in ("id", "owner", "token", "kind", "question", "problem")}
    named |= {name: datetime.fromisoformat(row[name]) for name in ("seen_at", "made_at")}
    return Watch(
        **named,
        principals=tuple(json.loads(row["principals"])),
        options=json.loads(row["options"]),
        mail=bool(row["mail"]),
        feed=row["feed_id"] is not None,
    )


def _finding(connection: Connection, row: Row) -> Finding:
    found = connection.execute("select doc_id, revision from found_documents where finding_id = ?", (row["id"],))
    named = {name: row[name] for name in ("id", "watch_id", "version", "receipt_id", "mail_error")}
    return Finding(
        **named,
        at=datetime.fromisoformat(row["at"]),
        change=bool(row["change"]),
        seen=bool(row["seen"]),
        mailed=datetime.fromisoformat(row["mailed"]) if row["mailed"] else None,
        documents=dict(found.fetchall()),
    )
