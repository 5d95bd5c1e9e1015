"""The documents stage: raw bytes to clean text, one row per raw row that has bytes.

The table is a pure function of the raw table, the bytes and the settings; `previous` only saves reading the same bytes
twice. Which rows are indexed is decided anew every time, so an incremental run gives what a rebuild gives.
"""

import json
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version

import polars as pl

from rag_platform.config.source_settings import SourceSettings
from rag_platform.core.errors import StorageError
from rag_platform.core.host_queues import map_by_host
from rag_platform.core.ports import Progress, silent
from rag_platform.core.records import DOCUMENTS, digest, document_id, narrowed
from rag_platform.documents.extracted import Extracted, as_meant, moment
from rag_platform.documents.file_names import stem_of
from rag_platform.documents.formats.archives import TYPES as ARCHIVES
from rag_platform.documents.options import ENCRYPTED, Options
from rag_platform.documents.reading.unpacking import Part
from rag_platform.documents.sandbox.pool import READERS, SANDBOX, Sandbox
from rag_platform.documents.vision import VisionModel
from rag_platform.storage.blobs import Blobs
from rag_platform.text.boilerplate import mark_boilerplate
from rag_platform.text.cleaning import clean_line, count_words
from rag_platform.text.injection import VERSION as WORDINGS
from rag_platform.text.injection import flags_of
from rag_platform.text.language import detect_language
from rag_platform.text.shingles import VERSION as SHINGLES
from rag_platform.text.shingles import signature

VERSION = "4"
"""Raise it when a change here or in a reader changes what comes out: everything is then read again."""
_LIBRARIES = (
    "trafilatura",
    "htmldate",
    "readability-lxml",
    "pypdfium2",
    "charset-normalizer",
    "py3langid",
    "lxml",
    "python-calamine",
    "olefile",
    "striprtf",
    "pylatexenc",
    "markdownify",
    "tree-sitter",
)

HOLDERS = (*ARCHIVES, "mbox")
"""Formats without a text of their own."""
_UNREAD = ""
"""Stage key of a row that another try may read better: no run's key equals it, so the next run tries again."""


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


def read_documents(
    raw: pl.DataFrame,
    previous: pl.DataFrame,
    blobs: Blobs,
    source: SourceSettings,
    *,
    sandbox: Sandbox = SANDBOX,
    options: Options = Options(),  # noqa: B008 (frozen)
    vision_model: VisionModel | None = None,
    progress: Progress = silent,
) -> Reading:
    """Make the documents of a source: of an archive, one of each file in it.

    Args:
        raw: Columns `RAW`.
        previous: Columns `DOCUMENTS`: the last table, or an empty one.
        blobs: Holds the bytes that `raw` names.
        source: The settings of the source.
        sandbox: Where they are read.
        options: Wishes of the settings.
        vision_model: Reads the pages that have no text, as pictures.
        progress: Called after each raw row.
    """
    known: dict[tuple[str, str], list[dict]] = {}
    for row in previous.iter_rows(named=True):
        known.setdefault((row["raw_uri"], row["stage_key"]), []).append(row)
    present = raw.filter(pl.col("sha256").is_not_null(), pl.col("status") != "gone").sort("uri")
    entries = {entry["uri"]: entry for entry in present.iter_rows(named=True)}
    keys = {uri: stage_key(entry, source, options) for uri, entry in entries.items()}
    made = {uri: known[uri, key] for uri, key in keys.items() if (uri, key) in known}
    reused = sum(map(len, made.values()))
    unread = [uri for uri in keys if uri not in made]

    def read(uri: str) -> list[dict]:
        try:
            content = blobs.get(entries[uri]["sha256"])
        except StorageError as error:
            return [_row(entries[uri], _UNREAD, Part("", None, str(error)), source)]
        told = {"uri": uri, "content_type": entries[uri]["content_type"]}
        parts, unsure = _seen(sandbox.read(content, **told, options=options), vision_model)
        return [_row(entries[uri], _UNREAD if unsure else keys[uri], part, source) for part in parts]

    with closing(map_by_host(unread, lambda _: None, read, READERS)) as work:
        for done, (uri, made_of_it) in enumerate(work, start=len(made) + 1):
            made[uri] = made_of_it
            progress(done, len(entries))
    rows = [
        {**row, **_about(row, entries[uri], source), **_verdict(row, source)}
        for uri in sorted(made)
        for row in made[uri]
    ]
    rows.sort(key=lambda row: row["uri"])
    _exclude_duplicates(rows)
    mark_boilerplate(rows)
    failed = tuple((row["uri"], row["reason"]) for row in rows if row["status"] == "failed")
    return Reading(pl.DataFrame(rows, schema=DOCUMENTS), len(rows) - reused, reused, failed)


def stage_key(entry: dict, source: SourceSettings, options: Options) -> str:
    """Name everything, apart from the address, that what is read from a raw row depends on."""
    wishes = [str(source.min_words), source.language or "", repr(options)]
    return digest(
        VERSION,
        SHINGLES,
        WORDINGS,
        *_libraries(),
        *wishes,
        entry["sha256"],
        entry["content_type"] or "",
        entry["metadata"] or "",
    )


