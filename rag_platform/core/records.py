"""What travels along the path: frozen records, and the columns of each stage's table.

Identities (see docs/architecture.md):

- ``doc_id``   = hash(source, canonical uri): neither content nor position, so an edit keeps it.
- ``revision`` = hash(text): which text of the document this is.
- ``chunk_id`` = hash(doc_id, chunk text, occurrence): an edit elsewhere in the document leaves it.
  It has 64 bits and is, read as a number, the key of the chunk in the vector and lexical indexes.
- an embedding is identified by (model fingerprint, hash of the text embedded).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    pass

PUBLIC = "*"
"""The principal that everyone is."""

PRIVATE = "private"
"""The principal who may read what calls itself private and names no owner."""

CANARY = "canary"
"""The type of a planted document: see index/canaries.py."""

MOMENT = pl.Datetime("us", "UTC")


def digest(*parts: str | bytes, length: int = 16) -> str:
    """Hash the parts, unambiguously joined, to `length` hexadecimal digits."""
    blake = hashlib.blake2b(digest_size=length // 2)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        blake.update(len(data).to_bytes(8, "big"))
        blake.update(data)
    return blake.hexdigest()


def document_id(source: str, uri: str) -> str:
    """Identify a document by where it comes from."""
    return digest("document", source, uri)


def answer_mark(answer: str) -> str:
    """Tell an answer from all others without keeping its words, whatever its white space."""
    return digest("answer", " ".join(answer.split()))


def narrowed(readers: Sequence[str], owner: str | None) -> tuple[str, ...]:
    """Return who may read what calls itself private: its owner, if that is one of the readers; else `PRIVATE`."""
    return (owner,) if owner and (PUBLIC in readers or owner in readers) else (PRIVATE,)


def chunk_key(chunk_id: str) -> int:
    """Return the 64-bit key of a chunk in the vector and lexical indexes."""
    return int(chunk_id, 16)


def embedding_text(header: str, text: str) -> str:
    """Return what is embedded of a chunk."""
    return f"{header}\n{text}" if header else text


# --- columns of the stages' tables: one Parquet file per stage and source ---------------------------

RAW = pl.Schema(
    {
        "uri": pl.String,
        "status": pl.String,  # "ok", "failed" (kept: the last good bytes, if any) or "gone"
        "reason": pl.String,  # why it failed or went
        "sha256": pl.String,  # of the bytes, which lie in the blob store; null: never fetched
        "content_type": pl.String,
        "etag": pl.String,
        "last_modified": pl.String,
        "fingerprint": pl.String,  # the source's own cheap mark of a change (mtime and size, row hash)
        "metadata": pl.String,  # JSON: what the source knows (title, author, published_at, type)
        "first_seen": MOMENT,
        "last_seen": MOMENT,
        "fetched_at": MOMENT,
        "missing": pl.Int32,  # complete listings in a row that did not name it
        "run_id": pl.String,  # of the run that fetched the bytes
        "renamed_from": pl.String,  # the uri under which the source had the same bytes before
    }
)

DOCUMENTS = pl.Schema(
    {
        "doc_id": pl.String,
        "uri": pl.String,
        "raw_uri": pl.String,  # of the raw row it was read from: of the archive that holds it, else its own
        "raw_sha256": pl.String,
        "stage_key": pl.String,  # extractor version and parameters: another key, another extraction
        "status": pl.String,  # "ok", "failed" (could not be read) or "excluded" (read, not indexed)
        "reason": pl.String,  # why it failed or is excluded
        "title": pl.String,
        "author": pl.String,
        "language": pl.String,  # ISO 639-1, or "und" when there is too little text to tell
        "type": pl.String,  # what people call it: "row", "announcement" …; where the source says nothing, the format
        "format": pl.String,  # "markdown", "html", "pdf", "text" …: which reader read it
        "collection": pl.String,
        "principals": pl.List(pl.String),
        "owner": pl.String,
        "private": pl.Boolean,  # whether the document itself says so: then `principals` is its owner alone
        "tags": pl.List(pl.String),
        "published_at": MOMENT,
        "updated_at": MOMENT,
        "fetched_at": MOMENT,
        "run_id": pl.String,
        "text": pl.String,
        "revision": pl.String,
        "pages": pl.List(pl.Int64),  # offset in the text at which each page starts; empty: no pages
        "flags": pl.List(pl.String),  # what was noticed: "boilerplate lines removed: 12", …
        "signature": pl.List(pl.UInt32),  # of its words, to find near-duplicates: see documents/shingles.py
    }
)

CHUNKS = pl.Schema(
    {
        "chunk_id": pl.String,
        "doc_id": pl.String,
        "revision": pl.String,
        "stage_key": pl.String,
        "ordinal": pl.Int32,
        "start": pl.Int64,  # text == document.text[start:end], in characters
        "end": pl.Int64,
        "text": pl.String,
        "header": pl.String,  # title and section; embedded and indexed with the text
        "section": pl.String,  # path of headings, joined with " > "
        "page": pl.Int32,  # 1-based; null: the document has no pages
        "tokens": pl.Int32,  # of header and text, in the model's own word pieces
        "text_hash": pl.String,  # of what is embedded: the key of its vector
    }
)


def embeddings_schema(dimension: int) -> pl.Schema:
    """Return the columns of an embeddings table; its model is named by the table's folder."""
    return pl.Schema({"text_hash": pl.String, "vector": pl.Array(pl.Float32, dimension)})


