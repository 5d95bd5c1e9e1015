"""A claim's words beside the sentences of a source: how far each sentence holds each word.

A word is held by itself, in any form, and in part by a word that means the same where it stands: by the cosine of the
vectors that a model gives the two in their sentences (as in Zhang et al., "BERTScore", 2020).
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rag_platform.answering.citations.wording import TELLING, Token, spelled_out, tokenize
from rag_platform.core.ports import Embedder
from rag_platform.embeddings.embedding_model import TokenVectors, reads_tokens
from rag_platform.models.cards import ModelCard
from rag_platform.text.analysis.texts import has_unspaced

_FAR, _NEAR = 0.3, 0.8
"""Cosines at which another word is as good as none, and as good as the word itself."""
_UNREAD = -0.4
"""What a word that is missing counts where no model reads the language: less than nothing, as the words that only join
others are told apart in few of these languages, and hardly any sentence lacks them."""


class Said(NamedTuple):
    """A sentence, word by word."""

    words: tuple[Token, ...]
    vectors: np.ndarray | None
    """float32, shape (words, dimension), unit rows, 0 for what the model did not read; None: no model reads it."""
    floor: float = 0.0
    """Cosine of the vectors that says nothing."""

    @property
    def telling(self) -> list[int]:
        """The places of the words that say something; of a sentence without any, of all."""
        found = [place for place, word in enumerate(self.words) if word.kind in TELLING]
        return found or list(range(len(self.words)))


class SentenceReader:
    """Reads sentences, each of them once."""

    def __init__(self, embedder: Embedder) -> None:
        """Read with `embedder` what is in its languages; of the rest only the words are known."""
        self._embedder = embedder
        self._known: dict[tuple[str, str], Said] = {}

    def read(self, texts: Sequence[str], language: str) -> list[Said]:
        """Return each sentence, word by word."""
        new = [text for text in dict.fromkeys(texts) if (text, language) not in self._known]
        for text, said in zip(new, self._fresh(new, language), strict=True):
            self._known[text, language] = said
        return [self._known[text, language] for text in texts]

    def _fresh(self, texts: Sequence[str], language: str) -> list[Said]:
        model, words = self._embedder, [tokenize(text, language) for text in texts]
        card: ModelCard | None = getattr(model, "card", None)
        if not texts or not card or not card.reads(language) or not reads_tokens(model):
            return [Said(own, None) for own in words]
        read = model.embed_tokens([card.passage_prefix + spelled_out(text) for text in texts])
        vectors = [_by_word(own, one.after(card.passage_prefix)) for own, one in zip(words, read, strict=True)]
        return [Said(own, known, card.token_floor) for own, known in zip(words, vectors, strict=True)]


def held(claim: Said, sentence: Said) -> np.ndarray:
    """Return how far a sentence holds each telling word of a claim: float32, shape (telling words,), at most 1."""
    places = claim.telling
    keys = {word.key for word in sentence.words}
    same = np.array([claim.words[place].key in keys for place in places], bool)
    if claim.vectors is None or sentence.vectors is None or not sentence.words:
        return np.where(same, 1.0, _UNREAD).astype(np.float32)
    cosines = (claim.vectors[places] @ sentence.vectors.T).max(axis=1)
    near = ((cosines - claim.floor) / (1 - claim.floor) - _FAR) / (_NEAR - _FAR)
    return np.where(same, 1.0, np.clip(near, 0.0, 1.0)).astype(np.float32)


def repeated(claim: Said, sentences: Sequence[Said], run: int) -> float:
    """Return the share of a claim's telling words that it repeats, and no sentence of the source does, in [0, 1].

    A word of the source stands for one of the claim: "Manhattan is the largest part of Manhattan" has a name too many.
    Only words within `run` of each other count, as what is said at length may name its subject again, and none of
    scripts without spaces, where a word is a letter.
    """
    keys = [claim.words[place].key for place in claim.telling]
    counts = [Counter(word.key for word in sentence.words) for sentence in sentences]
    again = [
        not has_unspaced(key)
        and keys[max(0, place + 1 - run) : place + 1].count(key) > max(1, *(count[key] for count in counts))
        for place, key in enumerate(keys)
    ]
    return sum(again) / max(1, len(again))


def _by_word(words: Sequence[Token], tokens: TokenVectors) -> np.ndarray:
    """Return the mean direction of each word's pieces."""
    vectors = np.zeros((len(words), tokens.vectors.shape[1]), np.float32)
    if words:
        middles = tokens.spans.mean(axis=1)
        owners = np.searchsorted([word.start for word in words], middles, side="right") - 1
        inside = (owners >= 0) & (middles < np.array([word.end for word in words])[owners])
        np.add.at(vectors, owners[inside], tokens.vectors[inside])
    unit: np.ndarray = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return unit
