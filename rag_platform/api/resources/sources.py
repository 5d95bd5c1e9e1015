"""Sources: their state, the kinds there are, and changes to rag.toml."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAdmin, CurrentReader, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Text
from rag_platform.api.problems import Problem, reply
from rag_platform.config.settings_fields import SettingField, setting_fields
from rag_platform.config.source_editing import add_source, remove_source
from rag_platform.config.source_editing import change_source as change_settings
from rag_platform.config.source_kinds import kind_of
from rag_platform.operations.removal import Removal, plan_source
from rag_platform.operations.source_gallery import KindCard, source_gallery
from rag_platform.operations.source_previews import preview_source
from rag_platform.operations.status.source_status import SourceState, failures_of, source_states
from rag_platform.raw.preview import Preview
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/sources", route_class=JsonRoute, tags=["sources"])
Id = Annotated[str, Path(alias="id", description="A source's id.")]


class SourceDocument(BaseModel):
    """A source, and how it fares."""

    id: str
    kind: str
    collection: str
    schedule: str | None
    paused: bool
    documents: int
    archived: int = Field(description="Of these, by their age.")
    failed: int
    read_at: datetime | None
    next_at: datetime | None
    late: str | None
    held: bool


class SourcesDocument(BaseModel):
    """The sources of rag.toml of which the caller may read something."""

    sources: list[SourceDocument]


class FailureDocument(BaseModel):
    """Something that could not be fetched or read."""

    uri: str
    reason: str


class FailuresDocument(BaseModel):
    """What of a source could not be fetched or read."""

    failures: list[FailureDocument]


class KindsDocument(BaseModel):
    """The kinds of source that there are."""

    kinds: list[KindCard]


class NewSource(BaseModel):
    """A table of rag.toml: `id`, `kind`, and what its kind wants."""

    model_config = {"extra": "allow"}
    id: Text
    kind: Text


class SourceChange(RequestModel):
    """What is to be changed of a source; what is absent stays."""

    paused: Flag | None = None
    settings: dict[str, Any] = Field({}, description="Keys of its table; null takes one out: its default counts.")


class FieldsDocument(BaseModel):
    """The keys of a kind of source, those first that are needed."""

    fields: list[SettingField]


class RemovedDocument(BaseModel):
    """What the deletion of a source takes away, or took."""

    source: str
    removed: bool
    plan: Removal


@router.get("", response_model=SourcesDocument)
def list_sources(workspace: Served, caller: CurrentReader) -> Response:
    """List the sources with the state of each, of what the caller may read."""
    return reply({"sources": [_document(one) for one in source_states(workspace, _readers(workspace, caller))]})


@router.get("/kinds", response_model=KindsDocument)
def list_kinds(_: CurrentReader) -> Response:
    """List the kinds of source: what each reads and needs, and a table to begin with."""
    return reply({"kinds": [asdict(card) for card in source_gallery()]})


@router.get("/kinds/{kind}", response_model=FieldsDocument)
def list_fields(_: CurrentAdmin, kind: Annotated[str, Path(description="Such as imap.")]) -> Response:
    """List what may be set for a kind of source, as its declaration says it: for a form."""
    try:
        section = kind_of(kind).settings
    except ValueError as error:
        raise Problem(404, str(error), "the name of a kind", "GET /v1/sources/kinds lists them.") from error
    return reply({"fields": FieldsDocument(fields=[*setting_fields(section)]).model_dump(mode="json")["fields"]})


@router.post("", status_code=201, response_model=dict[str, Any])
def create_source(workspace: Served, _: CurrentAdmin, given: NewSource) -> Response:
    """Add a source to rag.toml; the next sync reads it."""
    made = add_source(workspace.settings.home, given.model_dump()).source(given.id)
    return reply(made.model_dump(mode="json"), 201, {"location": f"/v1/sources/{given.id}"})


@router.post("/preview", response_model=Preview)
def preview(workspace: Served, _: CurrentAdmin, given: NewSource) -> Response:
    """Show what a source would read, without adding it; `error` says why there is nothing."""
    return reply(asdict(preview_source(workspace, given.model_dump())))


@router.get("/{id}", response_model=SourceDocument)
def show_source(workspace: Served, caller: CurrentReader, source: Id) -> Response:
    """Show how a source fares."""
    return reply(_document(_state(workspace, caller, source)))


@router.get("/{id}/failures", response_model=FailuresDocument)
def list_failures(workspace: Served, caller: CurrentReader, source: Id) -> Response:
    """List what of a source could not be fetched or read, as far as the caller may know of it."""
    readers = _readers(workspace, caller)
    found = failures_of(workspace, _state(workspace, caller, source).source.id, readers)
    return reply({"failures": [{"uri": uri, "reason": reason} for uri, reason in found]})


@router.patch("/{id}", response_model=SourceDocument)
def change_source(workspace: Served, caller: CurrentAdmin, source: Id, given: SourceChange) -> Response:
    """Pause a source, resume it, or change its settings: who may read it at once, the rest with the next sync."""
    state = _state(workspace, caller, source)
    changes = given.settings | ({} if given.paused is None else {"paused": given.paused or None})
    settings = change_settings(workspace.settings.home, source, changes)
    return reply(_document(state) | {"paused": settings.source(source).paused})


@router.delete("/{id}", response_model=RemovedDocument)
def delete_source(
    workspace: Served,
    caller: CurrentAdmin,
    source: Id,
    dry_run: Annotated[bool, Query(description="Tell what would be taken away, and change nothing.")] = False,
) -> Response:
    """Take a source out of rag.toml; the next sync removes its documents from the index."""
    _state(workspace, caller, source)
    planned = plan_source(workspace, source)
    if not dry_run:
        remove_source(workspace.settings.home, source)
    return reply({"source": source, "removed": not dry_run, "plan": asdict(planned)})


def _readers(workspace: Workspace, caller: Caller) -> tuple[str, ...]:
    """Return as whom sources are seen; whoever runs the workspace sees them as all of their readers."""
    if caller.readers is not None:
        return tuple(caller.readers)
    return tuple({name for source in workspace.settings.sources for name in source.principals})


def _state(workspace: Workspace, caller: Caller, source: str) -> SourceState:
    for state in source_states(workspace, _readers(workspace, caller)):
        if state.source.id == source:
            return state
    raise Problem(404, f"there is no source {source!r}", "the id of one", "GET /v1/sources lists them.")


def _document(state: SourceState) -> dict[str, Any]:
    source = state.source.model_dump(mode="json", include={"id", "kind", "collection", "schedule", "paused"})
    names = ("documents", "archived", "failed", "read_at", "next_at", "late", "held")
    return source | {name: getattr(state, name) for name in names}
