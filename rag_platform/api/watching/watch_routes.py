"""Watches: questions and searches that are asked again after each publication, their changes and their feeds."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.models.fields import Expected, Flag, MatchName, Question, RequestModel, SearchMode, Text
from rag_platform.api.models.searching import Where
from rag_platform.api.problems import Problem, reply
from rag_platform.api.resources.receipts import readable_receipt
from rag_platform.operations.search_scope import refuse_unknown
from rag_platform.operations.watching.looking import look_first, options_of
from rag_platform.operations.watching.rights import address_of
from rag_platform.operations.watching.telling import feed_of
from rag_platform.operations.watching.watch_changes import SaidThen, WatchChange, changes_of, last_said
from rag_platform.operations.watching.watching import watch_answer
from rag_platform.people.watches import Watch
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1/watches", route_class=JsonRoute, tags=["watches"])
feeds = APIRouter(prefix="/v1/feeds", tags=["watches"])
Id = Annotated[str, Path(alias="id", description="A watch's id.")]
_FEED: dict[int | str, dict[str, Any]] = {200: {"content": {"application/atom+xml": {"schema": {"type": "string"}}}}}


class NewWatch(Where):
    """What is to be watched: a question, the words of a search, or an answer that was given."""

    question: Question | None = None
    receipt: Text | None = Field(None, description="Of an answer of the caller's, in place of all else.")
    kind: Annotated[Literal["question", "search"], Expected("question or search")] = "question"
    mode: SearchMode | None = None
    match: MatchName | None = None
    generator: Text | None = None
    mail: Flag = False


class MailWish(RequestModel):
    """Whether changes are told by e-mail."""

    mail: Flag


class WatchRow(BaseModel):
    """A watch."""

    id: str
    kind: Literal["question", "search"]
    question: str
    options: dict[str, Any] = Field(description="How it is asked: mode, generator, filters.")
    made_at: datetime
    mail: bool
    mail_to: str | None = Field(description="Where e-mails go; null: nowhere, because there is no address.")
    feed: bool
    unseen: int = Field(description="Changes that were not read yet.")
    problem: str = Field(description="Why the last look failed; empty: it did not.")


class WatchesDocument(BaseModel):
    """Watches, the newest first."""

    watches: list[WatchRow]


class WatchDocument(WatchRow):
    """A watch with what it found."""

    answer: SaidThen | None = Field(description="As it is now; null: it has not looked yet, or is a search.")
    changes: list[WatchChange]


class FeedDocument(BaseModel):
    """The token that reads a watch's feed; it is shown once."""

    token: str = Field(description="For `/v1/feeds/{token}`, and on the page for `/feeds/{token}`.")


@router.get("", response_model=WatchesDocument)
def list_watches(workspace: Served, caller: CurrentAsker) -> Response:
    """List the caller's watches."""
    _arrive(workspace, caller)
    unseen = workspace.watches.unseen(caller.owner)
    rows = [_row(workspace, one, unseen.get(one.id, 0)) for one in workspace.watches.of(caller.owner)]
    return reply({"watches": rows})


@router.post("", status_code=201, response_model=WatchDocument)
def begin_watch(workspace: Served, caller: CurrentAsker, given: NewWatch) -> Response:
    """Watch a question, a search or an answer: after each publication it is asked again, as the caller."""
    about: dict[str, Any] = {"principals": caller.principals, "token": _token(caller), "mail": given.mail}
    if given.receipt is not None:
        receipt = readable_receipt(workspace, caller, given.receipt)
        watch_id = watch_answer(workspace, caller.owner, receipt, **about)
    elif given.question is None:
        raise Problem(400, "there is neither a question nor a receipt", "one of them", "Add a question.")
    else:
        filters = given.filters(caller.principals)
        refuse_unknown(workspace, filters, operator=caller.admin)
        if given.generator is not None and not workspace.generators.knows(given.generator):
            known = ", ".join(workspace.generators.names())
            raise Problem(400, f"generator = {given.generator!r}", f"one of: {known}", "Choose one.")
        count_request(workspace, caller, "questions")
        options = options_of(filters, mode=given.mode, match=given.match, generator=given.generator)
        now = datetime.now(UTC)
        watch_id = workspace.watches.begin(caller.owner, given.question, now, kind=given.kind, options=options, **about)
        look_first(workspace, watch_id)
    return reply(_document(workspace, caller, _found(workspace, watch_id, caller)), 201)


