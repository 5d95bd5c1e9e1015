"""One server: which models it has, when a request has failed, what is tried again, what it does not understand."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import tenacity

from rag_platform.config.placeholders import expand
from rag_platform.config.sections.servers import ServerSettings
from rag_platform.core.errors import GenerationError, SecretError, SettingsError
from rag_platform.llm.failures import answered, failures, may_pass, refuses, wait_asked

ASSUMED_CONTEXT = 4096
"""Tokens of context when neither the server nor the settings tell."""
_CONTEXT_FIELDS = ("max_model_len", "context_length", "context_window", "max_context_length")
"""How vLLM, OpenRouter, Groq and LM Studio call the size of a model's context in their lists."""
_END = object()


@dataclass(frozen=True, slots=True)
class Model:
    """A model of a server."""

    name: str
    context: int
    """Tokens of prompt and answer together."""
    tokenizes: bool = False
    """Whether the server is one that counts tokens (vLLM)."""


class Connection:
    """Sends requests to a server; all of it runs on the loop of `waiting`."""

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
        page = await self._soon(self._client.models.list())
        listed = page.data if isinstance(getattr(page, "data", None), list) else []
        return {model.id: model for model in listed if isinstance(getattr(model, "id", None), str)}

    async def model(self) -> Model:
        """Return the model to ask; the server is asked for its list once, and again after `forget`."""
        if self._model is None:
            self._model = await self._find_model()
        return self._model

    async def health(self) -> tuple[Model, tuple[str, ...]]:
        """Return the model to ask and the names of all; a server that has an engine is asked how that is."""
        model = await self.model()
        try:
            listed = tuple(await self.models())
        except failures():
            listed = ()
        if model.tokenizes:
            await self.beside("GET", "/health")
        return model, listed

    def forget(self) -> None:
        """Ask for the list of models again: the server may have another one by now."""
        self._model = None

    async def _find_model(self) -> Model:
        wanted = self.settings.model
        try:
            listed = await self.models()
        except failures() as error:
            if wanted is None or not answered(error) or getattr(error, "status_code", None) == 401:
                raise
            return Model(wanted, self.settings.context or ASSUMED_CONTEXT)  # a server without a list may still chat
        name = wanted or next(iter(listed), None)
        if name is None:
            raise GenerationError(f"{self.settings.shown_url} serves no model; load one, or set {self._table}.model")
        if listed and name not in listed:
            some = ", ".join(sorted(listed)[:10])
            raise GenerationError(
                f"{self.settings.shown_url} has no model {name!r}, it has {some}: "
                f"set {self._table}.model to one of them, or leave it out for the first"
            )
        return described(name, listed.get(name), self.settings.context)

    async def chunks(self, request: dict) -> AsyncGenerator[Any, None]:
        """Yield the chunks of a streamed reply; TimeoutError when the next one takes too long."""
        stream, chunk = await self._begin(request)
        try:
            while chunk is not _END:
                yield chunk
                told = f"sent nothing for {self.settings.idle_timeout:g} s; raise {self._table}.idle_timeout"
                chunk = await _within(self.settings.idle_timeout, told, anext(stream, _END))
        finally:
            await stream.close()

    async def whole(self, request: dict) -> Any:
        """Return a reply that is not streamed."""
        return await self._soon(self._sent(request))

    async def _begin(self, request: dict) -> tuple[Any, Any]:
        """Send the request until its first chunk comes: nothing was shown yet, so trying again is safe."""
        async for attempt in tenacity.AsyncRetrying(
            retry=tenacity.retry_if_exception(self._worth_another),
            stop=tenacity.stop_after_attempt(3),
            wait=self._wait,
            reraise=True,
        ):
            with attempt:
                return await self._soon(self._first(request))
        raise AssertionError("the last attempt raises or returns")

    async def _first(self, request: dict) -> tuple[Any, Any]:
        stream = await self._sent(request)
        try:
            return stream, await anext(stream, _END)
        except BaseException:
            await stream.close()
            raise

    def _worth_another(self, error: BaseException) -> bool:
        return may_pass(error) and (wait_asked(error) or 0) <= self.settings.timeout

    def _wait(self, state: tenacity.RetryCallState) -> float:
        asked = wait_asked(state.outcome.exception() if state.outcome else None)
        return asked if asked is not None else tenacity.wait_random_exponential(multiplier=self._pause, max=8)(state)

    async def _sent(self, request: dict) -> Any:
        """Send a request, without what this server has been found not to understand."""
        while True:
            adjusted = request
            for name in self._adjustments:
                adjusted = _ADJUSTMENTS[name](adjusted)
            try:
                return await self._client.chat.completions.create(**adjusted)
            except failures() as error:
                news = (name for name in _ADJUSTMENTS if name not in self._adjustments and refuses(error, name))
                name = next((name for name in news if _ADJUSTMENTS[name](adjusted) != adjusted), None)
                if name is None:
                    raise
                self._adjustments.append(name)

    async def count(self, text: str) -> int | None:
        """Return a text's tokens as the server counts them; None: it does not."""
        model = await self.model()
        if not model.tokenizes:
            return None
        try:
            counted = await self.beside("POST", "/tokenize", {"model": model.name, "prompt": text})
        except failures():
            return None
        count = counted.get("count") if isinstance(counted, dict) else None
        return count if isinstance(count, int) else None

    async def beside(self, method: str, path: str, body: dict | None = None) -> Any:
        """Ask for an address that stands beside ``/v1``, not below it."""
        root = (self.settings.base_url or "").rstrip("/").removesuffix("/v1")
        if method == "GET":
            return await self._soon(self._client.get(root + path, cast_to=object))
        return await self._soon(self._client.post(root + path, cast_to=object, body=body))

    async def _soon(self, work: Awaitable[Any]) -> Any:
        told = f"did not answer within {self.settings.timeout:g} s; raise {self._table}.timeout"
        return await _within(self.settings.timeout, told, work)

    @cached_property
    def _client(self) -> Any:
        import httpx2
        import openai

        return openai.AsyncOpenAI(
            base_url=self.settings.base_url,
            api_key=self._api_key or "none",  # the client insists on one; a server without keys ignores it
            max_retries=0,  # `_begin` tries again, up to the first chunk, and not after a time-out
            timeout=openai.Timeout(None, connect=min(5.0, self.settings.timeout)),  # the rest is timed here
            default_headers=self._headers,
            http_client=openai.DefaultAsyncHttpxClient(limits=httpx2.Limits(max_keepalive_connections=0)),
        )


