"""The audit, for whoever runs the workspace."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import CurrentCaller, Served
from rag_platform.api.problems import Problem, reply

router = APIRouter(prefix="/v1")


@router.get("/audit", response_model=http_models.AuditDocument)
def audit(workspace: Served, caller: CurrentCaller, given: Annotated[http_models.AuditRequest, Query()]) -> Response:
    """List the newest events: who was shown what."""
    if not caller.local:
        raise Problem(403, "a token may not see the audit", "whoever runs the workspace", "Use `rag audit` there.")
    moments: dict[str, datetime | None] = {"since": given.since, "until": given.until}
    events = workspace.audit.events(**moments, who=given.who, doc_id=given.document, limit=given.limit)  # type: ignore[arg-type]
    listed: list[dict[str, Any]] = [event.to_dict() for event in events]
    return reply({"events": listed})
