"""What a route is given: the workspace, who asks, and what was sent, read and checked."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from anyio import from_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.access import Caller, authenticate
from rag_platform.api.problems import Problem, reply
from rag_platform.people.tokens import Tokens
from rag_platform.sources.uploads.collections import Collections
from rag_platform.workspace import Workspace

LARGEST = 100_000
"""Bytes of a request in JSON."""
PATIENCE = 60.0
"""Seconds without a further byte of a body, after which the request is given up."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    workspace: Workspace
    asker: Caller
    path: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: Mapping[str, Any]
    hung_up: Callable[[], bool] = lambda: False
    """Tells whether nobody waits for the answer any more."""

    def collections(self) -> Collections:
        """Open the collections of the source that the query names, else of the only one."""
        named = self.query.get("source", [None])[0]
        if named is not None and named not in self._upload_sources():
            raise Problem(404, f"there is no upload source {named!r}", "one of rag.toml", "Leave `source` out.")
        return self.workspace.collections(named)

    def _upload_sources(self) -> list[str]:
        return [source.id for source in self.workspace.settings.sources if source.kind == "upload"]

    def editing(self) -> Collections:
        """Open the collections for somebody who may change them."""
        self.asker.must_edit()
        collections = self.collections()
        if "id" in self.path:
            collections.show(self.path["id"], self.asker.readers)  # what one may not see, one may not change
        return collections

    def count(self, kind: str) -> None:
        """Count a search or a question of whoever holds a token; `TooManyRequests` when there are too many."""
        if not self.asker.local:
            self.workspace.rates.take(kind, f"token:{self.asker.name}")

    def fields(self, required: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
        """Return the body, which must have these keys and no others."""
        required, optional = set(required), set(optional)
        unknown, missing = sorted(self.body.keys() - required - optional), sorted(required - self.body.keys())
        if unknown or missing:
            what = f"there is no key {unknown[0]!r}" if unknown else f"the key {missing[0]!r} is missing"
            raise Problem(400, what, f"keys of: {', '.join(sorted(required | optional))}", "Mend the JSON.")
        return dict(self.body)


Route = Callable[[Call], Any]
"""Gives a document, a (status, document), or a response."""


def endpoint(workspace: Workspace, route: Route) -> Callable[[Request], Awaitable[Response]]:
    """Return what Starlette calls for a route; the route itself may wait for disk and model."""

    async def answer(request: Request) -> Response:
        body = await _json(request) if request.method in ("POST", "PATCH") else {}
        made = await run_in_threadpool(lambda: route(call_of(workspace, request, body)))
        if isinstance(made, Response):
            return made
        status, document = made if isinstance(made, tuple) else (200, made)
        return reply(document, status)

    return answer


def call_of(workspace: Workspace, request: Request, body: Mapping[str, Any]) -> Call:
    """Return what a route is given; asks the journal who asks, so not to be called from the event loop."""
    query: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        query.setdefault(name, []).append(value)
    asker = authenticate(request, Tokens(workspace.journal))
    return Call(workspace, asker, request.path_params, query, body, lambda: from_thread.run(request.is_disconnected))


async def pieces(request: Request) -> AsyncIterator[bytes]:
    """Give a body as it comes; `Problem` when nothing more of it comes."""
    stream = aiter(request.stream())
    while True:
        try:
            yield await asyncio.wait_for(anext(stream), PATIENCE)
        except StopAsyncIteration:
            return
        except TimeoutError:
            said = f"nothing of the body came for {PATIENCE:g} seconds"
            raise Problem(408, said, "the whole request", "Send it again.") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number of JSON")


async def _json(request: Request) -> dict[str, Any]:
    content = b""
    async for piece in pieces(request):
        content += piece
        if len(content) > LARGEST:
            raise Problem(413, f"more than {LARGEST} bytes of JSON", "a small document", "Shorten it.")
    try:
        document = json.loads(content or b"{}", parse_constant=_refuse)
        json.dumps(document, ensure_ascii=False).encode()  # half a surrogate pair cannot be kept or sent
    except (ValueError, RecursionError) as error:
        raise Problem(400, f"the body is not JSON: {error}", "a JSON object", "Mend the body.") from error
    if not isinstance(document, dict):
        raise Problem(400, f"the body is a {type(document).__name__}", "a JSON object", "Mend the body.")
    return document
