"""A model's reading of passages, of which what is stored is not computed again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag_platform.core.ports import PassageTokens
from rag_platform.embeddings.embedding_model import TokenModel, TokenVectors
from rag_platform.embeddings.token_codes import unpacked


@dataclass(frozen=True, slots=True)
class StoredReader:
    """A model and what is stored of its token vectors, without punctuation; fulfils `TokenReader`."""

    model: TokenModel
    stored: PassageTokens

    @property
    def fingerprint(self) -> str:
        """The model's, and how its vectors are stored."""
        return f"{self.model.fingerprint}-{self.stored.bits}"

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question as the model does."""
        return self.model.embed_query(text)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Return the tokens of texts, each a passage after the model's prefix, or what else the model reads."""
        prefix = self.model.card.passage_prefix
        rows = self.stored.of([text.removeprefix(prefix) for text in texts])
        missing = iter(self.model.embed_tokens([text for text, row in zip(texts, rows, strict=True) if row is None]))
        return [next(missing) if row is None else self._kept(text, row) for text, row in zip(texts, rows, strict=True)]

    def _kept(self, text: str, row: bytes) -> TokenVectors:
        vectors = unpacked(np.frombuffer(row, np.uint8), self.model.dimension, self.stored.bits)
        tokens = self.model.tokenized(text)
        own = tokens.spoken(text) & (tokens.spans[:, 1] > len(self.model.card.passage_prefix))
        kept = np.flatnonzero(own)[: len(vectors)]  # the others were cut
        return TokenVectors(tokens.spans[kept], tokens.words[kept], vectors)
