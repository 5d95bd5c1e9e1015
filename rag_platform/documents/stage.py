"""The documents stage: raw bytes to clean text, at least one row for each raw row that has bytes.

The table is a pure function of the raw table, the bytes and the settings; `previous` only saves reading the same bytes
twice. What depends on other documents is decided anew every time, so an incremental run gives what a rebuild gives.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
import polars as pl

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ports import Progress, Shard, ShardExecutor, cut, shard_key, silent, within
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.documents.conversion_keys import is_as_read
from rag_platform.documents.document_rows import Row, access, lost_of
from rag_platform.documents.indexable import exclude_duplicates, status
from rag_platform.documents.options import Limits, Options
from rag_platform.documents.raw_reader import RawJob, RawReader, stage_key
from rag_platform.documents.retries import Retries, stopped_key
from rag_platform.documents.sandbox.pool import SANDBOX, WORKERS, Sandbox
from rag_platform.documents.site_frames import leave_out_frames, whole
from rag_platform.documents.transcription import Transcriber
from rag_platform.documents.vision import VisionModel
from rag_platform.shards.local_executor import LocalExecutor
from rag_platform.storage.blobs import Blobs
from rag_platform.text.boilerplate import mark_boilerplate

_BULKY = ("text", "whole_text", "signature", "pages", "page_labels", "losses")
"""Columns of what is taken over that stay in the table: only of pages, which share their frames, are they looked at."""
_DECIDED = ("status", "reason", "collection", "principals", "fetched_at", "run_id")
"""Columns of what is taken over that are decided anew."""
_SHARD = 200
"""Raw rows in a shard: what a killed run loses."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The documents of a source and what making them took."""

    table: pl.DataFrame
    """Columns `DOCUMENTS`, sorted by uri."""
    extracted: int
    """Documents whose bytes were read."""
    reused: int
    """Documents taken over from the previous table."""
    failed: tuple[tuple[str, str], ...]
    """(uri, reason) of those that could not be read."""

    @property
    def lost(self) -> dict[str, int]:
        """What the files have and the texts do not, by what it is."""
        return lost_of(self.table)


def read_documents(
    raw: pl.DataFrame,
    previous: pl.DataFrame,
    blobs: Blobs,
    source: SourceSettings,
    *,
    sandbox: Sandbox = SANDBOX,
    options: Options = Options(),  # noqa: B008 (frozen)
    limits: Limits = Limits(),  # noqa: B008
    retries: Retries = Retries(),  # noqa: B008
    vision_model: VisionModel | None = None,
    transcriber: Transcriber | None = None,
    now: datetime | None = None,
    executor: ShardExecutor = LocalExecutor(WORKERS),  # noqa: B008
    progress: Progress = silent,
) -> Reading:
    """Make the documents of a source: of an archive, one of each file in it.

    Args:
        raw: Columns `RAW`.
        previous: Columns `DOCUMENTS`: the last table, or an empty one.
        blobs: Holds the bytes that `raw` names.
        source: The settings of the source.
        sandbox: Where they are read.
        options: What the settings say to the readers.
        limits: What one raw file may take.
        retries: When what was stopped is read again.
        vision_model: Reads pages as pictures.
        transcriber: Writes down what is said in recordings.
        now: The time, of which only what was stopped depends.
        executor: Reads the shards.
        progress: Called after each raw row.

    Raises:
        Unprotected: the limits ask for more protection than this system has.
    """
    now = now or datetime.now(UTC)
    present = raw.filter(pl.col("sha256").is_not_null(), pl.col("status") != "gone").sort("uri")
    entries = {entry["uri"]: entry for entry in present.iter_rows(named=True)}
    keys = {uri: stage_key(entry, source, options, limits) for uri, entry in entries.items()}
    stopped = {uri: stopped_key(key, limits) for uri, key in keys.items()}
    before = _reusable(previous, keys, stopped, options)  # each row with its `place` there, without its text
    made = {uri: rows for uri, rows in before.items() if not retries.is_due(rows, now)}
    reused = sum(map(len, made.values()))
    attempts = {uri: 1 + max((row["attempts"] for row in before.get(uri, ())), default=0) for uri in keys}
    jobs = [RawJob(entries[uri], key, attempts[uri]) for uri, key in keys.items() if uri not in made]
    reader = RawReader(blobs, source, options, limits, retries, now, sandbox, vision_model, transcriber)
    for _, table in executor.run(reader, _shards(jobs, reader), within(progress, len(made), len(entries))):
        for row in table.iter_rows(named=True):
            made.setdefault(row["raw_uri"], []).append(row)
    rows = [row | access(row, entries[uri], source) for uri in sorted(made) for row in made[uri]]
    return _reading(rows, previous, source, reused)


def _shards(jobs: list[RawJob], reader: RawReader) -> list[Shard]:
    """Cut what is to be read, in the order of its addresses, into shards."""
    hashes = [job.digest() for job in jobs]
    common = (reader.source.model_dump_json(), *map(repr, (reader.options, reader.limits, reader.retries)))
    parts = cut(hashes, _SHARD)
    return [Shard(shard_key(*common, *hashes[part]), jobs[part]) for part in parts]


def _reusable(
    previous: pl.DataFrame, keys: Mapping[str, str], stopped: Mapping[str, str], options: Options
) -> dict[str, list[Row]]:
    """Return the previous rows, by raw uri, of what would be read the same again, or was stopped."""
    found: dict[str, list[Row]] = {}
    for row in previous.drop(_BULKY).with_row_index("place").iter_rows(named=True):
        uri = row["raw_uri"]
        if uri in keys and any(is_as_read(row["stage_key"], key, options) for key in (keys[uri], stopped[uri])):
            found.setdefault(uri, []).append(row)
    return found


def _reading(rows: list[Row], previous: pl.DataFrame, source: SourceSettings, reused: int) -> Reading:
    """Decide which rows are indexed, and put them in order; a row with a `place` is in the previous table."""
    rows = [whole(row) for row in _with_texts_of_pages(rows, previous)]
    rows = sorted((row | status(row, source) for row in rows), key=lambda row: row["uri"])
    exclude_duplicates(rows)
    leave_out_frames(rows)
    mark_boilerplate(rows)
    failed = tuple((row["uri"], row["reason"]) for row in rows if row["status"] == "failed")
    return Reading(_table(rows, previous), len(rows) - reused, reused, failed)


def _with_texts_of_pages(rows: list[Row], previous: pl.DataFrame) -> list[Row]:
    """Return the rows, those of pages whole, for what frames them depends on the other pages of their site."""
    pages = [row.pop("place") for row in rows if row["format"] == "html" and "place" in row]
    bulky = previous.select(_BULKY)[np.array(pages, np.int64)].iter_rows(named=True)
    return [row if "place" in row or "text" in row else row | next(bulky) for row in rows]


def _table(rows: list[Row], previous: pl.DataFrame) -> pl.DataFrame:
    """Return the rows as a table, in their order; of those with a `place` only what was decided anew is taken."""
    kept, new = ([row for row in rows if ("place" in row) is taken] for taken in (True, False))
    decided = {name: pl.Series([row[name] for row in kept], dtype=DOCUMENTS[name]) for name in _DECIDED}
    table = previous[np.array([row["place"] for row in kept], np.int64)].with_columns(**decided)
    order = sorted(range(len(rows)), key=lambda at: "place" not in rows[at])
    return pl.concat([table, pl.DataFrame(new, schema=DOCUMENTS)])[np.argsort(order)]
