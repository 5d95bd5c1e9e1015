"""A small corpus and an embedder whose vectors can be worked out by hand."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.core.ids import chunk_key, digest, document_id
from rag_platform.core.ports import Progress, silent
from rag_platform.core.schemas import CHUNKS, DOCUMENTS
from rag_platform.embeddings.embedding_model import TokenVectors
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.vectors.spaces import Space
from rag_platform.models.cards import ModelCard
from rag_platform.text.shingles import signature

DIMENSION = 64
NEAR = 0.6


def token_vectors(texts: Sequence[str], token: str, embed: Callable[[list[str]], np.ndarray]) -> list[TokenVectors]:
    """Return the tokens of each text, which match a pattern: each is a word of its own, embedded by itself."""
    found = [list(re.finditer(token, text)) for text in texts]
    return [
        TokenVectors(
            spans=np.array([word.span() for word in words], np.int64).reshape(-1, 2),
            words=np.arange(len(words)),
            vectors=embed([word[0] for word in words]),
        )
        for words in found
    ]


class WordEmbedder:
    """Each word has a place; a text's vector counts its words, at unit length."""

    card = ModelCard("all-MiniLM-L6-v2", None, 64, 10_000)
    fingerprint = "words"
    dimension = DIMENSION
    max_tokens = 10_000

    def embed_query(self, text: str) -> np.ndarray:
        vector = np.full(DIMENSION, 1e-3, np.float32)
        for word in text.lower().split():
            vector[int(digest(word), 16) % DIMENSION] += 1
        return vector / np.linalg.norm(vector)

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:
        return np.stack([self.embed_query(text) for text in texts]) if texts else np.empty((0, DIMENSION), np.float32)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return token_vectors(texts, r"\S+", self.embed_passages)

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class LengthReranker:
    """Prefers the passage that holds most of the question's words, weighed, then the shorter."""

    name = "length"
    calibrated = False
    weight = 0.8
    depth = 20
    margin = 1.0
    languages = ()

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        words = set(question.lower().split())
        scores = [
            sum(weight(word) for word in words & set(passage.lower().split())) - len(passage) / 1e4
            for passage in passages
        ]
        return np.array(scores, np.float32)

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        return np.full_like(scores, np.nan)


def document(uri: str, text: str, **columns: object) -> dict:
    """Return a row of the documents table, with the chunks' text as one chunk."""
    source = columns.pop("source", "docs")
    return {
        "doc_id": document_id(source, uri),
        "uri": uri,
        "raw_sha256": digest(text, length=64),
        "stage_key": "test",
        "status": "ok",
        "title": uri,
        "language": "en",
        "type": "text",
        "collection": "default",
        "principals": ["*"],
        "text": text,
        "revision": digest(text),
        "pages": [],
        "page_labels": [],
        "flags": [],
        "losses": [],
        "signature": signature(text),
        "source": source,
        "fetched_at": datetime(2026, 1, 1, tzinfo=UTC),
    } | columns


def corpus(*documents: dict, model: str = "words") -> Corpus:
    """Return a corpus of documents of one chunk each."""
    return chunked(*documents, words=None, model=model)


def chunked(*documents: dict, words: int | None, model: str = "words") -> Corpus:
    """Return a corpus of documents cut after so many words; None: of one chunk each."""
    rows = [
        {
            "chunk_id": digest(row["doc_id"], row["text"][start:end], *([str(start)] if start else [])),
            "doc_id": row["doc_id"],
            "revision": row["revision"],
            "stage_key": "test",
            "ordinal": ordinal,
            "start": start,
            "end": end,
            "text": row["text"][start:end],
            "header": "",
            "section": "",
            "page": None,
            "tokens": len(row["text"][start:end].split()),
            "text_hash": digest(row["text"][start:end]),
            "source": row["source"],
            "language": row["language"],
        }
        for row in documents
        for ordinal, (start, end) in enumerate(_cuts(row["text"], words))
    ]
    schema = dict(CHUNKS) | {"source": pl.String, "language": pl.String}
    chunks = pl.DataFrame(rows, schema=schema).with_columns(
        key=pl.col("chunk_id").map_elements(chunk_key, return_dtype=pl.UInt64)
    )
    chunks = chunks.sort("key")
    keys, vectors = chunks["key"].to_numpy(), WordEmbedder().embed_passages(chunks["text"].to_list())
    described = {"name": model, "precision": "fp32", "fingerprint": model, "dimension": DIMENSION}
    frame = pl.DataFrame(list(documents), schema=dict(DOCUMENTS) | {"source": pl.String})
    space = Space(described, tuple(chunks["source"].unique().sort()), keys, vectors)
    return Corpus(group(frame, NEAR), chunks, (space,), {"chunks": {}, "near_duplicates": NEAR})


def file_of(folder: Path, name: str) -> Path:
    """Return the file of that name in a version that has one segment."""
    (found,) = folder.rglob(name)
    return found


def _cuts(text: str, words: int | None) -> list[tuple[int, int]]:
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    if not words or not spans:
        return [(0, len(text))]
    return [(part[0][0], part[-1][1]) for part in (spans[at : at + words] for at in range(0, len(spans), words))]


def idf(size: int, frequency: int) -> float:
    """Return BM25's idf."""
    return math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
