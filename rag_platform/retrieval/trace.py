"""What a search did, stage by stage, recorded by the search itself: an explanation reads it instead of guessing."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

ScoredKeys = tuple[np.ndarray, np.ndarray]
"""Keys (uint64) and scores (float32), best first."""


@dataclass(frozen=True, slots=True)
class RetrieverTrace:
    """What one retriever returned, and how to score chunks that it did not return."""

    keys: np.ndarray
    scores: np.ndarray
    depth: int
    """How many it was asked for."""
    retrieve: Callable[[int], ScoredKeys]
    """Runs it again, for that many."""
    score: Callable[[np.ndarray], np.ndarray] | None = None
    """Scores keys exactly, where the retriever can; None: only what `retrieve` returns has a score."""


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
    measure: str = "score"
    """What was too low."""
    value: float | None = None
    """What the candidate had of it."""


@dataclass(slots=True)
class Trace:
    """What happened to the candidates of one search."""

    allowed: np.ndarray | None = None
    """Keys (ascending) that could be retrieved; None: all of them."""
    hidden: dict[str, list[str]] = field(default_factory=dict)
    """Documents (doc_id) that are not searched, by the reason: "archived" (or "not archived"), "unreadable"."""
    retrievers: dict[str, RetrieverTrace] = field(default_factory=dict)
    stages: dict[str, StageRanking] = field(default_factory=dict)
    """By name, in the order in which they ran."""
    dropped: dict[int, Drop] = field(default_factory=dict)
    """By key."""

    @property
    def exhausted(self) -> bool:
        """Return whether every retriever returned all that it has: a greater depth would return the same."""
        return all(len(one.keys) < one.depth for one in self.retrievers.values())
