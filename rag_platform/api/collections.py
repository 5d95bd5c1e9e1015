"""Collections, their files, and syncs of them."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from rag_platform.api.calls import Call, call_of, pieces
from rag_platform.api.multipart import Incoming
from rag_platform.api.problems import Problem, answer_problem, reply
from rag_platform.core.errors import RagError
from rag_platform.operations.background_jobs import start_sync, sync_state
from rag_platform.operations.upload_status import status_document
from rag_platform.workspace import Workspace

_CHANGEABLE = ("title", "description", "language", "principals")


def list_collections(call: Call) -> Any:
    """List the collections that the asker may read."""
    return {"collections": call.collections().list(call.asker.readers)}


def create_collection(call: Call) -> Any:
    """Make an empty collection."""
    collections = call.editing()
    given = call.fields(["title"], ["id", *_CHANGEABLE])
    return 201, collections.create(**given, owner=call.asker.name)


def show_collection(call: Call) -> Any:
    """Describe a collection."""
    return call.collections().show(call.path["id"], call.asker.readers)


def change_collection(call: Call) -> Any:
    """Change title, description, language or readers of a collection."""
    collections = call.editing()
    return collections.change(call.path["id"], **call.fields([], _CHANGEABLE))


def delete_collection(call: Call) -> Any:
    """Remove a collection with all its files."""
    call.editing().delete(call.path["id"], who=call.asker.name)
    return Response(status_code=204)


def list_files(call: Call) -> Any:
    """List a collection's files, and how far each has come."""
    collections = call.collections()
    collections.show(call.path["id"], call.asker.readers)
    document = status_document(call.workspace, collections, call.path["id"])
    return {"states": document["states"], "files": document["files"]}


def remove_file(call: Call) -> Any:
    """Remove a file."""
    call.editing().remove(call.path["id"], call.path["name"], who=call.asker.name)
    return Response(status_code=204)


async def add_files(workspace: Workspace, request: Request) -> Response:
    """Take the files of a multipart form, each written to the disk while it comes."""
    try:
        call = await run_in_threadpool(call_of, workspace, request, {})
        collections = await run_in_threadpool(call.editing)
        return await _take(Incoming(collections, call.path["id"], _content_type(request), call.asker.name), request)
    except (Problem, RagError) as problem:
        response = answer_problem(request, problem)
        response.headers["connection"] = "close"  # or the server reads what is still being sent to its end
        return response
    except ClientDisconnect:
        return Response(status_code=400)  # to nobody


async def _take(incoming: Incoming, request: Request) -> Response:
    try:
        async for piece in pieces(request):
            await run_in_threadpool(incoming.write, piece)
        await run_in_threadpool(incoming.finish)
    finally:
        incoming.close()
    status, document = incoming.document()
    return reply(document, status)


def _content_type(request: Request) -> str:
    return request.headers.get("content-type", "")


def begin_sync(call: Call) -> Any:
    """Start a sync of the upload source, or of the sources that are named; answers at once."""
    call.asker.must_edit()
    sources = call.fields([], ["sources"]).get("sources") or [call.collections().source]
    if not isinstance(sources, list) or not all(isinstance(source, str) for source in sources):
        raise Problem(400, f"sources = {sources!r}", "a list of the ids of sources", "Mend the JSON.")
    if unknown := sorted(set(sources) - {source.id for source in call.workspace.settings.sources}):
        raise Problem(400, f"there is no source {unknown[0]!r}", "one of rag.toml", "Mend the JSON.")
    start_sync(call.workspace, sources)
    return reply({"started": sources, "look": "/v1/sync"}, 202, {"location": "/v1/sync"})


def show_sync(call: Call) -> Any:
    """Tell what is running, and how the last sync that was started here ended."""
    call.asker.must_edit()
    return sync_state(call.workspace)
