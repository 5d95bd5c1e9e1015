"""Who is known and what they may read, their roles; tokens; and the models and servers that are set up."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Question
from rag_platform.api.problems import reply
from rag_platform.operations.administering.endpoint_trials import Endpoint, Trial, endpoints, try_endpoint
from rag_platform.operations.administering.known_people import (
    KnownPrincipal,
    SourceReading,
    known_principals,
    principals_of,
    reading_of,
)
from rag_platform.people.tokens import Tokens

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["permissions"])


class PeopleDocument(BaseModel):
    """Every user and group that is named somewhere, or was seen lately."""

    people: list[KnownPrincipal]


class ReadingDocument(BaseModel):
    """What somebody may read now, source by source."""

    names: list[str] = Field(description="As whom they read, with all their groups.")
    sources: list[SourceReading]
    rules: list[dict[str, Any]] = Field(description="That name them, or a group of theirs.")


class TokenDocument(BaseModel):
    """A token, without its secret."""

    name: str
    scopes: list[str]
    principals: list[str]
    collections: list[str]
    created_at: datetime
    created_by: str


class TokensDocument(BaseModel):
    """The tokens by name."""

    tokens: list[TokenDocument]


class EndpointsDocument(BaseModel):
    """The models and servers that are set up."""

    endpoints: list[Endpoint]


@router.get("/people", response_model=PeopleDocument)
def list_people(workspace: Served, _: CurrentAdmin) -> Response:
    """List users and groups with their roles, and what names them."""
    return reply({"people": [asdict(one) for one in known_principals(workspace)]})


@router.get("/people/reading", response_model=ReadingDocument)
def show_reading(
    workspace: Served,
    _: CurrentAdmin,
    reader: Annotated[list[Question], Query(alias="as", max_length=100, description="Users and groups.")] = [],  # noqa: B006
) -> Response:
    """Tell what somebody may read of each source, and by which of their names."""
    names = dict.fromkeys(name for one in reader for name in principals_of(workspace, one))
    found = reading_of(workspace, [*names])
    rules = [asdict(rule) | {"target": str(rule.target)} for rule in found.rules]
    return reply({"names": found.names, "sources": [asdict(one) for one in found.sources], "rules": rules})


@router.get("/tokens", response_model=TokensDocument)
def list_tokens(workspace: Served, _: CurrentAdmin) -> Response:
    """List the tokens; what they are is known to their holders alone."""
    return reply({"tokens": [asdict(one) for one in Tokens(workspace.journal).list()]})


@router.delete("/tokens/{name}", response_model=TokensDocument)
def revoke_token(workspace: Served, caller: CurrentAdmin, name: Annotated[str, Path()]) -> Response:
    """Revoke a token: whoever has it is refused from now on."""
    Tokens(workspace.journal).revoke(name)
    return list_tokens(workspace, caller)


@router.get("/endpoints", response_model=EndpointsDocument)
def list_endpoints(workspace: Served, _: CurrentAdmin) -> Response:
    """List the models and servers that the settings name."""
    return reply({"endpoints": [asdict(one) for one in endpoints(workspace.settings)]})


@router.post("/endpoints/{table}/test", response_model=Trial)
def try_one(
    workspace: Served, _: CurrentAdmin, table: Annotated[str, Path(description="Such as generator.")]
) -> Response:
    """Send a real, small request to a model or server, and tell what came back, or the error."""
    return reply(asdict(try_endpoint(workspace, table)))
