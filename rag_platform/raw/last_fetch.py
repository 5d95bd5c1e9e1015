"""What the last good fetch of each address brought, for a source that can use it."""

from typing import Any

import polars as pl

from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.ports import Last, Validators
from rag_platform.storage.tables import Store


class LastFetches:
    """The raw table of a source, by address; read when it is first asked. Safe from many threads."""

    def __init__(self, store: Store, source_id: str) -> None:
        self._store = store
        self._source_id = source_id

    def __call__(self, uri: str) -> Last | None:
        """Return what there is of an address."""
        row = self._rows.get(uri)
        if row is None or not self._store.blobs.has(row["sha256"]):
            return None
        validators = Validators(row["etag"], row["last_modified"])
        return Last(validators, row["content_type"], lambda: self._store.blobs.get(row["sha256"]))

    def any_below(self, beginning: str) -> bool:
        """Return whether there is anything of an address that begins so."""
        return any(uri.startswith(beginning) for uri in self._rows)

    @locked_cached_property
    def _rows(self) -> dict[str, dict[str, Any]]:
        columns = ("uri", "sha256", "etag", "last_modified", "content_type")
        table = self._store.read("raw", self._source_id).filter(pl.col("sha256").is_not_null()).select(columns)
        return {row["uri"]: row for row in table.iter_rows(named=True)}
