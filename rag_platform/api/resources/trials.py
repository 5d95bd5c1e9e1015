"""Versions on trial, for whoever runs the workspace; and the leave to keep one's questions, for everybody."""

from fastapi import APIRouter
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import Caller, CurrentAdmin, CurrentReader, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import Problem, reply
from rag_platform.core.errors import NothingPublished, VersionError
from rag_platform.trials.trial_report import trial_reports
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["trials"])


@router.get("/trials", response_model=http_models.TrialsDocument)
def list_trials(workspace: Served, _: CurrentAdmin) -> Response:
    """List the versions on trial, and those that were, with what that showed."""
    return _listed(workspace)


@router.post("/trials", response_model=http_models.TrialsDocument)
def begin_trial(workspace: Served, caller: CurrentAdmin, given: http_models.TrialRequest) -> Response:
    """Begin a trial beside the live version."""
    share = given.share if given.kind == "canary" else 0.0
    try:
        workspace.trials.begin(given.kind, workspace.versions.resolve(given.version), share=share, who=caller.name)
    except (VersionError, NothingPublished) as error:
        raise Problem(409, str(error), "a sound version that is not live", "`rag index list` names them.") from error
    return _listed(workspace)


@router.delete("/trials/{kind}", response_model=http_models.TrialsDocument)
def end_trial(workspace: Served, caller: CurrentAdmin, kind: http_models.TrialKind) -> Response:
    """End the trial of a kind, if there is one."""
    workspace.trials.end(kind, why=f"stopped by {caller.name}")
    return _listed(workspace)


@router.get("/leave", response_model=http_models.LeaveDocument)
def show_leave(workspace: Served, caller: CurrentReader) -> Response:
    """Tell whether the caller's questions may be kept, masked, to try versions on them."""
    return _leave(workspace, caller)


@router.put("/leave", response_model=http_models.LeaveDocument)
def decide_leave(workspace: Served, caller: CurrentReader, given: http_models.LeaveRequest) -> Response:
    """Give leave, or refuse it, which also takes back what was kept."""
    own = [] if given.leave else [receipt.id for receipt in workspace.journal.receipts(-1, principal=caller.owner)]
    workspace.shadow_set.decide(caller.who, given=given.leave, receipts=own)
    return _leave(workspace, caller)


def _leave(workspace: Workspace, caller: Caller) -> Response:
    sampled = workspace.settings.shadow.sample > 0
    return reply({"leave": workspace.shadow_set.may_take(caller.who), "sampled": sampled})


def _listed(workspace: Workspace) -> Response:
    return reply({"trials": trial_reports(workspace.trials, workspace.journal)})
