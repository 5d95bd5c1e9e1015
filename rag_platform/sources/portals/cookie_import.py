"""Cookies of the user's own browser: the other way into a portal.

Read are cookies.txt (Netscape), JSON as browser extensions and Playwright write it, and the cookie databases of
Firefox and of Chromium; the latter encrypts its values with a key of the operating system, which we do not ask for.
"""

import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from rag_platform.core.errors import SettingsError
from rag_platform.sources.http.cookies import Cookie, belongs

DATABASES = ("cookies.sqlite", "Cookies", "Network/Cookies")
EXPECTED = "a cookies.txt, cookies in JSON, or the profile folder or cookie database of Firefox"
EPOCH_1601 = 11_644_473_600
"""Seconds from 1601, where Chromium's time begins, to 1970."""


def read_cookies(path: Path, host: str) -> list[Cookie]:
    """Read the cookies for a host from a file of any known kind.

    Raises:
        SettingsError: it is none, cannot be read, or has no cookie for that host.
    """
    path = path.expanduser()
    if path.is_dir():
        path = next((path / name for name in DATABASES if (path / name).is_file()), path)
    try:
        cookies = list(_reader(path)(path))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, sqlite3.Error) as error:
        raise SettingsError(f"{path} holds no cookies that can be read ({error}); expected {EXPECTED}") from None
    kept = [cookie for cookie in cookies if belongs(cookie, host)]
    if not kept:
        others = ", ".join(sorted({cookie.domain for cookie in cookies})[:5]) or "no host at all"
        raise SettingsError(
            f"{path} has no cookie for {host}, only for {others}; log in to the portal in that browser and export again"
        )
    return kept


def _reader(path: Path) -> Callable[[Path], Iterator[Cookie]]:
    with path.open("rb") as file:
        start = file.read(512)
    if start.startswith(b"SQLite format 3\0"):
        return _database
    return _json if start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"[") else _netscape


def _netscape(path: Path) -> Iterator[Cookie]:
    """Read lines of domain, subdomains too, path, secure, expiry, name, value."""
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        fields = re.sub(r"^#HttpOnly_", "", line).split("\t")
        if line.strip() and not fields[0].startswith("#"):
            if len(fields) < 7:
                raise ValueError("a line has fewer than seven fields between tabs")
            domain, below, place, secure, expires, name, value = fields[:7]
            yield _cookie(name, value, domain, place, below == "FALSE", secure == "TRUE", float(expires or 0))


def _json(path: Path) -> Iterator[Cookie]:
    """Read a list of cookies, or an object that has one under `cookies` (Playwright's storage state)."""
    content = json.loads(path.read_text(encoding="utf-8-sig"))
    for one in content["cookies"] if isinstance(content, dict) else content:
        domain = one["domain"]
        alone = one.get("hostOnly", not domain.startswith("."))
        expires = one.get("expirationDate", one.get("expires")) or 0
        place = one.get("path", "/")
        yield _cookie(one["name"], one["value"], domain, place, alone, bool(one.get("secure")), float(expires))


def _database(path: Path) -> Iterator[Cookie]:
    """Read a copy, because a running browser locks its own; what it has not yet written in stays out."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (path.name, f"{path.name}-wal"):
            if path.with_name(name).exists():
                shutil.copy(path.with_name(name), Path(folder) / name)
        with closing(sqlite3.connect(Path(folder) / path.name)) as connection:
            tables = {name for (name,) in connection.execute("select name from sqlite_master")}
            yield from (_firefox if "moz_cookies" in tables else _chromium)(connection)


def _firefox(connection: sqlite3.Connection) -> Iterator[Cookie]:
    rows = connection.execute("select name, value, host, path, isSecure, expiry from moz_cookies")
    for name, value, host, place, secure, expires in rows:
        seconds = expires / 1000 if expires > 1e11 else expires  # newer versions count milliseconds
        yield _cookie(name, value, host, place, not host.startswith("."), bool(secure), seconds)


def _chromium(connection: sqlite3.Connection) -> Iterator[Cookie]:
    columns = "name, value, length(encrypted_value), host_key, path, is_secure, expires_utc"
    rows: list[Any] = connection.execute(f"select {columns} from cookies").fetchall()
    if any(sealed and not value for _, value, sealed, *_ in rows):
        raise ValueError(
            "this browser encrypts its cookies; export them with an extension that writes cookies.txt or JSON"
        )
    for name, value, _, host, place, secure, expires in rows:
        seconds = expires / 1e6 - EPOCH_1601 if expires else 0
        yield _cookie(name, value, host, place, not host.startswith("."), bool(secure), seconds)


def _cookie(name: str, value: str, domain: str, path: str, alone: bool, secure: bool, expires: float) -> Cookie:
    return Cookie(name, value, domain.lstrip(".").lower(), path or "/", alone, secure, expires if expires > 0 else None)
