"""Documents held for review: for whoever runs the workspace, as they show texts that nobody else may read yet."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import Caller, CurrentCaller, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import Problem, reply
from rag_platform.pipeline.review import accept, flagged_documents, held_documents, reject

router = APIRouter(prefix="/v1", route_class=JsonRoute)


def _reviewer(caller: CurrentCaller) -> Caller:
    if not caller.local:
        raise Problem(403, f"{caller.name!r} may not review documents", "whoever runs the workspace", "Use `rag link`.")
    return caller


Reviewer = Annotated[Caller, Depends(_reviewer)]


@router.get("/quarantine", response_model=http_models.QuarantineDocument)
def list_quarantine(workspace: Served, caller: Reviewer) -> Response:  # noqa: ARG001
    """List the documents that are held, and those that try to instruct a language model."""
    return reply({"held": held_documents(workspace), "flagged": flagged_documents(workspace)})


@router.post("/quarantine", response_model=http_models.ReviewedDocument)
def review_documents(workspace: Served, caller: Reviewer, given: http_models.Review) -> Response:
    """Accept or reject documents that are held."""
    decide = accept if given.decision == "accept" else reject
    return reply({"reviewed": decide(workspace, given.documents, who=caller.name, why=given.why)})
