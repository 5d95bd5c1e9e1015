"""The header Idempotency-Key: a POST with one is done once, and answered the same when it is sent again."""

import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rag_platform.api.problems import Problem
from rag_platform.people.repeated_requests import KeptAnswer, RepeatedRequests

HEADER = "idempotency-key"
REPLAYED = "idempotent-replayed"
_LONGEST = 255
_KEPT_HEADERS = ("content-type", "location", "link")

Readable = Callable[[str], bool]


class Repeated(Exception):
    """Ends a request with the answer that was given to it before."""

    def __init__(self, answer: KeptAnswer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def answer_repeated(_: Request, repeated: Exception) -> Response:
    """Answer as before."""
    assert isinstance(repeated, Repeated)
    kept = repeated.answer
    headers = {**kept.headers, "cache-control": "no-store", REPLAYED: "true"}
    return Response(kept.body, kept.status, headers)


def begin_once(request: Request, requests: RepeatedRequests, who: str, rights: object, readable: Readable) -> None:
    """Note a request with a key, whose caller is known; `Repeated` when it was answered already.

    Args:
        request: whose body was read.
        requests: those that are kept.
        who: the caller.
        rights: what they may read and do: an answer is told again to the same rights alone.
        readable: tells whether they may still read what the answer of a receipt tells of.

    Raises:
        Problem: 400, the key is too long; 409, the same request is being answered; 410, its answer is kept no more;
            422, the key was another's.
    """
    key = request.headers.get(HEADER)
    if key is None or request.method != "POST" or not hasattr(request.state, "asked"):
        return
    if not 0 < len(key) <= _LONGEST:
        raise Problem(400, f"{HEADER}: {len(key)} characters", f"1 to {_LONGEST}", "Choose another.")
    asked = hashlib.sha256(f"{request.state.asked} {rights}".encode()).hexdigest()
    found = requests.begin(who, key, asked)
    if isinstance(found, KeptAnswer) and (found.receipt is None or readable(found.receipt)):
        raise Repeated(found)
    if found == "running":
        raise Problem(409, "this request is being answered just now", "one at a time", "Wait, then send it again.")
    if found == "another":
        said = f"{HEADER}: {key!r} was sent with another request, or with other rights"
        raise Problem(422, said, "a key of its own", "Choose a new key.")
    if found != "new":
        said = "this was done, and its answer is told no more: what may be read has changed since"
        raise Problem(410, said, "a request that was not sent before", "Ask again, with a new key.")
    request.state.once = (requests, who, key)


def tells_of_documents(request: Request, receipt: str | None) -> None:
    """Let the answer be told again only as long as its caller may read what it tells of."""
    request.state.receipt = receipt or ""


async def answered_once(request: Request, document: Any, handle: Callable[[Request], Awaitable[Response]]) -> Response:
    """Answer a request with JSON; keep the answer where the caller gave a key, and forget a failure."""
    given = f"{request.url.path}?{request.url.query}\n{json.dumps(document, sort_keys=True)}"
    request.state.asked = hashlib.sha256(given.encode()).hexdigest()
    try:
        response = await handle(request)
    except BaseException:
        await _settle(request, None)
        raise
    await _settle(request, None if isinstance(response, StreamingResponse) else response)
    return response


async def _settle(request: Request, response: Response | None) -> None:
    noted: tuple[RepeatedRequests, str, str] | None = getattr(request.state, "once", None)
    if noted is None:
        return
    requests, who, key = noted
    if response is None or response.status_code >= 400:
        await run_in_threadpool(requests.give_up, who, key)
        return
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    receipt = getattr(request.state, "receipt", None)
    kept = KeptAnswer(response.status_code, headers, bytes(response.body), receipt)
    await run_in_threadpool(requests.keep, who, key, kept)
