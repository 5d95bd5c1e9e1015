"""Hits to a better order, by comparing a question with each passage word by word."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np

from rag_platform.core.ids import digest
from rag_platform.core.ports import Memo, PassageTokens
from rag_platform.embeddings.embedding_model import EmbeddingModel, TokenModel, TokenVectors
from rag_platform.embeddings.token_codes import best_matches, packed
from rag_platform.models.onnx_runtime import LONGEST_TOKEN
from rag_platform.models.vector_cache import VectorCache
from rag_platform.text.analysis.texts import has_unspaced

CACHE_BYTES = 256_000_000
"""About 1,700 passages of 200 tokens."""
_TELLING = 3
"""Passages in which a token's matches count as its best."""
_SAME = 1e-4
"""Difference of two matches that is none: token vectors are kept in half precision."""


class LateInteraction:
    """Late interaction over the embedder's own token vectors; fulfils `ports.Reranker`. Safe to use from threads.

    MaxSim of ColBERT (Khattab & Zaharia 2020): every token of the question looks for its best match in the passage.
    Their sum is weighted: half of it by the importance of each word in the corpus, shared among its pieces, and half
    equally, since a token stands for what is around it too. Where the corpus tells no word's importance, being in
    another language, a token is important whose match is much nearer in a few passages than in most. Punctuation and
    special tokens are left out, and so is what the model wants to read before a text. Nothing is trained: the tokens
    are those of the sentence model. Those of passages are stored with a version, packed; what is not stored is read.
    """

    calibrated = True
    weight = 2.0
    depth = 50
    margin = 0.4

    def __init__(
        self,
        embedder: TokenModel,
        embedder_of: Callable[[Mapping[str, Any]], EmbeddingModel] | None = None,
        *,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        """Read with `embedder`; `embedder_of` gives the model of a vector space, by default this one for each."""
        self.name = f"late-interaction:{embedder.card.name}"
        self.languages = embedder.card.languages
        self._embedder, self._embedder_of = embedder, embedder_of
        self._longest = LONGEST_TOKEN * embedder.max_tokens
        self._cache = VectorCache(cache_bytes)
        self._memo: Memo | None = None
        self._stored: PassageTokens | None = None
        self._others: dict[str, LateInteraction] = {}

    def of_space(self, model: Mapping[str, Any], stored: PassageTokens | None = None) -> "LateInteraction | None":
        """Return the one that reads with the model of a vector space, as a manifest describes it.

        None where that model gives no vectors of tokens; `ModelError` where there is no such model here.
        """
        embedder = self._embedder_of(model) if self._embedder_of else self._embedder
        one = self
        if embedder.fingerprint != self._embedder.fingerprint:
            if not isinstance(embedder, TokenModel):
                return None
            one = self._others.setdefault(embedder.fingerprint, LateInteraction(embedder))
        return one._with(self._memo, stored) if self._memo or stored else one

    def remembering(self, memo: Memo) -> "LateInteraction":
        """Return one that asks the memo for the matches of a passage before it reads it."""
        return self._with(memo, self._stored)

    def _with(self, memo: Memo | None, stored: PassageTokens | None) -> "LateInteraction":
        other = copy(self)
        other._memo, other._stored = memo, stored
        return other

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        """Score each passage: float32, shape (len(passages),), in [-1, 1], higher is better.

        `weight` gives the importance of a word of the question in the corpus (its idf); negative counts as 0. When it
        is 0 for all words, their matches in these passages tell it.
        """
        if not passages:
            return np.empty(0, np.float32)
        prefix, floor = self._embedder.card.query_prefix, self._embedder.card.token_floor
        tokens = self._embedder.embed_tokens([prefix + question])[0].after(prefix)
        important, counted = _importance(question, tokens, weight)
        if not counted.any():  # nothing but punctuation
            return np.zeros(len(passages), np.float32)
        matches = self._matches(question, tokens.vectors[counted], [passage[: self._longest] for passage in passages])
        weights = _weights(important[counted] if important.any() else _telling(np.stack(matches)))
        scores = np.array([weights @ best for best in matches], np.float32)
        return np.maximum((scores - floor) / (1 - floor), -1.0) if floor else scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        """Return probabilities (float32) by the model's curve; NaN for a model without one."""
        curves = self._embedder.card.relevance
        return curves.rerank.of(words, similarity, scores) if curves else np.full_like(scores, np.nan)

    def _matches(self, question: str, tokens: np.ndarray, passages: Sequence[str]) -> list[np.ndarray]:
        """Return the best match of each token of the question in each passage: they do not depend on the corpus."""
        stored = self._stored.of(passages) if self._stored else [None] * len(passages)
        missing = [passage for passage, found in zip(passages, stored, strict=True) if found is None]
        read = iter(self._read(question, tokens, missing))
        known = iter(self._best(tokens, [np.frombuffer(found, np.uint8) for found in stored if found is not None]))
        return [next(read) if found is None else next(known) for found in stored]

    def _read(self, question: str, tokens: np.ndarray, passages: Sequence[str]) -> list[np.ndarray]:
        """Return the matches in passages of which nothing is stored.

        For the memo each is computed by itself, so that its last digits do not depend on the passages beside it.
        """
        if self._memo is None:
            return self._best(tokens, self._embedded(passages))
        asked = (self._embedder.fingerprint, str(self._bits), question)
        keys = [digest("late", *asked, passage, length=32) for passage in passages]
        known = {key: found for key in keys if (found := self._memo.get(key)) is not None}
        missing = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in known}
        start = time.perf_counter()
        fresh = [self._best(tokens, [vectors])[0] for vectors in self._embedded([*missing.values()])]
        took = (time.perf_counter() - start) * 1000 / max(1, len(fresh))
        for key, best in zip(missing, fresh, strict=True):
            known[key] = best
            self._memo.put(key, best, took)
        return [known[key] for key in keys]

    @property
    def _bits(self) -> int:
        """Of a dimension of the passages' token vectors; 0: they are numbers in half precision."""
        return self._stored.bits if self._stored else 0

    def _best(self, tokens: np.ndarray, passages: Sequence[np.ndarray]) -> list[np.ndarray]:
        return best_matches(tokens, passages, self._bits) if self._bits else _together(tokens, passages)

    def _embedded(self, passages: Sequence[str]) -> list[np.ndarray]:
        """Return the token vectors of each passage, embedding those that are not cached."""
        keys = [digest(str(self._bits), passage, length=32) for passage in passages]
        vectors = {key: cached for key in keys if (cached := self._cache.get(key)) is not None}
        missing = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in vectors}
        prefix = self._embedder.card.passage_prefix
        embedded = self._embedder.embed_tokens([prefix + one for one in missing.values()]) if missing else ()
        for (key, passage), read in zip(missing.items(), embedded, strict=True):
            own = read.of_words(prefix, passage)
            vectors[key] = np.frombuffer(packed(own, self._bits), np.uint8) if self._bits else own.astype(np.float16)
            self._cache.put(key, vectors[key])
        return [vectors[key] for key in keys]


