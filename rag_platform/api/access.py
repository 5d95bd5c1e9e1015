"""Who asks, and what they may do.

With a token: whoever it was made for. As long as there is no token, only this machine is served, as the one local user.
No cookies are used, so a page of others cannot ask in a visitor's name; and because the local user brings nothing at
all, what comes through a proxy, from another page, or under another name than this machine's is refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address

from starlette.requests import Request

from rag_platform.api.problems import Problem
from rag_platform.index.moves import acting_user
from rag_platform.tokens import Tokens

_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_HOST = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
_MAKE_ONE = "Make a token with `rag token create` and send it as `Authorization: Bearer …`."


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks."""

    name: str
    principals: tuple[str, ...]
    edits: bool
    """May change collections and start syncs."""
    local: bool
    """The one user of this machine, who may do everything and read as anyone."""

    @property
    def readers(self) -> Sequence[str] | None:
        """As whom collections are seen; None: all of them."""
        return None if self.local else self.principals

    def must_edit(self) -> None:
        """End the request of somebody who may only read."""
        if not self.edits:
            raise Problem(
                403, f"the token {self.name!r} may only read", "a token of an editor", "Ask for one with --role editor."
            )


def who_asks(request: Request, tokens: Tokens) -> Asker:
    """Return who asks; `Problem` 401 or 403 when that is nobody we serve."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        holder = tokens.holder(given.strip())
        if holder is None:
            raise Problem(401, "this token is not known", "one that is valid", _MAKE_ONE)
        return Asker(holder.name, holder.principals, holder.role == "editor", local=False)
    if tokens.any():
        raise Problem(401, "no token was sent", "an `Authorization: Bearer …` header", _MAKE_ONE)
    if trouble := _not_local(request):
        raise Problem(403, trouble, "a request of this machine's user, or a token", _MAKE_ONE)
    return Asker(acting_user(), (), edits=True, local=True)


def _not_local(request: Request) -> str | None:
    """Say why a request without a token is not the local user's own."""
    if request.client is None or not _loopback(request.client.host):
        return "the request comes from another machine"
    if any(name in request.headers for name in _FORWARDED):
        return "the request comes through a proxy"
    hosts = request.headers.getlist("host")  # the header itself: of a malformed one, `request.url` knows nothing
    named = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    if not named or not _loopback(named[1]):  # another's name that was made to lead here
        return f"the request is for {', '.join(hosts)!r}, which is not this machine"
    origin = request.headers.get("origin")
    if origin is not None and origin not in (f"http://{hosts[0]}", f"https://{hosts[0]}"):
        return f"the request comes from a page of {origin}"
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return "the request comes from a page of others"
    return None


def _loopback(host: str) -> bool:
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return host.lower() == "localhost"
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