def described(name: str, listed: Any, context: int | None) -> Model:
    """Return what a server's list says of a model; `context` of the settings comes first."""
    told = next((size for field in _CONTEXT_FIELDS if isinstance(size := getattr(listed, field, None), int)), None)
    return Model(name, context or told or ASSUMED_CONTEXT, isinstance(getattr(listed, "max_model_len", None), int))


async def _within(seconds: float, told: str, work: Awaitable[Any]) -> Any:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError:
        raise TimeoutError(f"{told} or look at its log") from None


def _expanded(key: str, value: str) -> tuple[str, frozenset[str]]:
    try:
        made = expand(value, None, os.environ)
    except SecretError as error:
        raise SettingsError(f"{key}: {error}") from None
    return made.value, made.hidden


def _without(request: dict, key: str) -> dict:
    return {name: value for name, value in request.items() if name != key}


def _renamed(request: dict) -> dict:
    if "max_tokens" not in request:
        return request
    return _without(request, "max_tokens") | {"max_completion_tokens": request["max_tokens"]}


def _form_in_words(request: dict) -> dict:
    """Ask for JSON in the prompt instead."""
    form = request.get("response_format")
    if not form:
        return request
    schema = json.dumps(form["json_schema"]["schema"], ensure_ascii=False)
    asked = {"role": "system", "content": f"Reply with one JSON object of this schema, and nothing else: {schema}"}
    return _without(request, "response_format") | {"messages": [asked, *request["messages"]]}


_ADJUSTMENTS: Mapping[str, Any] = {
    "max_completion_tokens": _renamed,  # OpenAI's newer models
    "temperature": lambda request: _without(request, "temperature"),  # its reasoning models
    "stream_options": lambda request: _without(request, "stream_options"),
    "response_format": _form_in_words,
    "json_schema": _form_in_words,
    "grammar": _form_in_words,
}
"""What a server's refusal names, and the request without it."""
