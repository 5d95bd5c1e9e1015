"""What a question, or a chat, is answered from: names to choose from, and the choice."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAsker, CurrentReader, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Flag, RequestModel, Texts
from rag_platform.api.problems import reply
from rag_platform.core.hits import Filters
from rag_platform.operations.asking.scope_names import ScopeName, complete, named
from rag_platform.operations.search_scope import refuse_unknown
from rag_platform.people.chat_scopes import ChatScope

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["chats"])
Id = Annotated[str, Path(alias="id")]
Typed = Annotated[str, Query(description="# or @ and the first letters, as in a question.", max_length=200)]


class NamesDocument(BaseModel):
    """What can be named in a question, each with the sign that does it."""

    names: list[ScopeName]


class ScopeRequest(RequestModel):
    """What a chat is answered from; nothing: from all that its owner may read."""

    collections: Texts = Field([])
    documents: Texts = Field([], description="By their ids.")
    attached_only: Flag = Field(False, description="From the chat's files alone, while it has some.")


class ScopeDocument(BaseModel):
    """What a chat is answered from."""

    collections: list[str]
    documents: list[str]
    attached_only: bool
    names: list[ScopeName] = Field(description="Those of them that the caller may read now.")


@router.get("/names", response_model=NamesDocument)
def complete_names(workspace: Served, caller: CurrentReader, typed: Typed) -> Response:
    """Complete `#collection` or `@document`, of what the caller may read."""
    return reply({"names": complete(workspace, typed, caller.principals)})


@router.get("/chats/{id}/scope", response_model=ScopeDocument)
def show_scope(workspace: Served, caller: CurrentAsker, chat: Id) -> Response:
    """Tell what a chat is answered from."""
    workspace.chats.own(chat, caller.owner)
    scope = workspace.chat_scopes.of(chat, caller.owner)
    shown = {"collections": scope.collections, "documents": scope.documents, "attached_only": scope.attached_only}
    return reply(shown | {"names": named(workspace, scope, caller.principals)})


@router.put("/chats/{id}/scope", response_model=ScopeDocument)
def set_scope(workspace: Served, caller: CurrentAsker, chat: Id, given: ScopeRequest) -> Response:
    """Say what a chat is answered from, from the next question on."""
    scope = ChatScope(tuple(given.collections), tuple(given.documents), given.attached_only)
    workspace.chats.own(chat, caller.owner)
    refuse_unknown(workspace, scope.within(Filters(principals=caller.principals)), operator=caller.admin)
    workspace.chat_scopes.set(chat, scope, caller.owner)
    return show_scope(workspace, caller, chat)
