"""Search and ask: the same as on the command line, with the same JSON."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from typing import Annotated, Any

from anyio import from_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from rag_platform.answering.events import AnswerEvents
from rag_platform.api.access import Caller, CurrentAsker, CurrentReader, Served
from rag_platform.api.answer_events import NAMES, EventsTold, answer_events, failed_event
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.event_stream import event_stream
from rag_platform.api.idempotency import tells_of_documents
from rag_platform.api.models.asking import AnswerDocument, AskRequest, ChatQuestion, GeneratorsDocument
from rag_platform.api.models.searching import Options, SearchDocument, SearchRequest, WhyDocument, WhyRequest
from rag_platform.api.problems import Problem, reply
from rag_platform.core.answers import Answer
from rag_platform.operations.replies import answer_document, search_document, why_document
from rag_platform.operations.search_scope import prompts_for, refuse_unknown, version_as_of
from rag_platform.provenance.why import why as find_why
from rag_platform.retrieval.audited import AuditedRetriever
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=JsonRoute, tags=["search and ask"])
EVENTS = "text/event-stream"
_LISTED = " ".join(f"`{name}`: {about}" for name, about in NAMES.items())
ANSWER_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": f"The answer; for whoever accepts `{EVENTS}`, its events. {_LISTED}",
        "content": {EVENTS: {"schema": {"type": "string"}}},
    }
}


@router.get("/search", response_model=SearchDocument)
def search(workspace: Served, caller: CurrentReader, given: Annotated[SearchRequest, Query()]) -> Response:
    """Find passages."""
    options = {"k": 10, **_options(workspace, caller, given), **_per_document(given.per_document)}
    count_request(workspace, caller, "searches")
    found = _retriever(workspace, caller, given.as_of).search(given.q, **options, explain=given.explain, who=caller.who)
    return reply(search_document(found))


@router.get("/why", response_model=WhyDocument)
def why(workspace: Served, caller: CurrentReader, given: Annotated[WhyRequest, Query()]) -> Response:
    """Tell at which stage a document was lost for a question."""
    options = _options(workspace, caller, given) | _per_document(given.per_document)
    count_request(workspace, caller, "searches")
    retriever = _retriever(workspace, caller, given.as_of)
    return reply(why_document(find_why(workspace, given.q, given.uri, **options, retriever=retriever, who=caller.who)))


@router.post("/ask", response_model=AnswerDocument, responses=ANSWER_RESPONSES)
def ask(request: Request, workspace: Served, caller: CurrentAsker, given: AskRequest) -> Response:
    """Answer a question, every sentence cited."""
    options = ask_options(workspace, caller, given) | {"history": given.turns(), "asker": caller.owner}
    version = _version(workspace, caller, given.as_of)
    answerer = workspace.answerer_as_of(version) if version else workspace.answerer
    return answering(request, answerer.stream(given.question, **options))


def ask_options(workspace: Workspace, caller: Caller, given: ChatQuestion) -> dict[str, Any]:
    """Return how a question is asked, and count it."""
    known = workspace.generators.names()
    if given.generator is not None and not workspace.generators.knows(given.generator):
        raise Problem(400, f"generator = {given.generator!r}", f"one of: {', '.join(known)}", "Choose one.")
    options = {"generator": given.generator, **_options(workspace, caller, given)}
    if given.prompt is not None and given.prompt not in (own := prompts_for(workspace, caller.principals)):
        raise Problem(
            404, f"there is no saved prompt {given.prompt!r}", f"one of: {', '.join(own) or 'none'}", "Choose."
        )
    options |= {"prompt": given.prompt, "search": given.search}
    options |= {"who": caller.who, "session": given.session or caller.who}
    count_request(workspace, caller, "questions")
    return options


def answering(
    request: Request,
    parts: AnswerEvents,
    told: Callable[[AnswerEvents], EventsTold] = answer_events,
    shown: Callable[[Answer], dict[str, Any]] = answer_document,
) -> Response:
    """Answer with the whole, or with events as they come, whichever is accepted; a client that leaves ends the work."""
    if accepts_events(request):
        return event_stream(told(parts), failed_event)
    answer = _answered(parts, hung_up=lambda: from_thread.run(request.is_disconnected))
    tells_of_documents(request, answer.receipt_id)
    return reply(shown(answer))


def accepts_events(request: Request) -> bool:
    """Return whether a client wants server-sent events."""
    return EVENTS in request.headers.get("accept", "")


@router.get("/generators", response_model=GeneratorsDocument)
def generators(workspace: Served, caller: CurrentReader) -> Response:
    """List who may write an answer, and how their servers are."""
    listed = [asdict(health) for health in workspace.generators.health()]
    if not caller.admin:  # an address of the house, and what its server said, are not for everybody
        listed = [health | {"url": None, "problem": health["problem"] and "it does not answer"} for health in listed]
    return reply({"generators": listed, "default": workspace.generators.default})


def _answered(parts: AnswerEvents, *, hung_up: Callable[[], bool]) -> Answer:
    with closing(parts):  # which ends the server's work too
        for part in parts:
            if isinstance(part, Answer):
                return part
            if hung_up():
                raise Problem(499, "nobody waits for the answer", "a connection that stays open", "Ask again.")
    raise AssertionError("a stream ends with its answer")


def _options(workspace: Workspace, caller: Caller, given: Options) -> dict[str, Any]:
    """Return k, mode and filters; whoever has a token reads as it says."""
    if given.as_ is not None and not caller.admin:
        raise Problem(403, "a token reads as it was made to", "no `as`", "Leave it out, or make another token.")
    filters = given.filters(caller.principals if given.as_ is None else given.as_)
    filters = replace(filters, match=given.match)
    if getattr(given, "as_of", None) is None:
        refuse_unknown(workspace, filters, operator=caller.admin)
    chosen = {"k": given.k, "mode": given.mode}
    return {"filters": filters} | {name: value for name, value in chosen.items() if value is not None}


def _version(workspace: Workspace, caller: Caller, as_of: str | None) -> str | None:
    return None if as_of is None else version_as_of(workspace, as_of, operator=caller.admin)


def _retriever(workspace: Workspace, caller: Caller, as_of: str | None) -> AuditedRetriever:
    version = _version(workspace, caller, as_of)
    return workspace.retriever.as_of(version) if version else workspace.retriever


def _per_document(count: int | None) -> dict[str, int]:
    return {} if count is None else {"per_document": count}


def count_request(workspace: Workspace, caller: Caller, kind: str, cost: int = 1) -> None:
    """Count a search or a question of anyone but an admin; `TooManyRequests` when there are too many.

    `cost` is how many searches one request is worth.
    """
    if not caller.admin:
        workspace.rates.take(kind, caller.who, cost)
