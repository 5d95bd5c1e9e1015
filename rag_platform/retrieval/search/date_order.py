"""Which candidates are relevant enough to be listed by date, or counted."""

import numpy as np

from rag_platform.retrieval.candidates import Candidates
from rag_platform.retrieval.result_grouping import Grouping

_SHARE = 0.5
"""Of the best candidate's probability of being relevant: what is less probable is only near."""


def worth_listing(found: Candidates, least: float) -> np.ndarray:
    """Return which candidates are at least half as probably relevant as the best, and not below `least`: bool.

    Without an estimate, their scores are compared instead.
    """
    known = np.isfinite(found.relevance)
    if not known.any():
        return np.asarray(found.score >= _SHARE * found.score.max(initial=0.0))
    return np.asarray(known & (found.relevance >= max(least, _SHARE * float(found.relevance[known].max()))))


def newest_first(grouping: Grouping, listed: np.ndarray, dated: np.ndarray, k: int) -> Grouping:
    """Return the k newest of the hits that are listed; those without a date come last.

    Args:
        grouping: of all candidates, by relevance; equal dates keep that order.
        listed: bool, by place.
        dated: datetime64, by place; NaT: not known.
        k: how many are returned.
    """
    places = np.array([place for place in grouping.groups if listed[place]], np.int64)
    unknown = np.isnat(dated[places])
    age = np.where(unknown, 0, -dated[places].astype(np.int64))
    ordered = places[np.lexsort((age, unknown))][:k].tolist()  # stable: equal dates stay in their order
    return Grouping({place: grouping.groups[place] for place in ordered}, grouping.over_limit, grouping.least_k)
