"""One polite, careful way to fetch over HTTP, shared by feeds and pages.

- Conditional requests: an unchanged page costs a 304.
- robots.txt is obeyed as RFC 9309 says: absent (4xx) allows all, unreadable (5xx) forbids all for this run.
- One request at a time to a host, with a pause between two; none towards loopback. A `Fetcher` is thread-safe.
- What may pass (connection, timeout, 429, 502, 503, 504) is tried again with growing, jittered pauses or as
  Retry-After says; a host that is down costs its retries once, then a circuit breaker answers for it.
- Private addresses are refused at every hop (see `addresses`); size, time and redirects are limited.
"""

import threading
import time
from collections.abc import Callable
from typing import overload

import httpx
from protego import Protego
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential_jitter

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Fetched, Gone, Validators
from rag_platform.core.urls import is_web, shown
from rag_platform.sources.http.addresses import Address, UnknownHost, resolve
from rag_platform.sources.http.cookies import CookieJar
from rag_platform.sources.http.hosts import Host, Unavailable
from rag_platform.sources.http.transport import Answer, Ask, Transport

ROBOTS_BYTES = 512_000
"""RFC 9309 asks for at least 500 KiB."""
ALLOW_ALL, FORBID_ALL = Protego.parse(""), Protego.parse("User-agent: *\nDisallow: /")
MEANINGS = {
    401: "it asks for a login",
    403: "it refuses access",
    404: "there is nothing at this address; it may have moved",
    451: "it is blocked for legal reasons",
}


class Forbidden(FetchError):
    """The host's robots.txt asks that the address is left alone."""


class Denied(FetchError):
    """The server knows the address and does not show it to us (401, 403)."""


class Missing(FetchError):
    """There is nothing at the address (404): not a sign that something was deleted."""


KNOWN = {401: Denied, 403: Denied, 404: Missing}


