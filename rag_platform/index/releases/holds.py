"""Sources that are held at their live state: which, since when and why; and the states that a person let pass.

A held source's documents, chunks and vectors in a new version are those of the live one. A hold is a decision on one
state of the source, so it ends by itself with the next state that is judged well.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from rag_platform.storage.sqlite import SqliteFile

Cause = Literal["change", "evaluation", "person"]
"""What held a source: the brake on change, the questions, or somebody."""
Action = Literal["held", "ended", "permitted"]
_MIGRATIONS = (
    "create table holds (source text primary key, cause text not null, why text not null, since text not null, "
    "state text not null, version text, run_id text not null, who text not null, about text not null)",
    "create table permits (source text not null, state text not null, who text not null, why text not null, "
    "at text not null, primary key (source, state))",
    "create table history (id integer primary key, at text not null, source text not null, action text not null, "
    "cause text not null, why text not null, who text not null, run_id text not null, about text not null)",
)


@dataclass(frozen=True, slots=True)
class Hold:
    """A source that answers as it is in the live version, though its newest state is another."""

    source: str
    cause: Cause
    why: str
    """In sentences for people."""
    since: datetime
    """Since when it has been held, whatever its states were meanwhile."""
    state: str
    """Digest of the documents that are kept out (`ChangeReport.state`)."""
    version: str | None = None
    """The refused version whose report shows it; None: it was held before anything was built."""
    run_id: str = ""
    who: str = ""
    """Who holds it; empty: nobody in person."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """What is to be shown: the `ChangeReport`, or the questions that were lost, as JSON has them."""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self) | {"since": self.since.isoformat()}


@dataclass(frozen=True, slots=True)
class HoldEvent:
    """A line of the history."""

    at: datetime
    source: str
    action: Action
    cause: str
    why: str
    who: str
    run_id: str
    about: Mapping[str, Any]


class Holds:
    """The holds of a workspace; many processes read them, a release changes them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def active(self) -> dict[str, Hold]:
        """Return the held sources."""
        return {row["source"]: _hold(row) for row in self._rows("select * from holds order by source")}

    def hold(self, hold: Hold) -> Hold:
        """Hold a source, or say anew why; `since` stays that of the first hold without an end between."""
        before = self.active().get(hold.source)
        since = before.since if before else hold.since
        row = (hold.source, hold.cause, hold.why, since.isoformat(), hold.state, hold.version, hold.run_id, hold.who)
        with self._file().writing() as connection:
            connection.execute(
                f"replace into holds values ({', '.join('?' * 9)})",
                (*row, _written(hold.about)),
            )
            if before is None or (before.state, before.why) != (hold.state, hold.why):
                _log(connection, hold.source, "held", hold.cause, hold.why, hold.who, hold.run_id, hold.about)
        return self.active()[hold.source]

    def end(self, source: str, *, why: str, who: str = "", run_id: str = "") -> None:
        """End a hold, if there is one."""
        before = self.active().get(source)
        if before:
            with self._file().writing() as connection:
                connection.execute("delete from holds where source = ?", (source,))
                _log(connection, source, "ended", before.cause, why, who, run_id, {})

    def permit(self, source: str, state: str, *, who: str, why: str) -> None:
        """Let one state of a source be published, whatever the brake and its questions say."""
        with self._file().writing() as connection:
            row = (source, state, who, why, datetime.now(UTC).isoformat())
            connection.execute("replace into permits values (?, ?, ?, ?, ?)", row)
            _log(connection, source, "permitted", "person", why, who, "", {"state": state})

    def permitted(self, source: str, state: str) -> bool:
        """Return whether somebody let this state pass."""
        return bool(self._rows("select 1 from permits where source = ? and state = ?", source, state))

    def history(self, source: str | None = None, limit: int = -1) -> list[HoldEvent]:
        """Return what happened, newest first."""
        query = "select * from history where ? is null or source = ? order by id desc limit ?"
        names = ("source", "action", "cause", "why", "who", "run_id")
        return [
            HoldEvent(
                at=datetime.fromisoformat(row["at"]),
                about=json.loads(row["about"]),
                **{name: row[name] for name in names},
            )
            for row in self._rows(query, source, source, limit)
        ]

    def _file(self) -> SqliteFile:
        return SqliteFile(self.path, _MIGRATIONS)

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        if not self.path.exists():
            return []
        with self._file().reading() as connection:
            return connection.execute(query, values).fetchall()


def _log(
    connection: sqlite3.Connection,
    source: str,
    action: Action,
    cause: str,
    why: str,
    who: str,
    run_id: str,
    about: Mapping[str, Any],
) -> None:
    connection.execute(
        "insert into history (at, source, action, cause, why, who, run_id, about) values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            datetime.now(UTC).isoformat(),
            source,
            action,
            cause,
            why,
            who,
            run_id,
            _written(about),
        ),
    )


def _written(about: Mapping[str, Any]) -> str:
    """Return JSON in which a text stands as it is, so that one that is forgotten is found."""
    return json.dumps(dict(about), ensure_ascii=False)


def _hold(row: sqlite3.Row) -> Hold:
    fields = {name: row[name] for name in ("source", "cause", "why", "state", "version", "run_id", "who")}
    return Hold(since=datetime.fromisoformat(row["since"]), about=json.loads(row["about"]), **fields)
