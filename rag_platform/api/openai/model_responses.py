"""`POST /v1/responses`: a conversation in the form of OpenAI's newer API; nothing of it is kept here."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from rag_platform.api.access import Caller, CurrentAsker, Served
from rag_platform.api.answers import count_request
from rag_platform.api.event_stream import Event, event_stream
from rag_platform.api.openai.chat_messages import Message
from rag_platform.api.openai.completing import ARCHIVED, Asked, Finished, asked_of, completing, until_finished
from rag_platform.api.openai.openai_route import ERRORS, BadField, OpenAIBody, OpenAIRoute, openai_error
from rag_platform.api.problems import Problem, reply
from rag_platform.core.errors import RagError
from rag_platform.workspace import Workspace

router = APIRouter(prefix="/v1", route_class=OpenAIRoute, tags=["OpenAI"], responses=ERRORS)

_PASSED = ("temperature", "top_p", "parallel_tool_calls")


class TextOptions(OpenAIBody):
    """What the text of an answer is to be."""

    format: dict[str, Any] | None = None


class ResponseRequest(OpenAIBody):
    """A conversation to be answered."""

    model: str
    input: str | list[dict[str, Any]]
    instructions: str | None = None
    stream: bool = False
    tools: list[dict[str, Any]] = Field([])
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    text: TextOptions = TextOptions()
    temperature: float | None = Field(None, ge=0)
    top_p: float | None = None
    max_output_tokens: int | None = Field(None, ge=1)
    previous_response_id: str | None = None
    conversation: Any = None
    background: bool | None = None
    user: str = Field("", description="Keeps the questions of one person at one version while one is on trial.")
    archived: bool = Field(False, description=ARCHIVED)


class ResponseDocument(BaseModel):
    """An answer; `rag` tells what OpenAI's form has no place for."""

    id: str
    object: Literal["response"]
    created_at: int
    status: str
    model: str
    output: list[dict[str, Any]]
    parallel_tool_calls: bool
    tool_choice: Any
    tools: list[dict[str, Any]]
    usage: dict[str, Any] | None
    rag: dict[str, Any]


@router.post("/responses", response_model=ResponseDocument)
def respond(request: Request, workspace: Served, caller: CurrentAsker, given: ResponseRequest) -> Response:
    """Answer the last question of a conversation from the documents, with every sentence checked before it is sent."""
    asked = _asked(workspace, caller, given)
    count_request(workspace, caller, "questions")
    parts = completing(workspace, caller, asked)
    if given.stream:
        return event_stream(_numbered(_events(asked, given, parts)), _failed)
    return reply(_document(asked, given, until_finished(parts, request)))


def _asked(workspace: Workspace, caller: Caller, given: ResponseRequest) -> Asked:
    for name in ("previous_response_id", "conversation", "background"):
        if getattr(given, name):
            said = f"{name} is set, and no conversation is kept here"
            raise BadField(name, said, "all of the conversation in `input`", "Send it, and leave this out.")
    tools = [_tool(place, one) for place, one in enumerate(given.tools)]
    request = {name: getattr(given, name) for name in _PASSED} | {
        "tool_choice": _choice(given.tool_choice),
        "max_tokens": given.max_output_tokens,
        "response_format": _form(given.text.format or {}),
    }
    told = _messages(given)
    return asked_of(workspace, caller, given.model, told, tools, request, session=given.user, archived=given.archived)


def _messages(given: ResponseRequest) -> Sequence[Message]:
    """Return the input as messages of a chat."""
    items = [{"role": "user", "content": given.input}] if isinstance(given.input, str) else given.input
    first = [{"role": "system", "content": given.instructions}] if given.instructions else []
    return [*first, *(_message(item) for item in items if item.get("type") != "reasoning")]


def _message(item: Mapping[str, Any]) -> Message:
    match item.get("type", "message"):
        case "message":
            return item
        case "function_call":
            function = {"name": item.get("name"), "arguments": item.get("arguments")}
            call = {"id": item.get("call_id"), "type": "function", "function": function}
            return {"role": "assistant", "tool_calls": [call]}
        case "function_call_output":
            return {"role": "tool", "tool_call_id": item.get("call_id"), "content": item.get("output")}
    said = f"an item of the type {item['type']!r} is not read"
    raise BadField("input", said, "message, function_call or function_call_output", "Leave it out.")


