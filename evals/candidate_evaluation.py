"""A candidate version to its scores and the gate's verdict: what the asset `evaluation` and `rag eval` call."""

import json
import logging
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from evals.example_questions import choose_examples
from evals.gate.gathering import find_stale, gather_evidence, integrity_problems, question_set_remarks
from evals.gate.verdict import Verdict, judge
from evals.measures.answer_judge import judge_sample
from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.kept_measures import KeptMeasures
from evals.measures.queries import query_filters, retrieval_settings, run_query
from evals.measures.scoring import RETRIEVERS, Scores, Search, score
from evals.questions.labels import asked_documents
from evals.questions.question import Question, fingerprint
from evals.questions.sets import first_questions, question_each_source, renew_questions, workspace_questions
from evals.report import evaluation_history as history
from evals.report.build_cost import cost_of_last_build
from evals.report.html_report import render_html
from evals.report.markdown_report import render_markdown
from evals.report.release_report import ReleaseReport, build_report, history_path, stored_report
from rag_platform.answering.suggestions.examples import EXAMPLES
from rag_platform.config.settings import Mode
from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Progress, silent
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.spaces import stored_spaces
from rag_platform.storage.atomic import write_bytes
from rag_platform.workspace import Workspace

VERSION = "3"
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
    problems = integrity_problems(workspace, version)
    if not problems:
        first_questions(workspace, live_id or version)
        renew_questions(workspace, live_id)
        question_each_source(workspace, live_id)
    questions, memo = workspace_questions(workspace), _memo(workspace)
    remarks = [*question_set_remarks(workspace, live_id, questions)]
    scores = _scores(workspace, version, questions, memo, progress)
    if version == live_id and not problems and (earlier := _earlier_evaluation(workspace, scores)):
        return earlier
    live = _scores(workspace, live_id, questions, memo, progress) if live_id and live_id != version else None
    stale = find_stale(workspace, scores, live, questions)
    stored, scores, live = live, scores.excluding(stale), live.excluding(stale) if live else None
    scores = replace(scores, judged=judge_sample(workspace, version, questions, scores))
    evidence = gather_evidence(
        workspace, scores, live, questions, problems=problems, stale=stale, remarks=remarks, memo=memo
    )
    verdict = judge(
        scores, live, workspace.settings.gate, replace(evidence, stale_before=stored.stale if stored else ())
    )
    examples = [] if problems else _examples(workspace, scores, questions, memo)
    _store(workspace, scores, verdict.to_dict(), examples)
    memo.save()
    for measured, outcome in ((stored, None), (scores, verdict)):
        if measured:
            _record(workspace, measured, outcome)
    text = _write_reports(workspace, build_report(workspace, scores, live, verdict, questions))
    return Evaluation(version, scores, live, verdict, text)


def _earlier_evaluation(workspace: Workspace, scores: Scores) -> Evaluation | None:
    """Return the evaluation of the live version, if it was judged on these questions."""
    stored = workspace.versions.manifest(scores.version).get("verdict")
    if not stored or stored.get("fingerprint") != scores.fingerprint:  # another gate tells none
        return None
    verdict, path = Verdict.from_dict(stored), report_path(workspace, scores.version)
    if not verdict.passed:
        override = "It is live although the gate refused it: somebody decided so (`rag index log`)."
        verdict = replace(verdict, outcome="passed", reasons=(override, *verdict.reasons))
    text = path.read_text(encoding="utf-8") if path.exists() else report_again(workspace, scores.version)
    return Evaluation(scores.version, scores, None, verdict, text)


def report_again(workspace: Workspace, version: str) -> str:
    """Write the reports of a version anew from what is stored with it, and return the Markdown."""
    return _write_reports(workspace, stored_report(workspace, version, workspace_questions(workspace)))


def _record(workspace: Workspace, scores: Scores, verdict: Verdict | None) -> None:
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


def _scores(
    workspace: Workspace, version: str, questions: tuple[Question, ...], memo: EvaluationMemo, progress: Progress
) -> Scores:
    """Return a version's scores under today's conditions: those stored with it, else new ones, which are stored.

    A version whose model is no longer here cannot be asked as it was: then what was stored stands for it.
    """
    manifest = workspace.versions.manifest(version)
    stored, models = manifest.get("scores") or {}, (space.model for space in stored_spaces(manifest))
    valid = stored.get("conditions") == _conditions(workspace) or not workspace.embedders.serve(models)
    if valid and stored.get("fingerprint") == fingerprint(questions):
        return replace(Scores.from_dict(stored), version=version)
    scores = score_version(workspace, version, questions, memo=memo, progress=progress)
    memo.save()
    stale = {question.id for question in questions} & set(stored.get("stale", ()))
    scores = replace(scores, index={"recall@10": workspace.versions.open(version).measured_recall()})
    scores = scores.excluding(sorted(stale))
    _store(workspace, scores, workspace.versions.manifest(version).get("verdict", {}))
    return scores


