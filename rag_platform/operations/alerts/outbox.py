"""What was told, and what is still to be delivered to whom: ``data/alerts.sqlite``, or PostgreSQL.

A message is written down before it is sent, so that neither a server that is down nor a process that is killed loses
it. It may arrive twice, when a process is killed between the delivery and its note; its id is the same then.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Literal

from rag_platform.config.sections.alerts import Event
from rag_platform.operations.alerts.conditions import Condition
from rag_platform.operations.alerts.happenings import Happening, Look
from rag_platform.storage.relational.app_database import Connection, Database, Row

LEASE = timedelta(minutes=5)
"""For how long nobody else sends what a process is sending."""
LONGEST_PAUSE = timedelta(hours=1)
"""Between two attempts."""
GIVEN_UP_AFTER = timedelta(days=3)
KEPT = timedelta(days=90)
"""How long it is known what was sent, without its text."""
MIGRATIONS = (
    "create table conditions (key text primary key, event text not null, source text, version text, since text, "
    "over text not null, seen text not null, told integer not null)",
    "create table messages (id text not null, target text not null, title text not null, alert text not null, "
    "made text not null, due text, attempts integer not null default 0, delivered text, "
    "error text not null default '', primary key (id, target))",
    "create table marks (event text primary key, mark text not null)",
)


Routes = Mapping[str, Sequence[str]]
"""By event: the keys of the targets that hear of it."""


@dataclass(frozen=True, slots=True)
class Alert:
    """A message."""

    id: str
    event: str
    """One of `EVENTS`, or "test"."""
    state: Literal["began", "over", "happened", "test"]
    title: str
    text: str
    workspace: str
    """The name of its folder."""
    at: str
    """When it was made, in ISO 8601."""
    source: str | None = None
    version: str | None = None
    since: str | None = None
    question: str | None = None
    receipt: str | None = None


class Outbox:
    """The tables; every process of the workspace may use them at once."""

    def __init__(self, database: Callable[[], Database], exists: Callable[[], bool], workspace: str) -> None:
        """`database` opens the tables, and makes them if they are not there, which `exists` tells."""
        self._database, self._exists = database, exists
        self._workspace = workspace

    def update(self, conditions: Iterable[Condition], said: str, routes: Routes, now: datetime) -> None:
        """Compare what is with what was told, and write down what is to be sent to each target.

        Args:
            conditions: what is now.
            said: how things stand, for what is told once something is over.
            routes: the keys of the targets that hear of each event.
            now: the clock.
        """
        current = {condition.key: condition for condition in conditions}
        with self._database().writing() as connection:
            known = {row["key"]: row for row in connection.execute("select * from conditions")}
            for key, condition in current.items():
                seen = datetime.fromisoformat(known[key]["seen"]) if key in known else now
                told = key in known and bool(known[key]["told"])
                if not told and now - seen >= condition.wait:
                    _add(connection, self._began(condition, now), routes)
                    told = True
                _keep(connection, condition, seen, told=told)
            for key in known.keys() - current.keys():
                connection.execute("delete from conditions where key = ?", (key,))
                if known[key]["told"]:
                    _add(connection, self._over(known[key], said, now), routes)
            _tidy(connection, sorted({*chain(*routes.values())}), now)

    def look(self, looks: Mapping[Event, Look], routes: Routes, now: datetime) -> None:
        """Write down what happened since the last look; of several processes that look at once, one finds it."""
        with self._database().writing() as connection:
            for event, look in looks.items():
                row = connection.execute("select mark from marks where event = ?", (event,)).fetchone()
                happened, mark = look(row["mark"] if row else None)
                connection.execute(
                    "insert into marks values (?, ?) on conflict (event) do update set mark = excluded.mark",
                    (event, mark),
                )
                for one in happened:
                    _add(connection, self._happened(one, now), routes)

    def forget(self, events: Sequence[str]) -> None:
        """Drop what is known of all other events: nobody wants to hear of them any more, nor that they are over."""
        if self._exists():
            with self._database().writing() as connection:
                wanted = ", ".join("?" * len(events))
                for table in ("conditions", "marks"):
                    connection.execute(f"delete from {table} where event not in ({wanted})", tuple(events))

    def claim(self, target: str, now: datetime) -> Alert | None:
        """Take the oldest message to a target once it is due; nobody else gets it for a while."""
        with self._database().writing() as connection:
            row = connection.execute(
                "select * from messages where target = ? and due is not null order by made, rowid limit 1", (target,)
            ).fetchone()
            if row is None or datetime.fromisoformat(row["due"]) > now:
                return None
            connection.execute(
                "update messages set due = ?, attempts = attempts + 1 where id = ? and target = ?",
                ((now + LEASE).isoformat(), row["id"], target),
            )
        return Alert(**json.loads(row["alert"]))

    def delivered(self, alert: Alert, target: str, now: datetime) -> None:
        """Note a delivery; the text goes."""
        with self._database().writing() as connection:
            connection.execute(
                "update messages set delivered = ?, due = null, alert = '', error = '' where id = ? and target = ?",
                (now.isoformat(), alert.id, target),
            )

    def failed(self, alert: Alert, target: str, why: str, now: datetime) -> None:
        """Note that a target could not be reached: its messages wait, longer each time, in their order."""
        with self._database().writing() as connection:
            attempts = connection.execute(
                "select attempts from messages where id = ? and target = ?", (alert.id, target)
            ).fetchone()[0]
            due = now + min(timedelta(minutes=2**attempts), LONGEST_PAUSE)
            connection.execute(
                "update messages set due = ? where target = ? and due is not null", (due.isoformat(), target)
            )
            connection.execute("update messages set error = ? where id = ? and target = ?", (why, alert.id, target))

    def told(self) -> list[dict[str, Any]]:
        """Return what was told and is not over."""
        return self._rows("select event, source, version, since, seen from conditions where told order by seen, key")

    def messages(self) -> list[dict[str, Any]]:
        """Return what was sent or waits, newest first."""
        columns = "id, target, title, made, due, attempts, delivered, error"
        return self._rows(f"select {columns} from messages order by made desc, rowid desc")

    def _began(self, one: Condition, now: datetime) -> Alert:
        about = {name: getattr(one, name) for name in ("event", "title", "text", "source", "version")}
        return self._alert("began", now, **about, since=_written(one.since))

    def _happened(self, one: Happening, now: datetime) -> Alert:
        return self._alert("happened", now, **asdict(one) | {"since": _written(one.since)})

    def _over(self, row: Row, said: str, now: datetime) -> Alert:
        about = {name: row[name] for name in ("event", "source", "version", "since")}
        return self._alert("over", now, title=row["over"], text=f"{row['over']}. {said}", **about)

    def _alert(self, state: Literal["began", "over", "happened"], now: datetime, **about: Any) -> Alert:
        return Alert(uuid.uuid4().hex, state=state, workspace=self._workspace, at=now.isoformat(), **about)

    def _rows(self, query: str) -> list[dict[str, Any]]:
        if not self._exists():
            return []
        with self._database().reading() as connection:
            return [dict(row) for row in connection.execute(query)]


def _add(connection: Connection, alert: Alert, routes: Routes) -> None:
    text = json.dumps(asdict(alert), ensure_ascii=False)  # `rag forget` finds in it what people wrote
    connection.executemany(
        "insert into messages (id, target, title, alert, made, due) values (?, ?, ?, ?, ?, ?)",
        [(alert.id, target, alert.title, text, alert.at, alert.at) for target in routes[alert.event]],
    )


def _keep(connection: Connection, one: Condition, seen: datetime, *, told: bool) -> None:
    about = (one.key, one.event, one.source, one.version, _written(one.since), one.over, seen.isoformat(), told)
    connection.execute("delete from conditions where key = ?", (one.key,))
    connection.execute("insert into conditions values (?, ?, ?, ?, ?, ?, ?, ?)", about)


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _tidy(connection: Connection, targets: Sequence[str], now: datetime) -> None:
    """Give up what is too old or has no target any more; remove what was sent long ago."""
    marks = ", ".join("?" * len(targets))
    connection.execute(
        f"update messages set due = null, alert = '' where due is not null and (made < ? or target not in ({marks}))",
        ((now - GIVEN_UP_AFTER).isoformat(), *targets),
    )
    connection.execute("delete from messages where due is null and made < ?", ((now - KEPT).isoformat(),))
