"""What we ask of models: embedders, rerankers, generators."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from rag_platform.core.generation import AnswerStream, ReplyStream, Wishes
from rag_platform.core.hits import Hit
from rag_platform.core.ports.progress_ports import Progress, silent


class Embedder(Protocol):
    """Turns text into unit vectors whose dot product is their similarity."""

    fingerprint: str
    """Names model, revision, precision and pooling: vectors of another fingerprint are never mixed."""
    dimension: int
    max_tokens: int
    """Longer texts are cut."""

    def embed_passages(self, texts: Sequence[str], progress: Progress = silent) -> np.ndarray:
        """Embed texts to be found: float32, shape (len(texts), dimension), unit rows."""
        ...

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length."""
        ...

    def count_tokens(self, texts: Iterable[str]) -> list[int]:
        """Count the model's own tokens of each text, special tokens included, nothing cut."""
        ...


class Memo(Protocol):
    """Results of pure functions by a hash of all that they depend on; it saves work, and never changes a result."""

    def get(self, key: str) -> np.ndarray | None:
        """Return what was put under the key, not to be written to; None: nothing is known."""
        ...

    def put(self, key: str, result: np.ndarray, took_ms: float) -> None:
        """Keep a result, with the milliseconds that it took to compute."""
        ...


class Reranker(Protocol):
    """Orders passages by a closer look than the first stage can afford."""

    name: str
    calibrated: bool
    """Whether scores lie in [-1, 1] and mean the same for every question; others are scaled over the candidates."""
    weight: float
    """What its score counts beside the first stage's, which is in [0, 1], where the settings do not say."""
    depth: int
    """How many candidates it looks at, at most, where the settings do not say."""
    margin: float
    """How far behind the best of the first stage a candidate is worth its look, where the settings do not say."""
    languages: tuple[str, ...]
    """ISO 639-1, of those that it reads; empty: not stated, or all."""

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        """Score each passage: float32, shape (len(passages),), higher is better, not normalised.

        `-inf` drops a passage: it does not answer, and is not shown. NaN is no judgement: the first stage's stands.
        The passages come in the first stage's order, which must not matter to a score.

        Args:
            question: what is asked.
            passages: what may answer it, best first.
            weight: gives the importance of a word of the question in the corpus (its idf).

        Raises:
            RerankError: some could not be judged; it carries the scores that there are.
        """
        ...

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        """Return the probability that each passage is relevant: float32; NaN: its score does not tell.

        Args:
            scores: its own; NaN: no judgement.
            words: the passages' shares of the question's words, in [0, 1].
            similarity: their cosines.
        """
        ...


class PassageTokens(Protocol):
    """The token vectors of passages, as `token_codes.packed` makes them."""

    @property
    def bits(self) -> int:
        """Of a dimension."""
        ...

    def of(self, passages: Sequence[str]) -> list[bytes | None]:
        """Return those of each passage; None: they are not stored."""
        ...


@runtime_checkable
class SpaceReranker(Reranker, Protocol):
    """One that reads with the model of a passage's vector space."""

    def of_space(self, model: Mapping[str, Any], stored: PassageTokens | None = None) -> Reranker | None:
        """Return the one that reads with this model, as a manifest describes it; None: the model cannot rerank.

        What is `stored` of a passage is not computed again.

        Raises:
            ModelError: the model is not here.
        """
        ...


class Generator(Protocol):
    """Writes an answer from numbered sources."""

    @property
    def name(self) -> str:
        """Of the model, or "extractive"."""
        ...

    def stream(self, question: str, hits: Sequence[Hit]) -> AnswerStream:
        """Yield an answer whose sentences carry marks [n], n being a 1-based place in `hits`; see `writing`."""
        ...


@runtime_checkable
class Converser(Protocol):
    """A generator that can also be talked with, and be given tools."""

    def converse(self, prompt: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> ReplyStream:
        """Yield the model's text and reasoning, and return its whole reply; `GenerationError` when there is none.

        An empty piece of reasoning says that the model is still silent, so that a caller may stop.
        """
        ...


@runtime_checkable
class Obliging(Protocol):
    """A generator that can be told how to write."""

    def wishing(self, wishes: Wishes) -> Generator:
        """Return one that writes as is wished."""
        ...
