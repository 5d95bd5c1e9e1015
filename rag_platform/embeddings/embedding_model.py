"""What every open embedding model offers beside `ports.Embedder`, whatever runs it."""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Protocol, Self, TypeGuard

import numpy as np

from rag_platform.core.ids import digest
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.ports import Memo, Progress, silent
from rag_platform.embeddings.token_codes import packed
from rag_platform.models.cards import ModelCard
from rag_platform.models.onnx_runtime import encodable
from rag_platform.models.tokenizing import Encoded, TextTokenizer

_TOGETHER = 64
"""Texts whose token vectors are in memory at a time."""


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """The tokens of one text as the model sees them, special ones left out."""

    spans: np.ndarray
    """Characters of the text that each token stands for: int64, shape (tokens, 2)."""
    words: np.ndarray
    """The word, counted from 0, that each token is a piece of: int64, shape (tokens,)."""
    vectors: np.ndarray
    """float32, shape (tokens, dimension), unit rows."""

    def spoken(self, text: str) -> np.ndarray:
        """Tell which tokens of the text hold a letter or digit: bool, shape (tokens,)."""
        return np.array([any(map(str.isalnum, text[start:end])) for start, end in self.spans.tolist()], bool)

    def after(self, prefix: str) -> "TokenVectors":
        """Return those of the text that came after a prefix, which the model read and which is left out."""
        spans = self.spans - len(prefix)
        kept = spans[:, 1] > 0
        return TokenVectors(np.maximum(spans[kept], 0), self.words[kept], self.vectors[kept]) if prefix else self

    def of_words(self, prefix: str, passage: str) -> np.ndarray:
        """Return the vectors of a passage's words, which were read after a prefix: float32, (tokens, dimension)."""
        own = self.after(prefix)
        vectors: np.ndarray = own.vectors[own.spoken(passage)]
        return vectors


def tokens_of(encoding: Encoded, vectors: np.ndarray | None = None) -> TokenVectors:
    """Return a text's tokens, given the vector of each that the model read, special ones too; None: without vectors."""
    words, offsets = encoding.word_ids, encoding.offsets  # made anew when asked for
    kept = [place for place, word in enumerate(words) if word is not None]
    own = np.empty((len(kept), 0), np.float32) if vectors is None else vectors[kept]
    return TokenVectors(
        spans=np.array([offsets[place] for place in kept], np.int64).reshape(-1, 2),
        words=np.array([words[place] for place in kept], np.int64),
        vectors=own if vectors is None else own / np.linalg.norm(own, axis=1, keepdims=True),
    )


class EmbeddingModel(ABC):
    """A model that is open; fulfils `ports.Embedder`. Safe to use from several threads."""

    _memo: Memo | None = None

    def __init__(self, card: ModelCard, fingerprint: str) -> None:
        self.card = card
        self.fingerprint = fingerprint
        self.dimension, self.max_tokens = card.dimension, card.max_tokens

    @locked_cached_property
    def tokenizer(self) -> TextTokenizer:
        """The model's own, or one that estimates; it cuts nothing."""
        return self._open_tokenizer()

    @locked_cached_property
    def limit(self) -> int:
        """Tokens of a passage that are read, special ones included: what the prefix leaves of `max_tokens`."""
        prefix, nothing = self.count_tokens([self.card.passage_prefix, ""])
        return self.card.max_tokens - (prefix - nothing)

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """Count the model's own tokens of each text, special tokens included, nothing cut."""
        return [len(encoding) for encoding in self.tokenizer.encode_batch_fast([encodable(text) for text in texts])]

    def remembering(self, memo: Memo) -> Self:
        """Return one that asks the memo for the vector of a passage before it embeds it."""
        other = copy(self)
        other._memo = memo
        return other

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:
        """Embed texts to be found: float32, shape (len(texts), dimension), unit rows."""
        return self._embed_all(texts, progress) if self._memo is None else self._remembered(texts, self._memo)

    @abstractmethod
    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length; not to be written to."""

    @abstractmethod
    def _embed_all(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        """Embed passages, as `embed_passages` does."""

    @abstractmethod
    def _open_tokenizer(self) -> TextTokenizer:
        """Open the tokenizer."""

    def _remembered(self, texts: Sequence[str], memo: Memo) -> np.ndarray:
        keys = [digest("passage", self.fingerprint, text, length=32) for text in texts]
        vectors = {key: found for key in keys if (found := memo.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in vectors}
        start = time.perf_counter()
        fresh = self._embed_all([*missing.values()], silent) if missing else ()
        took = (time.perf_counter() - start) * 1000 / max(1, len(missing))
        for key, vector in zip(missing, fresh, strict=True):
            vectors[key] = vector
            memo.put(key, vector, took)
        return np.stack([vectors[key] for key in keys]) if keys else np.empty((0, self.dimension), np.float32)


def reads_tokens(model: object) -> "TypeGuard[TokenReader]":
    """Tell whether the vectors of a text's tokens can be had."""
    return hasattr(model, "embed_tokens")


class TokenReader(Protocol):
    """Gives the vectors of a text's tokens, which are compared with those of a question."""

    @property
    def fingerprint(self) -> str:
        """Name the model and how it reads."""
        ...

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Embed every token of each text in its context; longer texts are cut. No prefix is added."""
        ...

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,)."""
        ...


class TokenModel(EmbeddingModel, ABC):
    """A model that is a `TokenReader` too: one that runs here; a server gives a vector for the whole text alone."""

    @abstractmethod
    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Embed every token of each text in its context; longer texts are cut. No prefix is added."""

    def tokenized(self, text: str) -> TokenVectors:
        """Return the tokens of a text without their vectors; of one that the model cuts there may be more."""
        return tokens_of(self.tokenizer.encode_batch([encodable(text)])[0])

    def embed_with_tokens(
        self, texts: Sequence[str], bits: int, progress: Progress = silent
    ) -> tuple[np.ndarray, list[bytes]]:
        """Embed texts as `embed_passages` does, and return their token vectors too, packed into so many bits."""
        prefix, tokens = self.card.passage_prefix, list[bytes]()
        for start in range(0, len(texts), _TOGETHER):
            part = texts[start : start + _TOGETHER]
            read = self.embed_tokens([prefix + text for text in part])
            tokens += [packed(one.of_words(prefix, text), bits) for one, text in zip(read, part, strict=True)]
        return self.embed_passages(texts, progress), tokens
