"""One server: its models, time-outs, retries, and the parameters it does not support."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import tenacity

from rag_platform.config.placeholders import expand
from rag_platform.config.sections.servers import ServerSettings
from rag_platform.core.errors import GenerationError, SecretError, SettingsError
from rag_platform.llm.failures import client_errors, is_transient, refuses, retry_after, server_replied

ASSUMED_CONTEXT = 4096
"""Tokens of context when neither the server nor the settings tell."""
_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""How vLLM, OpenRouter, Groq and LM Studio call the size of a model's context in their lists."""
_STREAM_ENDED = object()


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a server."""

    name: str
    context: int
    """Tokens of prompt and answer together."""
    tokenizes: bool = False
    """Whether the server is one that counts tokens (vLLM)."""


class Connection:
    """Sends requests to a server; all of it runs on the loop of `event_loop`."""

    def __init__(self, settings: ServerSettings, api_key: str | None, pause: float, table: str) -> None:
        self.settings = settings
        self._table = table
        self._api_key = api_key
        self._pause = pause
        self._model: Model | None = None
        self._adjustments: list[str] = []
        expanded = {name: _expanded(f"{table}.headers.{name}", value) for name, value in settings.headers.items()}
        self._headers = {name: value for name, (value, _) in expanded.items()}
        password = urlsplit(settings.base_url or "").password
        self.secrets = frozenset(filter(None, (api_key, password))).union(*(hidden for _, hidden in expanded.values()))

    async def models(self) -> dict[str, Any]:
        """Return what the server lists, by name."""
        page = await self._timed(self._client.models.list())
        listed = page.data if isinstance(getattr(page, "data", None), list) else []
        return {model.id: model for model in listed if isinstance(getattr(model, "id", None), str)}

    async def model(self) -> Model:
        """Return the model to use; the server is asked for its list once, and again after `forget`."""
        if self._model is None:
            self._model = await self._find_model()
        return self._model

    async def health(self) -> tuple[Model, tuple[str, ...]]:
        """Return the model to use and the names of all; a server that has an engine is asked for its health."""
        model = await self.model()
        try:
            listed = tuple(await self.models())
        except client_errors():
            listed = ()
        if model.tokenizes:
            await self.request_root("GET", "/health")
        return model, listed

    def forget(self) -> None:
        """Ask for the list of models again: the server may have another one by now."""
        self._model = None

    async def _find_model(self) -> Model:
        chosen = self.settings.model
        try:
            listed = await self.models()
        except client_errors() as error:
            if chosen is None or not server_replied(error) or getattr(error, "status_code", None) == 401:
                raise
            return Model(chosen, self.settings.context or ASSUMED_CONTEXT)  # a server without a list may still chat
        name = chosen or next(iter(listed), None)
        if name is None:
            raise GenerationError(f"{self.settings.shown_url} serves no model; load one, or set {self._table}.model")
        if listed and name not in listed:
            some = ", ".join(sorted(listed)[:10])
            raise GenerationError(
                f"{self.settings.shown_url} has no model {name!r}, it has {some}: "
                f"set {self._table}.model to one of them, or leave it out for the first"
            )
        return model_info(name, listed.get(name), self.settings.context)

    async def chunks(self, request: dict[str, Any]) -> AsyncGenerator[Any, None]:
        """Yield the chunks of a streamed reply; TimeoutError when the next one takes too long."""
        stream, chunk = await self._start_stream(request)
        try:
            while chunk is not _STREAM_ENDED:
                yield chunk
                problem = f"sent nothing for {self.settings.idle_timeout:g} s; raise {self._table}.idle_timeout"
                chunk = await _within(self.settings.idle_timeout, problem, anext(stream, _STREAM_ENDED))
        finally:
            await stream.close()

    async def whole(self, request: dict[str, Any]) -> Any:
        """Return a reply that is not streamed."""
        return await self._timed(self._create(request))

    async def _start_stream(self, request: dict[str, Any]) -> tuple[Any, Any]:
        """Send the request until its first chunk comes: nothing was shown yet, so trying again is safe."""
        async for attempt in tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(self._should_retry),
            stop=tenacity.stop_after_attempt(3),
            wait=self._wait,
            reraise=True,
        ):
            with attempt:
                stream, chunk = await self._timed(self._open_stream(request))
                return stream, chunk
        raise AssertionError("the last attempt raises or returns")

    async def _open_stream(self, request: dict[str, Any]) -> tuple[Any, Any]:
        stream = await self._create(request)
        try:
            return stream, await anext(stream, _STREAM_ENDED)
        except BaseException:
            await stream.close()
            raise

    def _should_retry(self, error: BaseException) -> bool:
        return is_transient(error) and (retry_after(error) or 0) <= self.settings.timeout

    def _wait(self, state: tenacity.RetryCallState) -> float:
        seconds = retry_after(state.outcome.exception() if state.outcome else None)
        return (
            seconds if seconds is not None else tenacity.wait_random_exponential(multiplier=self._pause, max=8)(state)
        )

    async def _create(self, request: dict[str, Any]) -> Any:
        """Send a request, without the parameters that this server was found not to support."""
        while True:
            adjusted = request
            for name in self._adjustments:
                adjusted = _ADJUSTMENTS[name](adjusted)
            try:
                return await self._client.chat.completions.create(**adjusted)
            except client_errors() as error:
                refused = (one for one in _ADJUSTMENTS if one not in self._adjustments and refuses(error, one))
                adjustment = next((one for one in refused if _ADJUSTMENTS[one](adjusted) != adjusted), None)
                if adjustment is None:
                    raise
                self._adjustments.append(adjustment)

    async def count(self, text: str) -> int | None:
        """Return a text's tokens as the server counts them; None: it does not."""
        model = await self.model()
        if not model.tokenizes:
            return None
        try:
            counted = await self.request_root("POST", "/tokenize", {"model": model.name, "prompt": text})
        except client_errors():
            return None
        count = counted.get("count") if isinstance(counted, dict) else None
        return count if isinstance(count, int) else None

    async def request_root(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Send a request to a path beside ``/v1``, not below it."""
        root = (self.settings.base_url or "").rstrip("/").removesuffix("/v1")
        if method == "GET":
            return await self._timed(self._client.get(root + path, cast_to=object))
        return await self._timed(self._client.post(root + path, cast_to=object, body=body))

    async def _timed(self, work: Awaitable[Any]) -> Any:
        problem = f"did not answer within {self.settings.timeout:g} s; raise {self._table}.timeout"
        return await _within(self.settings.timeout, problem, work)

    @cached_property
    def _client(self) -> Any:
        import httpx2
        import openai

        return openai.AsyncOpenAI(
            base_url=self.settings.base_url,
            api_key=self._api_key or "none",  # the client insists on one; a server without keys ignores it
            max_retries=0,  # `_start_stream` tries again, up to the first chunk, and not after a time-out
            timeout=openai.Timeout(None, connect=min(5.0, self.settings.timeout)),  # the rest is timed here
            default_headers=self._headers,
            http_client=openai.DefaultAsyncHttpxClient(limits=httpx2.Limits(max_keepalive_connections=0)),
        )


def model_info(name: str, listed: Any, context: int | None) -> Model:
    """Return what a server's list says of a model; `context` of the settings comes first."""
    sizes = [getattr(listed, field, None) for field in _CONTEXT_FIELDS]
    about = getattr(listed, "meta", None)  # of llama.cpp
    sizes.append(about.get("n_ctx") if isinstance(about, dict) else None)
    stated = next((size for size in sizes if isinstance(size, int) and size > 0), None)
    return Model(name, context or stated or ASSUMED_CONTEXT, isinstance(getattr(listed, "max_model_len", None), int))


async def _within(seconds: float, problem: str, work: Awaitable[Any]) -> Any:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise TimeoutError(f"{problem} or look at its log") from None


def _expanded(key: str, value: str) -> tuple[str, frozenset[str]]:
    try:
        made = expand(value, None, os.environ)
    except SecretError as error:
        raise SettingsError(f"{key}: {error}") from None
    return made.value, made.hidden


def _without(request: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name != key}


def _renamed(request: dict[str, Any]) -> dict[str, Any]:
    if "max_tokens" not in request:
        return request
    return _without(request, "max_tokens") | {"max_completion_tokens": request["max_tokens"]}


def _schema_in_prompt(request: dict[str, Any]) -> dict[str, Any]:
    """Ask for JSON in the prompt instead."""
    form = request.get("response_format")
    if not form:
        return request
    schema = json.dumps(form.get("json_schema", {}).get("schema", {"type": "object"}), ensure_ascii=False)
    instruction = {
        "role": "system",
        "content": f"Reply with one JSON object of this schema, and nothing else: {schema}",
    }
    return _without(request, "response_format") | {"messages": [instruction, *request["messages"]]}


_ADJUSTMENTS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "max_completion_tokens": _renamed,  # OpenAI's newer models
    "temperature": lambda request: _without(request, "temperature"),  # its reasoning models
    "stream_options": lambda request: _without(request, "stream_options"),
    "response_format": _schema_in_prompt,
    "json_schema": _schema_in_prompt,
    "grammar": _schema_in_prompt,
}
"""What a server's refusal names -> the request without it."""
