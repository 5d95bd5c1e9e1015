"""A conversation -> its answer, as every route of OpenAI's API gives it."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

from anyio import from_thread
from starlette.requests import Request

from rag_platform.answering.ask_options import AskOptions
from rag_platform.api.access import Caller
from rag_platform.api.idempotency import tells_of_documents
from rag_platform.api.openai.chat_messages import Conversation, Message, conversation_of
from rag_platform.api.openai.cited_text import cited_text
from rag_platform.api.openai.model_names import ChosenModel, choose_model
from rag_platform.api.openai.openai_route import BadField
from rag_platform.api.problems import Problem
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Reasoning, Reply, ToolCall, Usage, Wishes
from rag_platform.core.hits import Filters
from rag_platform.journal.answer_notes import answer_notes
from rag_platform.llm.prompt import estimate_tokens
from rag_platform.operations.asking.assisting import asker_of, assisted
from rag_platform.workspace import Workspace

ARCHIVED = "The documents that are archived by their age answer, in place of the others."
Finish = Literal["stop", "length", "tool_calls"]


@dataclass(frozen=True, slots=True)
class Finished:
    """What is told of an answer once it is complete."""

    text: str
    usage: Usage
    annotations: Sequence[Mapping[str, Any]] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    """In place of JSON, where the documents do not hold what was asked for."""
    finish: Finish = "stop"
    about: Mapping[str, Any] = field(default_factory=dict)
    """What no client of OpenAI's knows: the receipt, the version, what was searched, notes in sentences."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as far as all routes have the same."""

    model: ChosenModel
    conversation: Conversation
    wishes: Wishes
    stop: tuple[str, ...] = ()
    session: str = ""
    archived: bool = False
    id: str = field(default_factory=lambda: uuid4().hex)
    created: int = field(default_factory=lambda: int(time.time()))


def asked_of(
    workspace: Workspace,
    caller: Caller,
    model: str,
    messages: Sequence[Message],
    tools: Sequence[Mapping[str, Any]],
    request: Mapping[str, Any],
    *,
    stop: tuple[str, ...] = (),
    session: str = "",
    archived: bool = False,
) -> Asked:
    """Put together what is asked.

    Args:
        workspace: whose models there are.
        caller: who asks.
        model: its name.
        messages: the oldest first.
        tools: of the caller, as a chat's.
        request: what a server is told besides, by the names of chats; None is not told, nor, without tools, how to
            call them.
        stop: texts at which to stop.
        session: as of `Answerer.stream`.
        archived: what is archived by its age answers.

    Raises:
        BadField: there is no such model, no question, or the model cannot do what is asked.
    """
    chosen, conversation = choose_model(workspace, caller, model), conversation_of(messages)
    told = {name: value for name, value in request.items() if value is not None and (tools or "tool" not in name)}
    wishes = Wishes(conversation.instructions, conversation.after, tools, told)
    _must_oblige(chosen, wishes)
    return Asked(chosen, conversation, wishes, stop, session, archived)


def _must_oblige(model: ChosenModel, wishes: Wishes) -> None:
    """End a request for JSON, or for a call of a tool, of what only quotes."""
    choice = wishes.request.get("tool_choice", "auto")
    unfit = "response_format" if wishes.wants_json else "tool_choice" if choice not in ("auto", "none") else ""
    if unfit and not model.obliging:
        said = f"{model.name!r} answers with quotes, which are neither JSON nor calls of tools"
        raise BadField(unfit, said, "a model with a language model's server", "Look at /v1/models.")


def completing(workspace: Workspace, caller: Caller, asked: Asked) -> Generator[str, None, Finished]:
    """Yield what the model thinks and drafts while it works, often nothing; return the checked answer.

    Closing this ends the work, the server's too. For errors see `Answerer.stream`.
    """
    filters = Filters(collections=asked.model.collections, archived=asked.archived, principals=caller.principals)
    reply: Reply | None = None
    options: AskOptions = {
        "history": asked.conversation.history,
        "generator": asked.model.generator,
        "filters": filters,
        "wishes": asked.wishes,
        "who": caller.who,
        "session": asked.session or caller.who,
    }
    options = assisted(workspace, options, asked.model.assistant, asker_of(workspace, caller.owner, caller.principals))
    events = workspace.answerer.stream(asked.conversation.question, **options)
    try:
        for event in events:
            match event:
                case Answer():
                    return _finished(event, reply, asked)
                case Reply():
                    reply = event
                case Reasoning(text):
                    yield text
                case str() if asked.model.obliging:
                    yield event
                case _:
                    yield ""
    finally:
        events.close()
    assert reply  # which calls tools; what it says beside that was told as a draft, and is not checked
    return Finished("", _usage(asked, "", reply), tool_calls=reply.tool_calls, finish="tool_calls")


def until_finished(parts: Generator[str, None, Finished], request: Request) -> Finished:
    """Run to the end what nobody watches, as long as the client waits for it."""
    with closing(parts):
        while True:
            try:
                next(parts)
            except StopIteration as end:
                finished: Finished = end.value
                tells_of_documents(request, finished.about.get("receipt_id"))
                return finished
            if from_thread.run(request.is_disconnected):
                raise Problem(499, "nobody waits for the answer", "a connection that stays open", "Ask again.")


def _finished(answer: Answer, reply: Reply | None, asked: Asked) -> Finished:
    json = asked.wishes.wants_json
    cited = cited_text(answer, () if json else asked.stop)
    cut_off = reply is not None and reply.finish == "length" and not cited.cut
    return Finished(
        cited.text if not (json and answer.abstained) else "",
        _usage(asked, cited.text, reply),
        cited.annotations,
        refusal=answer.answer if json and answer.abstained else None,
        finish="length" if cut_off else "stop",
        about={
            "receipt_id": answer.receipt_id,
            "version": answer.version,
            "abstained": answer.abstained,
            "queries": answer.queries,
            "notes": answer_notes(answer),
        },
    )


def _usage(asked: Asked, text: str, reply: Reply | None) -> Usage:
    """Return tokens as the server counted them, else an estimate of what was asked and answered."""
    counted = reply.usage if reply else None
    return counted or Usage(estimate_tokens(asked.conversation.question), estimate_tokens(text))
