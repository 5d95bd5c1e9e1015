"""What of a source could not be fetched or read, with the reason and what to do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rag_platform.core.principals import PUBLIC
from rag_platform.raw.suppression import readers_of
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Failure:
    """An item of a source that is not as it should be."""

    uri: str
    stage: str
    """"fetch" or "read"."""
    reason: str
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class Failures:
    """Of one source."""

    shown: tuple[Failure, ...]
    """The newest first, those that the asker may read."""
    more: int
    """How many more of these there are."""
    hidden: int
    """How many are of documents that the asker may not read."""


def failures(workspace: Workspace, source: str, principals: Sequence[str], limit: int = 20) -> Failures:
    """Return what failed when a source was last read; nothing for one that was never read."""
    failed = pl.col("status") == "failed"
    raw = workspace.store.select("raw", source, ("uri", "status", "reason", "last_seen", "metadata"), failed)
    columns = ("uri", "status", "reason", "fetched_at", "principals")
    documents = workspace.store.select("documents", source, columns, failed)
    everyone = workspace.settings.source(source).principals
    mine = {PUBLIC, *principals}
    found = [
        (Failure(row["uri"], "fetch", row["reason"] or "", row["last_seen"]), readers_of(row["metadata"]) or everyone)
        for row in raw.iter_rows(named=True)
    ]
    found += [
        (Failure(row["uri"], "read", row["reason"] or "", row["fetched_at"]), row["principals"] or everyone)
        for row in documents.iter_rows(named=True)
    ]
    readable = [one for one, readers in found if not mine.isdisjoint(readers)]
    readable.sort(key=lambda one: (one.last_seen is None, one.last_seen and -one.last_seen.timestamp(), one.uri))
    return Failures(tuple(readable[:limit]), max(0, len(readable) - limit), len(found) - len(readable))
