"""Documents held for review: for whoever runs the workspace, as they show texts that nobody else may read yet."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Expected, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.pipeline.review import Reviewed, accept, flagged_documents, held_documents, reject

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["review"])


class QuarantineDocument(BaseModel):
    """Documents that are held for review, and those that try to instruct a language model."""

    held: list[Reviewed]
    flagged: list[Reviewed]


class Review(RequestModel):
    """What is decided about documents that are held."""

    documents: Annotated[list[str], Field(min_length=1), Expected("a list of ids of documents, at least one")]
    decision: Annotated[Literal["accept", "reject"], Expected("accept or reject")]
    why: Text = Field("", description="For the log.")


class ReviewedDocument(BaseModel):
    """How many documents were decided about."""

    reviewed: int


@router.get("/quarantine", response_model=QuarantineDocument)
def list_quarantine(workspace: Served, _: CurrentAdmin) -> Response:
    """List the documents that are held, and those that try to instruct a language model."""
    return reply({"held": held_documents(workspace), "flagged": flagged_documents(workspace)})


@router.post("/quarantine", response_model=ReviewedDocument)
def review_documents(workspace: Served, caller: CurrentAdmin, given: Review) -> Response:
    """Accept or reject documents that are held."""
    decide = accept if given.decision == "accept" else reject
    return reply({"reviewed": decide(workspace, given.documents, who=caller.name, why=given.why)})
