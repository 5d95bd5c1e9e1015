"""Who may read files of a Nextcloud, as principals: their owners, and those with whom they are shared.

Its Share API (OCS) tells a user the shares that they made, and those that others made of their files. A file is read by
its owner, by the user who asks, and by whoever it or a folder above it is shared with, by name or by group. Links, mail
addresses, other servers, teams and rooms open nothing here: who is behind them is not known.
"""

import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from rag_platform.sources.http.fetcher import Fetcher

_TREE = re.compile(r"(?P<base>.*?)/remote\.php/(?:dav/files/(?P<user>[^/]+)|webdav)(?P<inside>/.*)?")
"""Where a user's files lie: below the one address or, on older servers, the other."""
_SHARES = "/ocs/v2.php/apps/files_sharing/api/v1/shares?reshares=true&format=json"
_ASKING = {"ocs-apirequest": "true", "accept": "application/json"}
_KINDS = {0: "user", 1: "group"}
"""What a share's type is here; the others name nobody who is known."""
_READ = 1
_SUCCESS = frozenset((100, 200))


@dataclass(frozen=True, slots=True)
class SharedTree:
    """Who may read what in a user's files."""

    account: str
    inside: str
    """The path of the source's folder in the user's files, without a slash at its end."""
    shared: dict[str, frozenset[str]]
    """The principals with whom each path in the user's files is shared."""

    def readers(self, path: str, owner: str | None) -> list[str]:
        """Return the principals that may read a file, by its path below the source's folder."""
        whole = PurePosixPath(f"{self.inside}/{path}")
        above = (self.shared.get(str(one), frozenset()) for one in (whole, *whole.parents))
        return sorted(frozenset((f"user:{self.account}", f"user:{owner or self.account}")).union(*above))


def is_of_nextcloud(url: str) -> bool:
    """Return whether an address is one at which a Nextcloud or an ownCloud has a user's files."""
    return _TREE.fullmatch(unquote(urlsplit(url).path)) is not None


def ask_for_shares(fetcher: Fetcher, url: str, user: str) -> SharedTree:
    """Ask a server who may read the files of a user.

    Args:
        fetcher: Logs in as that user.
        url: The source's folder among the user's files.
        user: The name by which they log in.

    Raises:
        FetchError: The server does not answer.
        ValueError: It answers something else.
    """
    parts = urlsplit(url)
    tree = _TREE.fullmatch(unquote(parts.path))
    if tree is None:
        raise ValueError(f"{url} is no address of a user's files on a Nextcloud")
    answer = fetcher.request("GET", f"{parts.scheme}://{parts.netloc}{tree['base']}{_SHARES}", headers=_ASKING)
    return SharedTree(tree["user"] or user, (tree["inside"] or "").rstrip("/"), _shared(answer.content))


def _shared(content: bytes) -> dict[str, frozenset[str]]:
    """Return with whom each path is shared for reading."""
    found: dict[str, set[str]] = defaultdict(set)
    for share in _listed(content):
        kind, who = _KINDS.get(_number(share.get("share_type"))), share.get("share_with")
        if kind and who and _number(share.get("permissions")) & _READ:
            found[str(share["path"]).rstrip("/") or "/"].add(f"{kind}:{who}")
    return {path: frozenset(readers) for path, readers in found.items()}


def _listed(content: bytes) -> list[dict[str, Any]]:
    try:
        told = json.loads(content)["ocs"]
        meta, shares = told["meta"], list(told["data"])
        if not all(isinstance(share["path"], str) for share in shares):
            raise TypeError("a share without a path")
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"the list of shares is none of Nextcloud's Share API: {error!r}") from error
    if meta.get("statuscode") not in _SUCCESS:
        raise ValueError(f"the list of shares is refused: {meta.get('message') or meta}")
    return shares


def _number(value: object) -> int:
    return int(value) if isinstance(value, int) or (isinstance(value, str) and value.isdecimal()) else -1 & ~_READ
