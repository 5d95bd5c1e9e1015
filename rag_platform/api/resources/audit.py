"""The audit, for whoever runs the workspace."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.models.fields import Count, Moment, RequestModel, Text
from rag_platform.api.problems import reply

router = APIRouter(prefix="/v1", tags=["operating"])


class AuditRequest(RequestModel):
    """The parameters of a look at the audit."""

    since: Moment | None = None
    until: Moment | None = None
    who: Text | None = None
    document: Text | None = None
    limit: Count = 50


class AuditEvent(BaseModel):
    """Something that was shown to somebody, or refused."""

    seq: int
    at: str
    kind: str
    refused: bool
    version: str
    receipt: str
    who: dict[str, Any] | None
    question: str | None
    shown: dict[str, Any] | None
    erased: list[str]


class AuditDocument(BaseModel):
    """Events, the newest first."""

    events: list[AuditEvent]


@router.get("/audit", response_model=AuditDocument)
def audit(workspace: Served, _: CurrentAdmin, given: Annotated[AuditRequest, Query()]) -> Response:
    """List the newest events: who was shown what."""
    moments: dict[str, datetime | None] = {"since": given.since, "until": given.until}
    events = workspace.audit.events(**moments, who=given.who, doc_id=given.document, limit=given.limit)  # type: ignore[arg-type]
    listed: list[dict[str, Any]] = [event.to_dict() for event in events]
    return reply({"events": listed})
