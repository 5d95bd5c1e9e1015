"""The columns of each stage's table: one Parquet file per stage and source."""

import polars as pl

CANARY = "canary"
"""The type of a planted document: see index/canaries.py."""

SAME_TEXT = "same text as "
"""How the reason of a document begins that is left out because another one says the same."""

LOSS = pl.Struct({"what": pl.String(), "count": pl.Int64()})
"""Something that a file has and its text does not: what it is (see documents/extracted.py), and how often."""

MOMENT = pl.Datetime("us", "UTC")

RAW = pl.Schema(
    {
        "uri": pl.String(),
        "status": pl.String(),  # "ok", "failed" (kept: the last good bytes, if any) or "gone"
        "reason": pl.String(),  # why it failed or went
        "sha256": pl.String(),  # of the bytes, which lie in the blob store; null: never fetched
        "content_type": pl.String(),
        "etag": pl.String(),
        "last_modified": pl.String(),
        "fingerprint": pl.String(),  # the source's own cheap mark of a change (mtime and size, row hash)
        "metadata": pl.String(),  # JSON: what the source knows (title, author, published_at, type)
        "first_seen": MOMENT,
        "last_seen": MOMENT,
        "fetched_at": MOMENT,
        "missing": pl.Int32(),  # complete listings in a row that did not name it
        "run_id": pl.String(),  # of the run that fetched the bytes
        "renamed_from": pl.String(),  # the uri under which the source had the same bytes before
    }
)

DOCUMENTS = pl.Schema(
    {
        "doc_id": pl.String(),
        "uri": pl.String(),
        "raw_uri": pl.String(),  # of the raw row it was read from: of the archive that holds it, else its own
        "raw_sha256": pl.String(),
        "stage_key": pl.String(),  # extractor version and parameters: another key, another extraction
        "status": pl.String(),  # "ok", "failed" (could not be read) or "excluded" (read, not indexed)
        "reason": pl.String(),  # why it failed or is excluded
        "title": pl.String(),
        "author": pl.String(),
        "language": pl.String(),  # ISO 639-1, or "und" when there is too little text to tell
        "type": pl.String(),  # what people call it: "row", "announcement" …; where the source says nothing, the format
        "format": pl.String(),  # "markdown", "html", "pdf", "text" …: which reader read it
        "collection": pl.String(),
        "principals": pl.List(pl.String),
        "owner": pl.String(),
        "private": pl.Boolean(),  # whether the document itself says so: then `principals` is its owner alone
        "tags": pl.List(pl.String),
        "published_at": MOMENT,
        "updated_at": MOMENT,
        "fetched_at": MOMENT,
        "run_id": pl.String(),
        "text": pl.String(),
        "whole_text": pl.String(),  # as it was read, where what frames the pages of a site was left out; else null
        "revision": pl.String(),
        "pages": pl.List(pl.Int64),  # offset in the text at which each page starts; empty: no pages
        "page_labels": pl.List(pl.String),  # what the pages are called, such as "iv"; empty: by their numbers
        "flags": pl.List(pl.String),  # what was noticed: "boilerplate lines removed: 12", …
        "losses": pl.List(LOSS),  # what the file has and the text does not
        "signature": pl.List(pl.UInt32),  # of its words, to find near-duplicates: see documents/shingles.py
        "attempts": pl.Int32(),  # how often its reader was stopped in a row: by a limit, or because it died
        "next_try": MOMENT,  # when it is read again; null: not by itself
    }
)

CHUNKS = pl.Schema(
    {
        "chunk_id": pl.String(),
        "doc_id": pl.String(),
        "revision": pl.String(),
        "stage_key": pl.String(),
        "ordinal": pl.Int32(),
        "start": pl.Int64(),  # text == document.text[start:end], in characters
        "end": pl.Int64(),
        "text": pl.String(),
        "shown_start": pl.Int64(),  # the same with the sentences of neighbours that it needs to be understood
        "shown_end": pl.Int64(),
        "header": pl.String(),  # title, section and context; embedded and indexed with the text
        "section": pl.String(),  # path of headings, joined with " > "
        "page": pl.Int32(),  # 1-based; null: the document has no pages
        "page_label": pl.String(),  # what the document calls it; null: by its number
        "tokens": pl.Int32(),  # of header and text, in the model's own word pieces
        "text_hash": pl.String(),  # of what is embedded: the key of its vector
    }
)

ACCESS = pl.Schema(
    {
        "doc_id": pl.String(),
        "revision": pl.String(),  # as it stands last
        "principals": pl.List(pl.String),  # its own; null: those of its source, or of its uploads' collection, today
        "private": pl.Boolean(),
        "owner": pl.String(),
    }
)


EMBEDDINGS = pl.Schema(
    {
        "text_hash": pl.String(),
        "vector": pl.Binary(),  # float32 from the lowest byte: a list of numbers takes ten times as long to read
    }
)


def embeddings_schema(dimension: int) -> pl.Schema:
    """Return the columns of an embeddings table in memory; its model is named by the table's folder."""
    return pl.Schema({"text_hash": pl.String(), "vector": pl.Array(pl.Float32, dimension)})
