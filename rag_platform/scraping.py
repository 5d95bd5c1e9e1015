"""The stage sources -> raw: list a source, fetch what is new or changed, keep the bytes.

What was known before only saves work: for any history of edits the outcome equals a scrape from scratch. One item
that fails keeps its last good bytes and is asked for again next time. Deleting is careful: an item goes when the
source says so, or when enough complete listings in a row do not name it, and never many at once without a word.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any

import polars as pl

from rag_platform.errors import MassDeletion, SourceError
from rag_platform.ports import Fetched, Gone, Item, Listing, Progress, Source, Validators, silent
from rag_platform.records import RAW
from rag_platform.sources.lanes import in_lanes
from rag_platform.sources.urls import host_of
from rag_platform.store import Blobs

CHECKPOINT_EVERY = 100
EMPTY = dict.fromkeys(RAW.names())
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tally:
    """What a scrape did, or would do."""

    seen: int = 0
    """Items listed, each uri once."""
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    failed: tuple[tuple[str, str], ...] = ()
    """(uri, reason) of what could not be listed or fetched, by uri."""
    unknown: int = 0
    """Only of a plan: items that may have changed, which a fetch would tell."""

    def to_dict(self) -> dict:
        """Return it as JSON has it; `unknown` only where a plan found some."""
        counts = {name: getattr(self, name) for name in ("seen", "new", "changed", "unchanged", "gone")}
        failed = [{"uri": uri, "reason": reason} for uri, reason in self.failed]
        return {**counts, **({"unknown": self.unknown} if self.unknown else {}), "failed": failed}


@dataclass(frozen=True, slots=True)
class Scrape:
    """The source's raw table (columns `RAW`, by uri), and what was done."""

    table: pl.DataFrame
    tally: Tally


def plan(listing: Listing, previous: pl.DataFrame) -> Tally:
    """Tell what a scrape of that listing would do, without fetching or raising `MassDeletion`."""
    rows, items = _rows(previous), _folded(listing)
    verdicts = [_verdict(item, rows.get(item.uri)) for item in items]
    return Tally(
        seen=len(items),
        new=verdicts.count("new"),
        changed=verdicts.count("changed"),
        unchanged=verdicts.count("unchanged"),
        gone=len(_leaving(listing, rows)[0]),
        failed=_sorted(_listing_failures(listing)),
        unknown=verdicts.count("unknown"),
    )


def scrape(
    source: Source,
    previous: pl.DataFrame,
    blobs: Blobs,
    *,
    source_id: str,
    now: datetime,
    run_id: str,
    max_deleted_share: float,
    allow_mass_delete: bool = False,
    workers: int = 4,
    progress: Progress = silent,
    checkpoint: Callable[[pl.DataFrame], None] | None = None,
) -> Scrape:
    """List a source and fetch what is new or changed; the bytes are in `blobs` before this returns.

    Args:
        source: where documents come from.
        previous: the source's raw table, columns `RAW`; empty at first.
        blobs: where bytes are kept.
        source_id: the source's name, for messages.
        now: the moment of this run, with a time zone.
        run_id: of this run.
        max_deleted_share: in [0, 1]; a larger share of the source's documents is not deleted without leave.
        allow_mass_delete: that leave.
        workers: requests at a time; never two to one host.
        progress: told of each fetch.
        checkpoint: given a consistent table now and then, so that a killed run need not fetch again.

    Raises:
        SourceError: the source could not be listed; nothing changed.
        MassDeletion: too much would be deleted; no table is returned.
    """
    listing = source.list()
    ledger = _Ledger(_rows(previous), now, run_id)
    ledger.failed += _listing_failures(listing)
    items = _folded(listing)
    leaving, absent = _leaving(listing, ledger.rows)
    guard = partial(
        _guard,
        ledger.stored(),
        {item.uri for item in items},
        source_id=source_id,
        share=1.0 if allow_mass_delete else max_deleted_share,
    )
    guard(leaving)
    todo = [item for item in items if not ledger.keep(item, blobs)]
    with closing(in_lanes(todo, lambda item: host_of(item.uri), partial(_fetch, source, ledger.rows), workers)) as work:
        for done, (item, outcome) in enumerate(work, 1):
            ledger.record(item, outcome, blobs)
            progress(done, len(todo))
            if checkpoint and done % CHECKPOINT_EVERY == 0:
                checkpoint(ledger.table())
    guard({**leaving, **ledger.leaving})
    ledger.bury(absent, {**leaving, **ledger.leaving})
    return Scrape(ledger.table(), ledger.tally(len(items)))


def _rows(table: pl.DataFrame) -> dict[str, Row]:
    return {row["uri"]: row for row in table.iter_rows(named=True)}


def _folded(listing: Listing) -> list[Item]:
    """Keep the first item of each uri."""
    return list({item.uri: item for item in reversed(listing.items)}.values())[::-1]


def _listing_failures(listing: Listing) -> list[tuple[str, str]]:
    seen, twice = set(), []
    for item in listing.items:
        if item.uri in seen:
            twice.append((item.uri, "listed more than once; the first is used"))
        seen.add(item.uri)
    return [*listing.failed, *dict.fromkeys(twice)]


