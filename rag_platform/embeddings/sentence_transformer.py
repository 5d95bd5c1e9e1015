"""Texts to unit vectors by sentence-transformers on torch: for a GPU, and for models without an ONNX graph."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import MissingExtra, ModelError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Progress
from rag_platform.embeddings.embedding_model import TokenModel, TokenVectors
from rag_platform.models.cards import CARDS, ModelCard, as_set
from rag_platform.models.onnx_runtime import encodable
from rag_platform.models.tokenizing import Encoded
from rag_platform.models.vector_cache import VectorCache
from rag_platform.models.weight_files import files_checksum
from rag_platform.models.weights import locate

BLOCK = 2000
"""Texts embedded between two reports of progress."""
LONGEST = 8192
"""Tokens of a text that are read at most, whatever a model could."""
_QUESTION_BYTES = 1_000_000


class SentenceTransformerEmbedder(TokenModel):
    """Any model of sentence-transformers, with all its layers. Texts of a batch are padded to the longest of it."""

    def __init__(self, encoder: Any, card: ModelCard, checksum: str, *, batch: int = 32) -> None:
        """Take a `SentenceTransformer` that is open; `checksum` is that of all its files."""
        self._encoder, self._batch = encoder, batch
        self._asked = VectorCache(_QUESTION_BYTES)
        prefixes = (card.query_prefix, card.passage_prefix)
        super().__init__(card, digest("torch", card.name, checksum, str(card.max_tokens), *prefixes))

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length; not to be written to."""
        vector = self._asked.get(text)
        if vector is None:
            vector = self._encoded([self.card.query_prefix + text])[0]
            self._asked.put(text, vector)
        return vector

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Embed every token of each text in its context; longer texts are cut. No prefix is added."""
        readable = [encodable(text) for text in texts]
        vectors = self._encoder.encode(
            readable, prompt="", output_value="token_embeddings", batch_size=self._batch, show_progress_bar=False
        )
        encodings = self.tokenizer.encode_batch(readable)
        return [_tokens(encoding, found) for encoding, found in zip(encodings, vectors, strict=True)]

    def _embed_all(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        blocks = [np.empty((0, self.dimension), np.float32)]
        for start in range(0, len(texts), BLOCK):
            blocks.append(self._encoded([self.card.passage_prefix + text for text in texts[start : start + BLOCK]]))
            progress(min(start + BLOCK, len(texts)), len(texts))
        return np.concatenate(blocks)

    def _open_tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_str(self._encoder.tokenizer.backend_tokenizer.to_str())
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def _encoded(self, texts: list[str]) -> np.ndarray:
        vectors = self._encoder.encode(
            [encodable(text) for text in texts],
            prompt="",  # the card's prefix was put before the text
            batch_size=self._batch,
            normalize_embeddings=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, np.float32)


def _tokens(encoding: Encoded, found: Any) -> TokenVectors:
    """Put together a text's tokens, which the tokenizer did not cut, and their vectors, which are of the first."""
    vectors = np.asarray(found.float().cpu(), np.float32)
    read = len(vectors) - (len(vectors) < len(encoding.ids))  # a text that was cut ends with a special one
    kept = [place for place, word in enumerate(encoding.word_ids[:read]) if word is not None]
    chosen = vectors[kept]
    return TokenVectors(
        spans=np.array([encoding.offsets[place] for place in kept], np.int64).reshape(-1, 2),
        words=np.array([encoding.word_ids[place] for place in kept], np.int64),
        vectors=chosen / np.maximum(np.linalg.norm(chosen, axis=1, keepdims=True), 1e-9),
    )


def open_sentence_transformer(settings: ModelSettings) -> SentenceTransformerEmbedder:
    """Find the model in the settings, fetch it if need be, and open it, on the best device if none is named."""
    folder = locate(settings)
    encoder = _open_encoder(folder, settings.device)
    card = as_set(CARDS.get(settings.name) or _card(settings.name, encoder), settings)
    encoder.max_seq_length = card.max_tokens
    return SentenceTransformerEmbedder(encoder, card, files_checksum(folder), batch=settings.batch)


def _open_encoder(folder: Path, device: str | None) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError:
        raise MissingExtra("sentence-transformers", "torch", "model.runtime = 'sentence-transformers'") from None
    logging.disable_progress_bar()
    try:
        return SentenceTransformer(str(folder), device=device, local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise ModelError(f"sentence-transformers cannot open the model in {folder}: {error}") from error


def _card(name: str, encoder: Any) -> ModelCard:
    """Describe a model by what sentence-transformers read of it."""
    prompts = encoder.prompts or {}
    return ModelCard(
        name=name,
        sha256=None,
        dimension=encoder.get_embedding_dimension(),
        max_tokens=min(encoder.max_seq_length or 512, LONGEST),
        query_prefix=prompts.get("query") or "",
        passage_prefix=prompts.get("passage") or prompts.get("document") or "",
    )
