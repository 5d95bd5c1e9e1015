"""What a server or the way to it did wrong: whether another try may help, what it is called, and what to do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rag_platform.config.placeholders import hide
from rag_platform.config.sections.servers import ServerSettings
from rag_platform.core.errors import ContextOverflow, GenerationError, ToolsRefused

_TOO_LONG = re.compile(
    r"context[ _-]*(length|size|window)|exceed_context|(maximum|max)[ _](model|sequence)[ _]len|prompt is too long"
    r"|too many (input )?tokens|context the overflows",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"(?:context|model)[ _]*(?:length|size|window)[^0-9]{0,40}?(\d{3,8})", re.IGNORECASE)
_ADVICE = {
    400: "look at {table}.model, {table}.max_tokens and {table}.extra_body",
    401: "put its key in the variable {key}",
    402: "its account has no credit left",
    403: "the key in the variable {key} may not use this model",
    404: "check {table}.base_url (it usually ends in /v1) and {table}.model",
    429: "it has too many requests; wait, or use a server with more room",
}


def client_errors() -> tuple[type[Exception], ...]:
    """Everything the client raises: its own errors, its transport's once a stream has begun, and our time-outs."""
    import httpx2
    import openai

    return (openai.OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError, TimeoutError)


@contextmanager
def translate_errors(settings: ServerSettings, table: str, secrets: frozenset[str]) -> Iterator[None]:
    """Turn what the client raises into our errors, whose messages hold no key."""
    try:
        yield
    except client_errors() as error:
        kind = ToolsRefused if refuses(error, "tool") else ContextOverflow if overflows(error) else GenerationError
        raise kind(hide(describe(error, settings, table), secrets)) from None


def is_transient(error: BaseException) -> bool:
    """Return whether a second try may help: no connection, a broken one, 429 or 5xx; never a time-out."""
    import httpx2
    import openai

    if isinstance(error, (openai.APITimeoutError, httpx2.TimeoutException, TimeoutError)):
        return False
    if isinstance(error, openai.APIStatusError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, (openai.APIConnectionError, httpx2.TransportError))


def retry_after(error: BaseException | None) -> float | None:
    """Return the seconds that the server asks us to wait (Retry-After); None: it does not say."""
    response = getattr(error, "response", None)
    try:
        return max(0.0, float(response.headers["retry-after"])) if response is not None else None
    except (KeyError, ValueError):  # absent, or a date
        return None


def server_replied(error: Exception) -> bool:
    """Return whether the server itself replied, if only to refuse."""
    import httpx2
    import openai

    return not isinstance(error, (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, TimeoutError))


def refuses(error: Exception, word: str) -> bool:
    """Return whether the server does not take a request because of a part of it that its message names."""
    return getattr(error, "status_code", None) in (400, 404, 422, 501) and word in server_message(error).lower()


def overflows(error: Exception) -> bool:
    """Return whether a request was refused because it is longer than the model's context."""
    code = str(getattr(error, "code", "") or "")
    return getattr(error, "status_code", None) in (400, 413, 422) and bool(
        _TOO_LONG.search(f"{code} {server_message(error)}")
    )


def stated_context(message: str) -> int | None:
    """Return the size of the context that a refusal names, in tokens."""
    found = _LIMIT.search(message)
    return int(found[1]) if found else None


def describe(error: Exception, settings: ServerSettings, table: str) -> str:
    """Say what the server did, and which key of its table of the settings may mend it."""
    server = settings.shown_url
    if isinstance(error, TimeoutError):
        return f"{server} {error}"
    if not server_replied(error):
        return f"{server} cannot be reached ({server_message(error)}); is it running, and is {table}.base_url right?"
    status = getattr(error, "status_code", None)
    if overflows(error):
        advice = f"its context is smaller than the prompt: lower answer.sources or {table}.max_tokens"
    else:
        advice = _ADVICE.get(status or 0, "look at the server's log").format(key=settings.api_key_env, table=table)
    return f"{server} answered {status or 'with an error'} ({server_message(error)}); {advice}"


def server_message(error: Exception) -> str:
    """Return the server's own words, on one line."""
    if isinstance(error, UnicodeDecodeError | ValueError) and not hasattr(error, "status_code"):
        return "what it sent is not JSON"
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or error.__cause__ or error or type(error).__name__).split())[:300]