class Fetcher:
    """Fetches addresses for one run; what it learns about hosts is kept for the run.

    Cookies are sent only where a jar is given, and only to the host that the jar is for.
    """

    def __init__(
        self,
        settings: FetchSettings,
        sleep: Callable[[float], None] = time.sleep,
        cookies: CookieJar | None = None,
        authorization: tuple[str, str] | None = None,
    ) -> None:
        """Ask nothing yet; `authorization` is an address, and the value of a header that its server alone gets."""
        self._settings = settings
        self._cookies = cookies
        self._authorization = (_origin(_parse(authorization[0])), authorization[1]) if authorization else None
        self._transport = Transport(settings)
        self._sleep = sleep
        self._hosts: dict[str, Host] = {}
        self._lock = threading.Lock()

    @overload
    def get(self, url: str) -> Fetched: ...
    @overload
    def get(self, url: str, validators: Validators | None) -> Fetched | None: ...
    def get(self, url: str, validators: Validators | None = None) -> Fetched | None:
        """Fetch an address; None when the server says that it has not changed.

        Raises:
            Gone: the server says that it no longer exists (410).
            Unavailable: it failed in a way that may pass.
            FetchError: it failed in another way.
        """
        conditions = _conditions(validators or Validators())
        start = _parse(url)
        answer = self._follow(start, conditions, obey=self._settings.robots)
        if answer.status == 304 and conditions:
            return None
        raise_for(answer)
        moved = {} if answer.url == start else {"redirected_to": shown(str(answer.url))}
        headers = answer.headers
        return Fetched(
            answer.content, headers.get("content-type"), headers.get("etag"), headers.get("last-modified"), moved
        )

    def request(self, method: str, url: str, content: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
        """Ask something else than for a page, as programs do: robots.txt is not asked, and no redirect is followed.

        Raises:
            Unavailable: it failed in a way that may pass.
            FetchError: it failed in another way.
        """
        parsed = _parse(url)
        answer = self._visit(parsed, Ask({**(headers or {}), **self._ours(parsed)}, method, content))
        self._learn(answer)
        if not 200 <= answer.status < 300:
            raise_for(answer)
        return answer

    def take_turn(self, url: str) -> None:
        """Wait until an address may be asked by other means than `get`, such as a browser.

        Raises:
            Forbidden: robots.txt asks that it is left alone.
            FetchError: the host is not known, not public, or does not answer.
        """
        parsed = _parse(url)
        if self._settings.robots:
            self._ask_robots(parsed)
        host = self._host(parsed)
        with host.lock:
            host.addresses = host.addresses or self._resolve(parsed)
            host.wait_turn()
            host.note_request()

    def _follow(self, start: httpx.URL, conditions: dict[str, str], *, obey: bool) -> Answer:
        url = start
        for _ in range(self._settings.max_redirects + 1):
            if obey:
                self._ask_robots(url)
            answer = self._visit(url, Ask(conditions | self._ours(url)))
            self._learn(answer)
            if answer.location is None:
                return answer
            url = _join(url, answer.location)
        raise FetchError(
            f"{shown(str(start))} redirects more than {self._settings.max_redirects} times (max_redirects in the "
            f"source's [fetch]), last to {shown(str(url))}"
        )

    def _ours(self, url: httpx.URL) -> dict[str, str]:
        """Return the headers that tell a server who we are."""
        cookie = self._cookies.header(str(url)) if self._cookies else None
        where, value = self._authorization or ("", "")
        return ({"cookie": cookie} if cookie else {}) | ({"authorization": value} if where == _origin(url) else {})

    def _learn(self, answer: Answer) -> None:
        if self._cookies is not None:
            self._cookies.learn(str(answer.url), answer.headers.get_list("set-cookie"))

    def _ask_robots(self, url: httpx.URL) -> None:
        host = self._host(url)
        with host.rules_lock:
            if host.rules is None:
                host.rules = self._read_robots(url)
                host.slow_down(float(host.rules.crawl_delay(self._settings.user_agent) or 0))
        if not host.rules.can_fetch(str(url), self._settings.user_agent):
            why = "cannot be read now (RFC 9309: then nothing may be)" if host.rules is FORBID_ALL else "forbids it"
            raise Forbidden(
                f"{shown(str(url))}: the host's robots.txt {why}; leave the address out, or set robots = false in the "
                "source's [fetch] if you may read it"
            )

    def _read_robots(self, url: httpx.URL) -> Protego:
        try:
            answer = self._follow(url.copy_with(raw_path=b"/robots.txt", fragment=None), {}, obey=False)
        except Unavailable as error:
            if error.dead or not error.retry:
                raise  # the host itself is down, which says more than its robots.txt
            return FORBID_ALL
        if answer.status >= 500:
            return FORBID_ALL
        if answer.status != 200:
            return ALLOW_ALL
        return Protego.parse(answer.content[:ROBOTS_BYTES].decode("utf-8", "replace"))

    def _host(self, url: httpx.URL) -> Host:
        name = _origin(url)
        with self._lock:
            if name not in self._hosts:
                self._hosts[name] = Host(name, self._settings.delay, self._sleep)
            return self._hosts[name]

    def _visit(self, url: httpx.URL, ask: Ask) -> Answer:
        """Send one request, with its retries, while no other goes to the host."""
        host = self._host(url)
        retrying = Retrying(
            stop=stop_after_attempt(self._settings.retries + 1),
            retry=retry_if_exception(lambda error: isinstance(error, Unavailable) and error.retry),
            wait=_pause,
            sleep=self._sleep,
            reraise=True,
        )
        with host.lock:
            host.check()
            try:
                answer = retrying(self._request, host, url, ask)
            except Unavailable as error:
                host.failed(error)
                raise
            host.answered()
            return answer

    def _request(self, host: Host, url: httpx.URL, ask: Ask) -> Answer:
        host.addresses = host.addresses or self._resolve(url)
        host.wait_turn()
        try:
            return self._first_answer(host, url, ask)
        finally:
            host.note_request()

    def _resolve(self, url: httpx.URL) -> tuple[Address, ...]:
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            return resolve(url.raw_host.decode("ascii"), port, allow_private=self._settings.allow_private)
        except UnknownHost as error:
            raise Unavailable(str(error), retry=False, dead=True) from error

    def _first_answer(self, host: Host, url: httpx.URL, ask: Ask) -> Answer:
        """Ask the first of the host's addresses that takes a connection."""
        *others, last = host.addresses
        for address in others:
            try:
                return self._transport.send(url, str(address), ask)
            except Unavailable as error:
                if not error.dead:
                    raise
        return self._transport.send(url, str(last), ask)


def _conditions(validators: Validators) -> dict[str, str]:
    conditions = {"if-none-match": validators.etag, "if-modified-since": validators.last_modified}
    return {name: value for name, value in conditions.items() if value}


def raise_for(answer: Answer) -> None:
    """Raise what an answer other than a page means."""
    url, status = shown(str(answer.url)), answer.status
    if status == 410:
        raise Gone(f"{url} answered 410: it no longer exists")
    if status >= 500:
        raise Unavailable(f"{url} answered {status}: the server failed", retry=False)
    if status not in (200, 203):
        raise KNOWN.get(status, FetchError)(f"{url} answered {status}: {MEANINGS.get(status, 'expected 200')}")
    if not answer.content:
        raise FetchError(f"{url} answered with an empty page")


def _parse(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise FetchError(f"{shown(url)!r} is not an address: {error}") from error
    if not is_web(url) or not parsed.host:
        raise FetchError(f"{shown(url)!r} is not an address that starts with http:// or https:// and names a host")
    return parsed


def _origin(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii')}"


def _join(url: httpx.URL, location: str) -> httpx.URL:
    try:
        return _parse(str(url.join(location)))
    except httpx.InvalidURL as error:
        raise FetchError(f"{shown(str(url))} redirects to {location!r}, which is not an address") from error


_BACKOFF = wait_exponential_jitter(multiplier=0.5, max=30)


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    wait = error.wait if isinstance(error, Unavailable) else None
    return _BACKOFF(state) if wait is None else wait