def scores_of(workspace: Workspace, version: str, *, progress: Progress = silent) -> Scores:
    """Return a version's scores on today's questions, taken if need be."""
    return _scores(workspace, version, workspace_questions(workspace), _memo(workspace), progress)


def _memo(workspace: Workspace) -> EvaluationMemo:
    return EvaluationMemo(workspace.settings.data / "evals" / "memo")


def _examples(
    workspace: Workspace, scores: Scores, questions: tuple[Question, ...], memo: EvaluationMemo
) -> list[dict[str, Any]]:
    """Return the questions that the version is introduced with; they cost some answers, and nobody's release."""
    if workspace.settings.answer.suggestions == "off":
        return []
    opened = workspace.versions.open(scores.version)
    answerer = workspace.evaluator_of(scores.version, memo, compare=False)
    try:
        return choose_examples(answerer, opened, scores, questions, _kept(workspace, opened, memo))
    except RagError:
        logging.getLogger(__name__).warning("no examples of questions could be chosen", exc_info=True)
        return []


def _store(
    workspace: Workspace, scores: Scores, verdict: dict[str, Any], examples: list[dict[str, Any]] | None = None
) -> None:
    settings = {"retrieval": retrieval_settings(workspace), "answer": workspace.settings.answer.model_dump(mode="json")}
    if examples is None:
        examples = (workspace.versions.manifest(scores.version).get("scores") or {}).get(EXAMPLES, [])
    stored = scores.to_dict() | {"conditions": _conditions(workspace), "settings": settings, EXAMPLES: examples}
    workspace.versions.record_evaluation(scores.version, stored, verdict)


def score_version(
    workspace: Workspace,
    version: str,
    questions: tuple[Question, ...],
    *,
    mode: Mode | None = None,
    memo: EvaluationMemo | None = None,
    progress: Progress = silent,
) -> Scores:
    """Score a version with the search and the extractive answers that are served; no receipts are written.

    With a `mode`, only that way of searching is measured; without, also each retriever by itself. With a `memo`, what
    it knows of earlier evaluations is not computed again.
    """
    answerer = workspace.evaluator_of(version, memo, compare=False)  # no measure asks what other sources say
    opened = workspace.versions.open(version)

    @lru_cache
    def unreadable(who: str | None) -> frozenset[str]:
        return frozenset(opened.catalog.unreadable([who] if who else ()))

    def ask(question: Question) -> Answer:
        return answerer.ask(question.question, mode=mode, filters=query_filters(question), now=question.as_of)

    def searching(mode: Mode | None) -> Search:
        return lambda question: run_query(answerer.retriever, question, mode)

    return score(
        questions,
        searching(mode),
        asked_documents(questions, opened),
        version=version,
        may_read=lambda doc_id, who: doc_id not in unreadable(who),
        ask=ask,
        retrievers={} if mode else {name: searching(name) for name in RETRIEVERS},
        memo=memo,
        kept=_kept(workspace, opened, memo) if memo and not mode else None,
        texts=opened.catalog.texts,
        progress=progress,
    )


def _kept(workspace: Workspace, version: OpenVersion, memo: EvaluationMemo) -> KeptMeasures:
    """Return the measures of earlier evaluations that hold for this version's models and today's settings."""
    models = json.dumps([version.manifest.get(name) for name in ("analysis", "model", "spaces", "relevance")])
    revisions = dict(version.catalog.documents("doc_id", "revision").iter_rows())
    return KeptMeasures(memo, digest(_conditions(workspace), models), revisions)


def _conditions(workspace: Workspace) -> str:
    """Hash what scores depend on besides the version and the questions."""
    searched = json.dumps(retrieval_settings(workspace), sort_keys=True)
    return digest(VERSION, searched, workspace.settings.answer.model_dump_json(), workspace.access.digest())


def _write_reports(workspace: Workspace, report: ReleaseReport) -> str:
    """Write both forms of a report and return the Markdown."""
    version, text = report.candidate.version, render_markdown(report)
    path = report_path(workspace, version)
    write_bytes(path, f"# Version {version}\n\n{text}\n".encode())
    write_bytes(path.with_suffix(".html"), render_html(report).encode())
    return text


def report_path(workspace: Workspace, version: str) -> Path:
    """Return where the Markdown report of a version lies; the page, ``.html``, lies beside it."""
    return workspace.settings.data / "evals" / "reports" / f"{version}.md"
