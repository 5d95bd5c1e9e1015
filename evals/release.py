"""Score a workspace's candidate, judge it against the live version, and keep both with the versions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.answers import ABSTENTION, ANSWERING
from evals.gate import Verdict, judge
from evals.questions import Question, fingerprint, load_questions
from evals.report import report
from evals.scoring import Ask, Scores, score
from rag_platform.ports import Progress, silent
from rag_platform.records import Answer, Filters, SearchResult, digest
from rag_platform.settings import Mode, Settings

if TYPE_CHECKING:
    from rag_platform.parts import Workspace

VERSION = "1"
"""Changes when the same answers give other scores: scores of another version are taken again."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of evaluating a version."""

    version: str
    verdict: Verdict
    scores: Scores
    report: str
    """Markdown."""

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure."""
        return self.scores.means


def evaluate(workspace: "Workspace", version: str, *, progress: Progress = silent) -> Evaluation:
    """Score a version on the workspace's questions, judge it, and record both beside its manifest.

    The live version is scored again when the questions or the settings are not those it was scored with.

    Raises:
        QuestionSetError: A question set is malformed.
        MissingExtra: There are questions, and the extra `eval` is not installed.
        VersionError: The version is not there.
    """
    versions, settings = workspace.versions, workspace.settings
    questions = load_questions(question_sets(settings))
    integrity = versions.open(version).verify()
    scores = _scores(workspace, version, questions, progress)
    live = _live_scores(workspace, questions) if versions.live_id() != version else None
    verdict = judge(scores, live, settings.gate, integrity=integrity)
    versions.record_evaluation(version, scores.to_dict(), verdict.to_dict())
    return Evaluation(version, verdict, scores, report(scores, live, verdict))


def question_sets(settings: Settings) -> list[Path]:
    """Return the workspace's question sets: all of ``questions/*.jsonl`` and those that the settings name."""
    named = [settings.home / path for path in settings.gate.questions]
    return sorted({path.resolve() for path in (*(settings.home / "questions").glob("*.jsonl"), *named)})


def score_version(
    workspace: "Workspace",
    version: str,
    questions: Sequence[Question],
    *,
    mode: Mode | None = None,
    progress: Progress = silent,
) -> Scores:
    """Ask a version the questions as the applications would; `mode` overrides the way of searching."""
    retriever, settings = workspace.retriever_of(version), workspace.settings

    def search(question: Question) -> SearchResult:
        return retriever.search(question.question, mode=mode, filters=_as(question))

    return score(
        questions,
        search,
        workspace.versions.open(version).documents(),
        version=version,
        conditions=_conditions(settings),
        ask=_answering(workspace, version, mode) if questions and _answers_count(settings) else None,
        progress=progress,
    )


def _answering(workspace: "Workspace", version: str, mode: Mode | None) -> Ask:
    answerer = workspace.answerer_of(version)
    answerer.journal = _Unrecorded()
    return lambda question: answerer.ask(question.question, mode=mode, filters=_as(question))


def _scores(workspace: "Workspace", version: str, questions: Sequence[Question], progress: Progress) -> Scores:
    """Return the scores that the version has, when they are of these questions and settings; else take them."""
    known = workspace.versions.manifest(version).get("scores")
    wanted = (fingerprint(questions), _conditions(workspace.settings))
    if known and (known["fingerprint"], known["conditions"]) == wanted:
        return Scores.from_dict(known)
    return score_version(workspace, version, questions, progress=progress)


def _live_scores(workspace: "Workspace", questions: Sequence[Question]) -> Scores | None:
    """Return the live version's scores, kept with it so that they are taken once."""
    versions, live = workspace.versions, workspace.versions.live_id()
    if live is None:
        return None
    scores, manifest = _scores(workspace, live, questions, silent), versions.manifest(live)
    if manifest.get("scores") != scores.to_dict():
        versions.record_evaluation(live, scores.to_dict(), manifest.get("verdict", {}))
    return scores


def _as(question: Question) -> Filters:
    """Ask as the one whose question it is."""
    return Filters(principals=(question.principal,) if question.principal else ())


def _answers_count(settings: Settings) -> bool:
    """Tell whether to write answers: always when they are extracted, a language model's when the gate looks at them."""
    looked_at = {settings.gate.metric, *settings.gate.floors}
    return settings.generator.base_url is None or not looked_at.isdisjoint((*ANSWERING, *ABSTENTION))


def _conditions(settings: Settings) -> str:
    """Hash the settings that scores depend on."""
    parts = [settings.retrieval.model_dump(mode="json"), settings.answer.model_dump(mode="json")]
    if _answers_count(settings):
        parts.append(settings.generator.model_dump(mode="json"))
    return digest("conditions", VERSION, json.dumps(parts, sort_keys=True))


class _Unrecorded:
    """A journal that keeps nothing: receipts are for people's questions."""

    def record(self, answer: Answer, **_about: Any) -> str:  # noqa: ARG002
        return ""
