"""Slow and sudden changes of a source's statistics against its own past: told, and nothing is stopped."""

from collections.abc import Mapping, Sequence
from statistics import fmean, median, pstdev
from typing import Any

from rag_platform.validation.statistics_record import Run

RUNS = 10
"""Runs before there is a past to compare with."""
_FEW = 10
"""With fewer documents, one more or less would be a drift."""
_NAMES = {
    "documents": "the number of documents",
    "characters": "the length of the middle document in characters",
    "words": "the number of words per thousand characters",
    "vocabulary": "the number of different words in a hundred",
    "parts": "the number of headings, rows and items per thousand characters",
    "duplicates": "the share of documents that are nearly like another one",
    "dated": "the share of documents with a date",
    "public": "the share of documents that everybody may read",
}
_SHARES = ("duplicates", "dated", "public")


def drift(runs: Sequence[Run], change: float, shift: float) -> list[str]:
    """Return in sentences what is not as it used to be.

    Compared is the newest run with the older half of the kept ones: with their middle value, and with how much they
    varied (three standard deviations, as in a control chart).

    Args:
        runs: of one source, newest first.
        change: relative change of a number from which it is told.
        shift: the same of a share.
    """
    if len(runs) < RUNS or min(runs[0].statistics.get("documents", 0), _FEW) < _FEW:
        return []
    now, past = runs[0].statistics, [run.statistics for run in runs[len(runs) // 2 :]]
    since = f"{runs[len(runs) // 2].at:%Y-%m-%d}"
    told = [
        f"{said} is {now[name]:g}; until {since} it was {usual:g}"
        for name, said in _NAMES.items()
        if (usual := _left(name, now, past, shift if name in _SHARES else change)) is not None
    ]
    return [*told, *_moved("languages", now, past, shift, since), *_moved("types", now, past, shift, since)]


def _left(name: str, now: Mapping[str, Any], past: Sequence[Mapping[str, Any]], limit: float) -> float | None:
    """Return what a number used to be; None: it still is."""
    values = [one[name] for one in past if one.get(name) is not None]
    if not values or now.get(name) is None:
        return None
    usual = median(values)
    away = abs(now[name] - usual)
    allowed = limit if name in _SHARES else limit * abs(usual)
    return usual if away > max(allowed, 3 * pstdev(values)) else None


def _moved(name: str, now: Mapping[str, Any], past: Sequence[Mapping[str, Any]], limit: float, since: str) -> list[str]:
    """Tell which language or type has another share than it used to have."""
    values = [one.get(name, {}) for one in past]
    shares = now.get(name, {})
    usual = {
        key: fmean(one.get(key, 0.0) for one in values) for key in {*shares, *(key for one in values for key in one)}
    }
    return [
        f"the share of the {name[:-1]} {key} is {shares.get(key, 0.0):.0%}; until {since} it was {share:.0%}"
        for key, share in sorted(usual.items())
        if abs(shares.get(key, 0.0) - share) > limit
    ]
