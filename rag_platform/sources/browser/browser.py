"""Headless Chromium through Playwright, for pages that are made by scripts and for logging in.

Playwright belongs to one thread, so a `Browser` has a thread of its own and does one thing at a time; any thread may
ask it. It starts with the first question and ends by itself when nothing was asked for a while. It reaches only what
the fetcher may reach (see `egress`), loads neither images nor fonts nor media, and knows no variable of ours.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import httpx

from rag_platform.config.sections.sources import BrowserSettings, FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Fetched
from rag_platform.core.urls import shown
from rag_platform.sources.browser.chromium import started
from rag_platform.sources.browser.egress import Egress
from rag_platform.sources.http.fetcher import raise_for
from rag_platform.sources.http.hosts import Unavailable
from rag_platform.sources.http.transport import Answer

if TYPE_CHECKING:
    import playwright.sync_api as playwright

Result = TypeVar("Result")
UNWANTED = {"image", "font", "media"}
IDLE_SECONDS = 20.0
SETTLE_SECONDS, QUIET_SECONDS = 5.0, 0.3
"""Most time that a page has, once it is there, until it is quiet; without a request for so long, it is."""
ENDLESS = {"eventsource", "websocket", "ping"}
_LOOK_MS = 100
"""Milliseconds from one look at a page that is not there yet to the next."""


class Browser:
    """One browser, started when it is needed."""

    def __init__(self, settings: BrowserSettings, fetch: FetchSettings) -> None:
        self._settings = settings
        self._fetch = fetch
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def render(self, url: str, selector: str | None = None) -> Fetched:
        """Open a page and return its HTML once scripts have made it, or the file that it turns out to be.

        Args:
            url: where it is.
            selector: of something that must appear; None: until the network is quiet.

        Raises:
            Gone: the server says that it no longer exists.
            Unavailable: it failed in a way that may pass.
            FetchError: it failed in another way, or may not be read.
        """
        return self.run(lambda visit: visit.render(url, selector))

    def run(self, work: Callable[["Visit"], Result]) -> Result:
        """Do something with a fresh visit (no cookies, no history) in the browser's thread, and return its result."""
        future: Future[Result] = Future()
        with self._lock:
            self._jobs.put(_Job(work, future))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="browser", daemon=True)
                self._thread.start()
        return future.result()

    def close(self) -> None:
        """End the browser; a later question starts it again."""
        with self._lock:
            thread = self._thread
            if thread is not None:
                self._jobs.put(None)
        if thread is not None:
            thread.join()

    def _serve(self) -> None:
        try:
            with Egress(self._fetch) as egress, started(self._settings, egress) as chromium:
                while (job := self._next()) is not None:
                    _do(job, chromium, egress, self._fetch)
        except BaseException as error:  # noqa: BLE001  the waiting thread must learn that there is no browser
            self._give_up(error)

    def _next(self) -> "_Job | None":
        """Return what to do next; None: end."""
        with suppress(queue.Empty):
            if (job := self._jobs.get(timeout=IDLE_SECONDS)) is not None:
                return job
        with self._lock:
            if not self._jobs.empty():
                return self._jobs.get_nowait()
            self._thread = None  # from now on a question starts another thread
            return None

    def _give_up(self, error: BaseException) -> None:
        with self._lock, suppress(queue.Empty):
            self._thread = None
            while True:
                if (job := self._jobs.get_nowait()) is not None:
                    job.future.set_exception(error)


