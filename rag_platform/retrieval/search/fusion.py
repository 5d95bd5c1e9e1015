"""The scores of several retrievers to one, on one scale."""

from typing import Literal

import numpy as np

_RRF = 60  # the constant of Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009


def fuse(
    lexical: np.ndarray, vector: np.ndarray, fusion: Literal["minmax", "rrf"], weight: float | np.ndarray
) -> np.ndarray:
    """Combine the scores to [0, 1]; a retriever that found nothing leaves its weight to the other.

    Args:
        lexical: Scores, NaN where the chunk has no word of the question; float32, shape (n,).
        vector: Likewise, NaN where no model has read both the question and the chunk: its words alone count.
        fusion: How scores are made comparable.
        weight: Of the lexical scores: one for all, or one for each chunk, shape (n,).
    """
    scale = reciprocal_ranks if fusion == "rrf" else min_max
    if not np.isfinite(lexical).any():
        weight = 0.0
    words: np.ndarray = np.where(np.isnan(vector), 1.0, weight).astype(np.float32)
    fused: np.ndarray = words * scale(lexical) + (1 - words) * scale(vector)
    return fused


def min_max(scores: np.ndarray) -> np.ndarray:
    """Scale to [0, 1]; what has no score gets 0."""
    known = np.isfinite(scores)
    if not known.any():
        return np.zeros_like(scores)
    low, high = scores[known].min(), scores[known].max()
    return np.where(known, (scores - low) / (high - low) if high > low else 1.0, 0.0).astype(np.float32)


def reciprocal_ranks(scores: np.ndarray) -> np.ndarray:
    """Return 1 / (60 + rank), scaled so that the first has 1; what has no score gets 0."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")] = np.arange(1, len(scores) + 1)
    return np.where(np.isfinite(scores), (_RRF + 1) / (_RRF + ranks), 0.0).astype(np.float32)
