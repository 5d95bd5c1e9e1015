"""Texts to unit vectors in ONNX Runtime: the dot product of two is the similarity of their texts.

A vector is a pure function of (model fingerprint, text): it does not matter beside which texts it was made.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Progress, silent
from rag_platform.embeddings.embedding_model import TokenModel, TokenVectors, tokens_of
from rag_platform.embeddings.model_fingerprints import vector_fingerprint
from rag_platform.embeddings.token_codes import packed
from rag_platform.models.cards import ModelCard, find_card
from rag_platform.models.graph_cache import GRAPH_VERSION, cached_graph
from rag_platform.models.onnx_runtime import cores, encodable, open_session
from rag_platform.models.tokenizing import Encoded, TextTokenizer, open_text_tokenizer, without_limit
from rag_platform.models.vector_cache import VectorCache
from rag_platform.models.weight_files import weights_checksum
from rag_platform.models.weights import locate
from rag_platform.storage.user_cache import user_cache

TOKEN_BYTES = 64_000_000
"""Of vectors of texts and of their tokens that are kept: about 200 passages of 200 tokens, or 2,000 questions.

What was reranked is not read again, nor a question whose tokens are wanted after its vector, or twice.
"""
T = TypeVar("T")


class Session(Protocol):
    """Runs a graph, as `onnxruntime.InferenceSession` does."""

    def run(self, outputs: Sequence[str], feed: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """Return `tokens` (1 x n x dimension) and `sentence` (1 x dimension) of `input_ids` (1 x n), as asked for."""
        ...


class OnnxEmbedder(TokenModel):
    """A BERT encoder in ONNX Runtime. Safe to use from several threads.

    Each text is a run of its own: nothing is padded, and the scale that int8 takes over the activations of a run
    cannot depend on other texts. The threads share out the texts, each on one core.
    """

    def __init__(
        self,
        folder: Path,
        card: ModelCard,
        *,
        precision: str = "int8",
        threads: int = 0,
        cache: Path | None = None,
        session: Session | None = None,
    ) -> None:
        """Open the model whose verified files lie in `folder`.

        Its graph is written into `cache` the first time, unless a `session` runs one that came with the model.
        """
        how = ("own graph",) if session else (precision, GRAPH_VERSION)
        self._cutter = open_text_tokenizer(folder, card.max_tokens)
        super().__init__(card, vector_fingerprint(card, folder, self._cutter, "onnx", *how))
        self.threads = threads or cores()
        self._read = VectorCache(TOKEN_BYTES)
        self._session = session or _session(folder, card, precision, cache or user_cache())

    def _open_tokenizer(self) -> TextTokenizer:
        """Return one that cuts nothing; opening it may take 0.2 s, and most questions need only the one that cuts."""
        return without_limit(self._cutter)

    def _embed_all(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        done = self._each(lambda text: self._embed(self.card.passage_prefix + text), texts, progress)
        return np.stack(done) if done else np.empty((0, self.dimension), np.float32)

    def embed_with_tokens(
        self, texts: Sequence[str], bits: int, progress: Progress = silent
    ) -> tuple[np.ndarray, list[bytes]]:
        """Embed texts as `embed_passages` does; one run of the model gives the vectors of their tokens too."""
        done = self._each(lambda text: self._embed_both(text, bits), texts, progress)
        vectors = [vector for vector, _ in done]
        empty = np.empty((0, self.dimension), np.float32)
        return np.stack(vectors) if vectors else empty, [tokens for _, tokens in done]

    def _each(self, embed: Callable[[str], T], texts: Sequence[str], progress: Progress) -> list[T]:
        """Apply a function to each text, by as many threads as there are cores."""
        done: list[T] = []
        pool = ThreadPoolExecutor(self.threads)
        try:
            for one in pool.map(embed, texts):
                done.append(one)
                progress(len(done), len(texts))
        finally:
            pool.shutdown(cancel_futures=True)  # an interrupt does not wait for the texts not yet begun
        return done

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length; not to be written to."""
        asked = self.card.query_prefix + text
        return _checked(self._both(self._cutter.encode(encodable(asked)))[0], asked)

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Embed every token of each text in its context; longer texts are cut. No prefix is added."""
        encodings = self._cutter.encode_batch([encodable(text) for text in texts])
        if len(texts) == 1:  # a question: starting a thread takes longer than it saves
            return [self._embed_tokens(encodings[0])]
        # the longest first, so that no thread is left with one while the others wait
        order = sorted(range(len(texts)), key=lambda place: -len(encodings[place]))
        with ThreadPoolExecutor(min(self.threads, max(1, len(texts)))) as pool:
            embedded = dict(
                zip(order, pool.map(lambda place: self._embed_tokens(encodings[place]), order), strict=True)
            )
        return [embedded[place] for place in range(len(texts))]

    def tokenized(self, text: str) -> TokenVectors:
        """Return the tokens that the model reads of a text, without their vectors."""
        return tokens_of(self._cutter.encode(encodable(text)))

    def _embed(self, text: str) -> np.ndarray:
        return _checked(self._run(("sentence",), self._cutter.encode(encodable(text)))[0], text)

    def _embed_both(self, passage: str, bits: int) -> tuple[np.ndarray, bytes]:
        text = self.card.passage_prefix + passage
        encoding = self._cutter.encode(encodable(text))
        sentence, tokens = self._run(("sentence", "tokens"), encoding)
        read = tokens_of(encoding, tokens)
        return _checked(sentence, text), packed(read.of_words(self.card.passage_prefix, passage), bits)

    def _embed_tokens(self, encoding: Encoded) -> TokenVectors:
        return tokens_of(encoding, self._both(encoding)[1:])

    def _both(self, encoding: Encoded) -> np.ndarray:
        """Return the vector of a text above those of its tokens, of one run: float32, (1 + tokens, dimension)."""
        key = str(encoding.ids)
        both = self._read.get(key)
        if both is None:
            both = np.vstack(self._run(("sentence", "tokens"), encoding))
            self._read.put(key, both)
        return both

    def _run(self, outputs: Sequence[str], encoding: Encoded) -> list[np.ndarray]:
        feed = {"input_ids": np.array([encoding.ids], np.int32)}
        return [found[0] for found in self._session.run(outputs, feed)]


def _session(folder: Path, card: ModelCard, precision: str, cache: Path) -> Session:
    checksum, graphs = weights_checksum(card, folder), cache / card.name
    session: Session = open_session(cached_graph(folder, checksum, card.pooling, precision, graphs))
    return session


def _checked(vector: np.ndarray, text: str) -> np.ndarray:
    if not abs(float(vector @ vector) - 1.0) < 1e-3:  # also true for NaN
        raise ModelError(
            f"the model gave a vector of length {float(vector @ vector) ** 0.5} for {text[:80]!r}; expected 1. "
            "Its graph does not run well on this machine; set precision = 'fp32' in [model]"
        )
    return vector


def open_embedder(settings: ModelSettings) -> OnnxEmbedder:
    """Find the model in the settings, fetch it if need be, and open it."""
    card, folder = find_card(settings), locate(settings)
    return OnnxEmbedder(folder, card, precision=settings.precision, threads=settings.threads)
