"""`POST /v1/chat/completions`: a conversation in OpenAI's form, answered from the documents."""

from collections.abc import Generator
from contextlib import closing
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.event_stream import Event, event_stream
from rag_platform.api.openai.completing import ARCHIVED, Asked, Finished, asked_of, completing, until_finished
from rag_platform.api.openai.openai_route import ERRORS, BadField, OpenAIBody, OpenAIRoute, openai_error
from rag_platform.api.problems import Problem, reply
from rag_platform.core.errors import RagError
from rag_platform.core.generation import Usage
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=OpenAIRoute, tags=["OpenAI"], responses=ERRORS)

_PASSED = (
    *("temperature", "top_p", "seed", "presence_penalty", "frequency_penalty"),
    *("tool_choice", "parallel_tool_calls"),
)
"""What a language model's server is told as it was given."""


class StreamOptions(OpenAIBody):
    """How a stream is told."""

    include_usage: bool = False


class ChatCompletionRequest(OpenAIBody):
    """A conversation to be answered."""

    model: str
    messages: list[dict[str, Any]] = Field(min_length=1)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    stop: str | list[str] | None = None
    max_tokens: int | None = Field(None, ge=1)
    max_completion_tokens: int | None = Field(None, ge=1)
    temperature: float | None = Field(None, ge=0)
    top_p: float | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    response_format: dict[str, Any] | None = None
    user: str = Field("", description="Keeps the questions of one person at one version while one is on trial.")
    archived: bool = Field(False, description=ARCHIVED)


class ChatCompletionDocument(BaseModel):
    """An answer; `rag` tells what OpenAI's form has no place for."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[dict[str, Any]]
    usage: dict[str, int]
    rag: dict[str, Any]


@router.post("/chat/completions", response_model=ChatCompletionDocument)
def complete_chat(request: Request, workspace: Served, caller: CurrentAsker, given: ChatCompletionRequest) -> Response:
    """Answer the last question of a chat from the documents, with every sentence checked before it is sent."""
    asked = _asked(workspace, caller, given)
    count_request(workspace, caller, "questions")
    parts = completing(workspace, caller, asked)
    if given.stream:
        counted = given.stream_options is not None and given.stream_options.include_usage
        return event_stream(_chunks(asked, parts, counted=counted), _failed, end=b"data: [DONE]\n\n")
    done = until_finished(parts, request)
    choice = {"index": 0, "message": _message(done), "finish_reason": done.finish, "logprobs": None}
    return reply(
        _head(asked, "chat.completion") | {"choices": [choice], "usage": _counted(done.usage), "rag": done.about}
    )


def _asked(workspace: Workspace, caller: Caller, given: ChatCompletionRequest) -> Asked:
    if given.n not in (None, 1):
        said = f"n = {given.n}: there is one answer to a question, the one that its sources support"
        raise BadField("n", said, "n = 1", "Leave it out.")
    form = given.response_format if (given.response_format or {}).get("type", "text") != "text" else None
    more = {"max_tokens": given.max_completion_tokens or given.max_tokens, "response_format": form}
    request = {name: getattr(given, name) for name in _PASSED} | more
    stop = (given.stop,) if isinstance(given.stop, str) else tuple(given.stop or ())
    tools = given.tools or ()
    asked = (given.model, given.messages, tools, request)
    return asked_of(workspace, caller, *asked, stop=stop, session=given.user, archived=given.archived)


def _chunks(
    asked: Asked, parts: Generator[str, None, Finished], *, counted: bool
) -> Generator[Event | None, None, None]:
    """Yield chunks: what is thought and drafted as reasoning while it comes, then the checked answer."""
    head = _head(asked, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> Event:
        return "", head | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]} | more

    with closing(parts):
        try:
            thought = next(parts)  # what can be refused is, before anything is sent
            yield chunk({"role": "assistant", "content": ""})
            while True:
                yield chunk({"reasoning_content": thought}) if thought else None
                thought = next(parts)
        except StopIteration as end:
            done: Finished = end.value
    message = _message(done)
    for line in done.text.splitlines(keepends=True):
        yield chunk({"content": line})
    if calls := message.get("tool_calls"):
        yield chunk({"tool_calls": [{"index": place, **call} for place, call in enumerate(calls)]})
    rest = {name: message[name] for name in ("annotations", "refusal") if message.get(name)}
    yield chunk(rest, done.finish, rag=done.about)
    if counted:
        yield "", head | {"choices": [], "usage": _counted(done.usage)}


def _failed(problem: Problem | RagError) -> Event:
    return "", openai_error(problem)[1]


def _message(done: Finished) -> dict[str, Any]:
    marks = [{"type": "url_citation", "url_citation": one} for one in done.annotations]
    message = {"role": "assistant", "content": done.text or None, "refusal": done.refusal, "annotations": marks}
    return message | ({"tool_calls": [call.message for call in done.tool_calls]} if done.tool_calls else {})


def _head(asked: Asked, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{asked.id}", "object": kind, "created": asked.created, "model": asked.model.name}


def _counted(usage: Usage) -> dict[str, int]:
    total = usage.prompt + usage.completion
    return {"prompt_tokens": usage.prompt, "completion_tokens": usage.completion, "total_tokens": total}
