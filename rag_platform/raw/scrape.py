"""The stage sources -> raw: list a source, fetch what is new or changed, keep the bytes.

What was known before only saves work: for any history of edits the outcome equals a scrape from scratch. One item
that fails keeps its last good bytes and is asked for again next time. Deleting is careful: an item goes when the
source says so, or when enough complete listings in a row do not name it, and never many at once without a word.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

import polars as pl

from rag_platform.core.errors import MassDeletion, StorageError
from rag_platform.core.ports import Item, Listing, Progress, Source, Validators, silent
from rag_platform.core.schemas import RAW
from rag_platform.core.threads.host_queues import map_by_host
from rag_platform.core.urls import host_of
from rag_platform.raw.raw_table import EMPTY, Kept, Row, TableInProgress, change_status, keep
from rag_platform.raw.renames import follow_renames, moved
from rag_platform.storage.blobs import Blobs

CHECKPOINT_EVERY = 100
"""Fetches from one table to the next that is stored; at least a twentieth of its rows, so that storing costs little."""


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
    pending: tuple[str, ...] = ()
    """Only of a plan: uris of what is new or changed."""
    vision_pages: int = 0
    """Only of a plan: pages that a vision model would be shown at most."""
    recordings: int = 0
    """Only of a plan: recordings that a server would be sent, to write down what is said."""
    forgotten: int = 0
    """Items that the source lists and that are not read, because they were forgotten."""
    incomplete: bool = False
    """Only of a plan: the source does not list all there is: nothing is deleted because it is absent."""
    stops: str | None = None
    """Only of a plan: why the sync would stop and ask, before anything changed."""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it; rare ones only where there are some."""
        counts = {name: getattr(self, name) for name in ("seen", "new", "changed", "unchanged", "gone")}
        names = ("unknown", "vision_pages", "recordings", "forgotten", "incomplete", "stops")
        rare = {name: count for name in names if (count := getattr(self, name))}
        return {**counts, **rare, "failed": [{"uri": uri, "reason": reason} for uri, reason in self.failed]}


@dataclass(frozen=True, slots=True)
class Scrape:
    """The source's raw table (columns `RAW`, by uri), and what was done."""

    table: pl.DataFrame
    tally: Tally


