"""Who may read what: rules, groups, and the log of every change."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.access.decisions import Change, Member, Rule, Target
from rag_platform.api.access import CurrentAdmin, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Count, Moment, Name, Question, RequestModel, Text, Texts
from rag_platform.api.problems import Problem, reply
from rag_platform.operations.rule_targets import may_read, reasons_of, rule_target
from rag_platform.provenance.inventory import find_document
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/acl", route_class=JsonRoute, tags=["permissions"])
_TARGET = "A document's address or id, source:ID, collection:NAME, or a pattern of addresses with * and ?."
Of = Annotated[Text, Query(description="A collection, or addresses, of this source alone.")]

Group = Annotated[str, Path(description="Such as group:board.")]


class RuleDocument(BaseModel):
    """Somebody may read something, or may not."""

    target: str
    effect: str
    principal: str
    until: datetime | None
    at: datetime
    who: str
    why: str


class RulesDocument(BaseModel):
    """The rules, the least particular first."""

    rules: list[RuleDocument]


class ReadersDocument(BaseModel):
    """Who may read a document, and what says so."""

    doc_id: str
    readers: list[str]
    named_by: str
    denied: list[str]
    closed: str | None = Field(description="Why nobody may read it at all; null: somebody may.")
    rules: list[RuleDocument]
    may_read: bool | None = Field(description="Whether the principals of `as` may; null: none were named.")


class ChangesDocument(BaseModel):
    """The log, the newest first."""

    changes: list[Change]


class GroupsDocument(BaseModel):
    """Who is in which group, beside those that sign-in brings."""

    members: list[Member]


class NewRule(RequestModel):
    """What is decided about a target."""

    target: Text = Field(description=_TARGET)
    source: Text = ""
    allow: Texts = Field([])
    deny: Texts = Field([])
    until: Moment | None = None
    why: Question = Field(description="The reason, for the log.")


class Joining(RequestModel):
    """Who joins a group, and why."""

    members: Annotated[list[Question], Field(min_length=1)]
    why: Text = ""


@router.get("/rules", response_model=RulesDocument)
def list_rules(
    workspace: Served,
    _: CurrentAdmin,
    target: Annotated[Text | None, Query(description=_TARGET)] = None,
    source: Of = "",
) -> Response:
    """List the rules, or those about something."""
    return _rules(workspace, None if target is None else rule_target(workspace, target, source))


@router.post("/rules", response_model=RulesDocument)
def set_rule(workspace: Served, caller: CurrentAdmin, given: NewRule) -> Response:
    """Let somebody read something, or forbid it: from the next question on, in every version."""
    about, decided = rule_target(workspace, given.target, given.source), given.model_dump(include={"allow", "deny"})
    workspace.access.rules.set(about, **decided, until=given.until, who=caller.who, why=given.why)
    return _rules(workspace, about)


@router.delete("/rules", response_model=RulesDocument)
def remove_rules(
    workspace: Served,
    caller: CurrentAdmin,
    target: Annotated[Text, Query(description=_TARGET)],
    why: Annotated[Question, Query(description="The reason, for the log.")],
    source: Of = "",
    principal: Annotated[list[str], Query(description="Only what is said of them.")] = [],  # noqa: B006
) -> Response:
    """Take rules back: what the source says counts again."""
    about = rule_target(workspace, target, source)
    if not workspace.access.rules.remove(about, principal, who=caller.who, why=why):
        raise Problem(404, f"there is no rule about {about}", "what a rule is about", "GET /v1/acl/rules lists them.")
    return _rules(workspace, about)


@router.get("/readers", response_model=ReadersDocument)
def show_readers(
    workspace: Served,
    _: CurrentAdmin,
    document: Annotated[Name, Query(description="Its address, the end of one, or its id.")],
    reader: Annotated[list[str], Query(alias="as", description="Tell whether they may.")] = [],  # noqa: B006
) -> Response:
    """Tell who may read a document and why."""
    doc_id = find_document(workspace, document).doc_id
    found = reasons_of(workspace, doc_id)
    if found is None:
        raise Problem(404, f"{doc_id} is in no version that is kept", "one that is", "Sync its source.")
    may = may_read(workspace, doc_id, reader) if reader else None
    return reply({"doc_id": doc_id, "may_read": may, **found.to_dict()})


@router.get("/log", response_model=ChangesDocument)
def list_changes(workspace: Served, _: CurrentAdmin, limit: Count = 50) -> Response:
    """List the changes of who may read what: who, when, what and why."""
    return reply({"changes": [asdict(one) for one in workspace.access.rules.changes(limit)]})


@router.get("/groups", response_model=GroupsDocument)
def list_groups(workspace: Served, _: CurrentAdmin) -> Response:
    """List who is in which group."""
    return _groups(workspace)


@router.post("/groups/{name}", response_model=GroupsDocument)
def join_group(
    workspace: Served,
    caller: CurrentAdmin,
    name: Group,
    given: Joining,
) -> Response:
    """Put users, or groups, into a group."""
    workspace.access.rules.join(name, given.members, who=caller.who, why=given.why)
    return _groups(workspace)


@router.delete("/groups/{name}", response_model=GroupsDocument)
def leave_group(
    workspace: Served,
    caller: CurrentAdmin,
    name: Group,
    member: Annotated[list[str], Query(min_length=1)],
    why: Annotated[str, Query()] = "",
) -> Response:
    """Take users, or groups, out of a group."""
    workspace.access.rules.leave(name, member, who=caller.who, why=why)
    return _groups(workspace)


def _rules(workspace: Workspace, about: Target | None) -> Response:
    rules = [rule for rule in workspace.access.rules.list() if about is None or rule.target == about]
    return reply({"rules": [_row(rule) for rule in rules]})


def _row(rule: Rule) -> dict[str, Any]:
    return asdict(rule) | {"target": str(rule.target)}


def _groups(workspace: Workspace) -> Response:
    return reply({"members": [asdict(one) for one in workspace.access.rules.members()]})
