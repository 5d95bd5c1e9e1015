"""Chats: list, read, ask in, rename, delete, share."""

from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, CurrentReader, Served
from rag_platform.api.answers import ANSWER_RESPONSES, answering, ask_options
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.asking import AnswerDocument, ChatQuestion
from rag_platform.api.models.fields import Flag, Question, RequestModel, Text, Texts
from rag_platform.api.paging import AskedPage
from rag_platform.api.problems import Problem, reply
from rag_platform.operations.asking import chat_turns, sharing
from rag_platform.operations.asking.assisting import asker_of, refuse_unknown_assistant
from rag_platform.operations.asking.chat_turns import ShownMessage, answer_in_chat, chat_messages, shared_messages
from rag_platform.operations.exporting.chat_document import chat_word, record_export
from rag_platform.operations.exporting.word_file import WORD_TYPE
from rag_platform.people.chats import Chat
from rag_platform.provenance.cited_text import cited_parts
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/chats", route_class=JsonRoute, tags=["chats"])
shared = APIRouter(prefix="/v1/shared", tags=["chats"])
Id = Annotated[str, Path(alias="id")]
_WORD: dict[int | str, dict[str, Any]] = {
    200: {"content": {WORD_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}


class ChatsDocument(BaseModel):
    """Chats, the last used first."""

    chats: list[Chat]
    next: str | None


class MessageDocument(BaseModel):
    """A message of a chat."""

    id: int
    role: str
    content: str | None
    receipt_id: str | None
    created_at: datetime
    stopped: bool
    withheld: bool


class ChatDocument(BaseModel):
    """A chat, with what was said in it."""

    id: str
    title: str
    created_at: datetime
    used_at: datetime
    folder: str
    pinned: bool
    assistant: str
    messages: list[MessageDocument]


class SharedDocument(BaseModel):
    """A chat that somebody shared, as it was then."""

    title: str
    messages: list[MessageDocument]


class ShareDocument(BaseModel):
    """Under which token a chat is shared; null: it is not."""

    token: str | None = Field(description="For `/v1/shared/{token}`, and on the page for `/?shared=`.")
    readers: list[str] = Field(description="Who alone may open it; none: everybody who may ask here.")


class ShareReaders(RequestModel):
    """Who may open a chat's link."""

    readers: Texts | None = Field(None, description="People and groups; none: everybody; left out: as before.")


class ChatTitle(RequestModel):
    """What a new chat is called, and with whom it is."""

    title: Question
    assistant: Text = Field("", description="The id of the assistant that answers in it; empty: none.")


class ChatChange(RequestModel):
    """What is to be different; what is left out stays."""

    title: Question | None = None
    folder: Text | None = Field(None, description="In which it is kept; empty: in none.")
    pinned: Flag | None = Field(None, description="Whether the page lists it before all others.")


@router.get("", response_model=ChatsDocument)
def list_chats(
    workspace: Served,
    caller: CurrentAsker,
    page: AskedPage,
    words: Annotated[str, Query(description="Only chats whose title or messages contain each of them.")] = "",
    folder: Annotated[str | None, Query(description="Only chats in it; empty: only those in none.")] = None,
) -> Response:
    """List the caller's chats."""
    found = workspace.chats.of(caller.owner, words, limit=10_000)
    rows = page.of((one for one in found if folder in (None, one.folder)), _key, descending=True)
    return page.reply("chats", rows, _key)


@router.post("", status_code=201, response_model=Chat)
def begin_chat(workspace: Served, caller: CurrentAsker, given: ChatTitle) -> Response:
    """Begin a chat."""
    asker = asker_of(workspace, caller.owner, caller.principals)
    refuse_unknown_assistant(workspace, given.assistant, asker)
    chat = workspace.chats.begin(given.title, caller.owner, given.assistant)
    return reply(_found(workspace, chat, caller.owner), 201, {"location": f"/v1/chats/{chat}"})


@router.get("/{id}", response_model=ChatDocument)
def read_chat(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Read a chat; what rests on documents that the caller may no longer read is withheld."""
    found = _found(workspace, chat, caller.owner)
    said = chat_messages(workspace, chat, caller.owner, caller.readers)
    return reply(asdict(found) | {"messages": [_message(one) for one in said]})


@router.patch("/{id}", response_model=Chat)
def change_chat(workspace: Served, caller: CurrentAsker, chat: Id, given: ChatChange) -> Response:
    """Give a chat another title, put it into a folder, or pin it."""
    if given.title is not None:
        workspace.chats.rename(chat, given.title, caller.owner)
    if given.folder is not None:
        workspace.folders.move(chat, given.folder, caller.owner)
    if given.pinned is not None:
        workspace.folders.pin(chat, caller.owner, pinned=given.pinned)
    return reply(_found(workspace, chat, caller.owner))


@router.delete("/{id}", status_code=204)
def delete_chat(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Remove a chat with its files; the receipts of its answers stay, but for those from its files."""
    chat_turns.delete_chat(workspace, chat, caller.owner)
    return Response(status_code=204)


@router.post("/{id}/messages", response_model=AnswerDocument, responses=ANSWER_RESPONSES)
def ask_in_chat(request: Request, workspace: Served, caller: CurrentAsker, chat: Id, given: ChatQuestion) -> Response:
    """Ask a question that is understood from what was said before; both are kept in the chat."""
    _found(workspace, chat, caller.owner)
    options = ask_options(workspace, caller, given)
    return answering(request, answer_in_chat(workspace, chat, caller.owner, given.question, **options))


@router.get("/{id}/word", response_class=Response, responses=_WORD)
def export_chat(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Return a chat as a file of Word, its sources as footnotes; what the caller may not read is left out."""
    found = _found(workspace, chat, caller.owner)
    said = chat_messages(workspace, chat, caller.owner, caller.readers)
    return _word(workspace, caller, found.title, said)


@router.get("/{id}/share", response_model=ShareDocument)
def show_share(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Tell whether a chat is shared."""
    _found(workspace, chat, caller.owner)
    return _shared(workspace, chat, caller.owner)


@router.put("/{id}/share", response_model=ShareDocument)
def share_chat(workspace: Served, caller: CurrentAsker, chat: Id, given: ShareReaders) -> Response:
    """Let whoever has the token, or those of them who are named, read a chat as it is now: what they may read of it."""
    sharing.share_chat(workspace, chat, given.readers, sharer_of(caller))
    return _shared(workspace, chat, caller.owner)


@router.delete("/{id}/share", status_code=204)
def unshare_chat(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Share a chat no longer."""
    sharing.end_share(workspace, chat, sharer_of(caller))
    return Response(status_code=204)


@shared.get("/{token}", response_model=SharedDocument)
def read_shared(workspace: Served, caller: CurrentReader, token: str) -> Response:
    """Read a chat that somebody shared; what rests on documents that the caller may not read is withheld."""
    title, said = _opened(workspace, caller, token)
    return reply({"title": title, "messages": [_message(one) for one in said]})


@shared.get("/{token}/word", response_class=Response, responses=_WORD)
def export_shared(workspace: Served, caller: CurrentReader, token: str) -> Response:
    """Return a chat that somebody shared as a file of Word; what the caller may not read is left out."""
    return _word(workspace, caller, *_opened(workspace, caller, token))


def _opened(workspace: Workspace, caller: Caller, token: str) -> tuple[str, list[ShownMessage]]:
    found = workspace.chats.opened(token, {caller.owner, *workspace.access.asker(caller.principals)})
    if found is None:
        raise Problem(404, "nothing is shared under this token", "one that leads to a chat", "Ask who shared it.")
    return found.chat.title, shared_messages(workspace, found, caller.readers)


def _word(workspace: Workspace, caller: Caller, title: str, said: list[ShownMessage]) -> Response:
    record_export(workspace, said, caller.principals, caller.who)
    named = {"content-disposition": 'attachment; filename="chat.docx"', "cache-control": "private, no-store"}
    quoted = partial(cited_parts, workspace, principals=caller.principals, owner=caller.owner)
    return Response(chat_word(title, said, quoted=quoted), headers=named, media_type=WORD_TYPE)


def _shared(workspace: Workspace, chat: str, owner: str) -> Response:
    readers = workspace.chats.shared_with(chat, owner)
    return reply({"token": workspace.chats.shared_as(chat, owner), "readers": readers})


def _found(workspace: Workspace, chat: str, owner: str) -> Chat:
    found = workspace.chats.find(chat, owner)
    if found is None:
        error = "there is no such chat of yours; it may have been deleted"
        raise Problem(404, error, "the id of one", "GET /v1/chats lists them.")
    return found


def sharer_of(caller: Caller) -> sharing.Sharer:
    """Return a caller as who shares something."""
    return sharing.Sharer(caller.owner, caller.principals, caller.who, editor="edit" in caller.scopes)


def _key(chat: Chat) -> tuple[str, ...]:
    return chat.used_at.isoformat(), chat.id


def _message(shown: ShownMessage) -> dict[str, Any]:
    one = shown.message
    names = ("id", "role", "receipt_id", "created_at", "stopped")
    about = {name: getattr(one, name) for name in names}
    return about | {"content": None if shown.withheld else one.content, "withheld": shown.withheld}
