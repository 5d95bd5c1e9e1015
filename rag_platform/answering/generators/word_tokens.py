"""Words in the place of token vectors, for a model that gives none: a word is near to itself, and to no other."""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from rag_platform.core.ids import digest
from rag_platform.embeddings.embedding_model import TokenVectors
from rag_platform.text.analysis.texts import has_unspaced, terms

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_DIMENSION = 2048


class WordTokens:
    """Reads texts word by word, and in a script without spaces sign by sign; two forms of a word are one."""

    fingerprint = digest("words", "1")

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Give each word a vector by its stem."""
        return [_tokens(text) for text in texts]

    def embed_query(self, text: str) -> np.ndarray:
        """Return the mean of a question's words: float32, shape (dimension,), of unit length, or 0 without words."""
        total = _tokens(text).vectors.sum(axis=0)
        mean: np.ndarray = total / max(float(np.linalg.norm(total)), 1e-9)
        return mean


def _tokens(text: str) -> TokenVectors:
    spans = [span for match in _WORD.finditer(text) for span in _parts(text, *match.span())] or [(0, len(text))]
    vectors = np.zeros((len(spans), _DIMENSION), np.float32)
    for row, (start, end) in enumerate(spans):
        stems = terms(text[start:end], "und") or [text[start:end].lower()]
        vectors[row, zlib.crc32(" ".join(stems).encode("utf-8", "replace")) % _DIMENSION] = 1.0
    return TokenVectors(np.array(spans, np.int64).reshape(-1, 2), np.arange(len(spans)), vectors)


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [(at, at + 1) for at in range(start, end)] if has_unspaced(text[start:end]) else [(start, end)]
