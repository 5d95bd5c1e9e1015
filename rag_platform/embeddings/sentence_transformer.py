"""Texts to unit vectors on torch, where a GPU makes that worth it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rag_platform.core.errors import MissingExtra
from rag_platform.core.ports import Progress, silent
from rag_platform.embeddings.model_fingerprints import vector_fingerprint
from rag_platform.models.cards import ModelCard
from rag_platform.models.onnx_runtime import encodable, open_tokenizer

Vectors = NDArray[np.float32]
BLOCK = 2000
"""Texts embedded between two reports of progress."""


class SentenceEncoder(Protocol):
    """What is used of `sentence_transformers.SentenceTransformer`."""

    def encode(self, sentences: list[str], *, normalize_embeddings: bool, show_progress_bar: bool) -> Vectors:
        """Return a vector for each sentence."""
        ...


class SentenceTransformerEmbedder:
    """The same model on torch; fulfils `ports.Embedder`."""

    def __init__(
        self, folder: Path, card: ModelCard, *, device: str | None = None, encoder: SentenceEncoder | None = None
    ) -> None:
        """Open the model in `folder`, on the best device if none is named; or take an `encoder` that is open."""
        self._encoder = encoder or _open_encoder(folder, card, device)
        self.card = card
        self.dimension = card.dimension
        self.max_tokens = card.max_tokens
        self.tokenizer = open_tokenizer(folder, None)
        self.fingerprint = vector_fingerprint(card, folder, "torch")

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> Vectors:
        """Embed texts to be found: float32, shape (len(texts), dimension), unit rows."""
        blocks = [np.empty((0, self.dimension), np.float32)]
        for start in range(0, len(texts), BLOCK):
            blocks.append(self._embed([self.card.passage_prefix + text for text in texts[start : start + BLOCK]]))
            progress(min(start + BLOCK, len(texts)), len(texts))
        return np.concatenate(blocks)

    def embed_query(self, text: str) -> Vectors:
        """Embed a question: float32, shape (dimension,), unit length."""
        vector: Vectors = self._embed([self.card.query_prefix + text])[0]
        return vector

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """Count the model's own tokens of each text, special tokens included, nothing cut."""
        return [len(encoding) for encoding in self.tokenizer.encode_batch_fast([encodable(text) for text in texts])]

    def _embed(self, texts: list[str]) -> Vectors:
        readable = [encodable(text) for text in texts]
        vectors = self._encoder.encode(readable, normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(vectors, np.float32)


def _open_encoder(folder: Path, card: ModelCard, device: str | None) -> SentenceEncoder:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise MissingExtra("sentence-transformers", "torch", "SentenceTransformerEmbedder") from None
    model = SentenceTransformer(str(folder), device=device, local_files_only=True)
    model.max_seq_length = card.max_tokens
    encoder: SentenceEncoder = model
    return encoder
