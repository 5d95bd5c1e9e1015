"""One raw row to the rows of its documents: the work of the documents stage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import polars as pl

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import ExtractionError, StorageError
from rag_platform.core.ids import digest
from rag_platform.core.schemas import DOCUMENTS
from rag_platform.documents.conversion_keys import with_converters
from rag_platform.documents.document_rows import Row, collection_of, document_row, stated_principals
from rag_platform.documents.extracted import Part
from rag_platform.documents.file_names import without_compression
from rag_platform.documents.options import ENCRYPTED, Limits, Options
from rag_platform.documents.retries import Retries, stopped_key
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.documents.transcription import Transcriber
from rag_platform.documents.vision import VisionModel
from rag_platform.storage.blobs import Blobs
from rag_platform.text.instructions.injection import VERSION as WORDINGS
from rag_platform.text.instructions.injection import flags_of
from rag_platform.text.shingles import VERSION as SHINGLES

VERSION = "17"
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
_RETRY = ""
"""Stage key of a row that another run may read better: no computed key equals it."""


@dataclass(frozen=True, slots=True)
class RawJob:
    """A raw row to read."""

    entry: Row
    key: str
    """Its stage key."""
    attempt: int
    """The number of this one."""

    def digest(self) -> str:
        """Hash what its rows depend on, apart from the source and the clock."""
        return digest("read", self.entry["uri"], self.key, str(self.attempt))


@dataclass(frozen=True)
class RawReader:
    """Reads raw rows of a source; a `ports.ShardWork`, whose items are `RawJob`."""

    blobs: Blobs
    source: SourceSettings
    options: Options
    limits: Limits
    retries: Retries
    now: datetime
    sandbox: Sandbox
    vision_model: VisionModel | None = None
    transcriber: Transcriber | None = None

    def __call__(self, job: RawJob) -> list[Row]:
        """Read the bytes of a raw row."""
        options = options_of(job.entry, self.source, self.options)
        parts, retry = self._read(job.entry, options)
        key = stopped_key(job.key, self.limits) if any(part.stopped for part in parts) else job.key
        key = _RETRY if retry else with_converters(key, (part.needs for part in parts), options)
        return self._rows(job, parts, key)

    def failed(self, job: RawJob, reason: str) -> list[Row]:
        """Return the row of what cannot be read; it is tried again as what stopped its reader is."""
        return self._rows(job, [Part("", None, reason, stopped=True)], stopped_key(job.key, self.limits))

    def table(self, results: Sequence[list[Row]]) -> pl.DataFrame:
        """Return the rows as a table; what is not known of them yet is null."""
        return pl.DataFrame([row for rows in results for row in rows], schema=DOCUMENTS)

    def _rows(self, job: RawJob, parts: list[Part], key: str) -> list[Row]:
        rows = (document_row(job.entry, part, self.source, key) for part in parts)
        return [row | self.retries.columns(part, job.attempt, self.now) for row, part in zip(rows, parts, strict=True)]

    def _read(self, entry: Row, options: Options) -> tuple[list[Part], bool]:
        """Return the documents of a raw row, and whether the next run should read it again."""
        try:
            content = self.blobs.get(entry["sha256"])
        except StorageError as error:
            return [Part("", None, str(error))], True
        about = {"boundary": (self.source.id, *stated_principals(entry, self.source)), "uri": entry["uri"]}
        about |= {"options": options}
        parts = self.sandbox.read(content, limits=self.limits, content_type=entry["content_type"], **about)
        retry = any((part.reason or "").startswith(ENCRYPTED) for part in parts)  # the password may be another by then
        if self.transcriber is not None:
            read = [_with_words(part, self.transcriber, content, self.sandbox, about) for part in parts]
            parts, retry = [part for part, _ in read], retry or any(failed for _, failed in read)
        if self.vision_model is not None:
            read = [_with_vision(part, self.vision_model) for part in parts]
            parts, retry = [part for part, _ in read], retry or any(failed for _, failed in read)
        return parts, retry


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
