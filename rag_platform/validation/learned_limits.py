"""How much of a source may change in one way: what the settings say, until its own history says better."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, pstdev

RUNS = 10
"""Runs that changed something, before a source's history counts."""
_FEWEST = 4
"""Documents that may change in whatever way of a source whose history is quiet."""


def allowed_share(default: float, past: Sequence[float], documents: int) -> float:
    """Return the share of a source's documents that may change in one way.

    The limit is that of a control chart (Shewhart, "Economic Control of Quality of Manufactured Product", 1931): the
    mean of what was normal and three standard deviations, those of a count of so many documents at least. A quiet
    history halves the default at most, and never below a handful of documents.

    Args:
        default: `[sync] max_changed_share`, in [0, 1].
        past: the shares of earlier runs that changed something and were published.
        documents: how many the source has.
    """
    if len(past) < RUNS or default >= 1 or not documents:
        return default
    usual = fmean(past)
    spread = max(pstdev(past), sqrt(usual * (1 - usual) / documents))
    least = min(default, max(default / 2, _FEWEST / documents))
    return min(max(usual + 3 * spread, least), 1.0)


def exceeds(found: int, of: int, allowed: float, *, remains: bool = True) -> bool:
    """Return whether so many documents stop a source; a single one of several always may change."""
    return found > allowed * of and (found > 1 or not remains)
