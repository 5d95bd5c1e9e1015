"""Hits and an embedder whose vectors are bags of words, so that tests know every similarity."""

import hashlib
from datetime import UTC, datetime

import numpy as np
import pytest

from rag_platform.core.hits import Hit
from rag_platform.embeddings.embedding_model import TokenModel
from rag_platform.models.cards import ModelCard
from rag_platform.text.analysis import terms
from tests.index.corpora import token_vectors


class BagOfWords(TokenModel):
    """Texts with the same words are the same; texts without a common word have nothing in common."""

    def __init__(self):
        super().__init__(ModelCard("all-MiniLM-L6-v2", None, 4096, 256), "bag-of-words")

    def embed_passages(self, texts, progress=None):
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for term in terms(text, "en"):
                row[int(hashlib.sha256(term.encode()).hexdigest(), 16) % self.dimension] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def embed_query(self, text):
        return self.embed_passages([text])[0]

    def embed_tokens(self, texts):
        return token_vectors(texts, r"\w+|[^\w\s]", self.embed_passages)

    def count_tokens(self, texts):
        return [len(text.split()) + 2 for text in texts]

    _embed_all = _open_tokenizer = embed_passages


@pytest.fixture
def embedder():
    return BagOfWords()


@pytest.fixture
def make_hit():
    def make(rank, text, title="A title", *, score=None, start=100, doc_id=None, language="en", section=""):
        return Hit(
            rank=rank,
            score=1.0 / rank if score is None else score,
            chunk_id=f"{rank:016x}",
            doc_id=doc_id or f"doc-{rank}",
            uri=f"https://example.org/{rank}",
            title=title,
            source="handbook",
            collection="default",
            language=language,
            type="markdown",
            published_at=datetime(2026, 3, rank, tzinfo=UTC),
            section=section,
            text=text,
            span=(start, start + len(text)),
            page=None,
            revision=f"revision-{rank}",
            raw_sha256="ab" * 32,
            run_id=None,
            snippet=text[:40],
        )

    return make


@pytest.fixture
def hits(make_hit):
    return [
        make_hit(
            1, "# Leave\n\nEmployees get 25 days of paid leave per year. Unused days expire on 31 March.", "Leave"
        ),
        make_hit(2, "The office opens at eight in the morning. Bring your badge to the office.", "Office"),
        make_hit(3, "Travel expenses are repaid within two weeks after the receipts arrive.", "Travel"),
    ]
