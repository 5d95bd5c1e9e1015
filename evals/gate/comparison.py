"""Two versions on the same questions: which got better, which worse, and could it be chance?"""

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from evals.measures.intervals import interval, mean
from evals.measures.scoring import Scores

_EXACT_UP_TO = 13
"""Differing questions of which all sign flips are tried; of more, a sample."""
_BATCH, _BATCHES = 1_111, 9


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate against the live version, question by question."""

    metric: str
    candidate: float
    """Mean over the questions that either version has a value for."""
    live: float
    questions: int
    better: tuple[str, ...]
    """Ids of questions, the largest gain first."""
    worse: tuple[str, ...]
    """Ids of questions, the largest loss first."""
    p: float
    """Probability of a drop at least this large if the versions were equally good."""
    interval: tuple[float, float] | None = None
    """The 95 % interval of the mean gain, over the questions' gains; None for fewer than two."""

    @property
    def drop(self) -> float:
        """How much lower the candidate's mean is; negative when it is higher."""
        return round(self.live - self.candidate, 9)  # means of equal scores may differ in their last bits


def compare(
    candidate: Scores, live: Scores, metric: str, *, given_by: Literal["either", "both"] = "either"
) -> Comparison:
    """Compare two versions' scores of one question set, without questions for tuning and those stale in the candidate.

    `given_by` says which questions count: those with a value in either version (the other's is then 0), or in both.
    """
    column = pl.col(metric).alias
    valued = pl.col("candidate", "live").is_not_null()
    both = (
        candidate.deciding.select("id", column("candidate"))
        .join(live.deciding.select("id", column("live")), on="id", how="full", coalesce=True)
        .filter(~pl.col("id").is_in(candidate.stale))
        .filter(pl.any_horizontal(valued) if given_by == "either" else pl.all_horizontal(valued))
        .fill_null(0.0)
        .with_columns(gain=pl.col("candidate") - pl.col("live"))
        .sort("gain", "id")
    )
    gains = both["gain"].to_numpy()
    return Comparison(
        metric=metric,
        candidate=mean(both["candidate"]) or 0.0,
        live=mean(both["live"]) or 0.0,
        questions=both.height,
        better=tuple(both.filter(pl.col("gain") > 0)["id"].reverse()),
        worse=tuple(both.filter(pl.col("gain") < 0)["id"]),
        p=chance_of_drop(gains),
        interval=interval(gains),
    )


def chance_of_drop(gains: np.ndarray) -> float:
    """Return the one-sided p value of a mean gain this low: the paired randomisation test.

    If the versions were equally good, each difference could as well have had the other sign (Smucker, Allan and
    Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval Evaluation", CIKM 2007). The
    observed signs count as one of the samples, so that p is never 0 (Phipson and Smyth, 2010).
    """
    differing = gains[gains != 0]
    observed = differing.sum() + 1e-12  # sums of the same numbers in another order are equal
    if len(differing) <= _EXACT_UP_TO:
        signs = np.array(list(itertools.product((-1, 1), repeat=len(differing))))
        return float((signs @ differing <= observed).mean())
    generator = np.random.default_rng(0)  # the same scores must always be judged the same
    batches = (generator.choice((-1.0, 1.0), (_BATCH, len(differing))) for _ in range(_BATCHES))
    as_low = 1 + sum(int((batch @ differing <= observed).sum()) for batch in batches)
    return as_low / (1 + _BATCH * _BATCHES)
