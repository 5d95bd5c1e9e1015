"""One address of a server that takes JSON or a file and gives JSON: tried again if that helps, within time and size."""

import json
import time
import weakref
from dataclasses import dataclass
from typing import Any

import httpx
import tenacity

from rag_platform.core.lazy import locked_cached_property

FAILURES = (httpx.HTTPError, httpx.InvalidURL, ValueError)
"""What a request raises; `JsonEndpoint.describe` puts the first two into words."""
CONNECT = 5.0
"""Seconds after which a server that does not take the connection counts as out of reach."""


@dataclass(frozen=True, slots=True)
class Advice:
    """What to tell people when a server fails: where in the settings it is described."""

    table: str
    """Such as "reranker"."""
    model: str
    """The key that names the model."""
    api_key_env: str
    slow: str
    """What helps beside a longer time-out."""


class JsonEndpoint:
    """Sends requests to one server. Safe to use from threads."""

    def __init__(
        self, base_url: str, api_key: str | None, timeout: float, advice: Advice, *, most: int, pause: float = 0.5
    ) -> None:
        """Connect on the first request.

        Args:
            base_url: The server's address, which paths are appended to.
            api_key: Sent as a bearer token; None: nothing is sent.
            timeout: Seconds for a request with all its tries; a time-out is not tried again.
            advice: For messages.
            most: Bytes of an answer.
            pause: The first wait before another try, in seconds.
        """
        self.base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._timeout, self._advice, self._most, self._pause = timeout, advice, most, pause

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send a request, up to three times within the time, and return what the answer holds.

        Raises:
            httpx.HTTPError: There was no answer, or it is a refusal; see `describe`.
            ValueError: The answer is no JSON, or too long.
        """
        return self._tried("POST", f"{self.base_url}{path}", json=body)

    def upload(self, path: str, fields: dict[str, str], name: str, content: bytes) -> Any:
        """Send a file with fields, as a form does; otherwise as `post`."""
        return self._tried("POST", f"{self.base_url}{path}", data=fields, files={"file": (name, content)})

    def get(self, address: str) -> Any:
        """Read an address of the server: absolute, for not all lie below the base."""
        return self._tried("GET", address)

    def _tried(self, method: str, address: str, **sent: Any) -> Any:
        end = time.monotonic() + self._timeout
        for attempt in tenacity.Retrying(
            retry=tenacity.retry_if_exception(_may_pass),
            stop=tenacity.stop_after_attempt(3) | tenacity.stop_after_delay(self._timeout),
            wait=tenacity.wait_random_exponential(multiplier=self._pause, max=8),
            reraise=True,
        ):
            with attempt:
                answer = self._once(method, address, end, sent)
        return answer

    def _once(self, method: str, address: str, end: float, sent: dict[str, Any]) -> Any:
        left = max(0.001, end - time.monotonic())
        timeout = httpx.Timeout(left, connect=min(CONNECT, left))
        with self._client.stream(method, address, timeout=timeout, **sent) as response:
            content = bytearray()
            for piece in response.iter_bytes():
                content += piece
                if time.monotonic() > end:
                    raise httpx.ReadTimeout("the answer is still coming", request=response.request)
                if len(content) > self._most:
                    raise ValueError(f"more than {self._most} bytes")
            if not response.is_success:
                said = " ".join(content.decode("utf-8", "replace").split())[:300]
                raise httpx.HTTPStatusError(said, request=response.request, response=response)
        return json.loads(content)

    @locked_cached_property
    def _client(self) -> httpx.Client:
        client = httpx.Client(headers=self._headers)
        weakref.finalize(self, client.close)
        return client

    def describe(self, error: Exception, path: str) -> str:
        """Say what the server did, and what to do about it."""
        address, table = f"{self.base_url}{path}", self._advice.table
        if isinstance(error, httpx.TimeoutException):
            return f"{address} did not answer within {self._timeout:g} s; raise {table}.timeout or {self._advice.slow}"
        if not isinstance(error, httpx.HTTPStatusError):
            return f"{address} cannot be reached ({error}); is it running, and is {table}.base_url right?"
        status = error.response.status_code
        advice = {
            401: f"put its key in the variable {self._advice.api_key_env}",
            403: f"the key in the variable {self._advice.api_key_env} may not use this model",
            404: f"check {table}.base_url (it usually ends in /v1) and {self._advice.model}",
            429: "it has too many requests; wait, or use a server with more room",
        }.get(status, "look at the server's log")
        return f"{address} answered {status} ({error}); {advice}"


def _may_pass(error: BaseException) -> bool:
    """Return whether a second try may help: no connection, a broken one, 429 or 5xx; never a time-out."""
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code == 429 or error.response.status_code >= 500
    return isinstance(error, httpx.TransportError) and not isinstance(error, httpx.TimeoutException)