@cache
def _libraries() -> tuple[str, ...]:
    return tuple(f"{name}=={version(name)}" for name in _LIBRARIES)


def _seen(parts: list[Part], vision_model: VisionModel | None) -> tuple[list[Part], bool]:
    """Let the model read the pages without text; also return whether the next run should try the file again."""
    unsure = any((part.reason or "").startswith(ENCRYPTED) for part in parts)  # the password may be another by then
    if vision_model is None:
        return parts, unsure
    seen = []
    for part in parts:
        read, failed = vision_model.read(part.read) if part.read and part.read.pictures else (part.read, False)
        unsure |= failed
        if read is not part.read:
            read = replace(read, flags=(*read.flags, *flags_of(read.text)))
        blank = read is not None and failed and not read.text
        seen.append(Part(part.path, None, f"no text: {'; '.join(read.flags)}") if blank else replace(part, read=read))
    return seen, unsure


def _row(entry: dict, key: str, part: Part, source: SourceSettings) -> dict:
    """Put together what was read and what the source knows, which wins; of a file within it knows no title."""
    known, problems = _metadata(entry)
    named = {} if part.path else known
    read = part.read or Extracted("", "unknown")
    dates = {
        name: as_meant(named.get(name)) or as_meant(getattr(read, name)) for name in ("published_at", "updated_at")
    }
    uri = entry["uri"] + part.path
    title = clean_line(named.get("title")) or read.title or clean_line(stem_of(uri)) or uri
    text = _text(read, title)
    return {
        "doc_id": document_id(source.id, uri),
        "uri": uri,
        "raw_uri": entry["uri"],
        "raw_sha256": entry["sha256"],
        "stage_key": key,
        "status": "ok" if part.read else "failed",
        "reason": part.reason,
        "title": title,
        "author": clean_line(known.get("author")) or read.author,
        "language": detect_language(read.text, known.get("language") or read.language, source.language),
        "type": clean_line(known.get("type") or read.kind) or read.type,
        "format": read.type,
        **dates,
        "text": text,
        "revision": digest("text", text),
        "pages": list(read.pages),
        "owner": clean_line(known.get("owner") or read.owner) or None,
        "tags": sorted({clean_line(tag) for tag in known.get("tags") or read.tags} - {""}),
        "private": read.private,
        "flags": [*problems, *read.flags],
        "signature": signature(text),
    }


def _text(read: Extracted, title: str) -> str:
    """Return the text; a page's own headline, which its reader took for the title, stays if the source has another."""
    if read.type != "html" or not read.text or read.title.casefold() in ("", title.casefold()):
        return read.text
    return f"# {read.title}\n\n{read.text}"


def _metadata(entry: dict) -> tuple[dict, tuple[str, ...]]:
    """Read what the source knows of a row; what makes no sense is left out and flagged."""
    try:
        known = json.loads(entry["metadata"] or "{}")
    except ValueError as error:
        return {}, (f"metadata not understood: {error}",)
    known, flags = {key: value for key, value in known.items() if value}, []
    for name in ("published_at", "updated_at"):
        if name in known and (found := moment(known[name])) is None:
            flags.append(f"{name} not understood: {known.pop(name)!r}")
        elif name in known:
            known[name] = found
    return known, tuple(flags)


def _about(row: dict, entry: dict, source: SourceSettings) -> dict:
    """Return what no reading changes: it is taken anew from the raw row and the settings every time."""
    known, _ = _metadata(entry)
    readers = tuple(known.get("principals") or source.principals)
    return {
        "collection": known.get("collection") or source.collection,
        "principals": list(narrowed(readers, row["owner"]) if row["private"] else readers),
        "fetched_at": entry["fetched_at"],
        "run_id": entry["run_id"],
    }


def _verdict(row: dict, source: SourceSettings) -> dict:
    if row["status"] == "failed":
        return {}
    text, least = row["text"], source.min_words
    if row["format"] in HOLDERS and not text:
        return {"status": "excluded", "reason": "it only holds others: each file in it is a document of its own"}
    if text and count_words(text[: _AMPLE * least]) >= least:  # of most texts the beginning is enough
        return {"status": "ok", "reason": None}
    words = count_words(text)
    if words < least or not text:
        return {"status": "excluded", "reason": f"too short: {words:g} word{'s' * (words != 1)}"}
    return {"status": "ok", "reason": None}


_AMPLE = 30
"""Characters for each word that is wanted."""


def _exclude_duplicates(rows: list[dict]) -> None:
    """Keep the first, by uri, of the documents that have the same text, collection and readers; of pages, and title.

    With other readers or in another collection both stay: who may read only the second one must find the text.
    """
    first: dict[tuple, str] = {}
    for row in rows:
        if row["status"] == "ok":
            headline = row["title"] if row["format"] == "html" else ""
            seen = (row["revision"], headline, row["collection"], *sorted(row["principals"]))
            kept = first.setdefault(seen, row["uri"])
            if kept != row["uri"]:
                row |= {"status": "excluded", "reason": f"same text as {kept}"}
