"""Access tokens that an identity provider signed (JWT, RFC 9068): whose they are, and what they allow."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jws import JWSRegistry

from rag_platform.config.sections.access import AccessSettings, Role
from rag_platform.core.errors import SignInExpired
from rag_platform.people.identity import Person, person_from_claims
from rag_platform.people.issuer_keys import IssuerKeys
from rag_platform.people.tokens import SCOPES, Scope, with_implied

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Of public keys alone: none that a secret signs, and not "none"."""
SCOPES_OF: dict[Role, frozenset[Scope]] = {
    "reader": frozenset({"read", "ask"}),
    "editor": frozenset({"read", "ask", "edit"}),
    "admin": frozenset(SCOPES),
}
_LEEWAY = 60
"""Seconds by which clocks may differ."""


class SignedTokens:
    """Reads the tokens of one issuer; safe to ask from many threads."""

    def __init__(self, access: AccessSettings, clock: Callable[[], float] = time.time) -> None:
        self._access, self._clock = access, clock
        issuer = access.issuer or ""
        self._keys = IssuerKeys(issuer, issuer.rstrip("/") + "/.well-known/openid-configuration", clock)

    def person(self, token: str) -> tuple[Person, frozenset[Scope]]:
        """Return whose a token is, and what it allows: what their role may, and of that what its scopes name, if any.

        Raises:
            SignInExpired: it is no token of this issuer for this audience, or it has expired.
            AccessDenied: its claims name nobody, or nobody whom [access] lets in.
            IssuerSilent: the issuer's keys cannot be had.
        """
        claims = self._claims(token)
        person = person_from_claims(claims, self._access, datetime.fromtimestamp(self._clock(), UTC))
        return person, _narrowed(SCOPES_OF[person.role], claims)

    def _claims(self, token: str) -> dict[str, Any]:
        try:
            read = jwt.decode(token, lambda signed: self._keys.key_of(signed.headers()), registry=_REGISTRY)
            expected = {
                "iss": {"essential": True, "value": self._access.issuer},
                "aud": {"essential": True, "value": self._access.audience},
                "exp": {"essential": True},
            }
            now = int(self._clock())
            jwt.JWTClaimsRegistry(now=now, leeway=_LEEWAY, **expected).validate(read.claims)  # type: ignore[arg-type]
        except (JoseError, ValueError) as error:
            raise SignInExpired(f"this token is not valid here: {error}") from error
        return dict(read.claims)


_REGISTRY = JWSRegistry(algorithms=list(ALGORITHMS))


def _narrowed(held: frozenset[Scope], claims: dict[str, Any]) -> frozenset[Scope]:
    """Return those of the scopes that a token names; all of them, where it names none of ours."""
    said = claims.get("scope", claims.get("scp", ""))
    named = {*(said.split() if isinstance(said, str) else said)} & {*SCOPES}
    return with_implied(held & named) if named else held
