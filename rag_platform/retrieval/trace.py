"""What a search did, stage by stage, kept by the search itself: what an explanation reads instead of guessing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    pass

ScoredKeys = tuple[np.ndarray, np.ndarray]
"""Keys (uint64) and scores (float32), best first."""


@dataclass(frozen=True, slots=True)
class RetrieverTrace:
    """What one way of searching proposed, and how it can be asked about what it did not propose."""

    keys: np.ndarray
    scores: np.ndarray
    depth: int
    """How many it was asked for."""
    further: Callable[[int], ScoredKeys]
    """Asks it again, for that many."""
    compare: Callable[[np.ndarray], np.ndarray] | None = None
    """Scores keys exactly, where the leg can; None: only what `further` finds has a score."""


@dataclass(frozen=True, slots=True)
class StageRanking:
    """The candidates after a stage, best first."""

    keys: np.ndarray
    scores: np.ndarray


@dataclass(frozen=True, slots=True)
class Drop:
    """Why a stage took a candidate out of the list."""

    stage: str
    score: float
    """What the candidate had."""
    limit: float | None
    """What it would have needed; None: the score is not the reason."""
    of: str = "score"
    """What was too low."""
    value: float | None = None
    """What the candidate had of it."""


@dataclass(slots=True)
class Trace:
    """What became of the candidates of one search."""

    allowed: np.ndarray | None = None
    """Keys (ascending) that could be proposed; None: all of them."""
    hidden: dict[str, list[str]] = field(default_factory=dict)
    """Documents (doc_id) that were not searched whatever was asked, by the reason: "expired", "unreadable"."""
    legs: dict[str, RetrieverTrace] = field(default_factory=dict)
    stages: dict[str, StageRanking] = field(default_factory=dict)
    """By name, in the order in which they ran."""
    dropped: dict[int, Drop] = field(default_factory=dict)
    """By key."""

    @property
    def exhausted(self) -> bool:
        """Tell whether every way of searching gave all that it has: to ask for more would give the same."""
        return all(len(leg.keys) < leg.depth for leg in self.legs.values())
