"""What is live, what is kept out of it and why."""

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, CurrentEditor, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Expected, RequestModel, Text, model_of
from rag_platform.api.problems import reply
from rag_platform.operations.status.release_status import Notice, release_status
from rag_platform.pipeline.source_decisions import hold_source, release_source

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["release"])


ReleaseNotice = model_of(
    "ReleaseNotice", "One thing that is not live, or not fresh, with its reasons.", Notice, key=str
)


class ReleaseDocument(BaseModel):
    """What is live, what is kept out of it and why."""

    live: str | None
    candidate: str | None
    said: str
    notices: list[ReleaseNotice]  # type: ignore[valid-type]  # made of the record's fields


class SourceDecision(RequestModel):
    """What is decided about a source."""

    source: Annotated[Text, Expected("the id of a source")]
    decision: Annotated[Literal["hold", "release"], Expected("hold or release")]
    why: Text = Field("", description="For the history.")


class SourceDecided(BaseModel):
    """A source that is held, or is no longer."""

    source: str
    held: bool


@router.get("/release", response_model=ReleaseDocument)
def show_release(workspace: Served, caller: CurrentEditor) -> Response:
    """Tell what is live, which sources are held and which version was refused, of what the asker may read."""
    return reply(release_status(workspace, caller.readers).to_dict())


@router.post("/release", response_model=SourceDecided)
def decide(workspace: Served, caller: CurrentAdmin, given: SourceDecision) -> Response:
    """Hold a source at its live state, or end its hold; the next version is built by it."""
    why = given.why or "decided over the API"
    (hold_source if given.decision == "hold" else release_source)(workspace, given.source, who=caller.name, why=why)
    return reply({"source": given.source, "held": given.source in workspace.holds.active()})
