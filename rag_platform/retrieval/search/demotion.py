"""Lower scores for candidates that are near to what the question excludes."""

import numpy as np

from rag_platform.retrieval.search.fusion import fuse

WEIGHT = 0.3
"""How far the candidate that is nearest to the unwanted half falls, where the first of all has a score of 1."""


def demotions(lexical: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Return what candidates lose for their nearness to the unwanted half: float32 in [0, WEIGHT].

    The square spares all but the nearest: whatever is about the question is somewhat near to both halves.

    Args:
        lexical: BM25 of the unwanted half, NaN where none of its words occurs; float32, shape (n,).
        vector: Cosine similarity to the unwanted half, likewise.
    """
    return (WEIGHT * fuse(lexical, vector, "minmax", 0.5) ** 2).astype(np.float32)
