"""A question and passages -> what each passage says to it, whatever the corpus: so that it can be remembered."""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rag_platform.core.ids import digest
from rag_platform.core.ports import Memo
from rag_platform.embeddings.embedding_model import TokenReader, TokenVectors

Matches = Callable[[np.ndarray], np.ndarray]
"""Vectors of tokens to how near each word of the question is to each: float32, shape (words, tokens)."""


class PassageToRead(NamedTuple):
    """A passage as the model reads it."""

    header: str
    text: str
    sentences: Sequence[tuple[int, int]]
    """Those to be measured, by their characters in the text."""


class Reading(NamedTuple):
    """What a passage says to a question."""

    values: np.ndarray
    """float32, shape (1 + sentences, 1 + words): a row for the passage, then one for each sentence."""

    @property
    def passage(self) -> np.ndarray:
        """How near each word of the question is to a word of the passage: float32, shape (words,)."""
        return self.values[0, 1:]

    @property
    def matches(self) -> np.ndarray:
        """How near each word of the question is to a word of each sentence: float32, shape (sentences, words)."""
        return self.values[1:, 1:]


def read_passages(
    question: str,
    matches: Matches,
    vector: np.ndarray,
    passages: Sequence[PassageToRead],
    embedder: TokenReader,
    memo: Memo | None = None,
) -> list[Reading]:
    """Read each passage, unless the memo knows what it says.

    Args:
        question: what is asked.
        matches: of the question.
        vector: the question's.
        passages: what may answer it.
        embedder: reads.
        memo: of earlier readings; None: there is none.
    """
    keys = [digest("reading", embedder.fingerprint, question, repr(tuple(one)), length=32) for one in passages]
    known = {key: found for key in keys if memo and (found := memo.get(key)) is not None}
    missing = {key: one for key, one in zip(keys, passages, strict=True) if key not in known}
    start = time.perf_counter()
    tokens = embedder.embed_tokens([one.header + one.text for one in missing.values()]) if missing else ()
    fresh = {
        key: _measured(matches, vector, read, one) for (key, one), read in zip(missing.items(), tokens, strict=True)
    }
    took = (time.perf_counter() - start) * 1000 / max(1, len(fresh))
    if memo:
        for key, values in fresh.items():
            memo.put(key, values, took)
    return [Reading((known | fresh)[key]) for key in keys]


def _measured(matches: Matches, vector: np.ndarray, tokens: TokenVectors, passage: PassageToRead) -> np.ndarray:
    near, places = matches(tokens.vectors), tokens.spans - len(passage.header)
    values = np.full((1 + len(passage.sentences), 1 + len(near)), np.nan, np.float32)
    values[0, 1:] = near.max(axis=1, initial=-1.0)
    for row, (start, end) in enumerate(passage.sentences, start=1):
        inside = (places[:, 0] >= start) & (places[:, 1] <= end)
        if inside.any():
            values[row, 0] = towards(vector, tokens.vectors[inside])
            values[row, 1:] = near[:, inside].max(axis=1)
    return values


def towards(question: np.ndarray, tokens: np.ndarray) -> float:
    """Return the cosine of a question and of what is said by some tokens, in their mean."""
    mean = tokens.mean(axis=0)
    return float(mean @ question / max(float(np.linalg.norm(mean)), 1e-9))
