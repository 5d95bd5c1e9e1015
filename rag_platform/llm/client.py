"""Hits -> the text of an answer, and messages -> a reply, by a server of OpenAI's chat completions."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy
from dataclasses import replace
from typing import Any

from rag_platform.config.placeholders import hide
from rag_platform.config.sections.servers import ServerSettings
from rag_platform.core.errors import ContextOverflow, GenerationError, RagError
from rag_platform.core.generation import AnswerStream, Outcome, Reasoning, Reply, ReplyStream, Wishes
from rag_platform.core.hits import Hit
from rag_platform.core.lazy import locked_cached_property
from rag_platform.llm.availability import PATIENCE, Health
from rag_platform.llm.connection import Connection, Model
from rag_platform.llm.event_loop import iterate, result_of
from rag_platform.llm.failures import client_errors, describe, stated_context, translate_errors
from rag_platform.llm.prompt import build_messages, estimate_tokens, prompt_hash
from rag_platform.llm.request_spans import reply_attributes, request_attributes
from rag_platform.llm.stream_parsing import StreamParser
from rag_platform.monitoring.tracing import span, spanned

_SMALLER = 0.7
"""Of its budget a prompt gets, when the server says that it is too long and not by how much."""


class OpenAICompatible:
    """A client of a chat completions server. Safe to use from threads."""

    def __init__(
        self, settings: ServerSettings, api_key: str | None = None, pause: float = 0.5, table: str = "generator"
    ) -> None:
        """Connect on the first question.

        Args:
            settings: the server.
            api_key: its key.
            pause: the first wait before another try, in seconds.
            table: where the settings stand in rag.toml, for messages.
        """
        self.settings = settings
        self._api_key = api_key
        self._pause = pause
        self._table = table
        self._wishes = Wishes()

    def with_model(self, model: str) -> "OpenAICompatible":
        """Return a client of another model of the same server."""
        settings = self.settings.model_copy(update={"model": model, "context": None})
        return OpenAICompatible(settings, self._api_key, self._pause, self._table)

    def wishing(self, wishes: Wishes) -> "OpenAICompatible":
        """Return a client of the same server whose answers are written as is wished."""
        assert self._connection  # made once, for both
        other = copy(self)
        other._wishes = wishes
        return other

    @property
    def name(self) -> str:
        """The model's name, as far as it is known without asking the server."""
        return self.settings.model or "server"

    @property
    def parameters(self) -> dict[str, Any]:
        """What a reply depends on, to be kept in a receipt: no address and no key."""
        return self.settings.model_dump(include={"model", "max_tokens", "temperature", "context", "extra_body"})

    @locked_cached_property
    def _connection(self) -> Connection:
        return Connection(self.settings, self._api_key, self._pause, self._table)

    def stream(self, question: str, hits: Sequence[Hit]) -> AnswerStream:
        """Yield the answer as it is written; closing this ends the request, and the server's work.

        Raises:
            GenerationError: nothing could be had. Once text has come, a failure is a warning of the outcome instead.
        """
        model, wishes = self._model(), self._wishes
        room, context = min(self._reply_tokens(model), wishes.request.get("max_tokens", model.context)), model.context
        budget = context - room
        while True:
            prompt, used = build_messages(question, hits, budget, self._measure(hits, budget), wishes)
            try:
                reply = yield from self._chat(model, prompt, room, **_wished(wishes))
                break
            except ContextOverflow as error:
                budget, room = self._smaller_budget(error, budget, room)
                if budget < estimate_tokens(question) + 512:
                    raise
        if not reply.text and not reply.tool_calls:
            raise GenerationError(self._empty_reply(reply))
        warnings = reply.warnings
        if used < len(hits):
            truncated = f"the model saw {used} of {len(hits)} sources: its context holds {budget + room} tokens"
            warnings = (truncated, *warnings)
        return Outcome(model.name, prompt_hash(prompt, model.name), reply.reasoning, warnings, reply=reply)

    def converse(
        self, prompt: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = (), choice: str = "auto"
    ) -> ReplyStream:
        """Yield the model's text and reasoning, and return its whole reply, with its tool calls.

        Args:
            prompt: messages in OpenAI's form, also those of tools.
            tools: in OpenAI's form: ``{"type": "function", "function": {"name", "description", "parameters"}}``.
            choice: "auto", or "required" for a reply that calls a tool.

        Raises:
            ToolsRefused: the server or its model does not take tools.
            ContextOverflow: the messages are longer than the model's context.
            GenerationError: nothing could be had. A reply that ended too early says so in its warnings.
        """
        model = self._model()
        more = {"tools": list(tools), "tool_choice": choice} if tools else {}
        return (yield from self._chat(model, prompt, self._reply_tokens(model), **more))

    def complete(self, prompt: Sequence[Mapping[str, Any]], *, schema: dict[str, Any] | None = None) -> str:
        """Return the server's whole reply to a conversation, as JSON of that schema where the server can do that.

        Raises:
            GenerationError: nothing could be had.
        """
        model = self._model()
        request = self._request(model, prompt, self._reply_tokens(model)) | {"stream": False}
        request.pop("stream_options")
        if schema:
            form = {"name": "reply", "schema": schema, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        about = request_attributes(self.settings, request)
        with span(f"chat {model.name}", about, "client") as noted, self._translated():
            reply = self._whole(model, request)
            noted.update(reply_attributes(self.settings)(reply))
        if not reply.text:
            raise GenerationError(self._empty_reply(reply))
        if schema and reply.finish == "length":
            raise GenerationError(f"{reply.model} used all its tokens in mid-JSON; raise {self._table}.max_tokens")
        return reply.text

    def _whole(self, model: Model, request: dict[str, Any]) -> Reply:
        response = result_of(self._connection.whole(request))
        parser = StreamParser(self._table)
        for _ in (*parser.feed(response), *parser.end()):
            pass  # the parser keeps the pieces
        return parser.reply(model.name)

    def health(self) -> Health:
        """Ask the server for its models and its health; never raises."""
        began = time.perf_counter()
        quick = self.settings.model_copy(update={"timeout": min(PATIENCE, self.settings.timeout)})
        about = Health(url=self.settings.shown_url, model=self.settings.model)
        try:
            with self._translated():
                connection = Connection(quick, self._api_key, self._pause, self._table)
                model, listed = result_of(connection.health())
            about = replace(about, model=model.name, models=listed, context=model.context)
        except RagError as error:
            about = replace(about, problem=str(error))
        return replace(about, took_ms=round((time.perf_counter() - began) * 1000, 1))

    def model_name(self) -> str:
        """Return the name of the model that replies; the server is asked where the settings leave it open."""
        try:
            return self.settings.model or self._model().name
        except GenerationError:  # whoever calls it next is told
            return self.name

    def prompt_room(self, text: str = "") -> int:
        """Estimate the tokens that a prompt may have beside `text` and the reply; see `complete` for errors."""
        model = self._model()
        return model.context - self._reply_tokens(model) - estimate_tokens(text)

    def _chat(self, model: Model, prompt: Sequence[Mapping[str, Any]], room: int, **more: object) -> ReplyStream:
        request = self._request(model, prompt, room)
        about, outcome = request_attributes(self.settings, request), reply_attributes(self.settings)
        talk = self._talk(model, request | more)
        return (yield from spanned(f"chat {model.name}", talk, about, "client", outcome))

    def _talk(self, model: Model, request: dict[str, Any]) -> ReplyStream:
        parser = StreamParser(self._table)
        stream = iterate(self._connection.chunks(request))
        with self._translated():
            try:
                for chunk in stream:
                    yield from parser.feed(chunk) if chunk is not None else [Reasoning("")]
                    if parser.ended:
                        break
            except client_errors() as error:
                if not parser.has_content:
                    raise
                why = hide(describe(error, self.settings, self._table), self._connection.secrets)
                parser.warnings.append(f"the server stopped in mid-answer: this is only a part of it ({why})")
            finally:
                stream.close()
        yield from parser.end()
        return parser.reply(model.name)

    def _request(self, model: Model, prompt: Sequence[Mapping[str, Any]], room: int) -> dict[str, Any]:
        request = {
            "model": model.name,
            "messages": list(prompt),
            "max_tokens": room,
            "temperature": self.settings.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        return request | ({"extra_body": self.settings.extra_body} if self.settings.extra_body else {})

    def _model(self) -> Model:
        with self._translated():
            return result_of(self._connection.model())

    def _reply_tokens(self, model: Model) -> int:
        return min(self.settings.max_tokens, model.context // 2)

    def _measure(self, hits: Sequence[Hit], budget: int) -> Callable[[str], int]:
        """Return what counts tokens: an estimate, set right by the server's own count where that matters."""
        everything = "\n\n".join(hit.text for hit in hits)
        guessed = estimate_tokens(everything)
        counted = None
        if guessed > budget // 2:
            with self._translated():
                counted = result_of(self._connection.count(everything))
        if not counted:
            return estimate_tokens
        share = 1.05 * counted / guessed  # a little more: words cost more where they are cut
        return lambda text: int(estimate_tokens(text) * share) + 1

    def _smaller_budget(self, error: ContextOverflow, budget: int, room: int) -> tuple[int, int]:
        """Return the budget and the room of a prompt that may fit, and look at the server's list again."""
        self._connection.forget()
        context = stated_context(str(error))
        if context and context < budget + room:
            room = min(room, context // 2)
            return context - room, room
        return int(budget * _SMALLER), room

    def _translated(self) -> AbstractContextManager[None]:
        return translate_errors(self.settings, self._table, self._connection.secrets)

    def _empty_reply(self, reply: Reply) -> str:
        if reply.finish == "length":
            tokens = self.settings.max_tokens
            return f"{reply.model} used all {tokens} tokens before it began to answer; raise {self._table}.max_tokens"
        return f"{reply.model} said nothing (finish reason: {reply.finish}); ask again, or look at the server's log"


def _wished(wishes: Wishes) -> dict[str, Any]:
    """Return what is wished of a reply as fields of the request; its length is counted with the prompt's."""
    named = {name: value for name, value in wishes.request.items() if name != "max_tokens"}
    return named | ({"tools": list(wishes.tools)} if wishes.tools else {})
