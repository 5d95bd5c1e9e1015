"""A session with a portal: cookies kept encrypted between syncs, expiry noticed, one login at a time.

An account that is asked with a wrong password again and again gets locked. So credentials that were refused are not
sent a second time, also not by the next sync: only after they were changed, or by `rag portal login`.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar, overload
from urllib.parse import urlsplit

from rag_platform.config.placeholders import Expanded, expand
from rag_platform.config.source_kinds import Context
from rag_platform.core.errors import FetchError, LoginFailed, MissingExtra, SecretError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Validators
from rag_platform.core.urls import shown
from rag_platform.sources.browser.browser import Browser, Visit
from rag_platform.sources.http.cookies import Cookie, CookieJar
from rag_platform.sources.http.fetcher import Denied, Fetcher
from rag_platform.sources.http.page_detection import PASSWORD_FIELD
from rag_platform.sources.portals.login import Refused, log_in
from rag_platform.sources.portals.portal_settings import PortalSource

Answered = TypeVar("Answered", bound=Fetched | None)
LOGINS = 2
"""In one sync: at its beginning, and once more when the session ends on the way."""
LOGIN_PATH = re.compile(r"/(x?log-?in|sign-?in|cas|sso|saml2?|oauth2?|auth|idp|adfs|shibboleth)\b", re.IGNORECASE)


class Session:
    """Reads a portal as its user."""

    def __init__(self, settings: PortalSource, context: Context, alive: Callable[["Session"], bool]) -> None:
        self.settings = settings
        fetch = settings.fetch.model_copy(update={"robots": False})  # robots.txt is for what is public
        self._context = context
        self._alive = alive
        self._saved = self._load()
        self.jar = CookieJar(settings.url, (Cookie(**cookie) for cookie in self._saved.get("cookies", ())))
        self.fetcher = Fetcher(fetch, cookies=self.jar)
        self.browser = Browser(context.browser, fetch)
        self._logins = 0
        self._failure: LoginFailed | MissingExtra | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Make sure that somebody is logged in.

        Raises:
            LoginFailed: the portal did not let us in.
        """
        if not (len(self.jar) and self.is_alive()):
            self.log_in()

    def is_alive(self) -> bool:
        """Ask the portal whether the session still holds."""
        return self._alive(self)

    @overload
    def get(self, url: str, *, html: bool = True) -> Fetched: ...
    @overload
    def get(self, url: str, validators: Validators | None, *, html: bool = True) -> Fetched | None: ...
    def get(self, url: str, validators: Validators | None = None, *, html: bool = True) -> Fetched | None:
        """Fetch something, logging in again when the session has ended; None when it has not changed.

        Args:
            url: where it is.
            validators: of the last fetch.
            html: a page may be the answer; otherwise a page is taken for a login.

        Raises:
            FetchError: as `Fetcher.get`, and where a login page stands in place of the content.
            LoginFailed: the session has ended, and logging in failed.
        """
        return self._insist(url, lambda: self.fetcher.get(url, validators), html=html)

    def json(self, url: str) -> Any:
        """Fetch what the portal says as JSON."""
        content = self.get(url, html=False).content
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise FetchError(f"{shown(url)} is no JSON: {error}") from error

    def page(self, url: str, read: Callable[[Visit], Any] | None = None) -> Any:
        """Open a page in the browser; return it, or what `read` makes of it once it is loaded."""

        def work(visit: Visit) -> tuple[Fetched, Any]:
            cookies: Any = _for_browser(self.jar, self.settings.root)  # Playwright's own type for them is private
            visit.context.add_cookies(cookies)
            fetched = visit.render(url)
            with visit.explaining(url):
                return fetched, read(visit) if read else None

        results: list[Any] = []

        def once() -> Fetched:
            results[:] = self.browser.run(work)
            fetched: Fetched = results[0]
            return fetched

        fetched = self._insist(url, once, html=True)
        return results[1] if read else fetched

    def log_in(self, *, again: bool = False) -> None:
        """Log in with user and password, and keep the cookies; `again`: also if they were refused before."""
        user, password = self._credentials()
        mark = digest(user.value, password.value, self.settings.url)
        self._check_may_try(mark, again=again)
        self._logins += 1
        try:
            cookies = self.browser.run(lambda visit: self._visit_login(visit, user.value, password.value))
        except Refused as error:
            self._failure = error
            self._save(refused={"mark": mark, "at": datetime.now(UTC).isoformat(timespec="minutes"), "why": str(error)})
            raise
        except (LoginFailed, MissingExtra) as error:
            self._failure = error
            raise
        except Exception as error:  # noqa: BLE001  Playwright's messages tell what was typed
            first = password.hide(user.hide(str(error).strip().partition("\n")[0]))
            self._failure = LoginFailed(f"the login of source {self.settings.id!r} failed: {first}")
            raise self._failure from None
        self.adopt(cookies)
        if not self.is_alive():
            self._failure = LoginFailed(
                f"source {self.settings.id!r}: the login page let us pass, but the portal does not take us for logged "
                "in; check url, login_url and logged_in"
            )
            raise self._failure

    def adopt(self, cookies: Sequence[Cookie]) -> None:
        """Take these cookies for the session, and keep them."""
        self.jar.replace(cookies)
        self._save()

    def had_below(self, beginning: str) -> bool:
        """Return whether the last sync left anything whose address begins so."""
        return self._context.has_below(beginning)

    def close(self) -> None:
        """End the browser and keep the cookies as they are now."""
        self.browser.close()
        if len(self.jar) and self.jar.to_dicts() != self._saved.get("cookies"):
            self._save()

    def _insist(self, url: str, fetch: Callable[[], Answered], *, html: bool) -> Answered:
        for _ in range(2):
            seen = self._logins
            try:
                fetched = fetch()
            except Denied:
                if self.is_alive():
                    raise
            else:
                if fetched is None or not self._suspicious(url, fetched, html=html):
                    return fetched
                if self.is_alive():
                    self._check_is_content(url, fetched, html=html)
                    return fetched
            with self._lock:
                if self._logins == seen:  # else another thread has just done so
                    self.log_in()
        raise FetchError(f"{shown(url)}: a login page came instead of the content, also after logging in again")

    def _check_is_content(self, url: str, fetched: Fetched, *, html: bool) -> None:
        """Raise `FetchError` unless a page that looks like a login may be content, as we are logged in."""
        moved = fetched.metadata.get("redirected_to", "")
        if not html or (moved and LOGIN_PATH.search(urlsplit(moved).path)):
            raise FetchError(f"{shown(url)}: a page came instead of the content")

    def _suspicious(self, url: str, fetched: Fetched, *, html: bool = True) -> bool:
        """Return whether a login may stand in place of the content."""
        moved = fetched.metadata.get("redirected_to")
        if moved and (urlsplit(moved).hostname != self.jar.host or LOGIN_PATH.search(urlsplit(moved).path)):
            return True
        page = "html" in (fetched.content_type or "") or fetched.content.lstrip()[:15].lower().startswith(
            b"<!doctype html"
        )
        if page and not html:
            return True
        return page and bool(PASSWORD_FIELD.search(fetched.content)) and url != self.settings.login_url

    def _visit_login(self, visit: Visit, user: str, password: str) -> list[Cookie]:
        log_in(visit, self.settings, user, password)
        return [from_browser(cookie) for cookie in visit.context.cookies()]

    def _credentials(self) -> tuple[Expanded, Expanded]:
        settings, context = self.settings, self._context
        if settings.user is None or settings.password is None or context.secrets is None:
            raise LoginFailed(
                f"source {settings.id!r} is not logged in. Log in with your own browser and import its cookies: rag "
                f"portal cookies {settings.id} FILE; or set user and password"
            )
        try:
            return (
                expand(settings.user, context.secrets, context.environ),
                expand(settings.password, context.secrets, context.environ),
            )
        except SecretError as error:
            raise LoginFailed(f"source {settings.id!r} cannot log in: {error}") from None

    def _check_may_try(self, mark: str, *, again: bool) -> None:
        if self._failure is not None:
            raise self._failure
        refused = self._saved.get("refused")
        if refused and refused["mark"] == mark and not again:
            raise LoginFailed(
                f"not tried, so that the account is not locked: on {refused['at']} {refused['why']}. Keep the right "
                f"password with `rag secret set`, or try again with: rag portal login {self.settings.id}"
            )
        if self._logins >= LOGINS:
            raise LoginFailed(f"source {self.settings.id!r}: the session ends again and again; try again later")

    def _load(self) -> dict[str, Any]:
        content = self._context.sessions.get(self.settings.id) if self._context.sessions else None
        saved: dict[str, Any] = json.loads(content) if content else {}
        return saved

    def _save(self, refused: dict[str, str] | None = None) -> None:
        self._saved = {"cookies": self.jar.to_dicts(), "refused": refused}
        if self._context.sessions is not None:
            self._context.sessions.put(self.settings.id, json.dumps(self._saved))


def from_browser(cookie: Mapping[str, Any]) -> Cookie:
    """Read a cookie as Playwright gives it."""
    domain, expires = cookie.get("domain", ""), cookie.get("expires", -1)
    return Cookie(
        cookie["name"],
        cookie["value"],
        domain.lstrip(".").lower(),
        cookie.get("path") or "/",
        not domain.startswith("."),
        bool(cookie.get("secure")),
        float(expires) if expires and expires > 0 else None,
    )


def _for_browser(jar: CookieJar, root: str) -> list[dict[str, Any]]:
    """Write cookies as Playwright wants them."""
    written = []
    for cookie in jar:
        place = {"domain": cookie.domain if cookie.host_only else f".{cookie.domain}", "path": cookie.path}
        expires = {"expires": cookie.expires} if cookie.expires else {}
        secure = cookie.secure and root.startswith("https")
        written.append({"name": cookie.name, "value": cookie.value, "secure": secure, **place, **expires})
    return written
