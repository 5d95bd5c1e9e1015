"""The file of the audit, which is only ever appended to; what cannot be written stops no answer, and is said."""

import hashlib
import json
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from rag_platform.audit.hash_chain import START, Event, Kind, chained, event_of, hits_of, part_digest, sealed
from rag_platform.config.sections.operations import AuditSettings
from rag_platform.core.answers import Answer
from rag_platform.core.errors import StorageError
from rag_platform.core.hits import Hit
from rag_platform.storage.sqlite import SqliteFile

MIGRATIONS = (
    """
create table events (
    seq integer primary key, at text not null, kind text not null, refused integer not null, version text not null,
    receipt text not null, parts text not null, digests text not null, hash blob not null
);
create index events_at on events (at);
create table dropped (through integer not null, hash blob not null, at text not null)
""",
)
_PRUNED_EACH = 200
"""Events after which old ones are looked for."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What the chain says."""

    events: int
    first: int | None
    last: int | None
    erased: int
    """Events of which a part was erased, as an event of the kind "erase" says."""
    dropped: int
    """Events before the first, which went by their age."""
    head: str
    """Hash of the last event: whoever notes it elsewhere can tell later that nothing was cut off."""
    problems: tuple[str, ...]


class AuditLog:
    """Records who was shown what."""

    def __init__(self, path: Path, settings: AuditSettings, who: Callable[[], tuple[str, str]]) -> None:
        """Record in the file at `path`; `who` gives the name and the interface of whoever asks without a name."""
        self.path, self._settings, self._who = path, settings, who
        self._opened: SqliteFile | None = None

    # --- what is recorded ------------------------------------------------------------------------------

    def searched(
        self, question: str, hits: Sequence[Hit], version: str, principals: Sequence[str], who: str | None
    ) -> str | None:
        """Record a search; returns a warning when that cannot be."""
        return self.record("search", who, principals, question=question, shown={"hits": hits_of(hits)}, version=version)

    def answered(self, answer: Answer, principals: Sequence[str], who: str | None) -> str | None:
        """Record an answer, its hits and what it cites; returns a warning when that cannot be."""
        cited = [
            {"doc_id": one.doc_id, "chunk_id": one.chunk_id, "span": list(one.span), "raw_sha256": one.raw_sha256}
            for one in answer.citations
        ]
        shown = {"hits": hits_of(answer.hits), "cited": cited}
        return self.record(
            "answer",
            who,
            principals,
            question=answer.question,
            shown=shown,
            version=answer.version,
            receipt=answer.receipt_id,
        )

    def record(
        self,
        kind: Kind,
        who: str | None,
        principals: Sequence[str] = (),
        *,
        question: str | None = None,
        shown: dict[str, Any] | None = None,
        version: str = "",
        receipt: str = "",
        refused: bool = False,
    ) -> str | None:
        """Append an event; returns a warning when it cannot be written: nobody goes without an answer for it."""
        if not self._settings.record:
            return None
        name, interface = self._who()
        parts: dict[str, Any] = {
            "who": {"name": who or name, "interface": interface, "principals": list(principals)},
            "shown": shown or {},
        }
        if question is not None and self._settings.texts != "off":
            parts["question"] = question if self._settings.texts == "on" else _hashed(question)
        try:
            with self._file().writing() as connection:
                seq = _append(connection, kind, parts, version=version, receipt=receipt, refused=refused)
                if seq % _PRUNED_EACH == 0:
                    _drop_old(connection, self._settings.keep_days)
        except StorageError as error:
            return f"this was not written to the audit: {error}"
        return None

    # --- what is known ---------------------------------------------------------------------------------

    def events(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        who: str | None = None,
        doc_id: str | None = None,
        limit: int = -1,
    ) -> list[Event]:
        """Return events, the newest first; `who` is a name or a principal."""
        if not self.path.exists():
            return []
        found = []
        with self._file().reading() as connection:
            for row in connection.execute(
                "select * from events where at >= ? and at < ? and instr(parts, ?) and instr(parts, ?)"
                " order by seq desc",
                (_bound(since, ""), _bound(until, "~"), _quoted(who), _quoted(doc_id)),
            ):
                event = event_of(row)
                if _is_of(event, who) and (doc_id is None or doc_id in _documents(event)):
                    found.append(event)
                if len(found) == limit:
                    break
        return found

    def verify(self, expected: str | None = None) -> Verification:
        """Check the chain; `expected` is a `head` that was noted, which must be part of it."""
        if not self.path.exists():
            return Verification(0, None, None, 0, 0, START.hex(), () if not expected else ("there is no audit",))
        with self._file().reading() as connection:
            dropped = connection.execute("select * from dropped order by through desc limit 1").fetchone()
            return _checked(connection.execute("select * from events order by seq"), dropped, expected)

    # --- erasing ---------------------------------------------------------------------------------------

    def erase(self, reveals: Callable[[Event], Sequence[str]]) -> int:
        """Erase the parts of events that `reveals` names, and note that in the chain; returns how many events."""
        if not self.path.exists():
            return 0
        erased: dict[int, list[str]] = {}
        with self._file().writing() as connection:
            connection.execute("pragma secure_delete = on")
            for row in connection.execute("select * from events").fetchall():
                parts = json.loads(row["parts"])
                gone = [name for name in reveals(event_of(row)) if name in parts]
                if gone:
                    left = {name: pair for name, pair in parts.items() if name not in gone}
                    text = json.dumps(left, ensure_ascii=False)
                    connection.execute("update events set parts = ? where seq = ?", (text, row["seq"]))
                    erased[row["seq"]] = gone
            if erased:
                _append(connection, "erase", {"shown": {"erased": {str(seq): names for seq, names in erased.items()}}})
        if erased:
            with self._file().reading() as connection:
                connection.execute("vacuum")
                connection.execute("pragma wal_checkpoint(truncate)").fetchall()
        return len(erased)

    def _file(self) -> SqliteFile:
        if self._opened is None or not self.path.exists():
            self._opened = SqliteFile(self.path, MIGRATIONS)
            with suppress(sqlite3.Error):
                self._keep_open()
        return self._opened

    def _keep_open(self) -> None:
        """Hold a connection that does nothing: whoever closes the last one waits until all is on the disk."""
        kept = sqlite3.connect(self.path, check_same_thread=False)
        kept.execute("select count(*) from dropped").fetchone()
        weakref.finalize(self, kept.close)


