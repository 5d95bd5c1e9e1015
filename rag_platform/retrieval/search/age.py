"""What age takes from a candidate's score: little, so that relevance decides and recency breaks what is nearly even.

The score is (1 - w) of relevance and w of recency. Recency does not stand by itself, where an irrelevant text of today
would have all of it: it lies between the relevance of the candidate and `_BAND` below. So age takes at most w * `_BAND`
and never gives, and a text without a date, or of a source whose texts do not age, loses nothing.
"""

import numpy as np

_BAND = 1 / 3
"""How far recency lies below relevance for what is endlessly old, where the best of all has a relevance of 1. At the
default weight a tenth is lost then: what answers a question is mostly further than that ahead of what does not
(docs/retrieval.md, Age)."""
_DAY = np.timedelta64(1, "D")


def recency(dated: np.ndarray, now: np.datetime64, half_lives: np.ndarray) -> np.ndarray:
    """Return exp(-λ·days) with λ = ln 2 / half-life: float32 in [0, 1], 1 for the future; NaN where one is not known.

    Args:
        dated: datetime64, NaT where there is no date.
        now: the moment from which ages are counted.
        half_lives: in days; NaN where age does not matter.
    """
    days = np.maximum(np.true_divide(now - dated, _DAY), 0.0)  # NaN where there is no date
    return np.asarray(np.exp2(-days / half_lives), np.float32)


def aged(relevance: np.ndarray, recency: np.ndarray, weight: float) -> np.ndarray:
    """Blend relevance, in [0, 1], with recency (NaN: it does not matter): float, at most `relevance`, at least 0."""
    behind = np.nan_to_num(1 - recency, nan=0.0) * _BAND
    return np.asarray((1 - weight) * relevance + weight * np.maximum(relevance - behind, 0.0))
