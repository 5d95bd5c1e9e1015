"""Numbered steps from the columns that a table was written with to those of today.

A table's file says which version its columns are. A version that this release does not know is refused rather than
read as something else: whoever takes a raw table for empty takes every document for new, and none for deleted.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import atomic_write
from rag_platform.storage.upgrades import upgrade_copy

Step = Callable[[pl.DataFrame], pl.DataFrame]


def _documents_2(frame: pl.DataFrame) -> pl.DataFrame:
    """Add when a document whose reader was stopped is read again."""
    never = pl.lit(None, pl.Datetime("us", "UTC"))
    return frame.with_columns(attempts=pl.lit(0, pl.Int32), next_try=never)


def packed_vectors(frame: pl.DataFrame) -> pl.DataFrame:
    """Put the numbers of each vector together, as `EMBEDDINGS` has them."""
    rows = frame["vector"].to_numpy().astype("<f4", copy=False)
    return frame.with_columns(vector=pl.Series([row.tobytes() for row in rows], dtype=pl.Binary))


STEPS: dict[str, tuple[Step, ...]] = {
    "raw": (),
    "documents": (_documents_2,),
    "chunks": (),
    "embeddings": (packed_vectors,),
    "access": (),
}
"""By stage: the step from version 1 of its table to version 2, from that to 3 …; only ever appended to."""

_KEY = "rag_platform.schema_version"


def latest_version(stage: str) -> int:
    """Return the version of today's columns."""
    return len(_steps(stage)) + 1


def schema_version(path: Path) -> int:
    """Return the version of a table's columns; a file that does not say has the first."""
    return int(pl.read_parquet_metadata(path).get(_KEY, 1))


def version_metadata(version: int) -> dict[str, str]:
    """Return the metadata of a Parquet file whose columns are of that version."""
    return {_KEY: str(version)}


def migrated(frame: pl.DataFrame, stage: str, path: Path, schema: pl.Schema) -> pl.DataFrame:
    """Return a table that was read from `path` with the columns of `schema`.

    Raises:
        StorageError: a newer release wrote it, or its columns are not those of its version.
    """
    version, latest = schema_version(path), latest_version(stage)
    if version > latest:
        raise StorageError(
            f"{path} was written by a newer release: version {version} of its columns, expected at most {latest}. "
            f"Nothing was changed; update this installation, or {_way_back(path, latest)}"
        )
    for step in _steps(stage)[version - 1 :]:
        frame = step(frame)
    if frame.schema != schema:
        raise StorageError(
            f"{path} has {_difference(frame.schema, schema)}. Nothing was changed; use the release that wrote it, or "
            + ("restore it from a backup" if stage == "raw" else "move it aside and sync again: it is rebuilt")
        )
    return frame


def keep_before_upgrade(path: Path, stage: str) -> None:
    """Keep a table that cannot be rebuilt as it is, before it is written with newer columns for the first time."""
    if stage != "raw" or not path.exists() or (version := schema_version(path)) == latest_version(stage):
        return
    kept = upgrade_copy(path, version)
    if not kept.exists():
        with atomic_write(kept) as beside:
            shutil.copyfile(path, beside)


def _way_back(path: Path, latest: int) -> str:
    kept = upgrade_copy(path, latest)
    if kept.exists():
        return f"move it aside and copy {kept}, which the upgrade kept, to its place"
    return "restore a backup that this release made (`rag restore`)"


def _steps(stage: str) -> tuple[Step, ...]:
    return STEPS.get(stage.partition("/")[0], ())


def _difference(found: pl.Schema, expected: pl.Schema) -> str:
    """Say how the columns differ."""
    shared = found.keys() & expected.keys()
    differing = {
        "unknown columns": found.keys() - expected.keys(),
        "missing columns": expected.keys() - found.keys(),
        "columns of another type": {name for name in shared if found[name] != expected[name]},
    }
    named = [f"{what} ({', '.join(sorted(names))})" for what, names in differing.items() if names]
    return ", ".join(named) or "its columns in another order"
