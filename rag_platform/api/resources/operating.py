"""For whoever runs the workspace: how it is used, what was forgotten, and what depends on a document."""

from dataclasses import asdict
from datetime import date
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Text
from rag_platform.api.problems import reply
from rag_platform.erasure import forget as forgetting
from rag_platform.erasure.targets import recognise
from rag_platform.journal.usage import SlowAnswer, per_day, slowest
from rag_platform.provenance.impact import impact
from rag_platform.provenance.inventory import find_document
from rag_platform.raw.suppression import Entry

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["operating"])
Days = Annotated[int, Query(ge=1, le=366, description="How many of the last days.")]


class UsageDay(BaseModel):
    """What was asked on a day (UTC)."""

    day: date
    questions: int
    unanswered: int
    p50_ms: float | None
    p95_ms: float | None
    searches: int


class UsageDocument(BaseModel):
    """How the workspace is used."""

    days: list[UsageDay]
    slowest: list[SlowAnswer]


class ForgottenDocument(BaseModel):
    """What was forgotten."""

    entries: list[Entry]


class Forgetting(RequestModel):
    """What is to be erased everywhere."""

    name: Text = Field(description="A document's address, a source, or a person.")
    kind: Text | None = Field(None, description="uri, source or principal, when the name may be either.")
    why: Text = Field("", description="For the report; it must not quote the document.")
    dry_run: Flag = Field(False, description="Tell what would be removed, and remove nothing.")


@router.get("/usage", response_model=UsageDocument)
def show_usage(workspace: Served, _: CurrentAdmin, days: Days = 30) -> Response:
    """Tell how many questions and searches there were each day, and which answers took longest."""
    workspace.uses.flush()
    told = per_day(workspace.journal, days).to_dicts()
    rows = [row | {"day": row["day"].isoformat()} for row in told]
    return reply({"days": rows, "slowest": slowest(workspace.journal, days)})


@router.get("/documents/{id}/impact", response_model=dict[str, Any])
def show_impact(workspace: Served, _: CurrentAdmin, doc_id: Annotated[str, Path(alias="id")]) -> Response:
    """Tell what depends on a document: its passages in every version, and past answers."""
    return reply(impact(workspace, find_document(workspace, doc_id)).to_dict())


@router.get("/forget", response_model=ForgottenDocument)
def list_forgotten(workspace: Served, _: CurrentAdmin) -> Response:
    """List what was forgotten, as hashes of what was named."""
    return reply({"entries": workspace.suppression.entries()})


@router.post("/forget", response_model=dict[str, Any])
def forget(workspace: Served, _: CurrentAdmin, given: Forgetting) -> Response:
    """Erase a document, a source or a person everywhere, and prove it; answers with the report."""
    target = recognise(workspace, given.name, given.kind)
    if given.dry_run:
        return reply(asdict(forgetting.plan(workspace, target)))
    forgetting.finish(workspace)
    return reply(forgetting.forget(workspace, target, why=given.why))


@router.delete("/forget/{id}", response_model=Entry)
def undo_forgetting(workspace: Served, _: CurrentAdmin, entry: Annotated[str, Path(alias="id")]) -> Response:
    """Let the next sync read again what a source still has; what was removed stays removed."""
    found = workspace.suppression.find(entry)
    forgetting.undo(workspace, found)
    return reply(workspace.suppression.find(entry))
