"""Where a repository lies: which addresses are read, by which protocol, and with what Git is told to reach them."""

import base64
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.core.errors import SourceError
from rag_platform.core.urls import shown
from rag_platform.sources.http.addresses import Address, resolve

_SHORT = re.compile(r"[\w.-]+@[\w.-]+:(?!//)[^\s]+")
"""As SSH is often written: user@host:path."""
_SCHEMES = ("https", "http", "ssh", "file")
_SERVES_ALL = "git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack"
"""What a repository of this machine is asked by: as the large servers are set up."""


def scheme_of(url: str) -> str:
    """Return by which protocol an address is read.

    Raises:
        ValueError: by none that is allowed.
    """
    if _SHORT.fullmatch(url):
        return "ssh"
    scheme, separator, _ = url.partition("://")
    if not separator and "::" not in url and not url.startswith("-"):
        return "file"
    if scheme.lower() in _SCHEMES and separator:
        return scheme.lower()
    raise ValueError(f"url = {shown(url)!r}: expected https://…, ssh://…, user@host:path or the path of a repository")


def remote_configuration(url: str, home: Path, fetch: FetchSettings) -> dict[str, str]:
    """Return what Git has to know of the remote at an address, in which all values stand.

    Raises:
        SourceError: the address must not be read.
    """
    try:
        return _configuration(url, home, fetch)
    except ValueError as error:
        raise SourceError(f"the repository {shown(url)} cannot be read: {error}; check `url`") from None


def _configuration(url: str, home: Path, fetch: FetchSettings) -> dict[str, str]:
    scheme = scheme_of(url)
    known = {f"protocol.{scheme}.allow": "always", "http.userAgent": fetch.user_agent}
    if scheme == "file":
        return known | {"remote.origin.url": _here(url, home), "remote.origin.uploadpack": _SERVES_ALL}
    if scheme == "ssh":
        if "://" in url and urlsplit(url).password:
            raise ValueError("SSH would be given the password as an argument, which others can see; expected a key")
        return known | {"remote.origin.url": url}
    return known | _over_http(url, fetch)


def _here(url: str, home: Path) -> str:
    path = (home / Path(url.removeprefix("file://")).expanduser()).resolve()
    if path.is_relative_to((home / "data").resolve()):
        raise SourceError(f"{path} lies in the workspace's own data; expected a repository of documents")
    if not path.is_dir():
        raise SourceError(f"there is no folder {path}; expected a Git repository")
    return path.as_uri()


def _over_http(url: str, fetch: FetchSettings) -> dict[str, str]:
    """Let Git connect to the address that was checked, and give it the password as a header of that server's alone."""
    parts = urlsplit(url)
    host = parts.hostname
    if not host:
        raise SourceError("the address of the repository names no host")
    port = parts.port or {"http": 80, "https": 443}[parts.scheme.lower()]
    addresses = resolve(host, port, allow_private=fetch.allow_private)
    plain = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    known = {
        "remote.origin.url": plain,
        "http.curloptResolve": f"{host}:{port}:{','.join(map(_bracketed, addresses))}",
    }
    if parts.username is None:
        return known
    named = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return known | {f"http.{plain}.extraHeader": f"Authorization: Basic {base64.b64encode(named).decode()}"}


def _bracketed(address: Address) -> str:
    return f"[{address}]" if address.version == 6 else str(address)
