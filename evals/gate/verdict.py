"""The gate: is a candidate version at least as good as the live one?

Scores are compared only when they are of the same question set; otherwise the outcome is "rescore": the live version
must be scored on the candidate's questions first.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from evals.gate import objections as rules
from evals.gate.comparison import Comparison, compare
from evals.gate.floors import Floors
from evals.gate.objections import count_questions
from evals.measures.scoring import MEASURES, Scores
from evals.measures.takeover import Takeover
from rag_platform.config.settings import GateSettings

Outcome = Literal["passed", "refused", "rescore"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the gate considers beside the scores of the two versions."""

    integrity: Sequence[str] = ()
    """What is wrong with the candidate's index, whatever its scores."""
    pinned: Floors | None = None
    takeovers: Sequence[Takeover] = ()
    latency: Mapping[str, float] | None = None
    """`candidate_p95` and `live_p95` in milliseconds, timed in the same run, and their `ratio`."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """Questions that rest on text which the sources have changed or removed, with what happened."""
    stale_before: Collection[str] = ()
    """Those of them that were stale when the live version was published: they are no news."""
    excused: Collection[str] = ()
    """Synthetic ones of them whose documents were removed: the brake on deletions has given its leave."""
    max_stale_share: float = 0.2
    remarks: Sequence[str] = ()
    """What people should know and what decides nothing."""


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
    secondary: tuple[Comparison, ...] = ()
    """Other measures that are clearly worse."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """Questions left out, because the sources changed or removed what they rest on: id -> what happened."""
    latency: Mapping[str, float] | None = None

    @property
    def passed(self) -> bool:
        """Whether the candidate may be published."""
        return self.outcome == "passed"

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self) | {"passed": self.passed}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Verdict":
        """Return the verdict that `to_dict` wrote."""
        known = {name: content[name] for name in cls.__dataclass_fields__ if name in content}
        comparison = content.get("comparison")
        return cls(
            **known
            | {
                "reasons": tuple(content["reasons"]),
                "comparison": Comparison(**comparison) if comparison else None,
                "secondary": tuple(Comparison(**one) for one in content.get("secondary", ())),
            }
        )


def comparable(candidate: Scores, live: Scores | None) -> bool:
    """Return whether both were asked the same questions, or there is nothing to compare with."""
    return live is None or candidate.fingerprint == live.fingerprint


def judge(candidate: Scores, live: Scores | None, settings: GateSettings, evidence: Evidence = Evidence()) -> Verdict:
    """Judge a candidate against the live version.

    Args:
        candidate: Its scores.
        live: The live version's scores; None when nothing is live, so that only floors and integrity count.
        settings: Metric, noise band and floors.
        evidence: What else is known.

    Returns:
        The verdict; its outcome is "rescore" when the two were not asked the same.
    """
    made = _Judged(candidate, live, evidence)
    objections = [*evidence.integrity, *rules.unsound(candidate)]
    if not comparable(candidate, live):
        return made.verdict(objections)
    objections += [*rules.below_floors(candidate, settings), *rules.below_pinned(candidate, evidence.pinned)]
    if candidate.questions.is_empty():
        notes = ["Nothing was scored, because there are no questions: only the index itself was checked."]
        return made.verdict(objections, notes)
    if live is None:
        notes = [f"There is no other live version to compare with. {_mean(candidate, settings.metric)}"]
        return made.verdict(objections, notes)
    if settings.metric not in MEASURES:
        return made.verdict([*objections, rules.unknown("gate.metric", settings.metric, MEASURES)])
    comparison = compare(candidate, live, settings.metric)
    secondary = tuple(rules.clearly_worse(candidate, live, settings.metric, settings.noise))
    objections += [
        *rules.too_many_stale(
            evidence.stale, {*evidence.stale_before, *evidence.excused}, comparison, evidence.max_stale_share
        ),
        *rules.worse(comparison, settings.noise),
        *map(rules.clear_drop, secondary),
        *rules.slower(evidence.latency),
        *rules.taken_over(evidence.takeovers, settings.takeover),
    ]
    notes = [_summary(comparison, settings.noise)]
    return made.verdict(objections, notes, comparison=comparison, secondary=secondary)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What every verdict on a candidate has in common."""

    candidate: Scores
    live: Scores | None
    evidence: Evidence

    def verdict(
        self,
        objections: Sequence[str],
        notes: Sequence[str] = (),
        *,
        comparison: Comparison | None = None,
        secondary: tuple[Comparison, ...] = (),
    ) -> Verdict:
        outcome: Outcome = "refused" if objections else "passed"
        if self.live and not comparable(self.candidate, self.live) and not objections:
            outcome, notes = "rescore", [self._other_questions(self.live)]
        return Verdict(
            outcome=outcome,
            reasons=(*objections, *([] if objections else notes), *_remarks(self.candidate), *self.evidence.remarks),
            version=self.candidate.version,
            live=self.live.version if self.live else None,
            fingerprint=self.candidate.fingerprint,
            comparison=comparison,
            secondary=secondary,
            stale=dict(self.evidence.stale),
            latency=self.evidence.latency,
        )

    def _other_questions(self, live: Scores) -> str:
        return (
            f"The live version {live.version} was scored on other questions (set {live.fingerprint}, now "
            f"{self.candidate.fingerprint}); it must be scored on these before the two are compared."
        )


def _summary(comparison: Comparison, noise: float) -> str:
    if not comparison.questions:
        return f"{comparison.metric} was not compared: no question gave it a value."
    gain = -comparison.drop
    summary = (
        f"{comparison.metric} is {comparison.candidate:.3f}, against {comparison.live:.3f} in the live version "
        f"({gain:+.3f}) over {count_questions(comparison.questions)}: {len(comparison.better)} got better, "
        f"{len(comparison.worse)} worse."
    )
    if comparison.drop > noise:
        return f"{summary} Beyond the noise band of {noise:.3f}, but chance explains it in {comparison.p:.0%} of cases."
    return summary


def _mean(scores: Scores, metric: str) -> str:
    value = scores.means.get(metric)
    return f"{metric} was not measured." if value is None else f"{metric} is {value:.3f}."


def _remarks(scores: Scores) -> Iterator[str]:
    if scores.stale:
        rest = "1 question rests" if len(scores.stale) == 1 else f"{len(scores.stale)} questions rest"
        named = ", ".join(scores.stale[:5]) + (", …" if len(scores.stale) > 5 else "")
        yield f"{rest} on text that the sources have since changed or removed: {named}; update them."
    lost = [problem for problem in scores.unlocated if not problem.startswith(tuple(f"{key}#" for key in scores.stale))]
    if lost:
        yield f"{len(lost)} labelled quotes are not in the documents and count as not found, first: {lost[0]}."
    for metric, count in scores.missing.items():
        yield f"{metric} gave no number for {count_questions(count)}; its mean is over the others."
