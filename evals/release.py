"""A candidate version to its scores and the gate's verdict: what the asset `evaluation` and `rag eval` call."""

from dataclasses import dataclass, replace
from pathlib import Path

from evals import history
from evals.cost import cost_of_last_build
from evals.findings import Findings, gather, gather_again, history_path
from evals.gate import Verdict, judge
from evals.page import page
from evals.questions import Question, fingerprint, load_questions
from evals.report import report
from evals.scoring import Scores, score
from rag_platform.parts import Workspace
from rag_platform.ports import Progress, silent
from rag_platform.records import Answer, Filters, SearchResult, digest
from rag_platform.store import write_bytes

_HITS = 10


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of evaluating a version."""

    version: str
    scores: Scores
    live: Scores | None
    verdict: Verdict
    report: str
    """Markdown."""


def evaluate(workspace: Workspace, version: str, *, progress: Progress = silent) -> Evaluation:
    """Score a version on the workspace's questions, judge it against the live one, and store both beside it.

    The live version is scored again when it was last scored on other questions or with other retrieval settings: two
    numbers are compared only when nothing but the version differs.
    """
    questions = workspace_questions(workspace)
    live_id = workspace.versions.live_id()
    scores = _scores(workspace, version, questions, progress)
    live = _scores(workspace, live_id, questions, progress) if live_id and live_id != version else None
    verdict = judge(scores, live, workspace.settings.gate, integrity=workspace.versions.open(version).verify())
    _store(workspace, scores, verdict.to_dict())
    for measured, judged in ((live, None), (scores, verdict)):
        if measured:
            _remember(workspace, measured, judged)
    text = _keep_report(workspace, gather(workspace, scores, live, verdict, questions))
    return Evaluation(version, scores, live, verdict, text)


def report_again(workspace: Workspace, version: str) -> str:
    """Write the reports of a version anew from what is stored with it, and return the Markdown."""
    return _keep_report(workspace, gather_again(workspace, version, workspace_questions(workspace)))


def _remember(workspace: Workspace, scores: Scores, verdict: Verdict | None) -> None:
    """Append an evaluation to the history; a version that was only scored again brings no costs."""
    manifest = workspace.versions.manifest(scores.version)
    history.record(
        history_path(workspace),
        scores,
        verdict,
        counts=manifest["counts"],
        conditions=_conditions(workspace),
        ledger=cost_of_last_build(workspace.costs, manifest) if verdict else None,
    )


def _scores(workspace: Workspace, version: str, questions: tuple[Question, ...], progress: Progress) -> Scores:
    """Return a version's scores under today's conditions: those stored with it, else new ones, which are stored."""
    scores = _stored(workspace, version, questions)
    if scores is None:
        scores = score_version(workspace, version, questions, progress=progress)
        _store(workspace, scores, workspace.versions.manifest(version).get("verdict", {}))
    return scores


def _store(workspace: Workspace, scores: Scores, verdict: dict) -> None:
    settings = workspace.settings.model_dump(mode="json", include={"retrieval", "answer"})
    stored = scores.to_dict() | {"conditions": _conditions(workspace), "settings": settings}
    workspace.versions.record_evaluation(scores.version, stored, verdict)


def workspace_questions(workspace: Workspace) -> tuple[Question, ...]:
    """Return the questions of a workspace: those its settings name, and ``questions/*.jsonl``."""
    home = workspace.settings.home
    named = [home / path for path in workspace.settings.gate.questions]
    return load_questions(dict.fromkeys([*named, *sorted((home / "questions").glob("*.jsonl"))]))


def score_version(
    workspace: Workspace,
    version: str,
    questions: tuple[Question, ...],
    *,
    mode: str | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score a version with the search and the extractive answers that are served; no receipts are written."""
    answerer = workspace.evaluator_of(version)

    def search(question: Question) -> SearchResult:
        return answerer.retriever.search(question.question, k=_HITS, mode=mode, filters=_asker(question))

    def ask(question: Question) -> Answer:
        return answerer.ask(question.question, mode=mode, filters=_asker(question))

    documents = workspace.versions.open(version).documents()
    return score(questions, search, documents, version=version, ask=ask, progress=progress)


def _asker(question: Question) -> Filters:
    return Filters(principals=(question.principal,) if question.principal else ())


def _stored(workspace: Workspace, version: str, questions: tuple[Question, ...]) -> Scores | None:
    """Return the scores stored with a version, if they were taken under today's conditions."""
    stored = workspace.versions.manifest(version).get("scores")
    if not stored or stored.get("conditions") != _conditions(workspace):
        return None
    scores = Scores.from_dict(stored)
    return replace(scores, version=version) if scores.fingerprint == fingerprint(questions) else None


def _conditions(workspace: Workspace) -> str:
    """Hash what scores depend on besides the version and the questions."""
    settings = workspace.settings
    return digest(settings.retrieval.model_dump_json(), settings.answer.model_dump_json())


def _keep_report(workspace: Workspace, findings: Findings) -> str:
    """Write both forms of a report and return the Markdown."""
    version, text = findings.candidate.version, report(findings)
    path = report_path(workspace, version)
    write_bytes(path, f"# Version {version}\n\n{text}\n".encode())
    write_bytes(path.with_suffix(".html"), page(findings).encode())
    return text


def report_path(workspace: Workspace, version: str) -> Path:
    """Return where the Markdown report of a version lies; the page, ``.html``, lies beside it."""
    return workspace.settings.data / "evals" / "reports" / f"{version}.md"
