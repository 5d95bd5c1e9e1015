"""Statistics of each source and run: data/statistics.sqlite. Numbers alone, so nothing in it is to be forgotten."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from rag_platform.storage.sqlite import SqliteFile

_MIGRATIONS = (
    "create table runs (id integer primary key, at text not null, source text not null, run_id text not null, "
    "state text not null, published integer not null default 0, changed integer not null, shares text not null, "
    "readers text not null, statistics text not null);create index runs_of_source on runs (source, id)",
)
_NEWEST = 100
"""Runs of a source of which each is kept; of those before, the last of each day."""
_DAYS = 730
_LEARNT = 50
"""Published runs that changed something, from which is learnt what is normal."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run found of a source."""

    at: datetime
    source: str
    run_id: str
    state: str
    """Digest of the documents: `ChangeReport.state`."""
    changed: int
    """Documents that were not as in the live version."""
    shares: Mapping[str, float]
    """By anomaly, the share of the documents that changed in that way."""
    readers: str
    """Who may read the source, as rag.toml has it."""
    statistics: Mapping[str, Any]
    """`source_statistics.describe`."""
    published: bool = False
    """Whether this state was live later, and nobody had to let it pass."""


class StatisticsRecord:
    """The runs of a workspace's sources; many processes read them, a sync writes them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, run: Run) -> None:
        """Keep a run, and thin out those long ago."""
        row = (run.at.isoformat(), run.source, run.run_id, run.state, run.changed, json.dumps(dict(run.shares)))
        with self._file().writing() as connection:
            connection.execute(
                "insert into runs (at, source, run_id, state, changed, shares, readers, statistics) "
                "values (?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, run.readers, json.dumps(dict(run.statistics), ensure_ascii=False)),
            )
            connection.execute(_THIN, {"source": run.source, "newest": _NEWEST, "days": _DAYS})

    def note_published(self, source: str, state: str) -> None:
        """Note that this state of a source is live, and therefore normal."""
        if self._rows("select 1 from runs where source = ? and state = ? and not published", source, state):
            with self._file().writing() as connection:
                connection.execute("update runs set published = 1 where source = ? and state = ?", (source, state))

    def runs(self, source: str, limit: int = -1) -> list[Run]:
        """Return the runs of a source, newest first."""
        return [
            _run(row)
            for row in self._rows("select * from runs where source = ? order by id desc limit ?", source, limit)
        ]

    def learnt(self, source: str) -> list[Run]:
        """Return the published runs that changed something, newest first."""
        query = "select * from runs where source = ? and published and changed > 0 order by id desc limit ?"
        return [_run(row) for row in self._rows(query, source, _LEARNT)]

    def readers(self, source: str) -> str | None:
        """Return who could read the source, as rag.toml had it, when its live state was read; None: that is unknown."""
        rows = self._rows("select readers from runs where source = ? and published order by id desc limit 1", source)
        return rows[0]["readers"] if rows else None

    def _file(self) -> SqliteFile:
        return SqliteFile(self.path, _MIGRATIONS)

    def _rows(self, query: str, *values: object) -> Sequence[sqlite3.Row]:
        if not self.path.exists():
            return []
        with self._file().reading() as connection:
            return connection.execute(query, values).fetchall()


_THIN = """
delete from runs where source = :source
    and id not in (select id from runs where source = :source order by id desc limit :newest)
    and id not in (
        select max(id) from runs where source = :source group by substr(at, 1, 10) order by 1 desc limit :days
    )
"""


def _run(row: sqlite3.Row) -> Run:
    return Run(
        at=datetime.fromisoformat(row["at"]),
        shares=json.loads(row["shares"]),
        statistics=json.loads(row["statistics"]),
        published=bool(row["published"]),
        **{name: row[name] for name in ("source", "run_id", "state", "changed", "readers")},
    )
