"""The stage: the documents' table to the chunks' table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import polars as pl

from rag_platform.chunks.chunker import Chunker
from rag_platform.core.ids import digest, embedding_text, passage_hash
from rag_platform.core.ports import Progress, silent
from rag_platform.core.schemas import CHUNKS

PLAIN = frozenset(("text", "unknown"))
"""Types whose text has paragraphs only; the others are Markdown, with headings."""

_KEY_OF = ("title", "language", "format", "pages", "page_labels")
"""The columns of a document that its `stage_key` depends on."""


def split_documents(
    documents: pl.DataFrame, previous: pl.DataFrame, chunker: Chunker, *, progress: Progress = silent
) -> pl.DataFrame:
    """Cut every document whose status is "ok".

    Args:
        documents: Columns `DOCUMENTS`.
        previous: Columns `CHUNKS`: the last table, or an empty one; what has not changed is taken from it.
        chunker: Cuts the texts.
        progress: Called after each document.

    Returns:
        Columns `CHUNKS`, sorted by doc_id and ordinal.
    """
    indexed = documents.filter(pl.col("status") == "ok")
    keys = [stage_key(document, chunker) for document in indexed.select(_KEY_OF).iter_rows(named=True)]
    indexed = indexed.with_columns(pl.Series("stage_key", keys, dtype=pl.String))
    identity = ["doc_id", "revision", "stage_key"]
    reused = previous.join(indexed, on=identity, how="semi")
    changed = indexed.join(reused, on=identity, how="anti")
    rows: list[dict[str, Any]] = []
    done = indexed.height - changed.height
    for document in changed.iter_rows(named=True):
        rows += _rows(document, chunker)
        done += 1
        progress(done, indexed.height)
    return pl.concat([reused, pl.DataFrame(rows, schema=CHUNKS)]).sort("doc_id", "ordinal")


def stage_key(document: dict[str, Any], chunker: Chunker) -> str:
    """Name everything, apart from the text, that a document's chunks depend on."""
    pages = ",".join(map(str, document["pages"] or ()))
    known = (document["title"] or "", document["language"] or "", *map(str, layout(document["format"]).values()), pages)
    return digest(chunker.fingerprint, *known, *(document["page_labels"] or ()))


def layout(format: str) -> dict[str, bool]:  # noqa: A002 (the column's name)
    """Return how `Chunker.split` takes a format: whether it has headings, whether small sections may share a chunk."""
    return {"headings": format not in PLAIN, "merge": format != "code"}  # a function is found by its own name


def _rows(document: dict[str, Any], chunker: Chunker) -> Iterator[dict[str, Any]]:
    pieces = chunker.split(
        document["text"],
        title=document["title"] or "",
        pages=document["pages"] or (),
        language=document["language"] or "",
        **layout(document["format"]),
    )
    seen, labels = Counter[str](), document["page_labels"] or ()
    for ordinal, piece in enumerate(pieces):
        yield {
            "chunk_id": digest("chunk", document["doc_id"], piece.text, str(seen[piece.text])),
            "doc_id": document["doc_id"],
            "revision": document["revision"],
            "stage_key": document["stage_key"],
            "ordinal": ordinal,
            **{field.name: getattr(piece, field.name) for field in fields(piece) if field.name != "shown"},
            "page_label": labels[piece.page - 1] if piece.page and len(labels) >= piece.page else None,
            "shown_start": piece.shown[0],
            "shown_end": piece.shown[1],
            "text_hash": passage_hash(embedding_text(piece.header, piece.text)),
        }
        seen[piece.text] += 1
