"""Claims that people judged -> the curve by which a check is right about them more often, if there is one."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from rag_platform.answering.checks.own_curve import Curves, OwnCurve, log_odds
from rag_platform.answering.claim_files.claim_judging import JudgedRow
from rag_platform.answering.claim_files.claim_measures import balanced_accuracy
from rag_platform.answering.claim_files.claim_rows import ClaimRow
from rag_platform.core.errors import ClaimFileError
from rag_platform.models.calibration import fit_logistic

LEAST = 20
"""Supported claims, and others, from which on a curve is fitted."""
FOLDS = 5

Judge = Callable[[Sequence[ClaimRow], Curves], list[JudgedRow]]
"""Judges claims by these curves."""


def fit_own_curve(rows: Sequence[ClaimRow], judge: Judge, check: str, now: datetime) -> OwnCurve:
    """Fit the curve of a check to judged claims, and measure what it is good for.

    Args:
        rows: claims; those without a label, or supported in part, are left aside.
        judge: what judges them.
        check: its name, with its version.
        now: the moment.

    Raises:
        ClaimFileError: there are too few claims that the check decides about, or what it says of them tells nothing.
    """
    judged = [one for one in judge([row for row in rows if row.label and row.label != "partial"], {}) if one.row.label]
    before = balanced_accuracy(judged)
    curve = _fitted(judged, check)
    folds = _folds([one.row for one in judged])
    told: list[JudgedRow] = []
    for fold in folds:
        aside = {id(row) for row in fold}
        other = _fitted([one for one in judged if id(one.row) not in aside], check, LEAST // 2)
        told += judge(fold, {check: other})
    after = balanced_accuracy(told)
    return replace(
        curve,
        claims=len(judged),
        before=round(before.value, 4) if before else 0.0,
        after=round(after.value, 4) if after else 0.0,
        at=now.isoformat(timespec="seconds"),
    )


def _fitted(judged: Sequence[JudgedRow], check: str, least: int = LEAST) -> OwnCurve:
    """Fit a curve to the claims that the check decided about; the supported ones together count like the others."""
    decided = [one for one in judged if one.check == check and one.probability is not None]
    labels = np.array([one.row.label == "supported" for one in decided], float)
    held, others = int(labels.sum()), int(len(labels) - labels.sum())
    if min(held, others) < least:
        raise ClaimFileError(
            f"{check} decides about {held} supported and {others} other claims that have a label; expected at least "
            f"{least} of each: quotes, and claims that are supported in part, do not count"
        )
    inputs = np.array([[log_odds(one.probability or 0.0)] for one in decided])
    shift, scale = fit_logistic(inputs, labels, np.where(labels > 0, 1 / held, 1 / others)).tolist()
    if scale <= 0:
        raise ClaimFileError(f"what {check} says of these claims does not tell the supported ones from the others")
    return OwnCurve(check, shift, scale)


def _folds(rows: Sequence[ClaimRow]) -> list[list[ClaimRow]]:
    """Share the claims of each label out among the folds."""
    folds: list[list[ClaimRow]] = [[] for _ in range(FOLDS)]
    counts: dict[str | None, int] = defaultdict(int)
    for row in rows:
        folds[counts[row.label] % FOLDS].append(row)
        counts[row.label] += 1
    return folds
