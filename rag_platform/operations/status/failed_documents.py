"""What of a source could not be fetched or read, with the reason and what to do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from rag_platform.raw.suppression import listed
from rag_platform.workspace import Workspace

ASKED = ("doc_id", "uri", "collection", "revision", "principals", "type")
"""Columns by which it is told who may know of a document."""


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


def failures(workspace: Workspace, source: str, principals: Sequence[str], limit: int = 20) -> Failures:
    """Return what failed when a source was last read; nothing for one that was never read."""
    readable = readable_failures(workspace, source, principals)
    readable.sort(key=lambda one: (one.last_seen is None, one.last_seen and -one.last_seen.timestamp(), one.uri))
    return Failures(tuple(readable[:limit]), max(0, len(readable) - limit))


def readable_failures(workspace: Workspace, source: str, principals: Sequence[str]) -> list[Failure]:
    """Return what failed of what these principals may know of."""
    failed, access = pl.col("status") == "failed", workspace.access
    raw = workspace.store.select("raw", source, ("uri", "reason", "last_seen", "metadata"), failed)
    uris = access.of_listed(
        source, {uri: listed(said) for uri, said in raw.select("uri", "metadata").iter_rows()}, principals
    )
    documents = workspace.store.select("documents", source, (*ASKED, "reason", "fetched_at"), failed)
    ids = access.of_read(source, documents, principals) if documents.height else ()
    return [
        Failure(row["uri"], "fetch", row["reason"] or "", row["last_seen"])
        for row in raw.filter(pl.col("uri").is_in([*uris])).iter_rows(named=True)
    ] + [
        Failure(row["uri"], "read", row["reason"] or "", row["fetched_at"])
        for row in documents.filter(pl.col("doc_id").is_in([*ids])).iter_rows(named=True)
    ]
