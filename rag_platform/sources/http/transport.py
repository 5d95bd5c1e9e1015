"""One HTTP request to an address that was checked, within limits of size and time."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

import httpx

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.core.urls import shown
from rag_platform.sources.compression import gunzip, inflate
from rag_platform.sources.http.deadline import Deadline
from rag_platform.sources.http.hosts import Unavailable

PASSING = {429, 502, 503, 504}
REDIRECTS = {301, 302, 303, 307, 308}
ENCODINGS = {"", "identity", "gzip", "x-gzip", "deflate"}
LONGEST_WAIT = 60.0
"""Seconds; a server that asks for a longer wait is left for the next run."""
CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked of an address."""

    headers: dict[str, str] = field(default_factory=dict)
    method: str = "GET"
    content: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    url: httpx.URL
    status: int
    headers: httpx.Headers
    content: bytes

    @property
    def location(self) -> str | None:
        """Where a redirect leads."""
        return self.headers.get("location") if self.status in REDIRECTS else None


class Transport:
    """Sends requests. Connections are not reused: hosts that share an address must not share one.

    Proxies are not used: the library does not read the environment.
    """

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings

    @locked_cached_property
    def _client(self) -> httpx.Client:
        return httpx.Client(
            verify=httpx.create_ssl_context(trust_env=False),
            trust_env=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )

    def send(self, url: httpx.URL, address: str, ask: Ask) -> Answer:
        """Ask the server at `address` for `url`. The body is read for 2xx only.

        Raises:
            Unavailable: the failure may pass.
            FetchError: it will not, or a limit was passed.
        """
        with Deadline(self._settings.timeout) as deadline, _translated(url, deadline):
            response = self._client.send(self._request(url, address, ask, deadline), stream=True)
            try:
                return Answer(url, response.status_code, response.headers, self._body(url, response))
            finally:
                response.close()

    def _request(self, url: httpx.URL, address: str, ask: Ask, deadline: Deadline) -> httpx.Request:
        limit = self._settings.timeout
        host = url.raw_host.decode("ascii")
        return httpx.Request(  # not client.build_request: that would send cookies, which it knows by address
            ask.method,
            url.copy_with(host=address, fragment=None),
            headers={
                "host": url.netloc.decode("ascii"),
                "user-agent": self._settings.user_agent,
                "accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "accept-encoding": "gzip, deflate",  # of bounded expansion, unlike others
                **ask.headers,
            },
            content=ask.content,
            extensions={
                "sni_hostname": host,  # the certificate is checked for the name, not for the address
                "timeout": httpx.Timeout(limit, connect=min(limit, CONNECT_SECONDS)).as_dict(),
                "trace": deadline.watch,
            },
        )

    def _body(self, url: httpx.URL, response: httpx.Response) -> bytes:
        if response.status_code in PASSING:
            raise _busy(url, response)
        if not response.is_success:
            return b""
        encoding = response.headers.get("content-encoding", "").strip().lower()
        if encoding not in ENCODINGS:
            raise FetchError(f"{shown(str(url))}: it is encoded as {encoding!r}, expected gzip, deflate or nothing")
        declared = response.headers.get("content-length", "")
        self._check_size(url, int(declared) if declared.isdigit() else 0)
        return self._unpacked(url, self._read(url, response), encoding)

    def _read(self, url: httpx.URL, response: httpx.Response) -> bytes:
        content = bytearray()
        for chunk in response.iter_raw():  # httpx would take compressed data that was cut short for whole
            content += chunk
            self._check_size(url, len(content))
        return bytes(content)

    def _unpacked(self, url: httpx.URL, content: bytes, encoding: str) -> bytes:
        if not content or encoding in ("", "identity"):
            return content
        try:
            return (inflate if encoding == "deflate" else gunzip)(content, self._settings.max_bytes)
        except ValueError as error:
            if "larger" in str(error):
                raise self._too_large(url) from error
            raise Unavailable(f"{shown(str(url))}: the answer cannot be read: {error}") from error

    def _check_size(self, url: httpx.URL, size: int) -> None:
        if size > self._settings.max_bytes:
            raise self._too_large(url)

    def _too_large(self, url: httpx.URL) -> FetchError:
        limit = self._settings.max_bytes
        return FetchError(f"{shown(str(url))}: larger than {limit} bytes (max_bytes in the source's [fetch])")


@contextmanager
def _translated(url: httpx.URL, deadline: Deadline) -> Iterator[None]:
    """Turn httpx's errors into ours; whatever happens after the deadline is a timeout."""
    try:
        yield
    except httpx.HTTPError as error:
        if not deadline.passed:
            raise _explained(url, error) from error
    except (httpx.InvalidURL, httpx.StreamError, ValueError) as error:
        raise FetchError(f"{shown(str(url))}: the answer cannot be read: {error}") from error
    if deadline.passed:
        raise Unavailable(f"{shown(str(url))}: not complete after {deadline.seconds:g} s (timeout)")


def _explained(url: httpx.URL, error: httpx.HTTPError) -> FetchError:
    name = shown(str(url))
    if isinstance(error, httpx.ConnectError) and "CERTIFICATE_VERIFY_FAILED" in str(error):
        return FetchError(f"{name}: its certificate is not valid: {error}")
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        why = str(error) or f"no connection within {CONNECT_SECONDS:g} s"
        return Unavailable(f"{url.host} cannot be reached: {why}", dead=True)
    if isinstance(error, httpx.TimeoutException):
        return Unavailable(f"{name}: no answer in time (timeout in the source's [fetch])")
    if isinstance(error, httpx.TransportError):
        return Unavailable(f"{name}: the connection broke: {error}")
    return FetchError(f"{name}: the answer cannot be read: {error}")


def _busy(url: httpx.URL, response: httpx.Response) -> Unavailable:
    wait = _retry_after(response.headers.get("retry-after", ""))
    hint = "raise `delay` in the source's [fetch]" if response.status_code == 429 else "the server is busy or down"
    asks = f"; it asks to wait {wait:.0f} s" if wait else ""
    return Unavailable(
        f"{shown(str(url))} answered {response.status_code}: {hint}{asks}",
        retry=wait is None or wait <= LONGEST_WAIT,
        wait=wait,
    )


def _retry_after(value: str) -> float | None:
    """Read Retry-After: seconds, or a date."""
    if re.fullmatch(r"\d{1,9}", value.strip()):
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
