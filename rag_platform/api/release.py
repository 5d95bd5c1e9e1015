"""What is live, what is kept out of it and why."""

from fastapi import APIRouter
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import CurrentEditor, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import reply
from rag_platform.operations.status.release_status import release_status

router = APIRouter(prefix="/v1", route_class=JsonRoute)


@router.get("/release", response_model=http_models.ReleaseDocument)
def show_release(workspace: Served, caller: CurrentEditor) -> Response:
    """Tell what is live, which sources are held and which version was refused, of what the asker may read."""
    return reply(release_status(workspace, caller.readers).to_dict())
