"""The raw table while a scrape makes it: what becomes of a row, whatever came of its fetch."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import polars as pl

from rag_platform.core.errors import message_of
from rag_platform.core.ports import Fetched, Gone, Item
from rag_platform.core.schemas import RAW
from rag_platform.storage.blobs import Blobs

Row = dict[str, Any]
EMPTY: Row = dict.fromkeys(RAW.names())


def change_status(item: Item, row: Row | None) -> str:
    """Return what is known of an item before it is fetched: new, unchanged, changed or unknown."""
    if row is None or row["sha256"] is None:
        return "new"
    if row["status"] != "ok" or item.fingerprint is None or row["fingerprint"] is None:
        return "unknown"
    return "unchanged" if item.fingerprint == row["fingerprint"] else "changed"


@dataclass(frozen=True, slots=True)
class Kept:
    """What was fetched, and the hash of its bytes where they are kept."""

    fetched: Fetched
    sha256: str | None
    """None: it is a stand-in, which replaces nothing."""


def keep(fetched: Fetched, row: Row, blobs: Blobs) -> Kept:
    """Keep the bytes of an item whose row this was; a stand-in never replaces the real thing."""
    stands_in = fetched.provisional and row["sha256"] is not None and row["fingerprint"] is not None
    return Kept(fetched, None if stands_in else blobs.put(fetched.content))


@dataclass(slots=True)
class TableInProgress:
    """The table while a scrape makes it. A document that goes leaves it last, when all is known."""

    rows: dict[str, Row]
    now: datetime
    run_id: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)
    leaving: dict[str, str] = field(default_factory=dict)
    """Uri -> reason, of items that the source itself says are gone."""

    def stored(self) -> set[str]:
        """Name the documents that there are."""
        return {uri for uri, row in self.rows.items() if row["sha256"] is not None}

    def keep_unchanged(self, item: Item, blobs: Blobs) -> bool:
        """Keep what has not changed; False when it must be fetched."""
        row = self.rows.get(item.uri)
        if row is None:
            return False
        if row["sha256"] is not None and not blobs.path(row["sha256"]).exists():
            row |= {"etag": None, "last_modified": None}  # its bytes were lost: a "not changed" would not help
            return False
        if change_status(item, row) != "unchanged":
            return False
        self.rows[item.uri] = {**row, "last_seen": self.now, "missing": 0}
        self.unchanged += 1
        return True

    def record(self, item: Item, outcome: Kept | Exception | None) -> None:
        """Enter what came of a fetch; None: the item has not changed."""
        known = self.rows.get(item.uri) or {**EMPTY, "uri": item.uri, "first_seen": self.now}
        row = {**known, "last_seen": self.now, "missing": 0}
        if isinstance(outcome, Gone):
            self._enter_gone(item, row, str(outcome))
        elif isinstance(outcome, Exception):
            self._enter_failed(item, row, message_of(outcome))
        elif outcome is None:
            self._enter_same(item, row)
        elif outcome.sha256 is None:
            self._enter_failed(item, row, outcome.fetched.metadata.get("note", "only a stand-in could be had"))
        else:
            self._enter_fetched(item, row, outcome.fetched, outcome.sha256)

    def _enter_gone(self, item: Item, row: Row, reason: str) -> None:
        if row["sha256"] is None:  # nothing can go that was not there; say why nothing came
            self.failed.append((item.uri, reason))
            row |= {"status": "gone", "reason": reason}
        else:
            self.leaving[item.uri] = reason
        self.rows[item.uri] = row

    def _enter_failed(self, item: Item, row: Row, reason: str) -> None:
        self.failed.append((item.uri, reason))
        self.rows[item.uri] = {**row, "status": "failed", "reason": reason}

    def _enter_same(self, item: Item, row: Row) -> None:
        if row["sha256"] is None:
            self._enter_failed(item, row, "the source says that it has not changed, but it was never read")
            return
        metadata = {**json.loads(row["metadata"] or "{}"), **item.metadata}
        self.unchanged += 1
        self.rows[item.uri] = {**row, **self._good(item, metadata)}

    def _enter_fetched(self, item: Item, row: Row, fetched: Fetched, sha256: str) -> None:
        same, known = sha256 == row["sha256"], row["sha256"] is not None
        self.unchanged += same
        self.changed += known and not same
        self.new += not known
        self.rows[item.uri] = {
            **row,
            **self._good(item, {**item.metadata, **fetched.metadata}),
            **({"fingerprint": None} if fetched.provisional else {}),
            "sha256": sha256,
            "content_type": fetched.content_type,
            "etag": fetched.etag,
            "last_modified": fetched.last_modified,
            **({} if same else {"fetched_at": self.now, "run_id": self.run_id}),
        }

    def _good(self, item: Item, metadata: dict[str, Any]) -> Row:
        written = json.dumps(metadata, ensure_ascii=False, sort_keys=True)
        return {"status": "ok", "reason": None, "fingerprint": item.fingerprint, "metadata": written}

    def mark_gone(self, absent: Iterable[str], leaving: dict[str, str]) -> None:
        """Count what was not named, and leave tombstones of what goes."""
        for uri in absent:
            self.rows[uri] = {**self.rows[uri], "missing": self.rows[uri]["missing"] + 1}
        for uri, reason in leaving.items():
            row = self.rows[uri]
            self.gone += row["sha256"] is not None
            remaining = {name: row[name] for name in ("uri", "first_seen", "last_seen", "missing", "renamed_from")}
            self.rows[uri] = {**EMPTY, **remaining, "status": "gone", "reason": reason}

    def table(self) -> pl.DataFrame:
        """Return the rows by uri."""
        rows = [self.rows[uri] for uri in sorted(self.rows)]
        return pl.DataFrame(rows, schema=RAW)