@router.get("/{id}", response_model=WatchDocument)
def read_watch(workspace: Served, caller: CurrentAsker, watch: Id) -> Response:
    """Read a watch with its changes; what the caller may not read now is withheld."""
    _arrive(workspace, caller)
    return reply(_document(workspace, caller, _found(workspace, watch, caller)))


@router.patch("/{id}", response_model=WatchDocument)
def change_watch(workspace: Served, caller: CurrentAsker, watch: Id, given: MailWish) -> Response:
    """Tell of changes by e-mail, or no longer; e-mails go to the caller's own address alone."""
    workspace.watches.set_mail(watch, caller.owner, wanted=given.mail)
    return reply(_document(workspace, caller, _found(workspace, watch, caller)))


@router.delete("/{id}", status_code=204)
def end_watch(workspace: Served, caller: CurrentAsker, watch: Id) -> Response:
    """Watch no longer; what was found, and the feed, are gone."""
    workspace.watches.end(watch, caller.owner)
    return Response(status_code=204)


@router.put("/{id}/seen", status_code=204)
def see_watch(workspace: Served, caller: CurrentAsker, watch: Id) -> Response:
    """Note that the caller has read the changes of a watch."""
    workspace.watches.see(watch, caller.owner)
    return Response(status_code=204)


@router.put("/{id}/feed", response_model=FeedDocument)
def make_feed(workspace: Served, caller: CurrentAsker, watch: Id) -> Response:
    """Make the token that reads a watch's feed, as the caller; one that was made before ends."""
    return reply({"token": workspace.watches.make_feed(watch, caller.owner)})


@router.delete("/{id}/feed", status_code=204)
def end_feed(workspace: Served, caller: CurrentAsker, watch: Id) -> Response:
    """Let nobody read a watch's feed any more."""
    workspace.watches.end_feed(watch, caller.owner)
    return Response(status_code=204)


@feeds.get(
    "/{token}",
    response_class=Response,
    responses={200: {"content": {"application/atom+xml": {"schema": {"type": "string"}}}}},
)
def read_feed(workspace: Served, token: str) -> Response:
    """Read a watch's changes as an Atom feed: whoever has its token, which needs no other."""
    found = feed_of(workspace, token)
    if found is None:
        raise Problem(404, "no feed is read by this token", "one of PUT /v1/watches/{id}/feed", "Make another.")
    return Response(found, headers={"cache-control": "private, no-store"}, media_type="application/atom+xml")


def _found(workspace: Workspace, watch_id: str, caller: Caller) -> Watch:
    found = workspace.watches.find(watch_id, caller.owner)
    if found is None:
        raise Problem(404, "there is no such watch of yours", "the id of one", "GET /v1/watches lists them.")
    return found


def _arrive(workspace: Workspace, caller: Caller) -> None:
    if not _token(caller):
        workspace.watches.arrived(caller.owner, caller.principals, datetime.now(UTC))


def _token(caller: Caller) -> str:
    kind, _, name = caller.who.partition(":")
    return name if kind == "token" else ""


def _row(workspace: Workspace, watch: Watch, unseen: int) -> dict[str, Any]:
    named = ("id", "kind", "question", "options", "made_at", "mail", "feed", "problem")
    mail_to = address_of(workspace, watch.owner)
    return {name: getattr(watch, name) for name in named} | {"mail_to": mail_to, "unseen": unseen}


def _document(workspace: Workspace, caller: Caller, watch: Watch) -> dict[str, Any]:
    unseen = workspace.watches.unseen(caller.owner).get(watch.id, 0)
    changes = changes_of(workspace, watch, caller.readers)
    found = {"answer": last_said(workspace, watch, caller.readers), "changes": changes}
    return _row(workspace, watch, unseen) | found