def plan(listing: Listing, previous: pl.DataFrame, *, source_id: str, max_deleted_share: float) -> Tally:
    """Return what a scrape of that listing would do, without fetching or raising `MassDeletion`."""
    rows, items = _rows(previous), _first_of_each_uri(listing)
    statuses = [change_status(item, rows.get(item.uri)) for item in items]
    removed, leaving = _removed_by_people(listing, rows), _deletions(listing, rows)[0]
    stored, stops = {uri for uri, row in rows.items() if row["sha256"] is not None}, None
    try:
        listed = {item.uri for item in items}
        _stop_mass_deletion(
            stored - removed.keys(),
            listed,
            leaving,
            moved=moved(items, rows),
            source_id=source_id,
            share=max_deleted_share,
        )
    except MassDeletion as refusal:
        stops = str(refusal)
    return Tally(
        seen=len(items),
        new=statuses.count("new"),
        changed=statuses.count("changed"),
        unchanged=statuses.count("unchanged"),
        gone=len({**leaving, **removed}),
        failed=_sorted(_listing_failures(listing)),
        unknown=statuses.count("unknown"),
        pending=tuple(item.uri for item, status in zip(items, statuses, strict=True) if status in ("new", "changed")),
        incomplete=not listing.complete,
        stops=stops,
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
        progress: called after each fetch.
        checkpoint: given a consistent table now and then, so that a killed run need not fetch again.

    Raises:
        SourceError: the source could not be listed; nothing changed.
        MassDeletion: too much would be deleted; no table is returned.
    """
    listing = source.list()
    table = TableInProgress(_rows(previous), now, run_id)
    table.failed += _listing_failures(listing)
    items = _first_of_each_uri(listing)
    leaving, absent = _deletions(listing, table.rows)
    removed, stored = _removed_by_people(listing, table.rows), table.stored()
    brake = partial(
        _stop_mass_deletion,
        stored - removed.keys(),
        {item.uri for item in items},
        moved=moved(items, table.rows),
        source_id=source_id,
        share=1.0 if allow_mass_delete else max_deleted_share,
    )
    brake(leaving)
    todo = [item for item in items if not table.keep_unchanged(item, blobs)]
    if listing.expect:
        listing.expect(todo)
    next_checkpoint = CHECKPOINT_EVERY
    with closing(
        map_by_host(todo, lambda item: host_of(item.uri), partial(_fetch, source, table.rows, blobs), workers)
    ) as work:
        for done, (item, outcome) in enumerate(work, 1):
            table.record(item, outcome)
            progress(done, len(todo))
            if checkpoint and done == next_checkpoint:
                checkpoint(table.table())
                next_checkpoint += max(CHECKPOINT_EVERY, len(table.rows) // 20)
    read = table.stored()
    unread = [item for item in items if item.uri not in read]
    waiting = moved(unread, table.rows)  # what cannot be read at its new address stays at its old one
    leaving = {uri: reason for uri, reason in leaving.items() if uri not in waiting}
    brake({**leaving, **table.leaving})
    going = {**leaving, **table.leaving, **removed}
    follow_renames(table.rows, table.stored() - stored, going)
    table.mark_gone(absent, going)
    tally = Tally(len(items), table.new, table.changed, table.unchanged, table.gone, _sorted(table.failed))
    return Scrape(table.table(), tally)


def without_marks(table: pl.DataFrame) -> pl.DataFrame:
    """Return a raw table in which nothing says that an item has not changed: a scrape then reads everything anew."""
    return table.with_columns(pl.lit(None, pl.String).alias(name) for name in ("fingerprint", "etag", "last_modified"))


def _rows(table: pl.DataFrame) -> dict[str, Row]:
    if table.schema != RAW:  # read as empty, it would leave nothing that a mass deletion could be measured by
        raise StorageError(
            f"the raw table has the columns {', '.join(table.columns)}; expected {', '.join(RAW.names())}. Nothing was "
            "changed; use the release that wrote it, or a newer one"
        )
    return {row["uri"]: row for row in table.iter_rows(named=True)}


def _first_of_each_uri(listing: Listing) -> list[Item]:
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


def _deletions(listing: Listing, rows: dict[str, Row]) -> tuple[dict[str, str], list[str]]:
    """Return the uris that count as deleted, with the reason, and all that a complete listing did not name."""
    if not listing.complete:
        return {}, []
    named = {item.uri for item in listing.items} | {uri for uri, _ in listing.failed}
    unlisted = tuple(listing.unlisted)
    absent = [
        uri
        for uri, row in rows.items()
        if uri not in named and not uri.startswith(unlisted) and row["status"] != "gone"
    ]
    times = listing.confirmations
    reason = f"not in {times} complete listings in a row" if times > 1 else "not in the source's complete listing"
    return {uri: reason for uri in absent if rows[uri]["missing"] + 1 >= times}, absent


def _removed_by_people(listing: Listing, rows: dict[str, Row]) -> dict[str, str]:
    """Return what a person removed and is still there: uri -> reason."""
    named = {item.uri for item in listing.items}
    there = {uri for uri, row in rows.items() if row["status"] != "gone"}
    return {uri: reason for uri, reason in listing.removed if uri in there - named}


def _stop_mass_deletion(
    stored: set[str], listed: set[str], leaving: dict[str, str], *, moved: set[str], source_id: str, share: float
) -> None:
    """Stop when more would be deleted than is plausible; a single one of several documents always may go."""
    going = sorted((stored & leaving.keys()) - moved)
    remains = len(going) < len(stored) or bool(listed - leaving.keys())
    if len(going) <= share * len(stored) or (len(going) < 2 and remains):
        return
    sample = ", ".join(going[:5]) + (", …" if len(going) > 5 else "")
    raise MassDeletion(
        f"source {source_id!r} would lose {len(going)} of its {len(stored)} documents, more than the allowed share of "
        f"{share:g} (sync.max_deleted_share): {sample}. Nothing was changed. If they are meant to go, run the sync "
        "again with --allow-mass-delete."
    )


def _fetch(source: Source, rows: dict[str, Row], blobs: Blobs, item: Item) -> Kept | Exception | None:
    """Fetch an item and keep its bytes, several at a time: they may go to another machine."""
    row = rows.get(item.uri) or EMPTY
    known = row["sha256"] is not None
    try:
        fetched = source.fetch(item, Validators(row["etag"], row["last_modified"]) if known else Validators())
    except Exception as error:  # noqa: BLE001  one item, whatever is wrong with it, never stops the others
        return error
    return keep(fetched, row, blobs) if fetched else None
