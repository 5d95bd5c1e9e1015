"""Documents held for review: for whoever runs the workspace, as they show texts that nobody else may read yet."""

from fastapi import APIRouter
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import reply
from rag_platform.pipeline.review import accept, flagged_documents, held_documents, reject

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["review"])


@router.get("/quarantine", response_model=http_models.QuarantineDocument)
def list_quarantine(workspace: Served, _: CurrentAdmin) -> Response:
    """List the documents that are held, and those that try to instruct a language model."""
    return reply({"held": held_documents(workspace), "flagged": flagged_documents(workspace)})


@router.post("/quarantine", response_model=http_models.ReviewedDocument)
def review_documents(workspace: Served, caller: CurrentAdmin, given: http_models.Review) -> Response:
    """Accept or reject documents that are held."""
    decide = accept if given.decision == "accept" else reject
    return reply({"reviewed": decide(workspace, given.documents, who=caller.name, why=given.why)})
