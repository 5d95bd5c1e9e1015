"""Cookies of one portal: kept by us and sent to its own host alone.

Elsewhere cookies are refused (see `transport`): connections go to checked addresses, and a client that keeps cookies
by address would hand those of one host to another. Here every cookie is checked against the name of the host, and is
never sent over plain HTTP when the portal speaks HTTPS. RFC 6265 says what matches.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit


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
    """The cookies for one portal."""

    def __init__(self, url: str, cookies: Iterable[Cookie] = ()) -> None:
        parts = urlsplit(url)
        self.host = (parts.hostname or "").lower()
        self._https = parts.scheme == "https"
        self._cookies: dict[tuple[str, str, str], Cookie] = {}
        self.replace(cookies)

    def __iter__(self) -> Iterable[Cookie]:
        return iter(list(self._cookies.values()))

    def __len__(self) -> int:
        return len(self._cookies)

    def replace(self, cookies: Iterable[Cookie]) -> None:
        """Take these in place of all; those of other hosts are left out."""
        self._cookies = {}
        for cookie in cookies:
            self._keep(cookie)

    def header(self, url: str) -> str | None:
        """Return what a request for that address sends; None: nothing."""
        parts = urlsplit(url)
        if (parts.hostname or "").lower() != self.host or (self._https and parts.scheme != "https"):
            return None
        path = parts.path or "/"
        sent = [
            cookie
            for cookie in self
            if _path_matches(path, cookie.path)
            and (parts.scheme == "https" or not cookie.secure)
            and (cookie.expires is None or cookie.expires > time.time())
        ]
        return "; ".join(f"{c.name}={c.value}" for c in sorted(sent, key=lambda c: -len(c.path))) or None

    def learn(self, url: str, headers: Sequence[str]) -> None:
        """Take what a server sets; a server can only set cookies for itself."""
        if (urlsplit(url).hostname or "").lower() != self.host:
            return
        for header in headers:
            cookie = _set_cookie(header, self.host, urlsplit(url).path)
            if cookie is not None:
                self._keep(cookie)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the cookies as JSON has them."""
        return [asdict(cookie) for cookie in self]

    def _keep(self, cookie: Cookie) -> None:
        if not belongs(cookie, self.host):
            return
        key = (cookie.name, cookie.domain, cookie.path)
        if cookie.expires is not None and cookie.expires <= time.time():
            self._cookies.pop(key, None)
        else:
            self._cookies[key] = cookie


def belongs(cookie: Cookie, host: str) -> bool:
    """Tell whether a cookie is for that host; one for a whole top-level domain is for none."""
    if cookie.host_only or "." not in cookie.domain:
        return host == cookie.domain
    return host == cookie.domain or host.endswith(f".{cookie.domain}")


def _path_matches(path: str, prefix: str) -> bool:
    return path == prefix or (path.startswith(prefix) and (prefix.endswith("/") or path[len(prefix)] == "/"))


def _set_cookie(header: str, host: str, path: str) -> Cookie | None:
    pair, *attributes = header.split(";")
    name, equals, value = pair.strip().partition("=")
    if not equals or not name.strip():
        return None
    said = {key.strip().lower(): text.strip() for key, _, text in (part.partition("=") for part in attributes)}
    domain = said.get("domain", "").lstrip(".").lower()
    place = said.get("path", "")
    return Cookie(
        name.strip(),
        value.strip(),
        domain or host,
        place if place.startswith("/") else path.rpartition("/")[0] or "/",
        not domain,
        "secure" in said,
        _expiry(said),
    )


def _expiry(said: dict[str, str]) -> float | None:
    try:
        if "max-age" in said:
            return time.time() + int(said["max-age"])
        return parsedate_to_datetime(said["expires"]).timestamp() if "expires" in said else None
    except (ValueError, TypeError, OverflowError):
        return None
