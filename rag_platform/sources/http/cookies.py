"""Cookies of one portal: kept by us and sent to its own host alone.

Elsewhere cookies are refused (see `transport`): connections go to checked addresses, and a client that keeps cookies
by address would hand those of one host to another. `http.cookiejar` reads and matches them; here they are held to one
host, and are never sent over plain HTTP when the portal speaks HTTPS.
"""

import http.cookiejar
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from email.message import Message
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request


@dataclass(frozen=True, slots=True)
class Cookie:
    """One cookie."""

    name: str
    value: str
    domain: str
    """Without a leading dot."""
    path: str = "/"
    host_only: bool = True
    """It is for `domain` itself, not for hosts below it."""
    secure: bool = False
    expires: float | None = None
    """Seconds since 1970; None: it ends with the session."""

    def __repr__(self) -> str:
        return f"Cookie({self.name} of {self.domain})"  # a value would show in tracebacks


class CookieJar:
    """The cookies for one portal. Safe from many threads."""

    def __init__(self, url: str, cookies: Iterable[Cookie] = ()) -> None:
        parts = urlsplit(url)
        self.host = (parts.hostname or "").lower()
        self._https = parts.scheme == "https"
        self._name = _library_host(self.host)
        self._jar = http.cookiejar.CookieJar()
        self.replace(cookies)

    def __iter__(self) -> Iterator[Cookie]:
        return iter([self._from_library(cookie) for cookie in self._jar])

    def __len__(self) -> int:
        return len(self._jar)

    def replace(self, cookies: Iterable[Cookie]) -> None:
        """Take these in place of all; those of other hosts are left out."""
        self._jar.clear()
        for cookie in cookies:
            if belongs(cookie, self.host):
                self._jar.set_cookie(self._for_library(cookie))
        self._jar.clear_expired_cookies()

    def header(self, url: str) -> str | None:
        """Return what a request for that address sends; None: nothing."""
        parts = urlsplit(url)
        if not self._is_ours(parts) or (self._https and parts.scheme != "https"):
            return None
        request = self._request(parts)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie")

    def learn(self, url: str, headers: Sequence[str]) -> None:
        """Take what a server sets; a server can only set cookies for itself."""
        parts = urlsplit(url)
        if self._is_ours(parts):
            named = [header for header in headers if _has_name(header)]
            answer = cast("Any", _Answer(named))  # it needs no more of an HTTPResponse than its headers
            self._jar.extract_cookies(answer, self._request(parts))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the cookies as JSON has them."""
        return [asdict(cookie) for cookie in self]

    def _is_ours(self, parts: SplitResult) -> bool:
        return (parts.hostname or "").lower() == self.host

    def _request(self, parts: SplitResult) -> Request:
        """Return a request as the library wants it: the host without user or port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return Request(parts._replace(netloc=host, path=parts.path or "/").geturl())  # noqa: S310 - nothing is sent

    def _for_library(self, cookie: Cookie) -> http.cookiejar.Cookie:
        return http.cookiejar.Cookie(
            version=0,
            name=cookie.name,
            value=cookie.value,
            port=None,
            port_specified=False,
            domain=self._name if cookie.host_only else f".{cookie.domain}",
            domain_specified=not cookie.host_only,
            domain_initial_dot=not cookie.host_only,
            path=cookie.path,
            path_specified=True,
            secure=cookie.secure,
            expires=int(cookie.expires) if cookie.expires is not None else None,
            discard=cookie.expires is None,
            comment=None,
            comment_url=None,
            rest={},
        )

    def _from_library(self, cookie: http.cookiejar.Cookie) -> Cookie:
        host_only = not cookie.domain_specified
        domain = self.host if host_only else cookie.domain.lstrip(".")
        expires = float(cookie.expires) if cookie.expires is not None else None
        return Cookie(cookie.name, cookie.value or "", domain, cookie.path, host_only, cookie.secure, expires)


class _Answer:
    """The headers of an answer, as the library asks for them."""

    def __init__(self, set_cookie: Sequence[str]) -> None:
        self._headers = Message()
        for header in set_cookie:
            self._headers["Set-Cookie"] = header

    def info(self) -> Message:
        return self._headers


def _has_name(header: str) -> bool:
    """Return whether a header sets a cookie by name, which RFC 6265 demands and the library does not."""
    name, equals, _ = header.partition(";")[0].partition("=")
    return bool(equals and name.strip())


def belongs(cookie: Cookie, host: str) -> bool:
    """Return whether a cookie is for that host; one for a whole top-level domain is for none."""
    if cookie.host_only or "." not in cookie.domain:
        return host == cookie.domain
    return host == cookie.domain or host.endswith(f".{cookie.domain}")


def _library_host(host: str) -> str:
    """Return how the library calls a host: one without a dot is one of the local network."""
    name = f"[{host}]" if ":" in host else host
    return name if "." in name else f"{name}.local"
