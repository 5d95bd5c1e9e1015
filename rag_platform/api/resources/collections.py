"""Collections, their files, and syncs of them."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentEditor, CurrentReader, Served
from rag_platform.api.bodies import JsonRoute, UploadRoute, pieces
from rag_platform.api.models.fields import Expected, RequestModel, Text, Texts, model_of
from rag_platform.api.problems import Problem, ProblemDocument, reply
from rag_platform.api.resources.multipart import Incoming
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.monitoring.progress import Running
from rag_platform.operations.background_jobs import start_sync, sync_state
from rag_platform.operations.status.source_status import may_read
from rag_platform.operations.status.upload_status import status_document
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.records import Collection, File
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["collections"])
uploads = APIRouter(prefix="/v1", route_class=UploadRoute, tags=["collections"])

Id = Annotated[str, Path(alias="id")]
Source = Annotated[str | None, Query(description="Which upload source, if there are several.")]


class CollectionChanges(RequestModel):
    """What can be changed of a collection."""

    title: Text = ""
    description: Text = ""
    language: Text | None = None
    principals: Texts = Field([])


class NewCollection(CollectionChanges):
    """A collection to be made."""

    title: Text
    id: Text | None = None


class SyncRequest(RequestModel):
    """The sources to be synced; none: the upload source."""

    sources: Annotated[list[str], Expected("a list of the ids of sources")] = Field([])


FileDocument = model_of(
    "FileDocument", "A file, and how far it has come.", File, state=str, reason=str | None, chunks=int
)


class CollectionsDocument(BaseModel):
    """Collections."""

    collections: list[Collection]


class FilesDocument(BaseModel):
    """The files of a collection."""

    states: dict[str, int]
    files: list[FileDocument]  # type: ignore[valid-type]  # made of the record's fields


class RefusedFile(ProblemDocument):
    """A file that was not taken."""

    name: str


class UploadDocument(BaseModel):
    """What became of each file of a form."""

    added: list[File]
    refused: list[RefusedFile]


class StartedDocument(BaseModel):
    """A sync that was started."""

    started: list[str]
    look: str


class SyncDocument(BaseModel):
    """What is running, and how the last sync that was started here ended."""

    running: bool
    doing: list[Running]
    last: dict[str, Any] | None


def _collections(workspace: Served, caller: CurrentReader, source: Source = None) -> Collections:
    """Open the collections of the source that the query names, else of the only one; strangers come no further."""
    known = [one.id for one in _known(workspace, caller) if one.kind == "upload"]
    if source is None and len(known) == 1:
        source = known[0]
    if source is None or source not in known:
        named = f"there is no upload source {source!r}" if source else "which upload source is meant is not said"
        raise Problem(404 if source else 400, named, f"one of: {', '.join(known) or 'none'}", "Name it as `source`.")
    return workspace.collections(source)


def _known(workspace: Workspace, caller: Caller) -> list[SourceSettings]:
    """Return the sources of which the asker may read something: of others they learn nothing."""
    sources = workspace.settings.sources
    return [one for one in sources if caller.readers is None or may_read(one, caller.readers)]


Opened = Annotated[Collections, Depends(_collections)]


def _edited(caller: CurrentEditor, collections: Opened, collection: Id) -> str:
    """Return the id of a collection that the caller sees: what one may not see, one may not change."""
    collections.show(collection, caller.readers)
    return collection


Edited = Annotated[str, Depends(_edited)]


@router.get("/collections", response_model=CollectionsDocument)
def list_collections(collections: Opened, caller: CurrentReader) -> Response:
    """List the collections that the asker may read."""
    return reply({"collections": collections.list(caller.readers)})


@router.post("/collections", status_code=201, response_model=Collection)
def create_collection(caller: CurrentEditor, collections: Opened, given: NewCollection) -> Response:
    """Make an empty collection."""
    caller.must_be_unlimited()
    return reply(collections.create(**given.model_dump(exclude_unset=True), owner=caller.name), 201)


@router.get("/collections/{id}", response_model=Collection)
def show_collection(collections: Opened, caller: CurrentReader, collection: Id) -> Response:
    """Describe a collection."""
    return reply(collections.show(collection, caller.readers))


@router.patch("/collections/{id}", response_model=Collection)
def change_collection(collections: Opened, collection: Edited, given: CollectionChanges) -> Response:
    """Change title, description, language or readers of a collection."""
    return reply(collections.change(collection, **given.model_dump(exclude_unset=True)))


@router.delete("/collections/{id}", status_code=204)
def delete_collection(caller: CurrentEditor, collections: Opened, collection: Edited) -> Response:
    """Remove a collection with all its files."""
    collections.delete(collection, who=caller.name)
    return Response(status_code=204)


@router.get("/collections/{id}/files", response_model=FilesDocument)
def list_files(workspace: Served, collections: Opened, caller: CurrentReader, collection: Id) -> Response:
    """List a collection's files, and how far each has come."""
    collections.show(collection, caller.readers)
    document = status_document(workspace, collections, collection)
    return reply({"states": document["states"], "files": document["files"]})


@router.delete("/collections/{id}/files/{name}", status_code=204)
def remove_file(caller: CurrentEditor, collections: Opened, collection: Edited, name: str) -> Response:
    """Remove a file."""
    collections.remove(collection, name, who=caller.name)
    return Response(status_code=204)


_FORM = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "Of the file that follows."},
        "tag": {"type": "array", "items": {"type": "string"}, "description": "Of all files that follow."},
        "file": {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}},
    },
}


@uploads.post(
    "/collections/{id}/files",
    status_code=201,
    response_model=UploadDocument,
    responses={207: {"model": UploadDocument, "description": "Some files were refused."}},
    openapi_extra={"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": _FORM}}}},
)
async def add_files(request: Request, caller: CurrentEditor, collections: Opened, collection: Edited) -> Response:
    """Take the files of a multipart form, each written to the disk while it comes."""
    incoming = Incoming(collections, collection, request.headers.get("content-type", ""), caller.name)
    try:
        async for piece in pieces(request):
            await run_in_threadpool(incoming.write, piece)
        await run_in_threadpool(incoming.finish)
    finally:
        incoming.close()
    status, document = incoming.document()
    return reply(document, status)


@router.post("/sync", status_code=202, response_model=StartedDocument)
def begin_sync(workspace: Served, caller: CurrentEditor, given: SyncRequest, source: Source = None) -> Response:
    """Start a sync of the upload source, or of the sources that are named; answers at once."""
    sources = given.sources or [_collections(workspace, caller, source).source]
    if unknown := sorted(set(sources) - {one.id for one in _known(workspace, caller)}):
        raise Problem(400, f"there is no source {unknown[0]!r}", "one of rag.toml", "Mend the JSON.")
    start_sync(workspace, sources)
    return reply({"started": sources, "look": "/v1/sync"}, 202, {"location": "/v1/sync"})


@router.get("/sync", response_model=SyncDocument)
def show_sync(workspace: Served, caller: CurrentEditor) -> Response:
    """Tell what is running, and how the last sync that was started here ended, of what the asker may read."""
    state = sync_state(workspace, caller.readers)
    workspace.versions.catch_up()  # who is told that it has ended finds what it published
    return reply(state)