def _tool(place: int, tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool in the form of a chat's."""
    if tool.get("type") != "function":
        said = f"a tool of the type {tool.get('type')!r} is none that is here"
        raise BadField(f"tools[{place}]", said, "a function; the documents are searched anyway", "Leave it out.")
    return {"type": "function", "function": {name: value for name, value in tool.items() if name != "type"}}


def _choice(choice: str | dict[str, Any] | None) -> Any:
    return (
        choice
        if choice is None or isinstance(choice, str)
        else {"type": "function", "function": {"name": choice.get("name")}}
    )


def _form(form: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what the text is to be, as a chat's `response_format`; None: a text."""
    if form.get("type", "text") == "text":
        return None
    schema = {name: value for name, value in form.items() if name != "type"}
    return {"type": form["type"]} | ({"json_schema": schema} if form["type"] == "json_schema" else {})


def _document(asked: Asked, given: ResponseRequest, done: Finished | None) -> dict[str, Any]:
    """Return the response, as far as it is done."""
    usage = done and {
        "input_tokens": done.usage.prompt,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": done.usage.completion,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": done.usage.prompt + done.usage.completion,
    }
    cut = done is not None and done.finish == "length"
    return {
        "id": f"resp_{asked.id}",
        "object": "response",
        "created_at": asked.created,
        "status": "in_progress" if done is None else "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "model": asked.model.name,
        "instructions": given.instructions,
        "output": _items(asked, done) if done else [],
        "parallel_tool_calls": given.parallel_tool_calls is not False,
        "tool_choice": given.tool_choice or "auto",
        "tools": given.tools,
        "store": False,
        "usage": usage,
        "rag": done.about if done else {},
    }


def _items(asked: Asked, done: Finished) -> list[dict[str, Any]]:
    calls = [
        {
            "type": "function_call",
            "id": f"fc_{asked.id}_{place}",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.message["function"]["arguments"],
            "status": "completed",
        }
        for place, call in enumerate(done.tool_calls)
    ]
    if calls and not done.text:
        return calls
    said = {"type": "message", "id": f"msg_{asked.id}", "role": "assistant", "status": "completed"}
    return [said | {"content": [_part(done)]}, *calls]


def _part(done: Finished) -> dict[str, Any]:
    if done.refusal:
        return {"type": "refusal", "refusal": done.refusal}
    marks = [{"type": "url_citation", **one} for one in done.annotations]
    return {"type": "output_text", "text": done.text, "annotations": marks, "logprobs": []}


def _events(
    asked: Asked, given: ResponseRequest, parts: Generator[str, None, Finished]
) -> Generator[Event | None, None, None]:
    """Yield the events of a response; thoughts and drafts are not told, as its form has no place for them."""
    with closing(parts):
        try:
            next(parts)  # what can be refused is, before anything is sent
            yield "response.created", {"response": _document(asked, given, None)}
            yield "response.in_progress", {"response": _document(asked, given, None)}
            while True:
                next(parts)
                yield None
        except StopIteration as end:
            done: Finished = end.value
    for place, item in enumerate(_items(asked, done)):
        yield from _item_events(item, place)
    whole = _document(asked, given, done)
    yield f"response.{whole['status']}", {"response": whole}


def _item_events(item: dict[str, Any], place: int) -> Iterator[Event]:
    where = {"output_index": place, "item_id": item["id"]}
    nothing: dict[str, Any] = {"content": []} if "content" in item else {"arguments": ""}
    begun = item | nothing | {"status": "in_progress"}
    yield "response.output_item.added", {"output_index": place, "item": begun}
    if item["type"] == "function_call":
        said, kind = item["arguments"], "response.function_call_arguments"
        yield f"{kind}.delta", where | {"delta": said}
        yield f"{kind}.done", where | {"arguments": said, "name": item["name"]}
    for part in item.get("content", ()):
        yield from _part_events(part, where | {"content_index": 0})
    yield "response.output_item.done", {"output_index": place, "item": item}


def _part_events(part: dict[str, Any], where: dict[str, Any]) -> Iterator[Event]:
    name = "text" if part["type"] == "output_text" else "refusal"
    kind = f"response.{part['type']}"
    empty = part | ({"text": "", "annotations": []} if name == "text" else {"refusal": ""})
    more: dict[str, Any] = {"logprobs": []} if name == "text" else {}
    yield "response.content_part.added", where | {"part": empty}
    for line in part[name].splitlines(keepends=True):
        yield f"{kind}.delta", where | {"delta": line} | more
    for number, mark in enumerate(part.get("annotations", ())):
        yield f"{kind}.annotation.added", where | {"annotation_index": number, "annotation": mark}
    yield f"{kind}.done", where | {name: part[name]} | more
    yield "response.content_part.done", where | {"part": part}


def _numbered(events: Generator[Event | None, None, None]) -> Generator[Event | None, None, None]:
    with closing(events):
        number = 0
        for event in events:
            if event is None:
                yield None
                continue
            name, document = event
            yield name, {"type": name, "sequence_number": number} | document
            number += 1


def _failed(problem: Problem | RagError) -> Event:
    told = openai_error(problem)[1]["error"]
    name = "error"
    return name, {"type": name, "sequence_number": 0, "code": told["code"], "message": told["message"], "param": None}
