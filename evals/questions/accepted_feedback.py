"""A question that people's judgements propose -> a question of a set, when an editor accepts it."""

import json
from collections.abc import Sequence
from typing import Any

import polars as pl

from evals.questions.labels import asked_documents, locate
from evals.questions.question import Question, Relevant, parse
from evals.questions.sets import workspace_questions
from evals.questions.synthetic import question_rows
from rag_platform.core.errors import NothingPublished, QuestionSetError
from rag_platform.core.principals import PUBLIC
from rag_platform.journal.permissions import unreadable
from rag_platform.journal.proposals import Proposal
from rag_platform.storage.atomic import write_bytes
from rag_platform.workspace import Workspace

FEEDBACK = "feedback.jsonl"
"""The set of what was accepted, in the workspace's folder of questions."""
TAG = "feedback"


def accept_proposal(
    workspace: Workspace,
    proposal_id: str,
    *,
    who: str = "",
    principals: Sequence[str] = (),
    question: str | None = None,
    relevant: Sequence[tuple[str, str]] | None = None,
    answer: str | None = None,
    answerable: bool | None = None,
) -> dict[str, Any]:
    """Write a proposed question into questions/feedback.jsonl, and return it with the file's path.

    Args:
        workspace: whose proposals these are.
        proposal_id: of the proposal, or the beginning of it.
        who: accepts it.
        principals: as whom they read: only what rests on nothing else can be accepted, with quotes of nothing else.
        question: in other words; None: as it was asked.
        relevant: (uri, quote) of the places that answer it; None: what the answer cites.
        answer: an accepted answer; None: none.
        answerable: None: as the judgement tells.

    Raises:
        NotFound: no such proposal waits.
        QuestionSetError: it is no valid question, or a quote is not in the live version; nothing was written.
    """
    proposal = workspace.proposals.find(proposal_id, principals)
    wanted = proposal.answerable if answerable is None else answerable
    cited = [(citation.uri, " ".join(citation.quote.split())) for citation in proposal.cited]
    made = Question(
        id=f"{TAG}-{proposal.id}",
        question=(question or proposal.question).strip(),
        relevant=tuple(Relevant(*place) for place in (cited if relevant is None else relevant)) if wanted else (),
        answers=(answer.strip(),) if answer and answer.strip() and wanted else (),
        answerable=wanted,
        tags=tuple(filter(None, (TAG, proposal.reason, f"version:{proposal.version}"))),
        principal=_principal_of(workspace, proposal),
    )
    _validate(workspace, made, principals)
    path = workspace.settings.home / "questions" / FEEDBACK
    row = question_rows([made])[0]
    with workspace.store.lock("questions"):
        held = path.read_text(encoding="utf-8") if path.exists() else ""
        gap = "\n" if held and not held.endswith("\n") else ""
        workspace.proposals.settle(proposal.id, "accepted", who)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, f"{held}{gap}{json.dumps(row, ensure_ascii=False)}\n".encode())
    return {"path": str(path), "question": row}


def _principal_of(workspace: Workspace, proposal: Proposal) -> str | None:
    """Return who has to ask to find what the answer cites: everyone, else a group, else the person."""
    cited = {citation.doc_id for citation in proposal.cited}
    for one in (PUBLIC, *reversed(proposal.receipt.filters.get("principals") or ())):
        if not unreadable(workspace.versions, cited, [one]):
            return None if one == PUBLIC else one
    return None


def _validate(workspace: Workspace, question: Question, principals: Sequence[str]) -> None:
    row = question_rows([question])[0]
    _, wrong = parse(json.dumps(row))
    wrong += [f"another question has the id {question.id!r}"] * (
        question.id in {one.id for one in workspace_questions(workspace)}
    )
    live = workspace.versions.live_id()
    if live is None:
        raise NothingPublished("a quote has to stand in the live version, and there is none; run `rag sync` first")
    if question.relevant and not wrong:
        version = workspace.versions.open(live)
        documents = asked_documents([question], version)
        # Of others it is not told whether they hold some words.
        readable = version.catalog.readable(documents["doc_id"].to_list(), principals)
        labels = locate([question], documents.filter(pl.col("doc_id").is_in(list(readable))))
        wrong += [label.problem for label in labels if label.problem]
    if wrong:
        raise QuestionSetError("the question cannot be accepted: " + "; ".join(wrong))
