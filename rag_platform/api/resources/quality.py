"""The questions of the gate, those that people's judgements propose, and evaluations."""

from dataclasses import asdict
from types import ModuleType
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAdmin, CurrentEditor, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.journal.proposals import Proposal, State
from rag_platform.operations.asking.feedback_report import FeedbackReport, feedback_report
from rag_platform.operations.background_jobs import evaluation_state, start_evaluation
from rag_platform.workspace import Workspace
from rag_platform.workspace.applications import load_application

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["quality"])
Id = Annotated[str, Path(alias="id", description="A proposal's id: the receipt's.")]


class QuestionsDocument(BaseModel):
    """The questions by which versions are judged."""

    questions: list[dict[str, Any]]


class ProposalDocument(BaseModel):
    """A question that somebody's judgement of an answer proposes."""

    id: str
    question: str
    version: str
    good: bool
    reason: str
    comment: str
    judged_at: str
    answerable: bool
    answer: str
    state: State


class ProposalsDocument(BaseModel):
    """Proposed questions, the newest first."""

    proposals: list[ProposalDocument]


class Quote(RequestModel):
    """Words of a document that answer a question."""

    uri: Text
    quote: Text


class Acceptance(RequestModel):
    """What is changed of a proposal before it becomes a question; what is not given stays as it was asked."""

    question: Text | None = None
    relevant: list[Quote] | None = None
    answer: Text | None = None
    answerable: Flag | None = None


class AcceptedDocument(BaseModel):
    """The question that was written, and the file that holds it."""

    question: dict[str, Any]
    path: str


class DismissedDocument(BaseModel):
    """The proposal of which no question is made."""

    id: str
    state: State


class EvaluationRequest(RequestModel):
    """The version that is to be scored and judged."""

    version: Text = "candidate"


class EvaluationDocument(BaseModel):
    """How an evaluation goes on, and how the last one that was started here ended."""

    running: bool
    doing: dict[str, Any] | None
    last: dict[str, Any] | None


@router.get("/questions", response_model=QuestionsDocument)
def list_questions(workspace: Served, _: CurrentAdmin) -> Response:
    """List the questions of the gate."""
    return reply({"questions": _evals("commands.question_sets").list_questions(workspace)})


@router.get("/questions/proposals", response_model=ProposalsDocument)
def list_proposals(
    workspace: Served,
    caller: CurrentEditor,
    state: Annotated[State, Query(description="Only those in this state.")] = "open",
) -> Response:
    """List proposed questions that rest on nothing which the caller may not read."""
    return reply({"proposals": [_row(one) for one in workspace.proposals.list(caller.principals, state)]})


@router.get("/feedback/report", response_model=FeedbackReport)
def report_feedback(
    workspace: Served, caller: CurrentEditor, days: Annotated[int, Query(ge=1, le=366)] = 30
) -> Response:
    """Tell what people thought of answers: by day, collection and generator, and the worst questions, grouped."""
    return reply(asdict(feedback_report(workspace, days, caller.principals)))


@router.post("/questions/proposals/{id}/accept", status_code=201, response_model=AcceptedDocument)
def accept_proposal(workspace: Served, caller: CurrentEditor, proposal: Id, given: Acceptance) -> Response:
    """Make a question of the gate of a proposal."""
    found = _found(workspace, caller, proposal)
    edits = given.model_dump(exclude_none=True)
    if given.relevant is not None:
        edits["relevant"] = [(one.uri, one.quote) for one in given.relevant]
    accept = _evals("questions.accepted_feedback").accept_proposal
    return reply(accept(workspace, found.id, who=caller.who, principals=caller.principals, **edits), 201)


@router.post("/questions/proposals/{id}/dismiss", response_model=DismissedDocument)
def dismiss_proposal(workspace: Served, caller: CurrentEditor, proposal: Id) -> Response:
    """Decide that no question is made of a proposal."""
    found = _found(workspace, caller, proposal)
    workspace.proposals.dismiss(found.id, caller.who)
    return reply({"id": found.id, "state": "dismissed"})


@router.get("/evaluations", response_model=EvaluationDocument)
def show_evaluation(workspace: Served, _: CurrentAdmin) -> Response:
    """Tell how an evaluation goes on; a version's scores and verdict are with the version."""
    return reply(evaluation_state(workspace))


@router.post("/evaluations", status_code=202, response_model=EvaluationDocument)
def begin_evaluation(workspace: Served, _: CurrentAdmin, given: EvaluationRequest) -> Response:
    """Start scoring and judging a version; answers at once."""
    start_evaluation(workspace, given.version)
    return reply(evaluation_state(workspace), 202, {"location": "/v1/evaluations"})


def _found(workspace: Workspace, caller: Caller, proposal: str) -> Proposal:
    return workspace.proposals.find(proposal, caller.principals)


def _row(one: Proposal) -> dict[str, Any]:
    names = ("id", "question", "version", "good", "reason", "comment", "answerable", "state")
    return {name: getattr(one, name) for name in names} | {
        "judged_at": one.judged_at.isoformat(),
        "answer": one.receipt.answer,
    }


def _evals(module: str) -> ModuleType:
    return load_application(f"evals.{module}", extra="eval", purpose="the questions of the gate")
