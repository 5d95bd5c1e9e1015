"""Which versions are on trial beside the live one, and what their trials showed.

A trial compares one version with the one that is live when it begins, so it ends when another becomes live, whoever
moves the pointer. Nothing that was asked or answered is kept of it, only numbers.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.index.releases.release_log import acting_user
from rag_platform.index.releases.versions import Versions
from rag_platform.trials.shadow_set import ShadowSet

Kind = Literal["shadow", "canary"]
REPLACED = "another version became live"
PIN = "it is on trial"
"""Why it is kept for so long."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A version that is tried beside the live one, or was."""

    id: int
    kind: Kind
    """shadow: it answers what people ask too, and nobody sees it; canary: some sessions are answered from it."""
    version: str
    live: str
    """The version that it is compared with."""
    share: float
    """Of the sessions that are answered from it; 0 in a shadow."""
    since: str
    who: str
    ended: str | None = None
    """When; None: it goes on."""
    why: str = ""
    """Why it ended."""
    dropped: int = 0
    """Questions that were not compared, because too much was going on."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One question, answered from both versions."""

    overlap: float
    """Of the first ten documents, in [0, 1]."""
    rbo: float
    """Rank-biased overlap of the documents."""
    same_first: bool
    live_answered: bool
    answered: bool
    """From the version on trial."""
    live_ms: float
    ms: float
    preferred: int | None = None
    """What a language model prefers: 1: the version on trial, -1: the live one, 0: neither; None: it was not asked."""
    live_doubted: float | None = None
    """Share of the answer's sentences that are not verified or contradicted; None: it has none to judge."""
    doubted: float | None = None
    """The same, of the answer from the version on trial."""


class Trials:
    """The trials of a workspace."""

    def __init__(self, shadow_set: ShadowSet, versions: Versions) -> None:
        """Record them in the file of the shadow set."""
        self._shadow_set, self._versions = shadow_set, versions

    def begin(self, kind: Kind, version: str, *, share: float = 0.0, who: str = "") -> Trial:
        """Begin a trial, in place of one of the same kind.

        Raises:
            NothingPublished: there is no live version to compare it with.
            VersionError: it is live already, damaged or, for a canary, did not pass the gate.
        """
        versions, live = self._versions, self._versions.live_id()
        if live is None:
            raise NothingPublished("no index version has been published yet, so none can be tried; run `rag sync`")
        if version == live:
            raise VersionError(f"{version} is live; name another of those that `rag index list` shows")
        verdict = versions.manifest(version).get("verdict") or {}
        if kind == "canary" and not verdict.get("passed"):
            why = " ".join(verdict.get("reasons", ())) or "it has not been judged; `rag eval` judges it"
            raise VersionError(f"{version} answers nobody before it has passed the gate: {why}")
        versions.refuse_damaged(version)
        self.end(kind, why="another trial began")
        if version not in versions.pins():
            versions.pin(version, PIN)
        row = (kind, version, live, share, datetime.now(UTC).isoformat(), who or acting_user())
        with self._shadow_set.file.writing() as connection:
            insert = "insert into trials (kind, version, live, share, since, who) values (?, ?, ?, ?, ?, ?)"
            number = connection.execute(insert, row).lastrowid
        return next(trial for trial in self.all() if trial.id == number)

    def end(self, kind: Kind | None = None, *, why: str) -> list[Trial]:
        """End the trials of a kind, None: all; returns those that went on until now."""
        ended = [trial for trial in self._going_on() if kind in (None, trial.kind)]
        for trial in ended:
            self._end(trial, why)
        return ended

    def active(self, kind: Kind) -> Trial | None:
        """Return the trial of a kind that goes on; None: there is none. One that is moot by now is ended."""
        for trial in self._going_on():
            if trial.kind == kind:
                if self._versions.live_id() == self._versions.form(trial.live):
                    return trial
                self._end(trial, REPLACED)
        return None

    def all(self) -> list[Trial]:
        """Return the trials, newest first."""
        for kind in ("shadow", "canary"):
            self.active(kind)
        return [_trial(row) for row in self._rows("select * from trials order by id desc")]

    def record(self, trial: Trial, compared: Compared) -> None:
        """Add what one question showed."""
        values = (trial.id, *asdict(compared).values())
        with self._shadow_set.file.writing() as connection:
            connection.execute(f"insert into compared values ({', '.join('?' * len(values))})", values)

    def record_dropped(self, trial: Trial, count: int) -> None:
        """Add questions that were not compared."""
        with self._shadow_set.file.writing() as connection:
            connection.execute("update trials set dropped = dropped + ? where id = ?", (count, trial.id))

    def figures(self, trial: Trial) -> dict[str, Any]:
        """Return what its questions showed: how many there were, means, and counts by what became of the answer."""
        (row,) = self._rows(
            "select count(*) questions, avg(overlap) overlap, avg(rbo) rbo, avg(same_first) same_first, "
            "total(live_answered and not answered) lost, total(answered and not live_answered) won, "
            "avg(live_ms) live_ms, avg(ms) ms, total(preferred = 1) preferred, total(preferred = -1) preferred_live, "
            "count(preferred) judged, avg(live_doubted) live_doubted, avg(doubted) doubted "
            "from compared where trial = ?",
            trial.id,
        )
        counts = {name: int(row[name]) for name in ("lost", "won", "preferred", "preferred_live")}
        return dict(row) | counts

    def _going_on(self) -> Iterator[Trial]:
        return map(_trial, self._rows("select * from trials where ended is null"))

    def _end(self, trial: Trial, why: str) -> None:
        with self._shadow_set.file.writing() as connection:
            row = (datetime.now(UTC).isoformat(), why, trial.id)
            connection.execute("update trials set ended = ?, why = ? where id = ? and ended is null", row)
        version, pins = self._versions.form(trial.version), self._versions.pins()
        tried = {self._versions.form(one.version) for one in self._going_on()}
        if version not in tried and pins.get(version, {}).get("why") == PIN:
            self._versions.unpin(version)

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        if not self._shadow_set.path.exists():
            return []
        with self._shadow_set.file.reading() as connection:
            return connection.execute(query, values).fetchall()


def _trial(row: sqlite3.Row) -> Trial:
    return Trial(**{name: row[name] for name in Trial.__slots__})
