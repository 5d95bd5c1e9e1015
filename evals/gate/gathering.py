"""What the gate considers beside scores, gathered from a workspace."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from evals.gate.blame import DESCRIBED, Origins, origins
from evals.gate.evidence import Evidence
from evals.gate.floors import read_floors
from evals.gate.shadow_remarks import shadow_remarks
from evals.measures.answer_judge import judge_report
from evals.measures.integrity import (
    emptied_sources,
    mismatched_vectors,
    outdated_sources,
    overdue_sources,
    paired_latency,
)
from evals.measures.language_coverage import unsearchable_languages
from evals.measures.permission_leaks import leaked_canaries
from evals.measures.scoring import Scores
from evals.measures.takeover import Takeover, takeovers
from evals.questions.labels import asked_documents, locate
from evals.questions.question import Question, fingerprint
from evals.questions.stale_labels import RAW_COLUMNS, only_removed, stale_questions
from evals.questions.synthetic import TAG
from rag_platform.core.ports import Memo
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.spaces import moved_sources
from rag_platform.validation.changes import state_of
from rag_platform.workspace import Workspace

CLOSED = "who asks it may not read any more what answers it"


def gather_evidence(
    workspace: Workspace,
    scores: Scores,
    live: Scores | None,
    questions: tuple[Question, ...],
    *,
    problems: Sequence[str],
    stale: Mapping[str, str],
    remarks: Sequence[str],
    memo: Memo | None = None,
) -> Evidence:
    """Gather what is known of a candidate beside its scores; `memo`: of earlier evaluations."""
    return Evidence(
        integrity=problems,
        faults=_lost_ground(workspace, scores.version, live),
        pinned=read_floors(workspace.settings.home),
        takeovers=new_takeovers(workspace, scores, live),
        latency=_latency(workspace, scores.version, live, questions, memo),
        stale=stale,
        excused=[q.id for q in questions if _excused(q, stale.get(q.id))],
        max_stale_share=workspace.settings.sync.max_deleted_share,
        remarks=[
            *remarks,
            *_late(workspace, scores.version),
            *judge_report(scores.judged),
            *shadow_remarks(workspace, scores.version, live),
        ],
        origins=_origins(workspace, scores, live, questions),
        permitted=_permitted(workspace, scores.version),
    )


def integrity_problems(workspace: Workspace, version: str) -> list[str]:
    """Return what is wrong with a version's index, whatever it scores."""
    opened = workspace.versions.open(version)
    problems = opened.verify(read="changed")  # who built it has read its files, and who publishes it will again
    if not problems:  # a damaged index cannot be asked
        problems += mismatched_vectors(opened, workspace.embedders.of_space)
        problems += unsearchable_languages(opened)
        problems += leaked_canaries(opened, workspace.retriever_of(version))
    return problems


def new_takeovers(workspace: Workspace, scores: Scores, live: Scores | None) -> list[Takeover]:
    """Return what new documents of a version took over, against the live one."""
    if live is None:
        return []
    now, before = (
        workspace.versions.open(version).catalog.documents("doc_id", "source", "uri")
        for version in (scores.version, live.version)
    )
    return takeovers(scores, live, now, before)


def _lost_ground(workspace: Workspace, version: str, live: Scores | None) -> dict[str, list[str]]:
    if live is None:
        return {}
    manifests = workspace.versions.manifest(version), workspace.versions.manifest(live.version)
    faults: dict[str, list[str]] = {}
    for source, fault in (*outdated_sources(*manifests), *emptied_sources(*manifests)):
        faults.setdefault(source, []).append(fault)
    return faults


def _origins(
    workspace: Workspace, scores: Scores, live: Scores | None, questions: tuple[Question, ...]
) -> Origins | None:
    if live is None:
        return None
    before, now = (
        workspace.versions.open(version).catalog.documents("doc_id", "source", "uri", *DESCRIBED)
        for version in (live.version, scores.version)
    )
    manifests = (workspace.versions.manifest(version) for version in (live.version, scores.version))
    return origins(before, now, questions, same_models=not moved_sources(*manifests))


def _permitted(workspace: Workspace, version: str) -> list[str]:
    """Return the sources whose newest documents somebody let pass."""
    sources = workspace.versions.manifest(version)["sources"].keys()
    asked = {event.source for event in workspace.holds.history() if event.action == "permitted"} & sources
    states = {source: state_of(workspace.store.read("documents", source)) for source in sorted(asked)}
    return [source for source, state in states.items() if workspace.holds.permitted(source, state)]


def _late(workspace: Workspace, version: str) -> Iterator[str]:
    yield from overdue_sources(workspace.versions.manifest(version), workspace.settings)


def question_set_remarks(workspace: Workspace, live_id: str | None, questions: tuple[Question, ...]) -> Iterator[str]:
    """Say what people should know of the questions before they read scores."""
    stored = (workspace.versions.manifest(live_id).get("scores") or {}) if live_id else {}
    today = fingerprint(questions)
    if stored.get("questions") and stored["fingerprint"] != today:
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


def _excused(question: Question, why: str | None) -> bool:
    """Return whether a question may be left out, however many are: people decided, or it was made of what is gone."""
    return why == CLOSED or (why is not None and TAG in question.tags and only_removed(why))


def find_stale(
    workspace: Workspace, scores: Scores, live: Scores | None, questions: tuple[Question, ...]
) -> dict[str, str]:
    """Find the questions whose text the sources took away, by the raw bytes that they have now, or people closed."""
    closed = dict.fromkeys(_closed(workspace.versions.open(scores.version), questions), CLOSED)
    if live is None:
        return dict.fromkeys(scores.stale, "changed or removed by its source") | closed
    opened, before = (workspace.versions.open(one.version) for one in (scores, live))
    fetched = opened.catalog.documents("source", "uri", "raw_sha256")
    raw = {(source, uri): sha256 for source, uri, sha256 in fetched.iter_rows()}
    configured = {source.id for source in workspace.settings.sources}

    def raw_of(source: str, uri: str) -> str | None:
        """Look also among what was fetched and not indexed: that was not the source's doing."""
        if (source, uri) in raw or source not in configured:
            return raw.get((source, uri))
        read = workspace.store.read("documents", source).filter(uri=uri)["raw_sha256"]
        if len(read):
            return str(read[0])
        rows = workspace.store.read("raw", source).filter(uri=uri).rows(named=True)
        return rows[0]["sha256"] if rows and rows[0]["status"] != "gone" else None

    candidate, then = asked_documents(questions, opened), partial(asked_documents, questions, before, *RAW_COLUMNS)
    return stale_questions(questions, candidate, then, raw_of, stale_before=live.stale) | closed


def _closed(version: OpenVersion, questions: Sequence[Question]) -> Iterator[str]:
    """Name the questions of which nothing that answers them may be read now by who asks them."""
    by_asker: dict[str | None, list[Question]] = {}
    for question in questions:
        by_asker.setdefault(question.principal, []).append(question)
    for asker, theirs in by_asker.items():
        hidden = version.catalog.unreadable([asker] if asker else ())
        if not hidden:
            continue
        for label in locate(theirs, asked_documents(theirs, version)):
            if label.spans and all(span.doc_id in hidden for span in label.spans):
                yield label.question_id


def _latency(
    workspace: Workspace, version: str, live: Scores | None, questions: tuple[Question, ...], memo: Memo | None
) -> dict[str, float] | None:
    """Time both versions; what a model found in a passage before is as quick in one as in the other."""
    if live is None:
        return None
    candidate, before = (workspace.retriever_of(one, memo) for one in (version, live.version))
    return paired_latency(candidate, before, questions)
