"""Who asks, and what they may do.

With a token: whoever it was made for. With what a link of `rag link` opened: whoever runs the workspace. No cookies are
used, so a page of others cannot ask in a visitor's name. Only where [access] local says so, and there is no token, do
this machine's own requests need nothing: then what comes through a proxy, from another page, or under another name than
this machine's is refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPBearer
from starlette.requests import Request

from rag_platform.api.problems import Problem
from rag_platform.index.releases.release_log import acting_user
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.locality import remote_reason
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace

_MAKE_ONE = "Make a token with `rag token create`, or a link with `rag link`; send `Authorization: Bearer …`."


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks."""

    name: str
    principals: tuple[str, ...]
    edits: bool
    """May change collections and start syncs."""
    local: bool
    """Whoever runs the workspace, who may do everything and read as anyone."""

    @property
    def who(self) -> str:
        """How the audit calls them."""
        return self.name if self.local else f"token:{self.name}"

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


_BEARER = HTTPBearer(scheme_name="token", description="A token of `rag token create`.", auto_error=False)
"""Describes tokens in the OpenAPI document; what they are worth is decided by `authenticate`."""


def _workspace(request: Request) -> Workspace:
    workspace: Workspace = request.app.state.workspace
    return workspace


Served = Annotated[Workspace, Depends(_workspace)]
"""The workspace of the application."""


def _caller(request: Request, workspace: Served, _: Annotated[object, Depends(_BEARER)]) -> Caller:
    keys = Tokens(workspace.journal), AdminLinks(workspace.journal)
    return authenticate(request, *keys, trusts_local=request.app.state.trusts_local)


CurrentCaller = Annotated[Caller, Depends(_caller)]
"""Who asks."""


def _editor(caller: CurrentCaller) -> Caller:
    caller.must_edit()
    return caller


CurrentEditor = Annotated[Caller, Depends(_editor)]
"""Who asks, and may change collections."""


def authenticate(request: Request, tokens: Tokens, links: AdminLinks, *, trusts_local: bool) -> Caller:
    """Return who asks; `Problem` 401 or 403 when that is nobody we serve."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _bearer(given.strip(), tokens, links)
    if not trusts_local or tokens.any():
        raise Problem(401, "no token was sent", "an `Authorization: Bearer …` header", _MAKE_ONE)
    if trouble := _not_local(request):
        raise Problem(403, trouble, "a request of this machine's user, or a token", _MAKE_ONE)
    return _operator()


def _bearer(given: str, tokens: Tokens, links: AdminLinks) -> Caller:
    if links.is_session(given):
        return _operator()
    holder = tokens.holder(given)
    if holder is None:
        raise Problem(401, "this token is not known", "one that is valid", _MAKE_ONE)
    return Caller(holder.name, holder.principals, holder.role == "editor", local=False)


def _operator() -> Caller:
    return Caller(acting_user(), (), edits=True, local=True)


def _not_local(request: Request) -> str | None:
    peer = request.client.host if request.client else None
    # The header itself: of a malformed one, `request.url` knows nothing.
    return remote_reason(peer, request.headers, request.headers.getlist("host"))
