"""The documents stage: raw bytes to clean text, at least one row for each raw row that has bytes.

The table is a pure function of the raw table, the bytes and the settings; `previous` only saves reading the same bytes
twice. What depends on other documents is decided anew every time, so an incremental run gives what a rebuild gives.
"""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import polars as pl

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import ExtractionError, StorageError
from rag_platform.core.host_queues import map_by_host
from rag_platform.core.ids import digest
from rag_platform.core.ports import Progress, silent
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.documents.conversion_keys import is_as_read, with_converters
from rag_platform.documents.document_rows import Row, access, collection_of, document_row, lost_of, stated_principals
from rag_platform.documents.extracted import Part
from rag_platform.documents.file_names import without_compression
from rag_platform.documents.indexable import exclude_duplicates, status
from rag_platform.documents.options import ENCRYPTED, Limits, Options
from rag_platform.documents.retries import Retries, stopped_key
from rag_platform.documents.sandbox.pool import SANDBOX, WORKERS, Sandbox
from rag_platform.documents.site_frames import leave_out_frames, whole
from rag_platform.documents.transcription import Transcriber
from rag_platform.documents.vision import VisionModel
from rag_platform.storage.blobs import Blobs
from rag_platform.text.boilerplate import mark_boilerplate
from rag_platform.text.instructions.injection import VERSION as WORDINGS
from rag_platform.text.instructions.injection import flags_of
from rag_platform.text.shingles import VERSION as SHINGLES

VERSION = "11"
"""Raise it when a change here or in a reader changes what comes out: everything is then read again."""
_LIBRARIES = (
    "trafilatura",
    "justext",
    "htmldate",
    "readability-lxml",
    "pypdfium2",
    "charset-normalizer",
    "py3langid",
    "lxml",
    "python-calamine",
    "olefile",
    "xlrd",
    "pylatexenc",
    "markdownify",
    "tree-sitter",
    "icalendar",
)
_EXTRAS = ("rars",)
"""Libraries that need not be there: what could not be read is read once they are."""
_BULKY = ("text", "whole_text", "signature", "pages", "page_labels", "losses")
"""Columns of what is taken over that stay in the table: only of pages, which share their frames, are they looked at."""
_DECIDED = ("status", "reason", "collection", "principals", "fetched_at", "run_id")
"""Columns of what is taken over that are decided anew."""
_RETRY = ""
"""Stage key of a row that another run may read better: no computed key equals it."""


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
        progress: Called after each raw row.

    Raises:
        Unprotected: the limits ask for more protection than this system has.
    """
    now = now or datetime.now(UTC)
    present = raw.filter(pl.col("sha256").is_not_null(), pl.col("status") != "gone").sort("uri")
    entries = {entry["uri"]: entry for entry in present.iter_rows(named=True)}
    keys = {uri: stage_key(entry, source, options, limits) for uri, entry in entries.items()}
    stopped = {uri: stopped_key(key, limits) for uri, key in keys.items()}
    before = _reusable(
        previous, keys, stopped, options
    )  # each row with its `place` in the previous table, without its text
    made = {uri: rows for uri, rows in before.items() if not retries.is_due(rows, now)}
    reused = sum(map(len, made.values()))

    def read(uri: str) -> list[Row]:
        wanted = options_of(entries[uri], source, options)
        parts, retry = _read(entries[uri], blobs, sandbox, wanted, limits, source, vision_model, transcriber)
        key = stopped[uri] if any(part.stopped for part in parts) else keys[uri]
        key = _RETRY if retry else with_converters(key, (part.needs for part in parts), wanted)
        attempt = 1 + max((row["attempts"] for row in before.get(uri, ())), default=0)
        return [document_row(entries[uri], part, source, key) | retries.columns(part, attempt, now) for part in parts]

    with closing(map_by_host([uri for uri in keys if uri not in made], lambda _: None, read, WORKERS)) as work:
        for done, (uri, new) in enumerate(work, start=len(made) + 1):
            made[uri] = new
            progress(done, len(entries))
    rows = [row | access(row, entries[uri], source) for uri in sorted(made) for row in made[uri]]
    return _reading(rows, previous, source, reused)


def options_of(entry: Row, source: SourceSettings, options: Options) -> Options:
    """Return the options for a raw row: its collection may say what the text of pages is read from."""
    if not source.page_text_of:
        return options
    return replace(options, page_text=source.page_text_of.get(collection_of(entry, source), options.page_text))


def stage_key(entry: Row, source: SourceSettings, options: Options, limits: Limits) -> str:
    """Return a digest of everything, apart from the address, that what is read from a raw row depends on."""
    wanted = _written(options_of(entry, source, options))
    settings = (str(source.min_words), source.language or "", wanted, str(limits.characters))
    common = _common(VERSION, SHINGLES, WORDINGS, *_libraries(), *settings)
    return digest(common, entry["sha256"], entry["content_type"] or "", entry["metadata"] or "")


_common = lru_cache(maxsize=64)(digest)
"""What the raw rows of a source share is hashed once for all of them."""


@lru_cache(maxsize=64)
def _written(options: Options) -> str:
    return repr(replace(options, converter=""))  # a key that needs one names it


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(f"{name}=={_version(name)}" for name in (*_LIBRARIES, *_EXTRAS))


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


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


def _read(
    entry: Row,
    blobs: Blobs,
    sandbox: Sandbox,
    options: Options,
    limits: Limits,
    source: SourceSettings,
    vision_model: VisionModel | None,
    transcriber: Transcriber | None,
) -> tuple[list[Part], bool]:
    """Return the documents of a raw row, and whether the next run should read it again."""
    try:
        content = blobs.get(entry["sha256"])
    except StorageError as error:
        return [Part("", None, str(error))], True
    parts = sandbox.read(
        content,
        boundary=(source.id, *stated_principals(entry, source)),
        limits=limits,
        uri=entry["uri"],
        content_type=entry["content_type"],
        options=options,
    )
    retry = any((part.reason or "").startswith(ENCRYPTED) for part in parts)  # the password may be another by then
    if transcriber is not None:
        about = {"boundary": (source.id, *stated_principals(entry, source)), "uri": entry["uri"], "options": options}
        read = [_with_words(part, transcriber, content, sandbox, about) for part in parts]
        parts, retry = [part for part, _ in read], retry or any(failed for _, failed in read)
    if vision_model is not None:
        read = [_with_vision(part, vision_model) for part in parts]
        parts, retry = [part for part, _ in read], retry or any(failed for _, failed in read)
    return parts, retry


def _with_words(
    part: Part, transcriber: Transcriber, content: bytes, sandbox: Sandbox, about: dict[str, Any]
) -> tuple[Part, bool]:
    """Let the server write down what is said in a recording; also return whether it failed."""
    if part.read is None or part.read.type != "recording":
        return part, False
    try:
        recording = sandbox.unpack(content, path=part.path, **about)
        read = transcriber.read(part.read, recording, without_compression(f"{about['uri']}{part.path}"))
    except ExtractionError as error:
        return Part(part.path, None, str(error)), True
    return replace(part, read=replace(read, flags=(*read.flags, *flags_of(read.text)))), False


def _with_vision(part: Part, vision_model: VisionModel) -> tuple[Part, bool]:
    """Let the model read the pages without text; also return whether it failed."""
    if part.read is None or not part.read.pictures:
        return part, False
    read, failed = vision_model.read(part.read)
    read = replace(read, flags=(*read.flags, *flags_of(read.text)))
    if failed and not read.text:
        return Part(part.path, None, f"no text: {'; '.join(read.flags)}"), True
    return replace(part, read=read), failed


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
