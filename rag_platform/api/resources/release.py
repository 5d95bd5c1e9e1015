"""What is live, what is kept out of it and why."""

from fastapi import APIRouter
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import CurrentAdmin, CurrentEditor, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import reply
from rag_platform.operations.status.release_status import release_status
from rag_platform.pipeline.source_decisions import hold_source, release_source

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["release"])


@router.get("/release", response_model=http_models.ReleaseDocument)
def show_release(workspace: Served, caller: CurrentEditor) -> Response:
    """Tell what is live, which sources are held and which version was refused, of what the asker may read."""
    return reply(release_status(workspace, caller.readers).to_dict())


@router.post("/release", response_model=http_models.SourceDecided)
def decide(workspace: Served, caller: CurrentAdmin, given: http_models.SourceDecision) -> Response:
    """Hold a source at its live state, or end its hold; the next version is built by it."""
    why = given.why or "decided over the API"
    (hold_source if given.decision == "hold" else release_source)(workspace, given.source, who=caller.name, why=why)
    return reply({"source": given.source, "held": given.source in workspace.holds.active()})
