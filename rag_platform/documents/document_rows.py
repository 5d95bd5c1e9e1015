"""A row of the documents table: what was read of a document, and what its source knows of it, which wins."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

import polars as pl

from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.ids import digest, document_id
from rag_platform.core.principals import private_readers
from rag_platform.documents.extracted import Extracted, Part
from rag_platform.documents.file_names import stem_of
from rag_platform.documents.times import parse_time, plausible_time
from rag_platform.text.cleaning import clean_line
from rag_platform.text.language import detect_language
from rag_platform.text.shingles import signature

Row = dict[str, Any]
"""A row of a table, by column."""


def document_row(entry: Row, part: Part, source: SourceSettings, key: str) -> Row:
    """Return the columns of a document that depend on what was read alone.

    Args:
        entry: The raw row.
        part: What was read; of a file within the raw file the source knows no title and no dates.
        source: The settings of the source.
        key: The stage key.
    """
    known, problems = _metadata(entry)
    own = {} if part.path else known
    read = part.read or Extracted("", "unknown")
    uri = entry["uri"] + part.path
    title = clean_line(own.get("title")) or read.title or clean_line(stem_of(uri)) or uri
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
        "published_at": plausible_time(own.get("published_at")) or plausible_time(read.published_at),
        "updated_at": plausible_time(own.get("updated_at")) or plausible_time(read.updated_at),
        "text": text,
        "revision": digest("text", text),
        "pages": list(read.pages),
        "page_labels": list(read.page_labels),
        "owner": clean_line(known.get("owner") or read.owner) or None,
        "tags": sorted({clean_line(tag) for tag in known.get("tags") or read.tags} - {""}),
        "private": read.private,
        "flags": [*problems, *read.flags],
        "losses": [asdict(loss) for loss in read.losses],
        "signature": signature(text),
    }


def access(row: Row, entry: Row, source: SourceSettings) -> Row:
    """Return the columns that no reading changes: they are taken anew from raw row and settings every time."""
    known, _ = _metadata(entry)
    readers = _stated_principals(known, source)
    return {
        "collection": _collection(known, source),
        "principals": list(private_readers(readers, row["owner"]) if row["private"] else readers),
        "fetched_at": entry["fetched_at"],
        "run_id": entry["run_id"],
    }


def collection_of(entry: Row, source: SourceSettings) -> str:
    """Return the collection of a raw row."""
    return _collection(_metadata(entry)[0], source)


def stated_principals(entry: Row, source: SourceSettings) -> tuple[str, ...]:
    """Return who may read a raw row as its source says, in order; the document itself may be for its owner alone."""
    return _stated_principals(_metadata(entry)[0], source)


def _collection(known: Row, source: SourceSettings) -> str:
    return str(known.get("collection") or source.collection)


def _stated_principals(known: Row, source: SourceSettings) -> tuple[str, ...]:
    return tuple(sorted(known.get("principals") or source.principals))


def lost_of(documents: pl.DataFrame) -> dict[str, int]:
    """Sum up what the files of documents (column `losses`) have and the texts do not, most of it first."""
    each = documents.select(pl.col("losses").explode()).drop_nulls().unnest("losses")
    return dict(each.group_by("what").agg(pl.col("count").sum()).sort(-pl.col("count"), "what").iter_rows())


def _text(read: Extracted, title: str) -> str:
    """Return the text; a page's own headline, which its reader took for the title, stays if the source has another."""
    if read.type != "html" or not read.text or read.title.casefold() in ("", title.casefold()):
        return read.text
    return f"# {read.title}\n\n{read.text}"


def _metadata(entry: Row) -> tuple[Row, tuple[str, ...]]:
    """Return what the source knows of a raw row; a date that is none is left out and flagged."""
    try:
        stated = json.loads(entry["metadata"] or "{}")
    except ValueError as error:
        return {}, (f"metadata not understood: {error}",)
    known, flags = {key: value for key, value in stated.items() if value}, []
    for name in ("published_at", "updated_at"):
        found: datetime | None = parse_time(known.get(name))
        if name in known and found is None:
            flags.append(f"{name} not understood: {known.pop(name)!r}")
        elif found:
            known[name] = found
    return known, tuple(flags)
