"""Late interaction where the model gives no vectors of tokens: there is none, and the first stage's order stands."""

import logging
from collections.abc import Callable, Sequence

import numpy as np


class WithoutTokens:
    """Judges nothing; fulfils `ports.Reranker`. It says so once, in the log."""

    calibrated = True
    weight = 0.0
    depth = 1
    margin = 0.0
    languages: tuple[str, ...] = ()

    def __init__(self, model: str) -> None:
        self.name = "none"
        logging.getLogger(__name__).warning(
            "%s gives one vector for a text and none for its tokens, so late interaction reranks nothing: searches "
            "keep the order of hybrid. Set another `reranker` in [retrieval], or mode = 'hybrid'",
            model,
        )

    def score(self, question: str, passages: Sequence[str], weight: Callable[[str], float]) -> np.ndarray:  # noqa: ARG002  the port's
        """Return NaN for each passage: no judgement."""
        return np.full(len(passages), np.nan, np.float32)

    def relevance(self, scores: np.ndarray, words: np.ndarray, similarity: np.ndarray) -> np.ndarray:  # noqa: ARG002  the port's
        """Return NaN (float32): it knows nothing."""
        return np.full_like(scores, np.nan)
