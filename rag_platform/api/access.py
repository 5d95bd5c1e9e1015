"""Who asks, and what they may do.

With a token: whoever it was made for. With what a link of `rag link` opened: whoever runs the workspace. No cookies are
used, so a page of others cannot ask in a visitor's name. Only where [access] local says so, and there is no token, do
this machine's own requests need nothing: then what comes through a proxy, from another page, or under another name than
this machine's is refused.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Depends
from fastapi.security import HTTPBearer
from starlette.requests import Request

from rag_platform.api.idempotency import begin_once
from rag_platform.api.problems import Problem
from rag_platform.core.errors import AccessDenied, IssuerSilent, SignInExpired
from rag_platform.core.principals import limits
from rag_platform.index.releases.release_log import acting_user
from rag_platform.journal.permissions import closed
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.locality import remote_reason
from rag_platform.people.repeated_requests import RepeatedRequests
from rag_platform.people.signed_tokens import SignedTokens
from rag_platform.people.tokens import SCOPES, Scope, Tokens, with_implied
from rag_platform.workspace import Workspace

_MAKE_ONE = "Make a token with `rag token create`, or a link with `rag link`; send `Authorization: Bearer …`."


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks."""

    name: str
    who: str
    """How the audit calls them, and the key of their rate limits; "token:ci" for a token."""
    principals: tuple[str, ...]
    """As whom they read; the first one owns their receipts and chats."""
    scopes: frozenset[Scope]
    """What they may do, with what each scope holds."""

    @property
    def admin(self) -> bool:
        """Whether they may do all that whoever runs the workspace may, and read as anyone."""
        return "admin" in self.scopes

    @property
    def readers(self) -> Sequence[str] | None:
        """As whom collections are seen; None: all of them."""
        return None if self.admin else self.principals

    @property
    def owner(self) -> str:
        """Owner of their receipts and chats."""
        return next(iter(self.principals), "")

    def must(self, scope: Scope) -> None:
        """End the request of somebody without that scope."""
        if scope not in self.scopes:
            own = ", ".join(one for one in SCOPES if one in self.scopes) or "none"
            remedy = f"Make one with `rag token create --scope {scope}`."
            raise Problem(403, f"{self.name!r} has the scopes: {own}", f"a token with the scope {scope!r}", remedy)

    def must_be_unlimited(self) -> None:
        """End the request of somebody who is limited to collections, and could not see what it makes."""
        if limited := sorted(limits(self.principals)):
            error = f"{self.name!r} is limited to: {', '.join(limited)}"
            raise Problem(403, error, "a token that is not", "Make one without --collection.")


_BEARER = HTTPBearer(
    scheme_name="token", description="A token of `rag token create`, or of [access] issuer.", auto_error=False
)
"""Describes tokens in the OpenAPI document; what they are worth is decided by `authenticate`."""


def _workspace(request: Request) -> Workspace:
    workspace: Workspace = request.app.state.workspace
    return workspace


Served = Annotated[Workspace, Depends(_workspace)]
"""The workspace of the application."""


def _caller(request: Request, workspace: Served, _: Annotated[object, Depends(_BEARER)]) -> Caller:
    caller = authenticate(request)
    rights = sorted(caller.principals), sorted(caller.scopes)
    begin_once(request, RepeatedRequests(workspace.journal), caller.who, rights, partial(_may_read, workspace, caller))
    return caller


def _may_read(workspace: Workspace, caller: Caller, receipt_id: str) -> bool:
    """Return whether they may still read what an answer of theirs rests on."""
    receipt = workspace.journal.receipt(receipt_id)
    return receipt is not None and not closed(workspace.versions, receipt.documents, caller.principals)


CurrentCaller = Annotated[Caller, Depends(_caller)]
"""Who asks."""


def _with(scope: Scope) -> Callable[[Caller], Caller]:
    def checked(caller: CurrentCaller) -> Caller:
        caller.must(scope)
        return caller

    return checked


CurrentVisitor = Annotated[Caller, Depends(_with("widget"))]
"""Who asks through the widget."""
CurrentReader = Annotated[Caller, Depends(_with("read"))]
"""Who asks, and may search and read."""
CurrentAsker = Annotated[Caller, Depends(_with("ask"))]
"""Who asks, and may have answers written."""
CurrentEditor = Annotated[Caller, Depends(_with("edit"))]
"""Who asks, and may change collections and start syncs."""
CurrentAdmin = Annotated[Caller, Depends(_with("admin"))]
"""Who asks, and runs the workspace."""


def authenticate(request: Request) -> Caller:
    """Return who asks.

    Raises:
        Problem: 401 or 403, it is nobody; 503, an identity provider cannot be asked for its keys.
    """
    state = request.app.state
    tokens, signed = Tokens(state.workspace.journal), state.signed_tokens
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        given = given.strip()
        is_signed = signed and given.count(".") == 2
        return _signed(given, signed) if is_signed else _bearer(given, tokens, AdminLinks(state.workspace.journal))
    if not state.trusts_local or tokens.any():
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
    return Caller(holder.name, f"token:{holder.name}", holder.readers, with_implied(holder.scopes))


def _signed(given: str, signed: SignedTokens) -> Caller:
    try:
        person, scopes = signed.person(given)
    except SignInExpired as error:
        raise Problem(401, str(error), "a token that is valid", "Sign in with the identity provider again.") from error
    except IssuerSilent as error:
        logging.getLogger(__name__).warning("%s", error)  # its address and its trouble are not for who asks
        said = "the identity provider does not answer, so that no token of it can be read"
        again = f"Send it again in {error.seconds} seconds."
        raise Problem(503, said, "a provider that gives its keys", again, seconds=error.seconds) from error
    except AccessDenied as error:
        raise Problem(403, str(error), "somebody whom [access] lets in", "Ask whoever runs this.") from error
    return Caller(person.id, person.id, person.principals, scopes)


def _operator() -> Caller:
    return Caller(acting_user(), acting_user(), (), frozenset(SCOPES))


def is_local(request: Request) -> bool:
    """Return whether a request comes from this machine itself, and through no proxy."""
    return _not_local(request) is None


def _not_local(request: Request) -> str | None:
    peer = request.client.host if request.client else None
    # The header itself: of a malformed one, `request.url` knows nothing.
    return remote_reason(peer, request.headers, request.headers.getlist("host"))
