"""Judged claims -> how often a check is right about what people say of them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rag_platform.answering.claim_files.claim_judging import JudgedRow
from rag_platform.answering.claim_files.claim_rows import LABELS, Label
from rag_platform.core.answers import STATES, State

_NORMAL = 1.96
_ACCEPTED: tuple[State, ...] = ("quoted", "supported")
_OTHERS: tuple[Label, ...] = ("unsupported", "contradicted")


class Share(NamedTuple):
    """A share, with its 95 % interval."""

    value: float
    low: float
    high: float


class OfLabel(NamedTuple):
    """What became of the claims of which people say the same."""

    label: str
    claims: int
    accepted: Share
    states: dict[State, float]
    """The share of each."""


def measure_labels(judged: Sequence[JudgedRow]) -> list[OfLabel]:
    """Return what became of the claims of each label, and, last, of those without one."""
    found = []
    for label in (*LABELS, None):
        states = [one.state for one in judged if one.row.label == label]
        if states:
            counts = Counter(states)
            shares = {state: counts[state] / len(states) for state in STATES}
            found.append(OfLabel(label or "", len(states), _accepted(states), shares))
    return found


def balanced_accuracy(judged: Sequence[JudgedRow]) -> Share | None:
    """Return the mean of the supported claims accepted and of the others not; None: there are not both.

    Claims that are supported in part are left aside. The interval is that of Zou and Donner, "Construction of
    confidence limits about effect measures" (2008), from Wilson's of the two shares.
    """
    held = [one.state for one in judged if one.row.label == "supported"]
    others = [one.state for one in judged if one.row.label in _OTHERS]
    if not held or not others:
        return None
    right, wrong = _accepted(held), _accepted(others)
    value = (right.value + 1 - wrong.value) / 2
    below = ((right.value - right.low) ** 2 + (wrong.high - wrong.value) ** 2) ** 0.5 / 2
    above = ((right.high - right.value) ** 2 + (wrong.value - wrong.low) ** 2) ** 0.5 / 2
    return Share(value, value - below, value + above)


def wilson_interval(count: int, of: int, deviations: float = _NORMAL) -> tuple[float, float]:
    """Return the interval of a share: Wilson, "Probable inference", JASA 1927; of nothing, all that is possible.

    Args:
        count: how many are so.
        of: how many there are.
        deviations: how wide it is, in standard deviations; as it stands, 95 %.
    """
    if not of:
        return 0.0, 1.0
    share, square = count / of, deviations**2 / of
    middle = (share + square / 2) / (1 + square)
    half = deviations * ((share * (1 - share) + square / 4) / of) ** 0.5 / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def _accepted(states: Sequence[State]) -> Share:
    accepted = sum(state in _ACCEPTED for state in states)
    return Share(accepted / len(states), *wilson_interval(accepted, len(states)))
