"""Hits -> the text of an answer, by any server that speaks OpenAI's chat completions (vLLM, llama.cpp, Ollama, …)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import tenacity

from rag_platform.answering.prompt import estimate_tokens, messages, prompt_hash
from rag_platform.answering.writing import Outcome, Writing
from rag_platform.errors import GenerationError
from rag_platform.reasoning import Event, Thoughts
from rag_platform.records import Hit
from rag_platform.settings import GeneratorSettings

ASSUMED_CONTEXT = 4096
"""Tokens of context when the server does not tell."""


class OpenAICompatible:
    """Asks a chat completions server, and streams what it says."""

    def __init__(self, settings: GeneratorSettings, api_key: str | None = None, pause: float = 0.5) -> None:
        """Connect on the first question; `pause` is the first wait before a retry, in seconds."""
        self.settings = settings
        self._api_key = api_key or "none"  # the client insists on one; a server without keys ignores it
        self._pause = pause

    @property
    def name(self) -> str:
        """The model's name, as far as it is known without asking the server."""
        return self.settings.model or "server"

    def stream(self, question: str, hits: Sequence[Hit]) -> Writing:
        """Yield the answer as it is written.

        Raises:
            GenerationError: nothing could be had. Once text has come, a failure is a warning of the outcome instead.
        """
        with self._translated():
            model, context = self._model
        room = min(self.settings.max_tokens, context // 2)
        prompt, used = messages(question, hits, context - room)
        talk = _Talk()
        if used < len(hits):
            talk.warnings.append(f"the model saw {used} of {len(hits)} sources: its context holds {context} tokens")
        yield from self._listen(self._request(model, prompt, room), talk)
        if not talk.text[talk.retracted :].strip():
            raise GenerationError(self._nothing_said(model, talk))
        thoughts = "".join(talk.thoughts).strip()
        return Outcome(model, prompt_hash(prompt, model), thoughts, tuple(talk.warnings), talk.retracted)

    def complete(self, prompt: list[dict], *, schema: dict | None = None) -> str:
        """Return the server's whole reply to a conversation, as JSON of that schema where the server can do that.

        Raises:
            GenerationError: nothing could be had.
        """
        with self._translated():
            model, context = self._model
            request = self._request(model, prompt, min(self.settings.max_tokens, context // 2)) | {"stream": False}
            if schema:
                form = {"name": "reply", "schema": schema, "strict": True}
                request["response_format"] = {"type": "json_schema", "json_schema": form}
            reply = self._client.chat.completions.create(**request)
        said = reply.choices[0].message.content if reply.choices else None
        if not said:
            raise GenerationError(f"{model} said nothing; ask again, or look at the server's log")
        return said

    def room(self, said: str = "") -> int:
        """Estimate the tokens that a prompt may have beside `said` and the reply; see `complete` for errors."""
        with self._translated():
            _, context = self._model
        return context - min(self.settings.max_tokens, context // 2) - estimate_tokens(said)

    def _request(self, model: str, prompt: list[dict], room: int) -> dict:
        return {
            "model": model,
            "messages": prompt,
            "max_tokens": room,
            "temperature": self.settings.temperature,
            "stream": True,
        }

    def _listen(self, request: dict, talk: "_Talk") -> Iterator[str]:
        with self._translated():
            stream, first = self._begin(request)
        thoughts = Thoughts()
        try:
            for chunk in _from(first, stream):
                yield from talk.hear(chunk, thoughts)
        except _failures() as error:
            if not talk.text.strip():
                raise GenerationError(self._describe(error)) from error
            talk.finish = _brief(error)
            talk.warnings.append(f"the server stopped in mid-answer ({talk.finish}): this is only a part of it")
        finally:
            stream.close()
        yield from talk.take(thoughts.end())
        if talk.finish is None and talk.text:
            talk.warnings.append("the server went away in mid-answer: this may be only a part of it")

    def _begin(self, request: dict) -> tuple[Any, Any]:
        """Send the request until its first chunk comes: nothing was shown yet, so trying again is safe."""
        for attempt in tenacity.Retrying(
            retry=tenacity.retry_if_exception(_may_pass),
            stop=tenacity.stop_after_attempt(3),
            wait=tenacity.wait_random_exponential(multiplier=self._pause, max=8),
            reraise=True,
        ):
            with attempt:
                stream = self._client.chat.completions.create(**request)
                first = next(iter(stream), None)
        return stream, first

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            base_url=self.settings.base_url,
            api_key=self._api_key,
            max_retries=0,  # `_begin` tries again, up to the first chunk, and not after a time-out
            timeout=openai.Timeout(self.settings.timeout, connect=min(5.0, self.settings.timeout)),
        )

    @cached_property
    def _model(self) -> tuple[str, int]:
        """The model to ask and its context size, from the server's list."""
        try:
            listed = {model.id: model for model in self._client.models.list()}
        except _failures() as error:
            if self.settings.model is None or not _answered(error):
                raise
            return self.settings.model, ASSUMED_CONTEXT  # a server without a list may still chat
        name = self.settings.model or next(iter(listed), None)
        if name is None:
            raise GenerationError(f"{self.settings.base_url} serves no model; load one, or set generator.model")
        if listed and name not in listed:
            raise GenerationError(
                f"{self.settings.base_url} has no model {name!r}, it has {', '.join(sorted(listed)[:10])}: "
                "set generator.model to one of them, or leave it out for the first"
            )
        return name, getattr(listed.get(name), "max_model_len", None) or ASSUMED_CONTEXT

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except _failures() as error:
            raise GenerationError(self._describe(error)) from error

    def _describe(self, error: Exception) -> str:
        """Say what the server did, and what to do about it."""
        server = self.settings.base_url
        status = getattr(error, "status_code", None)
        if not _answered(error):
            if "Timeout" in type(error).__name__:
                return (
                    f"{server} did not answer within {self.settings.timeout:g} s; raise generator.timeout or look at it"
                )
            return f"{server} cannot be reached ({_brief(error)}); is it running, and is generator.base_url right?"
        advice = {
            400: "it may hold less context: lower answer.sources or generator.max_tokens",
            401: f"put its key in the variable {self.settings.api_key_env}",
            403: f"the key in the variable {self.settings.api_key_env} may not use this model",
            404: "check generator.base_url (it usually ends in /v1) and generator.model",
            429: "it has too many requests; wait, or use a server with more room",
        }.get(status or 0, "look at the server's log")
        return f"{server} answered {status or 'with an error'} ({_brief(error)}); {advice}"

    def _nothing_said(self, model: str, talk: "_Talk") -> str:
        if talk.finish == "length":
            tokens = self.settings.max_tokens
            return f"{model} used all {tokens} tokens before it began to answer; raise generator.max_tokens"
        return f"{model} said nothing (finish reason: {talk.finish}); ask again, or look at the server's log"


@dataclass
class _Talk:
    """What has been heard so far."""

    text: str = ""
    thoughts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    finish: str | None = None
    retracted: int = 0

    def hear(self, chunk: Any, thoughts: Thoughts) -> Iterator[str]:
        """Yield the text of a chunk; one without choices only counts tokens."""
        if chunk is None or not chunk.choices:
            return
        choice = chunk.choices[0]
        if choice.finish_reason:
            self.finish = choice.finish_reason
            if choice.finish_reason == "length":
                self.warnings.append("the answer was cut off: it reached generator.max_tokens")
        thought = getattr(choice.delta, "reasoning", None) or getattr(choice.delta, "reasoning_content", None)
        if thought:
            self.thoughts.append(thought)
        yield from self.take(thoughts.feed(choice.delta.content or ""))

    def take(self, events: Iterator[Event]) -> Iterator[str]:
        """Keep what was thought, and yield what was said."""
        for kind, piece in events:
            if kind == "thought":
                self.thoughts.append(piece)
            elif kind == "retract":
                self.thoughts.append(self.text[self.retracted :])
                self.retracted = len(self.text)
            elif self.text or piece.strip():  # no white space before the first word
                self.text += piece
                yield piece


def _from(first: Any, rest: Any) -> Iterator[Any]:
    yield first
    yield from rest


def _failures() -> tuple[type[Exception], ...]:
    """Everything the client raises: its own errors, and its transport's once a stream has begun."""
    import httpx2
    import openai

    return (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, ValueError)


def _may_pass(error: BaseException) -> bool:
    """Tell whether a second try may help: no connection, a broken one, 429 or 5xx; never a time-out."""
    import httpx2
    import openai

    if isinstance(error, (openai.APITimeoutError, httpx2.TimeoutException)):
        return False
    if isinstance(error, openai.APIStatusError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, (openai.APIConnectionError, httpx2.TransportError))


def _answered(error: Exception) -> bool:
    """Tell whether the server itself spoke, if only to refuse."""
    import httpx2
    import openai

    return not isinstance(error, (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL))


def _brief(error: Exception) -> str:
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or error.__cause__ or error or type(error).__name__).split())[:300]
