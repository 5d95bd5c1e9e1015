"""The audit, for whoever runs the workspace."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.problems import reply

router = APIRouter(prefix="/v1", tags=["operating"])


@router.get("/audit", response_model=http_models.AuditDocument)
def audit(workspace: Served, _: CurrentAdmin, given: Annotated[http_models.AuditRequest, Query()]) -> Response:
    """List the newest events: who was shown what."""
    moments: dict[str, datetime | None] = {"since": given.since, "until": given.until}
    events = workspace.audit.events(**moments, who=given.who, doc_id=given.document, limit=given.limit)  # type: ignore[arg-type]
    listed: list[dict[str, Any]] = [event.to_dict() for event in events]
    return reply({"events": listed})
