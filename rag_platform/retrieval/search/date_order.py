"""What of the candidates is worth listing where the best do not come first: by date, or counted."""

import numpy as np

from rag_platform.retrieval.arrangement import Arrangement
from rag_platform.retrieval.candidates import Candidates

_SHARE = 0.5
"""Of the best candidate's probability of being relevant: what is less probable is only near."""


def worth_listing(found: Candidates, least: float) -> np.ndarray:
    """Tell which candidates are at least half as probably relevant as the best, and not below `least`: bool.

    Where nothing tells how probable they are, their scores are compared instead.
    """
    known = np.isfinite(found.relevance)
    if not known.any():
        return found.score >= _SHARE * found.score.max(initial=0.0)
    return known & (found.relevance >= max(least, _SHARE * float(found.relevance[known].max())))


def newest_first(arranged: Arrangement, listed: np.ndarray, dated: np.ndarray, k: int) -> Arrangement:
    """Return the k newest of the arranged hits that are listed; those without a date come last.

    Args:
        arranged: all candidates, arranged by relevance; equal dates keep that order.
        listed: bool, by place.
        dated: datetime64, by place; NaT: not known.
        k: how many to keep.
    """
    places = np.array([place for place in arranged.kept if listed[place]], np.int64)
    unknown = np.isnat(dated[places])
    age = np.where(unknown, 0, -dated[places].astype(np.int64))
    ordered = places[np.lexsort((age, unknown))][:k].tolist()  # stable: equal dates stay in their order
    return Arrangement({place: arranged.kept[place] for place in ordered}, arranged.crowded, arranged.needed)
