"""All that a report says of one version, gathered once and then rendered as a page and as Markdown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evals.gate.verdict import Verdict, comparable
from evals.measures.queries import retrieval_settings
from evals.measures.scoring import Scores
from evals.questions.question import Question
from evals.questions.synthetic import TAG
from evals.report import evaluation_history as history
from evals.report.attribution import QuestionChange, attribute
from evals.report.ranked_runs import EvaluatedVersion
from evals.report.score_tables import ScoreRow, families, groups, of_metric
from rag_platform.core.errors import VersionError
from rag_platform.index.releases.version_diff import Difference, difference
from rag_platform.workspace import Workspace


@dataclass(frozen=True, eq=False)
class ReleaseReport:
    """What is known of a version when it has been judged."""

    candidate: Scores
    live: Scores | None
    """None: the first version, or nothing to compare with."""
    verdict: Verdict
    metric: str = "nDCG@10"
    manifest: Mapping[str, Any] = field(default_factory=dict)
    difference: Difference | None = None
    """Against the version it was judged against."""
    changes: Sequence[QuestionChange] = ()
    """Of every question, the greatest loss first."""
    past: Sequence[Mapping[str, Any]] = ()
    """The history, this evaluation last."""
    ledger: Mapping[str, Any] = field(default_factory=dict)
    """What making the version cost, as `evals.report.build_cost` has it."""

    @property
    def compared(self) -> Scores | None:
        """The live version's scores, if they are of the same questions."""
        return self.live if comparable(self.candidate, self.live) else None

    @cached_property
    def families(self) -> dict[str, list[ScoreRow]]:
        """The measures, family by family."""
        return families(self.candidate, self.compared)

    @cached_property
    def groups(self) -> dict[str, list[ScoreRow]]:
        """The metric per tag, language and split."""
        return groups(self.candidate, self.compared, self.metric)

    @cached_property
    def headline(self) -> ScoreRow | None:
        """The measure that decides."""
        return of_metric(self.candidate, self.compared, self.metric)

    @property
    def worse(self) -> list[QuestionChange]:
        """Questions whose metric or rank fell, the greatest loss first."""
        return worse(self.changes)

    @property
    def better(self) -> list[QuestionChange]:
        """Questions whose metric or rank rose, the greatest gain first."""
        return better(self.changes)

    @property
    def causes(self) -> dict[str, tuple[int, int]]:
        """Cause -> how many questions got worse and better by it, the most first."""
        fell, rose = (Counter(one.cause for one in some if one.cause) for some in (self.worse, self.better))
        order = sorted(fell | rose, key=lambda cause: (-fell[cause] - rose[cause], cause))
        return {cause: (fell[cause], rose[cause]) for cause in order}

    @property
    def synthetic(self) -> set[str]:
        """Ids of questions that were made from the documents."""
        rows = self.candidate.questions.select("id", "tags").iter_rows()
        return {key for key, tags in rows if TAG in (tags or ())}

    @property
    def judged(self) -> Mapping[str, Any]:
        """What a language model thought of the answers; empty without one."""
        return self.candidate.to_dict().get("judged") or {}

    @property
    def problems(self) -> dict[str, list[str]]:
        """What people should look at, by kind."""
        stale = self.verdict.to_dict().get("stale") or {}
        missing = self.candidate.missing.items()
        found = {
            "Sources that do not pass": [
                f"{source}: {' '.join(one.reasons)}" for source, one in self.verdict.sources.items() if not one.passed
            ],
            "Questions that lost their answer, and the documents that took its place or no longer hold it": [
                f"{key}: {', '.join(uris) or 'no document explains it'}" for key, uris in self.verdict.lost.items()
            ],
            "Hits shown to people who may not read them": list(self.candidate.leaks),
            "Questions that could not be asked": list(self.candidate.failed),
            "Questions left out, because the sources changed what they rest on": [
                f"{key}: {why}" for key, why in stale.items()
            ],
            "Quotes that are not in the documents": list(self.candidate.unlocated),
            "Measures that gave no number": [
                f"{name}: {count} without a number; its mean is over the others" for name, count in missing
            ],
        }
        return {title: entries for title, entries in found.items() if entries}


def worse(changes: Sequence[QuestionChange]) -> list[QuestionChange]:
    """Return the questions whose metric or rank fell, in their order."""
    return [change for change in changes if _direction(change) < 0]


def better(changes: Sequence[QuestionChange]) -> list[QuestionChange]:
    """Return the questions whose metric or rank rose, the last first."""
    return [change for change in reversed(changes) if _direction(change) > 0]


def build_report(
    workspace: Workspace,
    candidate: Scores,
    live: Scores | None,
    verdict: Verdict,
    questions: Sequence[Question],
) -> ReleaseReport:
    """Put together what the reports of an evaluation say."""
    versions = workspace.versions
    manifest = versions.manifest(candidate.version)
    made: Difference | None = None
    changes: Sequence[QuestionChange] = ()
    if live is not None:
        sides = [versions.open(scores.version) for scores in (live, candidate)]
        made = difference(*sides)
        if comparable(candidate, live):
            retrieval = retrieval_settings(workspace)  # both were searched with today's
            before, after = (
                EvaluatedVersion(side, scores, retrieval) for side, scores in zip(sides, (live, candidate), strict=True)
            )
            changes = attribute(questions, before, after, made, metric=workspace.settings.gate.metric)
    past = history.read(history_path(workspace))
    return ReleaseReport(
        candidate=candidate,
        live=live,
        verdict=verdict,
        metric=workspace.settings.gate.metric,
        manifest=manifest,
        difference=made,
        changes=changes,
        past=past,
        ledger=next(
            (entry["ledger"] for entry in past if entry["version"] == candidate.version and entry["ledger"]), {}
        ),
    )


def stored_report(workspace: Workspace, version: str, questions: Sequence[Question]) -> ReleaseReport:
    """Put together the report of a version from what is stored with it; `VersionError` if it was never evaluated."""
    versions = workspace.versions
    manifest = versions.manifest(version)
    if unreadable := manifest.get("unreadable"):
        raise VersionError(f"{unreadable}; `rag eval {version}` evaluates it anew")
    if "scores" not in manifest or not manifest.get("verdict"):
        raise VersionError(f"{version} was never evaluated, so there is nothing to report; run `rag sync`")
    verdict = Verdict.from_dict(manifest["verdict"])
    live = None
    if verdict.live in versions.ids():
        stored = versions.manifest(verdict.live).get("scores")
        live = Scores.from_dict(stored).excluding(verdict.stale) if stored else None
    return build_report(workspace, Scores.from_dict(manifest["scores"]), live, verdict, questions)


def history_path(workspace: Workspace) -> Path:
    """Return where every evaluation of a workspace is written down."""
    return workspace.settings.data / "evals" / "history.jsonl"


def _direction(change: QuestionChange) -> float:
    """Return a negative number when a question got worse: by the metric, else by its rank."""
    if round(change.gain, 9):
        return change.gain
    now, before = change.rank_after, change.rank_before
    return (before or 1_000) - (now or 1_000)
