"""Judgements that are dear are asked for once, and of a server that fails not with every question."""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from rag_platform.core.errors import RerankError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Reranker

JUDGEMENTS = 20_000
"""How many are kept; the least recently used go first."""
PAUSE = 30.0
"""Seconds that a reranker which judged nothing is left alone."""


class CachingReranker:
    """Another reranker, whose judgements of a question are kept; fulfils `ports.Reranker`. Safe to use from threads.

    A search that folds repeated passages looks deeper and asks again, and so does everyone who turns a page.
    """

    def __init__(self, reranker: Reranker, pause: float = PAUSE) -> None:
        self.name = reranker.name
        self.calibrated, self.weight, self.margin = reranker.calibrated, reranker.weight, reranker.margin
        self._reranker = reranker
        self._pause = pause
        self._kept: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()
        self._failure = (0.0, "")
        """Until when the reranker is left alone, and why."""

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        """Score each passage as the reranker does.

        Raises:
            RerankError: as the reranker's, or at once while it is left alone.
        """
        keys = [digest(question, passage, length=32) for passage in passages]
        known = self._recalled(keys)
        missing = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in known}
        problem = ""
        if missing:
            judged, problem = self._judge(question, list(missing.values()), weight)
            judgements = dict(zip(missing, judged.tolist(), strict=True))
            self._keep(judgements)
            known |= judgements
        scores = np.array([known[key] for key in keys], np.float32)
        if problem:
            raise RerankError(problem, scores)
        return scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        """Return probabilities as the reranker does."""
        return self._reranker.relevance(scores, words, similarity)

    def _judge(self, question: str, passages: list[str], weight: Callable[[str], float]) -> tuple[np.ndarray, str]:
        """Return the scores, and why some are missing."""
        until, why = self._failure
        if time.monotonic() < until:
            return np.full(len(passages), np.nan), why
        try:
            return self._reranker.score(question, passages, weight), ""
        except RerankError as error:
            if np.isnan(error.scores).all():
                self._failure = (time.monotonic() + self._pause, str(error))
            return error.scores, str(error)

    def _recalled(self, keys: Sequence[str]) -> dict[str, float]:
        with self._lock:
            for key in keys:
                if key in self._kept:
                    self._kept.move_to_end(key)
            return {key: self._kept[key] for key in keys if key in self._kept}

    def _keep(self, judgements: dict[str, float]) -> None:
        with self._lock:
            self._kept.update((key, score) for key, score in judgements.items() if not math.isnan(score))
            while len(self._kept) > JUDGEMENTS:
                self._kept.popitem(last=False)