def _sorted(failed: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(failed))


def _verdict(item: Item, row: Row | None) -> str:
    """Tell what is known of an item before it is fetched."""
    if row is None or row["sha256"] is None:
        return "new"
    if row["status"] != "ok" or item.fingerprint is None or row["fingerprint"] is None:
        return "unknown"
    return "unchanged" if item.fingerprint == row["fingerprint"] else "changed"


def _leaving(listing: Listing, rows: dict[str, Row]) -> tuple[dict[str, str], list[str]]:
    """Return the uris that count as deleted, with the reason, and all that a complete listing did not name."""
    if not listing.complete:
        return {}, []
    named = {item.uri for item in listing.items} | {uri for uri, _ in listing.failed}
    absent = [uri for uri, row in rows.items() if uri not in named and row["status"] != "gone"]
    times = listing.confirmations
    reason = f"not in {times} complete listings in a row" if times > 1 else "not in the source's complete listing"
    return {uri: reason for uri in absent if rows[uri]["missing"] + 1 >= times}, absent


def _guard(stored: set[str], listed: set[str], leaving: dict[str, str], *, source_id: str, share: float) -> None:
    """Stop when more would be deleted than is plausible; a single one of several documents always may go."""
    going = sorted(stored & leaving.keys())
    remains = len(going) < len(stored) or bool(listed - leaving.keys())
    if len(going) <= share * len(stored) or (len(going) < 2 and remains):
        return
    sample = ", ".join(going[:5]) + (", …" if len(going) > 5 else "")
    raise MassDeletion(
        f"source {source_id!r} would lose {len(going)} of its {len(stored)} documents, more than the allowed share of "
        f"{share:g} (sync.max_deleted_share): {sample}. Nothing was changed. If they are meant to go, run the sync "
        "again with --allow-mass-delete."
    )


def _fetch(source: Source, rows: dict[str, Row], item: Item) -> Fetched | Exception | None:
    row = rows.get(item.uri) or EMPTY
    kept = row["sha256"] is not None
    try:
        return source.fetch(item, Validators(row["etag"], row["last_modified"]) if kept else Validators())
    except Exception as error:  # noqa: BLE001  one item, whatever is wrong with it, never stops the others
        return error


@dataclass(slots=True)
class _Ledger:
    """The table while it is being made. A document that goes leaves it last, when all is known."""

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

    def keep(self, item: Item, blobs: Blobs) -> bool:
        """Keep what has not changed; False when it must be fetched."""
        row = self.rows.get(item.uri)
        if row is not None and row["sha256"] is not None and not blobs.path(row["sha256"]).exists():
            row |= {"etag": None, "last_modified": None}  # its bytes were lost: a "not changed" would not help
            return False
        if _verdict(item, row) != "unchanged":
            return False
        self.rows[item.uri] = {**row, "last_seen": self.now, "missing": 0}
        self.unchanged += 1
        return True

    def record(self, item: Item, outcome: Fetched | Exception | None, blobs: Blobs) -> None:
        """Enter what came of a fetch; a stand-in never replaces the real thing."""
        row = self.rows.get(item.uri) or {**EMPTY, "uri": item.uri, "first_seen": self.now}
        row = {**row, "last_seen": self.now, "missing": 0}
        if isinstance(outcome, Gone):
            self._enter_gone(item, row, str(outcome))
        elif isinstance(outcome, Exception):
            self._enter_failed(item, row, _reason(outcome))
        elif outcome is None:
            self._enter_same(item, row)
        elif outcome.provisional and row["sha256"] is not None and row["fingerprint"] is not None:
            self._enter_failed(item, row, outcome.metadata.get("note", "only a stand-in could be had"))
        else:
            self._enter_fetched(item, row, outcome, blobs.put(outcome.content))

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

    def _good(self, item: Item, metadata: dict) -> Row:
        written = json.dumps(metadata, ensure_ascii=False, sort_keys=True)
        return {"status": "ok", "reason": None, "fingerprint": item.fingerprint, "metadata": written}

    def bury(self, absent: Iterable[str], leaving: dict[str, str]) -> None:
        """Count what was not named, and turn what goes into tombstones."""
        for uri in absent:
            self.rows[uri] = {**self.rows[uri], "missing": self.rows[uri]["missing"] + 1}
        for uri, reason in leaving.items():
            row = self.rows[uri]
            self.gone += row["sha256"] is not None
            kept = {name: row[name] for name in ("uri", "first_seen", "last_seen", "missing")}
            self.rows[uri] = {**EMPTY, **kept, "status": "gone", "reason": reason}

    def table(self) -> pl.DataFrame:
        """Return the rows by uri."""
        rows = [self.rows[uri] for uri in sorted(self.rows)]
        return pl.DataFrame(rows, schema=RAW)

    def tally(self, seen: int) -> Tally:
        """Return the counts."""
        return Tally(seen, self.new, self.changed, self.unchanged, self.gone, _sorted(self.failed))


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, SourceError) else f"unexpected {type(error).__name__}: {error}"
