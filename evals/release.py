"""A candidate version to its scores and the gate's verdict: what the asset `evaluation` and `rag eval` call."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from evals.gate.evidence import about_the_set, evidence_of, problems_of, void_of
from evals.gate.verdict import Verdict, judge
from evals.measures.llm_judge import judged
from evals.measures.queries import asker, search_as, settings_of
from evals.measures.scoring import RETRIEVERS, Scores, score
from evals.questions.question import Question, fingerprint
from evals.questions.sets import first_questions, renew_questions, workspace_questions
from evals.report import evaluation_history as history
from evals.report.build_cost import cost_of_last_build
from evals.report.html_report import page
from evals.report.markdown_report import report
from evals.report.release_report import Findings, gather, gather_again, history_path
from rag_platform.core.answers import Answer
from rag_platform.core.ids import digest
from rag_platform.core.ports import Progress, silent
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.storage.atomic import write_bytes
from rag_platform.workspace import Workspace

VERSION = "2"
"""Raise it when scores are taken in another way: those stored before are then taken anew."""


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
    numbers are compared only when nothing but the version differs. A workspace without questions gets some first. A
    version that is live already keeps the verdict with which it became so, while it is sound and its questions stay.
    """
    live_id = workspace.versions.live_id()
    problems = problems_of(workspace, version)
    if not problems:
        first_questions(workspace, live_id or version)
        renew_questions(workspace, live_id)
    questions = workspace_questions(workspace)
    remarks = [*about_the_set(workspace, live_id, questions)]
    scores = _scores(workspace, version, questions, progress)
    if version == live_id and not problems and (standing := _standing(workspace, scores)):
        return standing
    live = _scores(workspace, live_id, questions, progress) if live_id and live_id != version else None
    void = void_of(workspace, scores, live, questions)
    stored, scores, live = live, scores.considered(void), live.considered(void) if live else None
    scores = replace(scores, judged=judged(workspace, version, questions, scores))
    evidence = evidence_of(workspace, scores, live, questions, problems=problems, void=void, remarks=remarks)
    verdict = judge(scores, live, workspace.settings.gate, replace(evidence, void_before=stored.void if stored else ()))
    _store(workspace, scores, verdict.to_dict())
    for measured, outcome in ((stored, None), (scores, verdict)):
        if measured:
            _remember(workspace, measured, outcome)
    text = _keep_report(workspace, gather(workspace, scores, live, verdict, questions))
    return Evaluation(version, scores, live, verdict, text)


def _standing(workspace: Workspace, scores: Scores) -> Evaluation | None:
    """Return the evaluation of the live version, if it was judged on these questions."""
    stored = workspace.versions.manifest(scores.version).get("verdict")
    if not stored or stored["fingerprint"] != scores.fingerprint:
        return None
    verdict, path = Verdict.from_dict(stored), report_path(workspace, scores.version)
    if not verdict.passed:
        told = "It is live although the gate refused it: somebody decided so (`rag index log`)."
        verdict = replace(verdict, outcome="passed", reasons=(told, *verdict.reasons))
    text = path.read_text(encoding="utf-8") if path.exists() else report_again(workspace, scores.version)
    return Evaluation(scores.version, scores, None, verdict, text)


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
    """Return a version's scores under today's conditions: those stored with it, else new ones, which are stored.

    A version whose model is no longer here cannot be asked as it was: then what was stored stands for it.
    """
    manifest = workspace.versions.manifest(version)
    stored, models = manifest.get("scores") or {}, (space.model for space in stored_spaces(manifest))
    standing = stored.get("conditions") == _conditions(workspace) or not workspace.embedders.serve(models)
    if standing and stored.get("fingerprint") == fingerprint(questions):
        return replace(Scores.from_dict(stored), version=version)
    scores = score_version(workspace, version, questions, progress=progress)
    void = {question.id for question in questions} & set(stored.get("void", ()))
    scores = replace(scores, index={"recall@10": workspace.versions.open(version).measured_recall()})
    scores = scores.considered(sorted(void))
    _store(workspace, scores, workspace.versions.manifest(version).get("verdict", {}))
    return scores


def scores_of(workspace: Workspace, version: str, *, progress: Progress = silent) -> Scores:
    """Return a version's scores on today's questions, taken if need be."""
    return _scores(workspace, version, workspace_questions(workspace), progress)


def _store(workspace: Workspace, scores: Scores, verdict: dict) -> None:
    settings = {"retrieval": settings_of(workspace), "answer": workspace.settings.answer.model_dump(mode="json")}
    stored = scores.to_dict() | {"conditions": _conditions(workspace), "settings": settings}
    workspace.versions.record_evaluation(scores.version, stored, verdict)


def score_version(
    workspace: Workspace,
    version: str,
    questions: tuple[Question, ...],
    *,
    mode: str | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score a version with the search and the extractive answers that are served; no receipts are written.

    With a `mode`, only that way of searching is measured; without, also each leg by itself.
    """
    answerer = workspace.evaluator_of(version)

    def ask(question: Question) -> Answer:
        return answerer.ask(question.question, mode=mode, filters=asker(question), now=question.as_of)

    return score(
        questions,
        lambda question: search_as(answerer.retriever, question, mode),
        workspace.versions.open(version).documents(),
        version=version,
        ask=ask,
        legs={}
        if mode
        else {leg: lambda question, leg=leg: search_as(answerer.retriever, question, leg) for leg in RETRIEVERS},
        progress=progress,
    )


def _conditions(workspace: Workspace) -> str:
    """Hash what scores depend on besides the version and the questions."""
    searched = json.dumps(settings_of(workspace), sort_keys=True)
    return digest(VERSION, searched, workspace.settings.answer.model_dump_json())


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
