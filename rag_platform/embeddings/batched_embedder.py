"""Texts to unit vectors in ONNX Runtime on a graphics card: batches of about equal length, filled by tokens.

They are the vectors that `OnnxEmbedder` gives in full precision, within `TOLERANCE`, and are kept under its
fingerprint: what a card embedded, a processor searches.
"""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from rag_platform.config.settings import ModelSettings
from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Progress, silent
from rag_platform.embeddings.embedding_model import TokenModel, TokenVectors, tokens_of
from rag_platform.embeddings.model_fingerprints import vector_fingerprint
from rag_platform.embeddings.token_batches import token_batches
from rag_platform.embeddings.token_codes import packed
from rag_platform.models.cards import ModelCard, find_card
from rag_platform.models.gpu.bound_session import BoundSession
from rag_platform.models.graph_cache import GRAPH_VERSION, cached_graph
from rag_platform.models.onnx_runtime import encodable
from rag_platform.models.tokenizing import Encoded, TextTokenizer, open_text_tokenizer, without_limit
from rag_platform.models.vector_cache import VectorCache
from rag_platform.models.weight_files import weights_checksum
from rag_platform.models.weights import locate
from rag_platform.storage.user_cache import user_cache

TOLERANCE = 1e-4
"""By how much a number of a vector may differ from that of a processor in full precision."""
BATCH_TOKENS = 16_384
"""Of a batch, padding counted."""
_BLOCK = 4096
"""Texts that are sorted by length together, and between which progress is told."""
_FORMS = {"cuda": "masked", "tensorrt": "plain"}
_QUESTION_BYTES = 1_000_000


class BatchedEmbedder(TokenModel):
    """A BERT encoder on a card. Safe to use from several threads, which take turns."""

    def __init__(self, folder: Path, card: ModelCard, session: BoundSession, *, texts: int = 256) -> None:
        """Open the model whose verified files lie in `folder`; at most so many texts are run together."""
        self._cutter = open_text_tokenizer(folder, card.max_tokens)
        super().__init__(card, vector_fingerprint(card, folder, self._cutter, "onnx", "fp32", GRAPH_VERSION))
        self._session, self._texts, self._turn = session, texts, threading.Lock()
        self._asked = VectorCache(_QUESTION_BYTES)

    @property
    def device(self) -> str:
        """Where it runs: "cuda" or "cpu"."""
        return self._session.device

    def embed_query(self, text: str) -> np.ndarray:
        """Embed a question: float32, shape (dimension,), unit length; not to be written to."""
        vector = self._asked.get(text)
        if vector is None:
            vector = self._sentences([self.card.query_prefix + text])[0]
            self._asked.put(text, vector)
        return vector

    def embed_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        """Embed every token of each text in its context; longer texts are cut. No prefix is added."""
        encodings, found = self._encoded(texts), dict[int, TokenVectors]()
        for places, (rows,) in self._runs(("tokens",), encodings):
            found |= _by_place(places, rows, encodings)
        return [found[place] for place in range(len(texts))]

    def embed_with_tokens(
        self, texts: Sequence[str], bits: int, progress: Progress = silent
    ) -> tuple[np.ndarray, list[bytes]]:
        """Embed texts as `embed_passages` does; one run of the model gives the vectors of their tokens too."""
        prefix, vectors = self.card.passage_prefix, np.empty((len(texts), self.dimension), np.float32)
        encodings, tokens, done = self._encoded([prefix + text for text in texts]), dict[int, bytes](), 0
        for places, (sentences, rows) in self._runs(("sentence", "tokens"), encodings):
            vectors[places] = sentences
            for place, read in _by_place(places, rows, encodings).items():
                tokens[place] = packed(read.of_words(prefix, texts[place]), bits)
            progress(done := done + len(places), len(texts))
        return self._checked(vectors), [tokens[place] for place in range(len(texts))]

    def tokenized(self, text: str) -> TokenVectors:
        """Return the tokens that the model reads of a text, without their vectors."""
        return tokens_of(self._cutter.encode(encodable(text)))

    def _embed_all(self, texts: Sequence[str], progress: Progress) -> np.ndarray:
        blocks = [np.empty((0, self.dimension), np.float32)]
        for start in range(0, len(texts), _BLOCK):
            blocks.append(self._sentences([self.card.passage_prefix + text for text in texts[start : start + _BLOCK]]))
            progress(min(start + _BLOCK, len(texts)), len(texts))
        return np.concatenate(blocks)

    def _open_tokenizer(self) -> TextTokenizer:
        return without_limit(self._cutter)

    def _encoded(self, texts: Sequence[str]) -> list[Encoded]:
        return list(self._cutter.encode_batch([encodable(text) for text in texts]))

    def _sentences(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for places, (found,) in self._runs(("sentence",), self._encoded(texts)):
            vectors[places] = found
        return self._checked(vectors)

    def _checked(self, vectors: np.ndarray) -> np.ndarray:
        if not (np.abs((vectors * vectors).sum(axis=1) - 1) < 1e-3).all():  # also of NaN
            raise ModelError(
                f"the model gave vectors that are not of unit length ({self.device}); set runtime = 'onnx'"
            )
        return vectors

    def _runs(
        self, outputs: Sequence[str], encodings: Sequence[Encoded]
    ) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
        """Yield the places of each batch, and what the model gives of it."""
        lengths = [len(encoding) for encoding in encodings]
        for places in token_batches(lengths, BATCH_TOKENS, self._texts):
            ids = np.zeros((len(places), lengths[places[0]]), np.int32)
            mask = np.zeros_like(ids)
            for row, place in enumerate(places.tolist()):
                ids[row, : lengths[place]], mask[row, : lengths[place]] = encodings[place].ids, 1
            with self._turn:
                found = self._session.run(outputs, {"input_ids": ids, "attention_mask": mask})
            yield places, found


def _by_place(places: np.ndarray, rows: np.ndarray, encodings: Sequence[Encoded]) -> dict[int, TokenVectors]:
    """Return the tokens of each text of a batch, without the padding."""
    padded = zip(places.tolist(), rows, strict=True)
    return {place: tokens_of(encodings[place], read[: len(encodings[place])]) for place, read in padded}


def open_batched(settings: ModelSettings) -> BatchedEmbedder:
    """Find the model in the settings, fetch it if need be, and open it on the card that they name."""
    card, folder = find_card(settings), locate(settings)
    cache = user_cache() / card.name
    form = _FORMS[settings.runtime]
    graph = cached_graph(folder, weights_checksum(card, folder), card.pooling, form, cache)
    session = BoundSession(graph, settings.runtime, settings.device, cache)
    texts = settings.batch if "batch" in settings.model_fields_set else 256
    return BatchedEmbedder(folder, card, session, texts=texts)
