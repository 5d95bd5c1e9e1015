"""The gate: is a candidate version at least as good as the live one?

Scores are compared only when they are of the same question set; otherwise the outcome is "rescore": the live version
must be scored on the candidate's questions first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from evals.gate import objections as rules
from evals.gate.blame import Loss, lay_losses
from evals.gate.comparison import Comparison
from evals.gate.evidence import NOTHING_ELSE, Evidence
from evals.gate.growth import doubts
from evals.gate.losses import compare_versions, without
from evals.gate.objections import count_questions
from evals.gate.source_judgements import headline, judge_sources, replaced
from evals.measures.scoring import MEASURES, Scores
from rag_platform.config.settings import GateSettings
from rag_platform.core.ports import SourceJudgement

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
    secondary: tuple[Comparison, ...] = ()
    """Other measures that are clearly worse."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """Questions left out, because the sources changed or removed what they rest on: id -> what happened."""
    latency: Mapping[str, float] | None = None
    sources: Mapping[str, SourceJudgement] = field(default_factory=dict)
    """By source; empty where nothing was compared."""
    lost: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Questions that lost their answer -> addresses of what took its place, or no longer holds it."""

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
                "sources": {key: SourceJudgement(**one) for key, one in content.get("sources", {}).items()},
            }
        )


def comparable(candidate: Scores, live: Scores | None) -> bool:
    """Return whether both were asked the same questions, or there is nothing to compare with."""
    return live is None or candidate.fingerprint == live.fingerprint


def judge(candidate: Scores, live: Scores | None, settings: GateSettings, evidence: Evidence = NOTHING_ELSE) -> Verdict:
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
    faults = [fault for source, found in evidence.faults.items() if source not in evidence.permitted for fault in found]
    objections = [*evidence.integrity, *faults, *rules.unsound(candidate)]
    if not comparable(candidate, live):
        return made.verdict(objections)
    if live is None or candidate.questions.is_empty():
        objections += [*rules.below_floors(candidate, settings), *rules.below_pinned(candidate, evidence.pinned)]
        return made.verdict(objections, [_not_compared(candidate, settings.metric)])
    if settings.metric not in MEASURES:
        return made.verdict([*objections, rules.unknown("gate.metric", settings.metric, MEASURES)])
    return made.compared(settings, objections)


@dataclass(frozen=True, slots=True)
class _Judged:
    """What every verdict on a candidate has in common."""

    candidate: Scores
    live: Scores | None
    evidence: Evidence

    def compared(self, settings: GateSettings, objections: Sequence[str]) -> Verdict:
        """Compare the two, lay what was lost to sources, and judge each source."""
        candidate, live, evidence, losses = self.candidate, self.live, self.evidence, self._losses(settings)
        assert live is not None
        leave = [loss.question for loss in losses if loss.source in evidence.permitted]
        candidate, live, evidence = without(candidate, live, evidence, evidence.permitted, leave)
        losses = [loss for loss in losses if loss.question not in leave]
        found, own = compare_versions(candidate, live, settings, evidence), replaced(live, losses, evidence.origins)
        objections = [
            *objections,
            *found.objections,
            *(told for told_of in own.values() for told in told_of),
            *rules.slower(evidence.latency),
        ]
        made = self.verdict(
            [*(headline(losses, found.comparison) if objections else ()), *objections],
            [_summary(found.comparison, settings.noise)],
        )
        return replace(
            made,
            reasons=(*made.reasons, *doubts(found.doubted, evidence.origins)),
            comparison=found.comparison,
            secondary=found.secondary,
            sources=judge_sources(candidate, live, settings, evidence, losses, own),
            lost={loss.question: loss.documents for loss in losses if loss.answer},
        )

    def _losses(self, settings: GateSettings) -> list[Loss]:
        """Return what got worse, laid to sources; nothing where nobody knows which source a document is of."""
        live, evidence = self.live, self.evidence
        if live is None or evidence.origins is None:
            return []
        metrics = tuple(dict.fromkeys((settings.metric, *rules.SECONDARY)))
        return lay_losses(self.candidate, live, evidence.gone, evidence.origins, metrics)

    def verdict(self, objections: Sequence[str], notes: Sequence[str] = ()) -> Verdict:
        outcome: Outcome = "refused" if objections else "passed"
        if self.live and not comparable(self.candidate, self.live) and not objections:
            outcome, notes = "rescore", [self._other_questions(self.live)]
        return Verdict(
            outcome=outcome,
            reasons=(*objections, *([] if objections else notes), *_remarks(self.candidate), *self.evidence.remarks),
            version=self.candidate.version,
            live=self.live.version if self.live else None,
            fingerprint=self.candidate.fingerprint,
            stale=dict(self.evidence.stale),
            latency=self.evidence.latency,
            sources={
                source: SourceJudgement(source, source in self.evidence.permitted, tuple(found))
                for source, found in self.evidence.faults.items()
            },
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


def _not_compared(scores: Scores, metric: str) -> str:
    if scores.questions.is_empty():
        return "Nothing was scored, because there are no questions: only the index itself was checked."
    value = scores.means.get(metric)
    told = f"{metric} was not measured." if value is None else f"{metric} is {value:.3f}."
    return f"There is no other live version to compare with. {told}"


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
