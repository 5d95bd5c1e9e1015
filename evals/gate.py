"""The gate: is a candidate version at least as good as the live one?

Scores are compared only when they are of the same question set; otherwise the outcome is "rescore": the live version
must be scored on the candidate's questions first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from evals.answers import ABSTENTION
from evals.comparison import Comparison, compare
from evals.scoring import MEASURES, Scores
from rag_platform.settings import GateSettings

SIGNIFICANT = 0.05
"""A drop beyond the noise counts when chance would do as much in fewer cases than this."""
SEVERE = 3
"""A drop of so many noise bands is refused, however few the questions: a small set proves nothing by itself."""
SLOWER = 3.0
"""A median search so many times slower than the live version's is refused …"""
SLOWER_BY_MS = 100
"""… when it is also this much slower: below, a busy machine explains it."""

Outcome = Literal["passed", "refused", "rescore"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate decided, and why, in sentences for people."""

    outcome: Outcome
    reasons: tuple[str, ...]
    version: str
    live: str | None
    """The version it was compared with."""
    fingerprint: str
    """Of the question set."""
    comparison: Comparison | None = None

    @property
    def passed(self) -> bool:
        """Whether the candidate may be published."""
        return self.outcome == "passed"

    def to_dict(self) -> dict:
        """Return what JSON can hold."""
        return asdict(self) | {"passed": self.passed}


def comparable(candidate: Scores, live: Scores | None) -> bool:
    """Tell whether both were asked the same questions, or there is nothing to compare with."""
    return live is None or candidate.fingerprint == live.fingerprint


def judge(candidate: Scores, live: Scores | None, settings: GateSettings, *, integrity: Sequence[str] = ()) -> Verdict:
    """Judge a candidate against the live version.

    Args:
        candidate: Its scores.
        live: The live version's scores; None when nothing is live, so that only floors and integrity count.
        settings: Metric, noise band and floors.
        integrity: What is wrong with the candidate's index, whatever its scores.

    Returns:
        The verdict; its outcome is "rescore" when the two were not asked the same.
    """
    objections = [*integrity, *_unsound(candidate)]
    if not comparable(candidate, live):
        return _verdict(candidate, live, objections, rescore=True)
    objections += _below_floors(candidate, settings)
    if candidate.questions.is_empty():
        notes = ["Nothing was scored, because there are no questions: only the index itself was checked."]
        return _verdict(candidate, live, objections, notes)
    if live is None:
        notes = [f"There is no other live version to compare with. {_mean(candidate, settings.metric)}"]
        return _verdict(candidate, live, objections, notes)
    if settings.metric not in MEASURES:
        objections.append(_unknown("gate.metric", settings.metric, MEASURES))
        return _verdict(candidate, live, objections)
    comparison = compare(candidate, live, settings.metric)
    worse = _worse(comparison, settings.noise)
    objections += [worse] if worse else []
    objections += _slower(candidate, live)
    return _verdict(candidate, live, objections, [_summary(comparison, settings.noise)], comparison=comparison)


def _verdict(
    candidate: Scores,
    live: Scores | None,
    objections: Sequence[str],
    notes: Sequence[str] = (),
    *,
    comparison: Comparison | None = None,
    rescore: bool = False,
) -> Verdict:
    outcome: Outcome = "refused" if objections else "passed"
    if rescore and not objections:
        outcome = "rescore"
        notes = [
            f"The live version {live.version} was scored on other questions (set {live.fingerprint}, now "
            f"{candidate.fingerprint}); it must be scored on these before the two are compared."
        ]
    return Verdict(
        outcome=outcome,
        reasons=(*objections, *([] if objections else notes), *_remarks(candidate)),
        version=candidate.version,
        live=live.version if live else None,
        fingerprint=candidate.fingerprint,
        comparison=comparison,
    )


def _unsound(scores: Scores) -> Iterator[str]:
    if scores.leaks:
        yield f"{len(scores.leaks)} hits were shown to people who may not read them, first: {scores.leaks[0]}."
    if scores.failed:
        yield f"{_questions(len(scores.failed))} could not be asked, first: {scores.failed[0]}."


def _below_floors(scores: Scores, settings: GateSettings) -> Iterator[str]:
    for metric, floor in settings.floors.items():
        value = scores.means.get(metric)
        if metric not in (*MEASURES, *ABSTENTION):
            yield _unknown(f"gate.floors.{metric}", metric, (*MEASURES, *ABSTENTION))
        elif value is None:
            yield f"{metric} must be at least {floor:.3f}, but no question gave it a value."
        elif value < floor:
            yield f"{metric} is {value:.3f}, below its floor of {floor:.3f}."


def _worse(comparison: Comparison, noise: float) -> str | None:
    drop = comparison.drop
    fell = (
        f"{comparison.metric} fell from {comparison.live:.3f} to {comparison.candidate:.3f} (by {drop:.3f}) over "
        f"{_questions(comparison.questions)}: {len(comparison.worse)} got worse, {len(comparison.better)} better. "
    )
    if drop > SEVERE * noise:
        return f"{fell}That is more than {SEVERE} times the noise band of {noise:.3f}."
    if drop > noise and comparison.p < SIGNIFICANT:
        return f"{fell}That is beyond the noise band of {noise:.3f}, and chance alone would explain it in only " + (
            f"{comparison.p:.1%} of cases."
        )
    return None


def _slower(candidate: Scores, live: Scores) -> Iterator[str]:
    now, before = candidate.means.get("ms_p50"), live.means.get("ms_p50")
    if now and before and now > SLOWER * before and now > before + SLOWER_BY_MS:
        yield (
            f"The median search takes {now:.0f} ms, against {before:.0f} ms in the live version: "
            f"more than {SLOWER:.0f} times as long."
        )


def _summary(comparison: Comparison, noise: float) -> str:
    if not comparison.questions:
        return f"{comparison.metric} was not compared: no question gave it a value."
    gain = -comparison.drop
    summary = (
        f"{comparison.metric} is {comparison.candidate:.3f}, against {comparison.live:.3f} in the live version "
        f"({gain:+.3f}) over {_questions(comparison.questions)}: {len(comparison.better)} got better, "
        f"{len(comparison.worse)} worse."
    )
    if comparison.drop > noise:
        return f"{summary} Beyond the noise band of {noise:.3f}, but chance explains it in {comparison.p:.0%} of cases."
    return summary


def _mean(scores: Scores, metric: str) -> str:
    value = scores.means.get(metric)
    return f"{metric} was not measured." if value is None else f"{metric} is {value:.3f}."


def _remarks(scores: Scores) -> Iterator[str]:
    if scores.unlocated:
        yield (
            f"{len(scores.unlocated)} labelled quotes are not in the documents and count as not found, "
            f"first: {scores.unlocated[0]}."
        )
    for metric, count in scores.missing.items():
        yield f"{metric} gave no number for {_questions(count)}; its mean is over the others."


def _unknown(key: str, metric: str, known: Sequence[str]) -> str:
    return f"{key} names {metric!r}, which is not measured; expected one of: {', '.join(known)}."


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"
