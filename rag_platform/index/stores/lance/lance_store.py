"""Versions as tables of Lance in a shared folder or an object store: `ports.VersionStore`.

Each segment is a folder of tables that is written once. What versions there are, which segments each lists and which
one is live is a table of its own, replaced whole, in one commit: so publishing, going back and forgetting are one step
for all readers. No older state of that table is kept, and what no version lists is deleted.
"""

import io
import json
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from rag_platform.core.errors import DamagedVersion, StorageError, VersionError
from rag_platform.core.lazy import method_cache
from rag_platform.core.ports import Locks
from rag_platform.index.segments import Listed, listed
from rag_platform.index.stores.lance.lance_folder import LanceFolder
from rag_platform.index.stores.lance.lance_segments import SEGMENTS, LanceSegments
from rag_platform.index.stores.lance.lance_writing import arrow_of, write_segment
from rag_platform.index.stores.segment_content import SegmentContent
from rag_platform.index.stores.stored_version import StoredSegment, StoredVersion, StoredVersionRow

_VERSIONS = "versions"
_ROW = pl.Schema(
    {
        "id": pl.String(),
        "live": pl.Boolean(),
        "manifest": pl.String(),
        "segments": pl.String(),  # JSON: name, gone and described of each
        "reference": pl.Binary(),
    }
)
_WRITING, _COMMITTING = "segments", "versions"
"""Locks: one is held while segments are written or deleted, the other for the moment in which the list changes."""
_MOMENT, _PAID = 0.25, 1.0
"""Seconds for which what is live is believed; the latter where each look is a request to an object store."""
_TRIES = 5
"""Looks at a table whose older state is deleted while it is read."""


