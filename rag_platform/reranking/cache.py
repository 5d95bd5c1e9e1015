"""Scores of a reranker, cached; and a reranker that fails is not called for every question."""

import math
import threading
import time
from collections.abc import Callable, Sequence

import numpy as np
from cachetools import LRUCache

from rag_platform.core.errors import RerankError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Reranker

CACHED = 20_000
"""Scores; the least recently used go first."""
PAUSE = 30.0
"""Seconds without calls after a reranker scored nothing."""


class CachingReranker:
    """Another reranker, whose scores of a question are cached; fulfils `ports.Reranker`. Safe to use from threads.

    A search that collapses near-duplicates searches deeper and reranks again, and so does everyone who turns a page.
    """

    def __init__(self, reranker: Reranker, pause: float = PAUSE) -> None:
        self.name = reranker.name
        self.calibrated, self.weight = reranker.calibrated, reranker.weight
        self.depth, self.margin = reranker.depth, reranker.margin
        self.languages = reranker.languages
        self._reranker = reranker
        self._pause = pause
        self._cache: LRUCache[str, float] = LRUCache(CACHED)
        self._lock = threading.Lock()
        self._failure = (0.0, "")
        """Until when the reranker is not called, and why."""

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:
        """Score each passage as the reranker does.

        Raises:
            RerankError: as the reranker's, or at once during its pause.
        """
        keys = [digest(question, passage, length=32) for passage in passages]
        with self._lock:
            known = {key: self._cache[key] for key in keys if key in self._cache}
        missing = {key: passage for key, passage in zip(keys, passages, strict=True) if key not in known}
        problem = ""
        if missing:
            fresh, problem = self._score(question, list(missing.values()), weight)
            known |= dict(zip(missing, fresh.tolist(), strict=True))
            with self._lock:
                self._cache.update((key, known[key]) for key in missing if not math.isnan(known[key]))
        scores = np.array([known[key] for key in keys], np.float32)
        if problem:
            raise RerankError(problem, scores)
        return scores

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:
        """Return probabilities as the reranker does."""
        return self._reranker.relevance(scores, words, similarity)

    def _score(self, question: str, passages: list[str], weight: Callable[[str], float]) -> tuple[np.ndarray, str]:
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
