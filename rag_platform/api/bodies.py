"""Bodies of requests: read within limits of size and time, as JSON or piece by piece."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from fastapi.routing import APIRoute
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from rag_platform.api.idempotency import answered_once
from rag_platform.api.problems import Problem, answer_problem
from rag_platform.core.errors import RagError

LARGEST = 100_000
"""Bytes of a request in JSON."""
PATIENCE = 60.0
"""Seconds without a further byte of a body, after which the request is given up."""

Handler = Callable[[Request], Awaitable[Response]]


class JsonRoute(APIRoute):
    """A route whose body, if it has one, is JSON, whatever its content type says."""

    largest = LARGEST
    once = True
    """Whether it may be asked to do a request once, and so to keep its answer."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return the handler, given a body that was read and parsed already."""
        handle: Handler = super().get_route_handler()
        if self.body_field is None:
            return handle

        async def handle_json(request: Request) -> Response:
            try:
                document = await _object(request, self.largest)
                given = _JsonRequest(request, document)
                return await (answered_once(given, document, handle) if self.once else handle(given))
            except ClientDisconnect:
                return Response(status_code=400)  # to nobody

        return handle_json


class UploadRoute(APIRoute):
    """A route that reads its body itself, and reads no further once something is wrong."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return the handler, which hangs up on what it refuses."""
        handle: Handler = super().get_route_handler()

        async def handle_upload(request: Request) -> Response:
            try:
                return await handle(request)
            except (Problem, RagError) as problem:
                response = answer_problem(request, problem)
                response.headers["connection"] = "close"  # or the server reads what is still being sent to its end
                return response
            except ClientDisconnect:
                return Response(status_code=400)  # to nobody

        return handle_upload


class _JsonRequest(Request):
    """A request with its parsed body."""

    def __init__(self, request: Request, document: dict[str, Any]) -> None:
        headers = [(name, value) for name, value in request.scope["headers"] if name != b"content-type"]
        scope = dict(request.scope) | {"headers": [*headers, (b"content-type", b"application/json")]}
        super().__init__(scope, request.receive)
        self._document = document

    async def body(self) -> bytes:
        """Return something, so that the document is asked for."""
        return b"{}"

    async def json(self) -> dict[str, Any]:
        """Return the document."""
        return self._document


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


async def _object(request: Request, largest: int) -> dict[str, Any]:
    content = b""
    async for piece in pieces(request):
        content += piece
        if len(content) > largest:
            raise Problem(413, f"more than {largest} bytes of JSON", "a small document", "Shorten it.")
    try:
        document = json.loads(content or b"{}", parse_constant=_refuse)
        json.dumps(document, ensure_ascii=False).encode()  # half a surrogate pair cannot be kept or sent
    except (ValueError, RecursionError) as error:
        raise Problem(400, f"the body is not JSON: {error}", "a JSON object", "Mend the body.") from error
    if not isinstance(document, dict):
        raise Problem(400, f"the body is a {type(document).__name__}", "a JSON object", "Mend the body.")
    return document
