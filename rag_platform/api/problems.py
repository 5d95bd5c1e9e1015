"""What an answer looks like, and what one that went wrong says: the error, what was expected, and what to do.

Errors are problem details (RFC 9457), with `expected` and `do` as members of our own.
"""

import json
import logging
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.models import fields
from rag_platform.core import errors
from rag_platform.core.plain_json import plain
from rag_platform.monitoring.tracing import request_id

_STATUS = {
    errors.TooLarge: 413,
    errors.AlreadyThere: 409,
    errors.UploadRefused: 400,
    errors.NotFound: 404,
    errors.QuestionSetError: 400,
    errors.RuleRefused: 400,
    errors.SettingsError: 400,
    errors.WorkspaceBusy: 409,
    errors.TooManyRequests: 429,
    errors.NothingPublished: 503,
    errors.DatabaseUnavailable: 503,
    errors.DamagedVersion: 500,
    errors.VersionError: 409,
    errors.RagError: 500,
}
_EXPECTED = {
    400: ("a request as /v1/openapi.json describes it", "Mend the request."),
    404: ("something that is there", "Look at /v1/openapi.json and /v1/collections for what there is."),
    405: ("another method", "Look at /v1/openapi.json for the methods of this path."),
    409: ("nothing else in the way", "Wait, then try again."),
    429: ("fewer requests within a minute", "Wait as long as the header Retry-After says."),
    500: ("the workspace in working order", "Run `rag doctor` where the server runs."),
    503: ("a published version", "Start a sync, and wait until it ends."),
}


PROBLEM = "application/problem+json"
"""The content type of errors."""
_KNOWN = frozenset(HTTPStatus)
_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class ProblemDocument(BaseModel):
    """What went wrong, as RFC 9457 has it, what was expected, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    expected: str
    do: str


class Problem(Exception):
    """Ends a request with an error, what was expected and what to do; `seconds` says when to try again."""

    def __init__(self, status: int, error: str, expected: str, do: str, *, seconds: int | None = None) -> None:
        super().__init__(error)
        self.seconds = seconds
        self.status, self.error, self.expected, self.do = status, error, expected, do


def reply(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a document as JSON."""
    body = json.dumps(document, default=plain, ensure_ascii=False)
    return Response(body, status, _HEADERS | (headers or {}), "application/json")


def problem_document(problem: Problem | errors.RagError) -> tuple[int, dict[str, Any]]:
    """Return the status and the document of an error."""
    if isinstance(problem, Problem):
        return problem.status, _document(problem.status, problem.error, problem.expected, problem.do)
    status = next(_STATUS[kind] for kind in type(problem).__mro__ if kind in _STATUS)
    if isinstance(problem, errors.UploadRefused):
        return status, _document(status, problem.error, problem.expected, problem.do)
    told = ("its database within reach", "Try again soon.") if isinstance(problem, errors.DatabaseUnavailable) else None
    return status, _document(status, str(problem), *(told or _EXPECTED[status]))


def _problem(document: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    response = reply(document, document["status"], headers)
    response.headers["content-type"] = PROBLEM
    return response


def answer_problem(_: Request, problem: Exception) -> Response:
    """Answer an error that was raised on purpose."""
    assert isinstance(problem, Problem | errors.RagError)
    status, document = problem_document(problem)
    if status >= 500:
        logging.getLogger(__name__).warning("answered with %s: %s", status, problem)
    return _problem(document, problem_headers(problem, status))


def problem_headers(problem: Exception, status: int) -> dict[str, str]:
    """Return what the headers of an error say: how to sign in, or when to try again."""
    seconds = getattr(problem, "seconds", None)
    again = {} if seconds is None else {"retry-after": str(seconds)}
    return again | ({"www-authenticate": "Bearer"} if status == 401 else {})


def answer_http(_: Request, problem: Exception) -> Response:
    """Answer what the router found wrong."""
    status = problem.status_code if isinstance(problem, HTTPException) else 500
    expected = _EXPECTED.get(status, _EXPECTED[400])
    return _problem(_document(status, str(getattr(problem, "detail", problem)), *expected))


def answer_invalid(request: Request, problem: Exception) -> Response:
    """Answer a request whose parameters or body are not as its route declares, by the first thing that is wrong."""
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    name, value = ".".join(map(str, first["loc"][1:])), first.get("input")
    match first["type"]:
        case fields.UNKNOWN_KEY:
            named = Problem(400, f"there is no {first['ctx']['key']!r}", first["msg"], "Leave it out.")
        case "missing":
            named = Problem(
                400, f"{name!r} is missing", f"a request with {name!r}, as /v1/openapi.json has it", "Add it."
            )
        case "expected":
            named = Problem(400, f"{name} = {value!r}", first["msg"], "Mend it.")
        case _:
            named = Problem(400, f"{name} = {value!r} is not what is expected here", *_EXPECTED[400])
    return answer_problem(request, named)


def answer_crash(_: Request, __: Exception) -> Response:
    """Answer a fault of ours, which is in the log and not for who asks."""
    named = {"x-request-id": request_id.get()}  # nothing else adds it to the answer to a crash
    return _problem(_document(500, "the server failed", "no fault of ours", "Look into the server's log."), named)


HANDLERS: dict[int | type[Exception], Any] = {
    Problem: answer_problem,
    errors.RagError: answer_problem,
    RequestValidationError: answer_invalid,
    HTTPException: answer_http,
    Exception: answer_crash,
}


def _document(status: int, detail: str, expected: str, do: str) -> dict[str, Any]:
    title = HTTPStatus(status).phrase if status in _KNOWN else "Request ended"
    named = {"type": "about:blank", "title": title, "status": status}
    return named | {"detail": detail, "expected": expected, "do": do}
