"""Which texts are run together: as many as fill a number of tokens, padding counted."""

from collections.abc import Sequence

import numpy as np


def token_batches(lengths: Sequence[int], tokens: int, texts: int) -> list[np.ndarray]:
    """Return the places of the texts of each batch, the longest texts first.

    Texts of like lengths lie together, so that little is padded: each batch is as wide as its first text.

    Args:
        lengths: Tokens of each text.
        tokens: Most of a batch, padding counted; a text that is longer is a batch of its own.
        texts: Most of a batch.
    """
    order, batches, start = np.argsort(-np.asarray(lengths, np.int64), kind="stable"), list[np.ndarray](), 0
    while start < len(order):
        together = min(texts, max(1, tokens // max(1, lengths[order[start]])))
        batches.append(order[start : start + together])
        start += together
    return batches
