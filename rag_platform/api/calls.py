"""What a route is given: the workspace, who asks, and what was sent, read and checked."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.access import Asker, who_asks
from rag_platform.api.problems import Problem, reply
from rag_platform.parts import Workspace
from rag_platform.tokens import Tokens
from rag_platform.uploads.collections import Collections

LARGEST = 100_000
"""Bytes of a request in JSON."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request."""

    workspace: Workspace
    asker: Asker
    path: Mapping[str, str]
    query: Mapping[str, list[str]]
    body: Mapping[str, Any]

    def collections(self) -> Collections:
        """Open the collections of the source that the query names, else of the only one."""
        source = self.query.get("source")
        return self.workspace.collections(source[0] if source else None)

    def editing(self) -> Collections:
        """Open the collections for somebody who may change them."""
        self.asker.must_edit()
        collections = self.collections()
        if "id" in self.path:
            collections.show(self.path["id"], self.asker.readers)  # what one may not see, one may not change
        return collections

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
    return Call(workspace, who_asks(request, Tokens(workspace.journal)), request.path_params, query, body)


async def _json(request: Request) -> dict[str, Any]:
    content = b""
    async for piece in request.stream():
        content += piece
        if len(content) > LARGEST:
            raise Problem(413, f"more than {LARGEST} bytes of JSON", "a small document", "Shorten it.")
    try:
        document = json.loads(content or b"{}")
    except ValueError as error:
        raise Problem(400, f"the body is not JSON: {error}", "a JSON object", "Mend the body.") from error
    if not isinstance(document, dict):
        raise Problem(400, f"the body is a {type(document).__name__}", "a JSON object", "Mend the body.")
    return document