def _weights(important: np.ndarray) -> np.ndarray:
    """Return what each token counts, summing to 1: half by its importance, and half, or all without any, equally."""
    equal = np.full(len(important), 1 / len(important), np.float32)
    return (important / important.sum() + equal) / 2 if important.any() else equal


def _telling(matches: np.ndarray) -> np.ndarray:
    """Return how far the best matches of each token lie above its usual one: matches is (passages, tokens)."""
    best = np.sort(matches, axis=0)[-_TELLING:]
    telling: np.ndarray = best.mean(axis=0) - matches.mean(axis=0)
    return np.where(telling > _SAME, telling, 0)


def _importance(question: str, tokens: TokenVectors, weight: Callable[[str], float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the importance of each token's word in the corpus, shared among its tokens, and which tokens count.

    Where words stand without spaces between them, each token is one: some tokenizers take a whole clause for a word.
    """
    counted = tokens.spoken(question)
    owners = np.arange(len(counted)) if has_unspaced(question) else tokens.words
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(owners.tolist(), tokens.spans.tolist(), strict=True):
        first, last = spans.get(word, (start, end))
        spans[word] = (min(first, start), max(last, end))
    pieces = Counter(owners[counted].tolist())
    shares = {word: max(0.0, weight(question[slice(*spans[word])])) / count for word, count in pieces.items()}
    return np.array([shares.get(word, 0.0) for word in owners.tolist()], np.float32) * counted, counted


def _together(question: np.ndarray, passages: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return each token's best match in each passage: float32, shape (len(question),); 0 in one without tokens."""
    best = [np.zeros(len(question), np.float32)] * len(passages)
    filled = [row for row, vectors in enumerate(passages) if len(vectors)]
    if filled:
        starts = np.cumsum([0, *(len(passages[row]) for row in filled[:-1])])
        together = np.concatenate([passages[row] for row in filled]).astype(np.float32)  # one large product
        found = np.maximum.reduceat(question @ together.T, starts, axis=1)
        for column, row in enumerate(filled):
            best[row] = np.ascontiguousarray(found[:, column])
    return best
