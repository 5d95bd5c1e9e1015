"""Question and passage read together by a model of its own: a cross-encoder in ONNX Runtime."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from tokenizers import Encoding

from rag_platform.config.settings import ModelSettings, RerankerSettings
from rag_platform.core.errors import RerankError
from rag_platform.models.calibration import sigmoid
from rag_platform.models.cards import ModelCard, find_card
from rag_platform.models.graph_cache import cached_graph
from rag_platform.models.onnx_runtime import LONGEST_TOKEN, cores, encodable, open_session, open_tokenizer
from rag_platform.models.weight_files import weights_checksum
from rag_platform.models.weights import locate
from rag_platform.storage.user_cache import user_cache

DEFAULT = "ms-marco-MiniLM-L-6-v2"


class CrossEncoder:
    """A BERT or XLM-RoBERTa classifier with one label; fulfils `ports.Reranker`. Safe to use from threads.

    Nogueira and Cho, "Passage Re-ranking with BERT" (2019). Each pair is a run of its own, so a score does not depend
    on the other passages; the threads share the pairs out. A pair that is too long is cut at the passage's end.
    """

    calibrated = False
    weight = 2.0
    depth = 20
    margin = 1.0

    def __init__(
        self,
        folder: Path,
        card: ModelCard,
        *,
        precision: str = "int8",
        threads: int = 0,
        timeout: float = 15.0,
        cache: Path | None = None,
    ) -> None:
        """Open the model whose verified files lie in `folder`; its graph is written into `cache` the first time.

        What is not judged `timeout` seconds after the question came is left out.
        """
        self.name = f"cross-encoder:{card.name}"
        self.card = card
        self.languages = card.languages
        self.threads = threads or cores()
        self.timeout = timeout
        self._pairs = open_tokenizer(folder, card.max_tokens, "only_second")
        self._questions = open_tokenizer(folder, card.max_tokens // 2)
        graphs = (cache or user_cache()) / card.name
        self._session = open_session(cached_graph(folder, weights_checksum(card, folder), "score", precision, graphs))
        self._inputs = [wanted.name for wanted in self._session.get_inputs()]

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:  # noqa: ARG002  the port's
        """Score each passage: float32, shape (len(passages),). A score is a logit: its sigmoid is a probability.

        Raises:
            RerankError: the time was over; what was not judged is NaN.
        """
        end = time.monotonic() + self.timeout
        with ThreadPoolExecutor(min(self.threads, max(1, len(passages)))) as pool:
            judged = pool.map(lambda pair: self._judge(pair, end), self._encoded(question, passages))
            scores = np.fromiter(judged, np.float32, len(passages))
        if late := int(np.isnan(scores).sum()):
            raise RerankError(
                f"the cross-encoder judged {len(scores) - late} of {len(scores)} passages in {self.timeout:g} s; "
                "raise reranker.timeout or lower retrieval.rerank_depth",
                scores,
            )
        return scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:  # noqa: ARG002  the port's
        """Return probabilities (float32): the models were trained with a sigmoid over their score."""
        return sigmoid(scores)

    def _encoded(self, question: str, passages: Sequence[str]) -> list[Encoding]:
        """Encode the pairs; of a question, no more than half of what the model reads."""
        query = encodable(question)
        spans = self._questions.encode(query, add_special_tokens=False).offsets
        query = query[: spans[-1][1]] if spans else ""
        longest = LONGEST_TOKEN * self.card.max_tokens
        return self._pairs.encode_batch([(query, encodable(passage[:longest])) for passage in passages])

    def _judge(self, pair: Encoding, end: float) -> float:
        if time.monotonic() > end:
            return np.nan
        values = {"input_ids": pair.ids, "token_type_ids": pair.type_ids}
        inputs = {name: np.array([values[name]], np.int32) for name in self._inputs}
        return float(self._session.run(["score"], inputs)[0][0, 0])


def open_cross_encoder(settings: RerankerSettings) -> CrossEncoder:
    """Find the model in the settings, fetch it if need be, and open it."""
    chosen = ModelSettings(name=settings.model or DEFAULT, folder=settings.folder)
    folder, card = locate(chosen, "reranking"), find_card(chosen, "reranking")
    return CrossEncoder(folder, card, precision=settings.precision, threads=settings.threads, timeout=settings.timeout)
