"""Routes whose errors have the form that OpenAI's clients read."""

from collections.abc import Callable
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.bodies import JsonRoute
from rag_platform.api.problems import Problem, problem_document, problem_headers, reply
from rag_platform.core.errors import GenerationError, RagError

_KINDS = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_CODES = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}


class BadField(Problem):
    """Ends a request with a field that cannot be served."""

    def __init__(self, field: str, error: str, expected: str, do: str, status: int = 400) -> None:
        super().__init__(status, error, expected, do)
        self.field = field


class OpenAIBody(BaseModel):
    """A body of a request; fields that OpenAI has and we cannot use are left alone."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())


class OpenAIError(BaseModel):
    """What is wrong, as OpenAI says it."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIErrorDocument(BaseModel):
    """An error."""

    error: OpenAIError


ERRORS: dict[int | str, dict[str, Any]] = {"default": {"model": OpenAIErrorDocument, "description": "What is wrong."}}


class OpenAIRoute(JsonRoute):
    """A route of OpenAI's API."""

    largest = 4_000_000

    def get_route_handler(self) -> Callable[[Request], Any]:
        """Return the handler, which tells what is wrong as OpenAI does."""
        handle = super().get_route_handler()

        async def handle_openai(request: Request) -> Response:
            try:
                response: Response = await handle(request)
            except (Problem, RagError, RequestValidationError) as problem:
                return _refused(problem)
            return response

        return handle_openai


class ComputingRoute(OpenAIRoute):
    """A route that makes nothing and may answer much: nothing of that is kept."""

    once = False


def openai_error(problem: Exception) -> tuple[int, dict[str, Any]]:
    """Return the status and the document of an error."""
    if isinstance(problem, RequestValidationError):
        first = problem.errors()[0]
        problem = BadField(".".join(map(str, first["loc"][1:])), first["msg"], "what OpenAI's API takes", "Mend it.")
    assert isinstance(problem, Problem | RagError)
    status, told = problem_document(problem)
    status = 502 if isinstance(problem, GenerationError) else status
    error = {
        "message": f"{told['detail']}; expected: {told['expected']}. {told['do']}",
        "type": _KINDS.get(status, "server_error" if status >= 500 else "invalid_request_error"),
        "param": getattr(problem, "field", None),
        "code": _CODES.get(status),
    }
    return status, {"error": error}


def _refused(problem: Exception) -> Response:
    status, document = openai_error(problem)
    return reply(document, status, problem_headers(problem, status))
