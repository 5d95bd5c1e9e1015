"""The files of a chat: read, kept as text, searched for its questions, and gone with it."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from rag_platform.api.access import CurrentAsker, Served
from rag_platform.api.bodies import UploadRoute, pieces
from rag_platform.api.problems import Problem, reply
from rag_platform.operations.asking.attaching import MOST_BYTES, attach
from rag_platform.people.chat_files import Attachment

router = APIRouter(prefix="/v1/chats/{id}/files", route_class=UploadRoute, tags=["chats"])
Id = Annotated[str, Path(alias="id")]
_BODY = {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}


class AttachedFilesDocument(BaseModel):
    """The files of a chat, in the order in which they were attached."""

    files: list[Attachment]


class AttachedFile(BaseModel):
    """A file that was attached."""

    file: Attachment
    problems: list[str] = Field(description="What in it could not be read.")


@router.get("", response_model=AttachedFilesDocument)
def list_chat_files(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """List the files of a chat."""
    workspace.chats.own(chat, caller.owner)
    return reply({"files": workspace.attachments.of(chat, caller.owner)})


@router.put("/{name}", status_code=201, response_model=AttachedFile, openapi_extra={"requestBody": _BODY})
async def attach_file(request: Request, workspace: Served, caller: CurrentAsker, chat: Id, name: str) -> Response:
    """Attach a file: the body is its bytes. Nobody but the chat's owner sees it, or what is answered from it."""
    await run_in_threadpool(workspace.chats.own, chat, caller.owner)
    content = bytearray()
    async for piece in pieces(request):
        content += piece
        if len(content) > MOST_BYTES:
            raise Problem(413, f"{name} is too large", f"at most {MOST_BYTES:,} bytes", "Put it into a collection.")
    kind = request.headers.get("content-type")
    made = await run_in_threadpool(attach, workspace, chat, caller.owner, name, bytes(content), kind)
    return reply({"file": made.file, "problems": made.problems}, 201)


@router.delete("/{file}", status_code=204)
def remove_chat_file(workspace: Served, caller: CurrentAsker, chat: Id, file: int) -> Response:
    """Take a file from a chat; what was answered from it stays in the chat."""
    workspace.attachments.remove(chat, file, caller.owner)
    return Response(status_code=204)
