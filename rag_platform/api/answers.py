"""Search and ask: the same as on the command line, with the same JSON."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import asdict
from typing import Annotated, Any, cast

from anyio import from_thread
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from rag_platform.api import http_models
from rag_platform.api.access import Caller, CurrentCaller, Served
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import Problem, reply
from rag_platform.core.answers import Answer
from rag_platform.core.hits import Filters
from rag_platform.operations.replies import answer_document, search_document, why_document
from rag_platform.operations.search_scope import refuse_unknown
from rag_platform.provenance.why import why as find_why
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=JsonRoute)


@router.get("/search", response_model=http_models.SearchDocument)
def search(workspace: Served, caller: CurrentCaller, given: Annotated[http_models.SearchRequest, Query()]) -> Response:
    """Find passages."""
    options = {"k": 10, **_options(workspace, caller, given), **_per_document(given.per_document)}
    _count(workspace, caller, "searches")
    found = workspace.retriever.search(given.q, **options, explain=given.explain, who=caller.who)
    return reply(search_document(found))


@router.get("/why", response_model=http_models.WhyDocument)
def why(workspace: Served, caller: CurrentCaller, given: Annotated[http_models.WhyRequest, Query()]) -> Response:
    """Tell at which stage a document was lost for a question."""
    options = _options(workspace, caller, given) | _per_document(given.per_document)
    _count(workspace, caller, "searches")
    return reply(why_document(find_why(workspace, given.q, given.uri, **options, who=caller.who)))


@router.post("/ask", response_model=http_models.AnswerDocument)
def ask(request: Request, workspace: Served, caller: CurrentCaller, given: http_models.AskRequest) -> Response:
    """Answer a question, every sentence cited."""
    known = workspace.generators.names()
    if given.generator is not None and given.generator not in known:
        raise Problem(400, f"generator = {given.generator!r}", f"one of: {', '.join(known)}", "Choose one.")
    options = {"generator": given.generator, "history": given.turns(), **_options(workspace, caller, given)}
    options |= {"who": caller.who, "session": given.session or caller.who}
    _count(workspace, caller, "questions")
    return reply(
        _answered(workspace, given.question, options, hung_up=lambda: from_thread.run(request.is_disconnected))
    )


@router.get("/generators", response_model=http_models.GeneratorsDocument)
def generators(workspace: Served, caller: CurrentCaller) -> Response:
    """List who may write an answer, and how their servers are."""
    listed = [asdict(health) for health in workspace.generators.health()]
    if not caller.local:  # an address of the house, and what its server said, are not for everybody
        listed = [health | {"url": None, "problem": health["problem"] and "it does not answer"} for health in listed]
    return reply({"generators": listed, "default": workspace.generators.default})


def _answered(
    workspace: Workspace, question: str, options: dict[str, Any], *, hung_up: Callable[[], bool]
) -> dict[str, Any]:
    parts = cast(Generator[Any, None, None], workspace.answerer.stream(question, **options))
    with closing(parts):  # which ends the server's work too
        for part in parts:
            if isinstance(part, Answer):
                return answer_document(part)
            if hung_up():
                raise Problem(499, "nobody waits for the answer", "a connection that stays open", "Ask again.")
    raise AssertionError("a stream ends with its answer")


def _options(workspace: Workspace, caller: Caller, given: http_models.Options) -> dict[str, Any]:
    """Return k, mode and filters; whoever has a token reads as it says."""
    if given.as_ is not None and not caller.local:
        raise Problem(403, "a token reads as it was made to", "no `as`", "Leave it out, or make another token.")
    filters = Filters(
        collections=tuple(given.collection),
        sources=tuple(given.source),
        languages=tuple(given.lang),
        types=tuple(given.type),
        tags=tuple(given.tag),
        since=given.since,
        until=given.until,
        match=given.match,
        principals=caller.principals if given.as_ is None else tuple(given.as_),
    )
    refuse_unknown(workspace, filters, operator=caller.local)
    chosen = {"k": given.k, "mode": given.mode}
    return {"filters": filters} | {name: value for name, value in chosen.items() if value is not None}


def _per_document(count: int | None) -> dict[str, int]:
    return {} if count is None else {"per_document": count}


def _count(workspace: Workspace, caller: Caller, kind: str) -> None:
    """Count a search or a question of whoever holds a token; `TooManyRequests` when there are too many."""
    if not caller.local:
        workspace.rates.take(kind, f"token:{caller.name}")