class Visit:
    """A browser window of its own."""

    def __init__(self, context: "playwright.BrowserContext", egress: Egress, fetch: FetchSettings) -> None:
        self.context = context
        self._egress = egress
        self._fetch = fetch
        self.page = context.new_page()
        self._pending: set[playwright.Request] = set()
        self._heading, self._broken_off = "", ""
        self.page.on("request", self._begun)
        self.page.on("requestfinished", self._ended)
        self.page.on("requestfailed", self._failed)

    def open(self, url: str) -> Answer:
        """Go to an address and return what the server said, with its HTML as it is then, or a file's bytes."""
        downloads: list[playwright.Download] = []
        self.page.once("download", lambda download: downloads.append(download))  # noqa: PLW0108  playwright marks it
        end = time.monotonic() + self._fetch.timeout
        try:
            response = self.page.goto(url, wait_until="commit")
            self._arrive(url, end)
        except _errors() as error:
            for _ in range(40 if "ownload" in str(error) or "ERR_ABORTED" in str(error) else 0):
                if downloads:
                    return self._file(url, downloads[0])
                self.page.wait_for_timeout(50)  # the download event comes after the error
            raise self._explained(url, error) from None  # the original's text may hold what was typed
        self._check_refused(self.page.url)
        headers = httpx.Headers(response.headers if response else {})
        return Answer(httpx.URL(self.page.url), response.status if response else 200, headers, self.html().encode())

    def _arrive(self, url: str, end: float) -> None:
        """Wait until the HTML is there; the browser would wait on for the rest of an answer that broke off."""
        while True:
            try:
                self.page.wait_for_load_state("domcontentloaded", timeout=_LOOK_MS)
                return
            except _errors() as error:
                if self._broken_off:
                    raise self._broken(url) from None
                if type(error).__name__ != _TIMEOUT or time.monotonic() > end:
                    raise

    def settle(self, selector: str | None = None, seconds: float | None = None) -> None:
        """Wait until something appears or, without a selector, until the network is quiet, at most so long."""
        if selector:
            try:
                self.page.wait_for_selector(selector, state="attached")
            except _errors() as error:
                raise self._explained(self.page.url, error, f"nothing matched {selector!r}") from None
            return
        now = time.monotonic
        end, quiet_since = now() + (seconds or SETTLE_SECONDS), now()
        while now() < end and now() - quiet_since < QUIET_SECONDS:  # a page that is never quiet is read as it is
            self.page.wait_for_timeout(50)
            quiet_since = now() if self._pending else quiet_since

    @contextmanager
    def explaining(self, url: str) -> Iterator[None]:
        """Raise a `FetchError` for whatever Playwright says of a page that one looks at."""
        try:
            yield
        except _errors() as error:
            raise self._explained(url, error, "the page could not be read") from None

    def html(self) -> str:
        """Return the page's HTML as it is now."""
        for _ in range(5):
            try:
                return self.page.content()
            except _errors():  # it is just going somewhere else
                self.page.wait_for_timeout(200)
        raise Unavailable(f"{shown(self.page.url)} keeps changing", retry=False)

    def render(self, url: str, selector: str | None = None) -> Fetched:
        """See `Browser.render`."""
        answer = self.open(url)
        raise_for(answer)
        kind = answer.headers.get("content-type", "")
        moved = {"redirected_to": shown(str(answer.url))} if str(answer.url).rstrip("/") != url.rstrip("/") else {}
        if kind and "html" not in kind and "xml" not in kind:
            return Fetched(answer.content, kind, metadata=moved)
        self.settle(selector)
        content = self.html().encode()
        if len(content) > self._fetch.max_bytes:
            raise self._too_large(url)
        return Fetched(content, "text/html; charset=utf-8", metadata=moved)

    def _begun(self, request: "playwright.Request") -> None:
        if request.resource_type not in ENDLESS:
            self._pending.add(request)
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self._heading, self._broken_off = request.url, ""  # also of a redirect

    def _ended(self, request: "playwright.Request") -> None:
        self._pending.discard(request)

    def _failed(self, request: "playwright.Request") -> None:
        self._ended(request)
        if request.is_navigation_request() and request.url == self._heading:
            self._broken_off = request.failure or "it failed"

    def _file(self, url: str, download: "playwright.Download") -> Answer:
        try:
            path = Path(download.path())
        except _errors() as error:
            raise self._explained(url, error, "the file did not arrive") from None
        if path.stat().st_size > self._fetch.max_bytes:
            raise self._too_large(url)
        return Answer(httpx.URL(url), 200, httpx.Headers({"content-type": _FILE}), path.read_bytes())

    def _broken(self, url: str) -> FetchError:
        if urlsplit(self._heading).hostname in self._egress.cut:
            return self._too_large(url)
        return Unavailable(f"{shown(url)}: the answer broke off ({self._broken_off})")

    def _too_large(self, url: str) -> FetchError:
        return FetchError(f"{shown(url)}: larger than {self._fetch.max_bytes} bytes (max_bytes in its [fetch])")

    def _check_refused(self, url: str) -> None:
        reason = self._egress.refused.get(urlsplit(url).hostname or "")
        if reason:
            raise FetchError(reason)

    def _explained(self, url: str, error: Exception, why: str = "") -> FetchError:
        refused = self._egress.refused.get(urlsplit(self._heading).hostname or "")
        if refused:
            return FetchError(refused)
        name = type(error).__name__
        code = next((word for word in str(error).split() if word.startswith("net::")), name)
        if name == _TIMEOUT:
            return Unavailable(f"{shown(url)}: {why or 'the browser got no answer in time'} (timeout in its [fetch])")
        return Unavailable(f"{shown(url)}: {why or 'the browser could not open it'} ({code})", retry=False)


_FILE = "application/octet-stream"
_TIMEOUT = "TimeoutError"
"""What Playwright calls it."""


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Visit], Any]
    future: Future[Any]


def _do(job: _Job, chromium: "playwright.Browser", egress: Egress, fetch: FetchSettings) -> None:
    egress.refused.clear()
    egress.cut.clear()
    try:
        context = chromium.new_context(
            user_agent=fetch.user_agent, accept_downloads=True, service_workers="block", ignore_https_errors=False
        )
        try:
            context.set_default_timeout(fetch.timeout * 1000)
            context.route("**/*", _filtered)
            job.future.set_result(job.work(Visit(context, egress, fetch)))
        finally:
            context.close()
    except BaseException as error:  # noqa: BLE001  raised again in the thread that asked
        if not job.future.done():
            job.future.set_exception(error)


def _filtered(route: "playwright.Route") -> None:
    with suppress(_errors()):  # the page may have gone
        if route.request.resource_type in UNWANTED:
            route.abort()
        else:
            route.continue_()


def _errors() -> type[Exception]:
    from playwright.sync_api import Error

    return Error