class LanceStore:
    """The versions below an address. Safe to ask from many threads; one process writes at a time."""

    def __init__(self, address: str, options: Mapping[str, str], locks: Locks) -> None:
        """Read at an address, with Lance's options for it; `locks` are of all who write there."""
        self._folder, self._locks = LanceFolder(address, options), locks
        self._segments = LanceSegments(self._folder, self._gone)
        self._row = method_cache(16, self._read_row)
        self._moment = _PAID if self._folder.is_remote else _MOMENT
        self._known: tuple[Any, pl.DataFrame] = (None, pl.DataFrame(schema=_ROW))
        self._asked = -self._moment

    def ids(self) -> list[str]:
        """Name the versions that are wholly there, oldest first."""
        return self._looked(now=True)["id"].to_list()

    def manifest(self, version: str) -> dict[str, Any]:
        """Return what is known of a version; `VersionError` when it is not there."""
        return dict(json.loads(self._listed(version)["manifest"]))

    def put(self, version: str, reader: Any, folder: Path) -> None:
        """Write a version: the segments that are not there yet, then, in one commit, what it lists."""
        manifest = json.dumps(reader.manifest, ensure_ascii=False, default=str)
        if version in self.ids():
            told = pl.when(pl.col("id") == version).then(pl.lit(manifest)).otherwise("manifest").alias("manifest")
            self._commit(lambda rows: rows.with_columns(told))
            return
        kept = io.BytesIO()
        if reader.reference is not None:
            reader.reference.write_parquet(kept)
        with self._locks.wait(_WRITING):
            self._sweep()
            segments = json.dumps(self._written(folder, listed(folder)))
            row = [[version, False, manifest, segments, kept.getvalue() or None]]
            self._commit(lambda rows: pl.concat([rows, pl.DataFrame(row, _ROW, orient="row")]))

    def open(self, version: str) -> StoredVersion:
        """Open a version for as long as somebody holds it; `VersionError` when it is not there."""
        return StoredVersion(self._segments, self._row(version), lambda: version in self._looked()["id"])

    def live(self, *, now: bool = False) -> str | None:
        """Name the version that readers answer from; the tables are looked at a few times a second at most."""
        return next(iter(self._looked(now=now).filter("live")["id"]), None)

    def publish(self, version: str | None) -> None:
        """Move the pointer, in one step for all readers."""

        def moved(rows: pl.DataFrame) -> pl.DataFrame:
            if version and version not in rows["id"]:
                raise VersionError(f"there is no version {version!r} in the store; it was not published")
            return rows.with_columns(live=pl.col("id") == (version or ""))

        self._commit(moved)

    def remove(self, version: str, *, erase: bool = False) -> None:
        """Let a version go, with the segments that no other lists; while some are written, later."""
        self._commit(lambda rows: rows.filter(pl.col("id") != version), erase=erase)
        if erase or not self._locks.is_held(_WRITING):
            with self._locks.wait(_WRITING):
                self._sweep()
        self._row.cache_clear()

    def _written(self, folder: Path, segments: Sequence[Listed]) -> list[dict[str, Any]]:
        """Have all segments of a version there, and return how it lists them."""
        there = {one["of"]: one for row in self._looked(now=True)["segments"] for one in json.loads(row)}
        found = []
        for segment in segments:
            own = there.get(segment.folder.name) or self._write(folder, segment)
            found.append(own | {"gone": segment.gone.tolist()})
        return found

    def _write(self, folder: Path, segment: Listed) -> dict[str, Any]:
        content = SegmentContent(folder, segment.folder.name, segment.folder)
        name = f"{segment.folder.name}-{secrets.token_hex(4)}"
        write_segment(self._folder, f"{SEGMENTS}/{name}", content)
        return {"name": name, "of": segment.folder.name, "described": content.described()}

    def _sweep(self) -> None:
        """Delete the segments that no version lists: of versions that went, and of writers that were killed."""
        needed = {one["name"] for row in self._looked(now=True)["segments"] for one in json.loads(row)}
        for name in self._folder.folders(SEGMENTS):
            if name not in needed:
                self._folder.delete(f"{SEGMENTS}/{name}")

    def _commit(self, change: Callable[[pl.DataFrame], pl.DataFrame], *, erase: bool = False) -> None:
        """Replace what is listed, and delete what was; `erase`: also what a killed writer left of it."""
        from datetime import timedelta

        with self._locks.wait(_COMMITTING):
            rows = self._looked(now=True)
            if not (changed := change(rows)).equals(rows):
                self._known = self._folder.write(_VERSIONS, arrow_of(changed), self._known[0]), changed
            if (table := self._known[0]) is not None:
                with self._folder.explaining():
                    table.cleanup_old_versions(timedelta(0), retain_versions=1, delete_unverified=erase)

    def _looked(self, *, now: bool = False) -> pl.DataFrame:
        """Return the rows of the versions as of a moment ago, or of `now`.

        While they cannot be read, what was read last is believed: what is at hand still answers.
        """
        if now or time.monotonic() - self._asked >= self._moment:
            try:
                self._look()
            except StorageError:
                if now or not self._known[1].height:
                    raise
            self._asked = time.monotonic()
        return self._known[1]

    def _look(self) -> None:
        for tries in range(_TRIES):
            try:
                with self._folder.explaining():
                    table = self._known[0]
                    if table is None or table.latest_version != table.version:
                        table = self._folder.opened(_VERSIONS)
                        self._known = table, pl.DataFrame(pl.from_arrow(table.to_table()), _ROW)
                return
            except DamagedVersion:
                if self._folder.folders(f"{_VERSIONS}.lance") == []:
                    return  # nothing was put there yet
                if tries == _TRIES - 1:
                    raise

    def _listed(self, version: str) -> dict[str, Any]:
        for now in (False, True):
            if (found := self._looked(now=now).filter(pl.col("id") == version)).height:
                return found.row(0, named=True)
        raise VersionError(f"there is no version {version!r} in the store; it has {', '.join(self.ids()) or 'none'}")

    def _gone(self, version: str) -> dict[str, Sequence[int]]:
        return {segment.name: segment.gone for segment in self._row(version).segments}

    def _read_row(self, version: str) -> StoredVersionRow:
        row = self._listed(version)
        segments = [StoredSegment(one["name"], one["gone"], one["described"]) for one in json.loads(row["segments"])]
        reference = pl.read_parquet(io.BytesIO(row["reference"])) if row["reference"] else None
        return StoredVersionRow(json.loads(row["manifest"]), segments, reference)