def _append(
    connection: sqlite3.Connection,
    kind: Kind,
    parts: dict[str, Any],
    *,
    version: str = "",
    receipt: str = "",
    refused: bool = False,
) -> int:
    last = connection.execute("select seq, hash from events order by seq desc limit 1").fetchone()
    if last is None:
        last = connection.execute("select through, hash from dropped order by through desc limit 1").fetchone()
    before, (salted, digests) = (last[1] if last else START), sealed(parts)
    row = {
        "seq": last[0] + 1 if last else 1,
        "at": datetime.now(UTC).isoformat(),
        "kind": kind,
        "refused": int(refused),
        "version": version,
        "receipt": receipt,
        "digests": digests,
    }
    row |= {"hash": chained(before, row), "parts": salted}
    columns = ", ".join(row)
    connection.execute(f"insert into events ({columns}) values ({', '.join(f':{name}' for name in row)})", row)
    return int(row["seq"])


def _drop_old(connection: sqlite3.Connection, days: int) -> None:
    """Remove what is too old, and keep the hash on which the rest hangs."""
    if not days:
        return
    before = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    last = connection.execute(
        "select seq, hash from events where at < ? order by seq desc limit 1", (before,)
    ).fetchone()
    if last is not None:
        now = datetime.now(UTC).isoformat()
        connection.execute("insert into dropped values (?, ?, ?)", (last["seq"], last["hash"], now))
        connection.execute("delete from events where seq <= ?", (last["seq"],))


def _checked(rows: Iterator[sqlite3.Row], dropped: sqlite3.Row | None, expected: str | None) -> Verification:
    through, before = (dropped["through"], dropped["hash"]) if dropped else (0, START)
    problems: list[str] = []
    missing: dict[int, set[str]] = {}
    excused: dict[int, set[str]] = {}
    seen, last = {before.hex()}, through
    for row in rows:
        if row["seq"] != last + 1:
            problems.append(f"events {last + 1} to {row['seq'] - 1} are missing")
        if chained(before, dict(row)) != row["hash"]:
            problems.append(f"event {row['seq']} was changed, or one before it was")
        parts, digests = json.loads(row["parts"]), json.loads(row["digests"])
        problems += [
            f"{name} of event {row['seq']} was changed"
            for name, pair in parts.items()
            if part_digest(*pair) != digests.get(name)
        ]
        if gone := digests.keys() - parts.keys():
            missing[row["seq"]] = gone
        if row["kind"] == "erase" and "shown" in parts:
            for seq, names in parts["shown"][1]["erased"].items():
                excused.setdefault(int(seq), set()).update(names)
        before, last = row["hash"], row["seq"]
        seen.add(before.hex())
    problems += [
        f"parts of event {seq} ({', '.join(sorted(gone - excused.get(seq, set())))}) were removed without an erasure"
        for seq, gone in missing.items()
        if gone - excused.get(seq, set())
    ]
    if expected and expected not in seen:
        problems.append(f"no event has the hash {expected}: the log was cut off or replaced, or that event is too old")
    first = through + 1 if last > through else None
    return Verification(last - through, first, last or None, len(missing), through, before.hex(), tuple(problems))


def _hashed(question: str) -> str:
    return "sha256:" + hashlib.sha256(question.encode()).hexdigest()


def _bound(moment: datetime | None, default: str) -> str:
    return moment.astimezone(UTC).isoformat() if moment else default


def _quoted(text: str | None) -> str:
    """Return how a text stands in JSON, to look for; what is found is looked at again."""
    return json.dumps(text, ensure_ascii=False)[1:-1] if text else ""


def _documents(event: Event) -> set[str]:
    shown = event.shown or {}
    return {hit["doc_id"] for name in ("hits", "cited") for hit in shown.get(name, ())}


def _is_of(event: Event, who: str | None) -> bool:
    return who is None or bool(event.who and (event.who["name"] == who or who in event.who["principals"]))


def erasing(
    doc_ids: frozenset[str], principal: str | None, found: Callable[[str], bool]
) -> Callable[[Event], list[str]]:
    """Return which parts of an event reveal a person, or the text of documents; ids of documents reveal nothing."""

    def reveals(event: Event) -> list[str]:
        parts = ["who", "question"] if principal and _is_of(event, principal) else []
        if event.question and (doc_ids & _documents(event) or found(event.question)):
            parts.append("question")
        return parts

    return reveals
