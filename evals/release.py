"""A candidate version to its scores and the gate's verdict: what the asset `evaluation` and `rag eval` call."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from evals.canaries import leaked_canaries
from evals.floors import read_floors
from evals.gate import Evidence, Verdict, judge
from evals.judging import judged, opinion
from evals.question_sets import first_questions, workspace_questions
from evals.questions import Question, fingerprint
from evals.report import report
from evals.scoring import LEGS, Scores, score
from evals.searching import asker, search_as
from evals.soundness import emptied_sources, late_sources, older_sources, strange_vectors, timed_together
from evals.synthetic import TAG
from evals.void import void_questions
from rag_platform.parts import Workspace
from rag_platform.ports import Progress, silent
from rag_platform.records import Answer, digest

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
    numbers are compared only when nothing but the version differs. A workspace without questions gets some first.
    """
    live_id = workspace.versions.live_id()
    problems = _problems(workspace, version)
    if not problems:
        first_questions(workspace, live_id or version)
    questions = workspace_questions(workspace)
    remarks = [*_about_the_set(workspace, live_id, questions), *_late(workspace, version)]
    scores = _scores(workspace, version, questions, progress)
    live = _scores(workspace, live_id, questions, progress) if live_id and live_id != version else None
    void = _void(workspace, version, live, questions) if live else dict.fromkeys(scores.void, "changed by its source")
    scores, before = scores.considered(void), live.void if live else ()
    live = live.considered(void) if live else None
    scores = replace(scores, judged=judged(workspace, version, questions, scores))
    evidence = Evidence(
        integrity=[*problems, *_lost_ground(workspace, version, live)],
        pinned=read_floors(workspace.settings.home),
        latency=_latency(workspace, version, live, questions),
        void=void,
        void_before=before,
        max_void_share=workspace.settings.sync.max_deleted_share,
        remarks=[*remarks, *opinion(scores.judged)],
    )
    verdict = judge(scores, live, workspace.settings.gate, evidence)
    text = report(scores, live, verdict)
    _store(workspace, scores, verdict.to_dict())
    _keep_report(workspace, version, text)
    return Evaluation(version, scores, live, verdict, text)


def _problems(workspace: Workspace, version: str) -> list[str]:
    """Return what is wrong with a version's index, whatever it scores."""
    opened = workspace.versions.open(version)
    problems = opened.verify()
    if not problems:  # a damaged index cannot be asked
        problems += strange_vectors(opened, workspace.embedder)
        problems += leaked_canaries(opened, workspace.retriever_of(version))
    return problems


def _lost_ground(workspace: Workspace, version: str, live: Scores | None) -> Iterator[str]:
    if live:
        manifests = workspace.versions.manifest(version), workspace.versions.manifest(live.version)
        yield from older_sources(*manifests)
        yield from emptied_sources(*manifests)


def _late(workspace: Workspace, version: str) -> Iterator[str]:
    yield from late_sources(workspace.versions.manifest(version), workspace.settings)


def _about_the_set(workspace: Workspace, live_id: str | None, questions: tuple[Question, ...]) -> Iterator[str]:
    """Say what people should know of the questions before they read scores."""
    stored = (workspace.versions.manifest(live_id).get("scores") or {}) if live_id else {}
    today = fingerprint(questions)
    if stored and stored["questions"] and stored["fingerprint"] != today:
        yield (
            f"The questions have changed since the live version was scored (set {stored['fingerprint']}, now {today}); "
            "it was scored again on today's before anything was compared."
        )
    made = sum(TAG in question.tags for question in questions)
    if made:
        yield (
            f"{made} of the {len(questions)} questions are synthetic: made from the documents, not asked by people. "
            "Edit them or add your own in the folder `questions`."
        )


def _void(workspace: Workspace, version: str, live: Scores, questions: tuple[Question, ...]) -> dict[str, str]:
    """Find the questions whose text the sources took away, by the raw bytes that they have now."""
    candidate = workspace.versions.open(version).documents()
    raw = dict(zip(candidate.select("source", "uri").iter_rows(), candidate["raw_sha256"], strict=True))
    configured = {source.id for source in workspace.settings.sources}

    def raw_of(source: str, uri: str) -> str | None:
        """Look also among what was fetched and not indexed: that was not the source's doing."""
        if (source, uri) in raw or source not in configured:
            return raw.get((source, uri))
        rows = workspace.store.read("raw", source).filter(uri=uri).rows(named=True)
        return rows[0]["sha256"] if rows and rows[0]["status"] != "gone" else None

    then = workspace.versions.open(live.version).documents
    return void_questions(questions, candidate, then, raw_of, void_before=live.void)


def _latency(
    workspace: Workspace, version: str, live: Scores | None, questions: tuple[Question, ...]
) -> dict[str, float] | None:
    if live is None:
        return None
    return timed_together(workspace.retriever_of(version), workspace.retriever_of(live.version), questions)


def _scores(workspace: Workspace, version: str, questions: tuple[Question, ...], progress: Progress) -> Scores:
    """Return a version's scores under today's conditions: those stored with it, else new ones, which are stored."""
    stored = workspace.versions.manifest(version).get("scores") or {}
    if stored.get("conditions") == _conditions(workspace) and stored["fingerprint"] == fingerprint(questions):
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
    settings = workspace.settings.model_dump(mode="json", include={"retrieval", "answer"})
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
        else {leg: lambda question, leg=leg: search_as(answerer.retriever, question, leg) for leg in LEGS},
        progress=progress,
    )


def _conditions(workspace: Workspace) -> str:
    """Hash what scores depend on besides the version and the questions."""
    settings = workspace.settings
    return digest(VERSION, settings.retrieval.model_dump_json(), settings.answer.model_dump_json())


def _keep_report(workspace: Workspace, version: str, text: str) -> None:
    path = report_path(workspace, version)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Version {version}\n\n{text}\n", encoding="utf-8")


def report_path(workspace: Workspace, version: str) -> Path:
    """Return where the report of a version lies."""
    return workspace.settings.data / "evals" / "reports" / f"{version}.md"
