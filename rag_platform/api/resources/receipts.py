"""Receipts: what answers were made of, their replay, and what people think of them."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Text
from rag_platform.api.paging import AskedPage
from rag_platform.api.problems import Problem, reply
from rag_platform.journal.answer_judgements import Judgement, Reason
from rag_platform.journal.receipts import Receipt
from rag_platform.operations.asking.answer_feedback import own_receipt, receipts_page
from rag_platform.provenance.replay import Replay
from rag_platform.provenance.replay import replay as replay_receipt
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/receipts", route_class=JsonRoute, tags=["receipts"])
Id = Annotated[str, Path(alias="id", description="A receipt's id.")]


class ReceiptRow(BaseModel):
    """A receipt in a list."""

    id: str
    asked_at: datetime
    question: str
    version: str
    model: str
    abstained: bool
    citations: int


class ReceiptsDocument(BaseModel):
    """Receipts, the newest first."""

    receipts: list[ReceiptRow]
    next: str | None


class Feedback(RequestModel):
    """What somebody thinks of an answer."""

    good: Flag
    reason: Reason | None = None
    comment: Text = ""


class FeedbackDocument(BaseModel):
    """What the caller thinks of an answer; null: they gave no feedback."""

    feedback: Judgement | None


@router.get("", response_model=ReceiptsDocument)
def list_receipts(workspace: Served, caller: CurrentAsker, page: AskedPage) -> Response:
    """List the receipts of the caller's questions; whoever runs the workspace sees all."""
    owner = None if caller.admin else caller.owner
    before = (page.after[0], page.after[-1]) if page.after else None
    found = receipts_page(workspace, owner, caller.readers, page.limit + 1, before)
    return page.reply("receipts", found, _key, _row)


@router.get("/{id}", response_model=Receipt)
def show_receipt(workspace: Served, caller: CurrentAsker, receipt: Id) -> Response:
    """Show question, version, hits with their scores, and each citation down to the bytes and the run."""
    return reply(asdict(readable_receipt(workspace, caller, receipt)))


@router.post("/{id}/replay", response_model=Replay)
def replay(workspace: Served, caller: CurrentAsker, receipt: Id) -> Response:
    """Give an answer again from its version with its settings, and compare."""
    found = readable_receipt(workspace, caller, receipt)
    count_request(workspace, caller, "questions")
    return reply(asdict(replay_receipt(workspace, found)))


@router.get("/{id}/feedback", response_model=FeedbackDocument)
def show_feedback(workspace: Served, caller: CurrentAsker, receipt: Id) -> Response:
    """Tell what the caller thinks of an answer."""
    return _feedback(workspace, caller, readable_receipt(workspace, caller, receipt))


@router.put("/{id}/feedback", response_model=FeedbackDocument)
def give_feedback(workspace: Served, caller: CurrentAsker, receipt: Id, given: Feedback) -> Response:
    """Store what the caller thinks of an answer, in the place of what they thought before."""
    found = readable_receipt(workspace, caller, receipt)
    workspace.feedback.give(found.id, given.good, given.comment, caller.owner, given.reason)
    return _feedback(workspace, caller, found)


@router.delete("/{id}/feedback", status_code=204)
def withdraw_feedback(workspace: Served, caller: CurrentAsker, receipt: Id) -> Response:
    """Take back what the caller thought of an answer."""
    workspace.feedback.withdraw(readable_receipt(workspace, caller, receipt).id, caller.owner)
    return Response(status_code=204)


def readable_receipt(workspace: Workspace, caller: Caller, receipt_id: str) -> Receipt:
    """Return a receipt of the caller's that rests on nothing which they may no longer read."""
    found = own_receipt(workspace, receipt_id, None if caller.admin else caller.owner, caller.readers)
    if found is None:
        raise Problem(404, f"there is no receipt {receipt_id!r}", "the id of one", "GET /v1/receipts lists them.")
    return found


def _feedback(workspace: Workspace, caller: Caller, receipt: Receipt) -> Response:
    return reply({"feedback": workspace.feedback.of(receipt.id, caller.owner)})


def _row(receipt: Receipt) -> dict[str, Any]:
    named = {name: getattr(receipt, name) for name in ReceiptRow.model_fields if name != "citations"}
    return named | {"citations": len(receipt.citations)}


def _key(receipt: Receipt) -> tuple[str, ...]:
    return receipt.asked_at.isoformat(), receipt.id