# --- records ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Filters:
    """What the asker wants to see, and who asks. Empty means no restriction, except `principals`."""

    collections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """All of them: a document must carry each."""
    since: datetime | None = None
    """Only documents published (else updated) at or after this moment."""
    until: datetime | None = None
    """Only documents published (else updated) before this moment."""
    principals: tuple[str, ...] = ()
    """Who asks: a user and its groups. Everyone is also `PUBLIC`; nobody else's documents are seen."""


@dataclass(frozen=True, slots=True)
class Scores:
    """How a hit came to its place; None where a stage did not take part."""

    lexical: float | None = None
    """BM25."""
    vector: float | None = None
    """Cosine similarity."""
    feedback: float | None = None
    """Similarity to the question after it was moved towards the best candidates; it stands for `vector` in `fused`."""
    fused: float | None = None
    """Normalised, weighted sum of the legs, in [0, 1]."""
    decay: float | None = None
    """Factor in (0, 1] for the document's age."""
    rerank: float | None = None
    """The reranker's score."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A passage of another document that says nearly the same as a better hit, and was folded into it."""

    chunk_id: str
    doc_id: str
    uri: str
    title: str
    source: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that became part of a hit."""

    chunk_id: str
    span: tuple[int, int]
    page: int | None
    section: str
    score: float
    """Its own, before it was merged."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers a question, or neighbours that do, with everything needed to show and cite it."""

    rank: int
    """From 1."""
    score: float
    chunk_id: str
    doc_id: str
    uri: str
    title: str
    source: str
    collection: str
    language: str
    type: str
    published_at: datetime | None
    section: str
    text: str
    span: tuple[int, int]
    """Characters of the document's text: ``document.text[start:end] == text``."""
    page: int | None
    revision: str
    raw_sha256: str
    run_id: str | None
    snippet: str
    """The part of the text that best matches the question."""
    scores: Scores = field(default_factory=Scores)
    tags: tuple[str, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    """What the asker may read elsewhere in nearly the same words; best first."""
    instructs: tuple[str, ...] = ()
    """How its document tries to instruct a language model: the flags that say so."""
    merged: tuple[Passage, ...] = ()
    """The neighbouring chunks that it was made of, in the order of the text; empty: it is one chunk, `chunk_id`."""
    relevance: float | None = None
    """The estimated probability that it is relevant, which unlike `score` is absolute; None: nothing tells."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The chunks that it was made of, in the order of the text: one, if nothing was merged."""
        return self.merged or (Passage(self.chunk_id, self.span, self.page, self.section, self.score),)

    def at(self, offset: int) -> Passage:
        """Return the chunk that holds a character of the document's text, by the character's offset in it."""
        return next(one for one in reversed(self.passages) if one.span[0] <= offset)

    def text_of(self, passage: Passage) -> str:
        """Return the text of one of its chunks."""
        return self.text[passage.span[0] - self.span[0] : passage.span[1] - self.span[0]]

    @property
    def also_in(self) -> dict[str, str]:
        """The documents of `duplicates`: uri to title."""
        return {duplicate.uri: duplicate.title for duplicate in self.duplicates}


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a chat, and what was answered."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote that supports a sentence of an answer."""

    n: int
    """The number in the answer's text: ``[n]``."""
    doc_id: str
    chunk_id: str
    uri: str
    title: str
    quote: str
    """``document.text[span[0]:span[1]]``."""
    span: tuple[int, int]
    raw_sha256: str
    published_at: datetime | None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer whose every sentence is cited, or an abstention."""

    question: str
    answer: str
    """Text with marks ``[n]``; when `abstained`, a sentence that says so."""
    abstained: bool
    citations: tuple[Citation, ...]
    version: str
    model: str
    """The generator that wrote it: "extractive" or the server's model name."""
    receipt_id: str
    hits: tuple[Hit, ...] = ()
    took_ms: dict[str, float] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    """What was searched for, in this order."""
    standalone: str = ""
    """The question as it was understood from its chat; empty: as it was asked."""
    reasoning: str = ""
    """What the model thought aloud; no part of the answer."""
    unsupported: int = 0
    """Sentences that no source supports: marked ``[?]``, or removed."""
    claims: int = 0
    """Sentences that say something which a source should support, with those that none does."""
