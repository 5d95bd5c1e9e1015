"""Versions on trial, for whoever runs the workspace; and the leave to keep one's questions, for everybody."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAdmin, CurrentReader, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Expected, Flag, RequestModel, Text
from rag_platform.api.problems import Problem, reply
from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.trials.trial_report import trial_reports
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["trials"])


TrialKind = Literal["shadow", "canary"]


class TrialRequest(RequestModel):
    """A version to be tried beside the live one."""

    kind: Annotated[TrialKind, Expected("shadow or canary")]
    version: Text
    share: Annotated[float, Field(ge=0, le=1), Expected("a share of the sessions from 0 to 1")] = 0.05


class TrialsDocument(BaseModel):
    """The versions on trial and those that were, newest first."""

    trials: list[dict[str, Any]]


class LeaveRequest(RequestModel):
    """Whether the caller's questions may be kept."""

    leave: Flag


class LeaveDocument(BaseModel):
    """Whether the caller's questions may be kept, and whether any are here."""

    leave: bool
    sampled: bool


@router.get("/trials", response_model=TrialsDocument)
def list_trials(workspace: Served, _: CurrentAdmin) -> Response:
    """List the versions on trial, and those that were, with what that showed."""
    return _listed(workspace)


@router.post("/trials", response_model=TrialsDocument)
def begin_trial(workspace: Served, caller: CurrentAdmin, given: TrialRequest) -> Response:
    """Begin a trial beside the live version."""
    share = given.share if given.kind == "canary" else 0.0
    try:
        workspace.trials.begin(given.kind, workspace.versions.resolve(given.version), share=share, who=caller.name)
    except (VersionError, NothingPublished) as error:
        raise Problem(409, str(error), "a sound version that is not live", "`rag index list` names them.") from error
    return _listed(workspace)


@router.delete("/trials/{kind}", response_model=TrialsDocument)
def end_trial(workspace: Served, caller: CurrentAdmin, kind: TrialKind) -> Response:
    """End the trial of a kind, if there is one."""
    workspace.trials.end(kind, why=f"stopped by {caller.name}")
    return _listed(workspace)


@router.get("/leave", response_model=LeaveDocument)
def show_leave(workspace: Served, caller: CurrentReader) -> Response:
    """Tell whether the caller's questions may be kept, masked, to try versions on them."""
    return _leave(workspace, caller)


@router.put("/leave", response_model=LeaveDocument)
def decide_leave(workspace: Served, caller: CurrentReader, given: LeaveRequest) -> Response:
    """Give leave, or refuse it, which also takes back what was kept."""
    own = [] if given.leave else [receipt.id for receipt in workspace.journal.receipts(-1, principal=caller.owner)]
    workspace.shadow_set.decide(caller.who, given=given.leave, receipts=own)
    return _leave(workspace, caller)


def _leave(workspace: Workspace, caller: Caller) -> Response:
    sampled = workspace.settings.shadow.sample > 0
    return reply({"leave": workspace.shadow_set.may_take(caller.who), "sampled": sampled})


def _listed(workspace: Workspace) -> Response:
    return reply({"trials": trial_reports(workspace.trials, workspace.journal)})
