"""Versions of the index, for whoever runs the workspace: list, compare, publish, go back.

Their figures are of all documents, also of those that a token may not read.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.core.errors import NotFound, VersionError
from rag_platform.index.releases.version_diff import difference
from rag_platform.operations.status.release_status import release_events
from rag_platform.operations.status.version_list import VersionRow, version_rows
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/versions", route_class=JsonRoute, tags=["versions"])
Name = Annotated[str, Path(alias="id", description='An id, its beginning, its number, "live" or "candidate".')]
Other = Annotated[str, Query(description="A version, named likewise.")]


class VersionsDocument(BaseModel):
    """The versions that are kept, oldest first."""

    versions: list[VersionRow]


class MovesDocument(BaseModel):
    """The moves of the live version and the holds of sources, oldest first."""

    moves: list[dict[str, Any]]


class DifferenceDocument(BaseModel):
    """What differs between two versions."""

    before: str
    after: str
    documents: dict[str, int]
    chunks: dict[str, int]
    making: dict[str, list[Any]]
    moved: list[str]
    sizes: dict[str, list[int]]
    by_source: list[dict[str, Any]]
    changes: list[dict[str, Any]]


class Publication(RequestModel):
    """Why a version is made live."""

    why: Text = ""
    force: Flag = Field(False, description="Also one that the gate refused or has not judged.")


class Return(RequestModel):
    """To which version publication goes back, and why."""

    version: Text | None = Field(None, description="None: the one that was live before.")
    why: Text = ""


class MovedDocument(BaseModel):
    """Which version is live now, and which was before."""

    live: str
    before: str | None


@router.get("", response_model=VersionsDocument)
def list_versions(workspace: Served, _: CurrentAdmin) -> Response:
    """List the versions: which one is live, which are pinned, and the verdicts of the gate."""
    return reply({"versions": version_rows(workspace.versions)})


@router.get("/log", response_model=MovesDocument)
def list_moves(workspace: Served, _: CurrentAdmin) -> Response:
    """List who moved the live version or held a source, when and why."""
    return reply({"moves": release_events(workspace)})


@router.get("/diff", response_model=DifferenceDocument)
def compare_versions(
    workspace: Served, _: CurrentAdmin, before: Other = "live", after: Other = "candidate"
) -> Response:
    """Compare two versions: documents, chunks, and how they were made."""
    one, two = (_resolved(workspace, name) for name in (before, after))
    return reply(difference(workspace.versions.open(one), workspace.versions.open(two)).to_dict())


@router.post("/rollback", response_model=MovedDocument)
def roll_back(workspace: Served, caller: CurrentAdmin, given: Return) -> Response:
    """Go back to a version in one atomic step; publication stops until a version is promoted."""
    before = workspace.versions.live_id()
    chosen = _resolved(workspace, given.version) if given.version else None
    live = workspace.versions.rollback(chosen, why=given.why or "rolled back over the API", who=caller.who)
    return reply({"live": live, "before": before})


@router.get("/{id}", response_model=dict[str, Any])
def show_version(workspace: Served, _: CurrentAdmin, version: Name) -> Response:
    """Show a version's manifest: counts, model, parameters, sources, scores and verdict."""
    return reply(workspace.versions.manifest(_resolved(workspace, version)))


@router.post("/{id}/promote", response_model=MovedDocument)
def promote_version(workspace: Served, caller: CurrentAdmin, version: Name, given: Publication) -> Response:
    """Make a version the live one in one atomic step; after a rollback, publication goes on."""
    chosen = _resolved(workspace, version)
    workspace.versions.refuse_unfit(chosen, force=given.force)
    before = workspace.versions.promote(chosen, given.why or "promoted over the API", who=caller.who)
    return reply({"live": chosen, "before": before})


@router.put("/{id}/pin", status_code=204)
def pin_version(workspace: Served, caller: CurrentAdmin, version: Name) -> Response:
    """Protect a version from removal."""
    workspace.versions.pin(_resolved(workspace, version), f"pinned by {caller.name}")
    return Response(status_code=204)


@router.delete("/{id}/pin", status_code=204)
def unpin_version(workspace: Served, _: CurrentAdmin, version: Name) -> Response:
    """Allow a version to be removed when it is old."""
    workspace.versions.unpin(_resolved(workspace, version))
    return Response(status_code=204)


def _resolved(workspace: Workspace, name: str) -> str:
    try:
        return workspace.versions.resolve(name)
    except VersionError as error:
        raise NotFound(str(error)) from error
