"""Who uses the page: their role, and the principals with which they read.

With signing in, a person comes from the claims of an OpenID Connect provider. Without, whoever opened a link of
`rag link` is the one local user, and everybody else is a visitor who reads what is public.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from rag_platform.config.sections.access import ROLES, AccessSettings, Role
from rag_platform.core.errors import AccessDenied, SignInExpired


@dataclass(frozen=True, slots=True)
class Person:
    """A user of the page."""

    id: str
    """Owner of chats, author in logs, key of rate limits: ``user:ilse@example.org``."""
    name: str
    role: Role
    principals: tuple[str, ...] = ()
    """Decide which documents this person may read; everyone also has ``*``."""
    signed_in: bool = False

    def may(self, role: Role) -> bool:
        """Return whether this person may do what that role may."""
        return ROLES.index(self.role) >= ROLES.index(role)


def person_from_claims(claims: Mapping[str, Any], access: AccessSettings, now: datetime | None = None) -> Person:
    """Return the person whom an identity provider's claims describe.

    Their principals are ``user:…`` and ``group:…`` of each group; their role is the highest one whose list in [access]
    names one of these.

    Raises:
        SignInExpired: they signed in longer ago than `session_hours`.
        AccessDenied: the claims name nobody, their address is not verified, or [access] lets none of their principals
            in.
    """
    user = claims.get(access.user_claim)
    if not isinstance(user, str) or not user:
        raise AccessDenied(
            f"the identity provider sent no claim {access.user_claim!r}, which [access] user_claim names; "
            f"expected a text. It sent: {', '.join(sorted(map(str, claims))) or 'none'}"
        )
    if access.user_claim == "email":
        _require_verified_email(user, claims, required=access.require_email_verified)
    _refuse_stale(claims, access.session_hours, now or datetime.now(UTC))
    groups = [f"group:{group}" for group in _groups(claims.get(access.groups_claim))]
    return known_person(user, str(claims.get("name") or user), groups, access)


def known_person(user: str, name: str, groups: Sequence[str], access: AccessSettings) -> Person:
    """Return a person whom somebody vouches for, with the principals of their groups.

    Raises:
        AccessDenied: [access] lets none of their principals in.
    """
    principals = (f"user:{user}", *groups)
    return Person(f"user:{user}", name, _role(principals, access), principals, signed_in=True)


def _require_verified_email(email: str, claims: Mapping[str, Any], *, required: bool) -> None:
    """Refuse an address that is not verified: whoever may enter any address there could enter an admin's."""
    if "email_verified" not in claims:
        if not required:
            return
        raise AccessDenied(
            f"the identity provider does not say whether {email} is verified: it sent no claim 'email_verified'. Set "
            "[access] user_claim to a claim that users cannot change, such as 'sub' or 'preferred_username', or, where "
            "only your organisation assigns addresses, [access] require_email_verified = false"
        )
    if str(claims["email_verified"]).lower() != "true":  # some providers send it as a text
        raise AccessDenied(f"{email} is an address that the identity provider has not verified. Verify it there first")


def _groups(claim: object) -> list[str]:
    """Return the groups of a claim: a list, or a text of names with commas."""
    named = claim.split(",") if isinstance(claim, str) else claim if isinstance(claim, list | tuple) else []
    return [group.strip() for group in named if isinstance(group, str) and group.strip()]


def _refuse_stale(claims: Mapping[str, Any], hours: float, now: datetime) -> None:
    issued = claims.get("iat")
    if not isinstance(issued, int | float) or datetime.fromtimestamp(issued, UTC) + timedelta(hours=hours) <= now:
        raise SignInExpired(f"You signed in more than {hours:g} hours ago. Sign in again to go on")


def _role(principals: Sequence[str], access: AccessSettings) -> Role:
    if role := role_or_none(principals, access):
        return role
    raise AccessDenied(
        f"{principals[0]} may not use this page: [access] lets in {', '.join(access.readers) or 'nobody'}. "
        "Ask whoever runs it to add you or one of your groups"
    )


def role_or_none(principals: Sequence[str], access: AccessSettings) -> Role | None:
    """Return the highest role whose list in [access] names everyone or one of these; None: none does."""
    own = {"*", *principals}
    listed: tuple[tuple[Role, Sequence[str]], ...] = (
        ("admin", access.admins),
        ("editor", access.editors),
        ("reader", access.readers),
    )
    for role, names in listed:
        if own.intersection(names):
            return role
    return None


def with_eyes_of(own: Person, principals: Sequence[str]) -> Person:
    """Return an admin who looks with another's eyes: reads as these principals, may do what a reader may.

    What they write meanwhile, and what the audit notes, stays under their own id: nothing is done in another's name.
    """
    return Person(own.id, own.name, "reader", tuple(principals), own.signed_in)


def local_person(name: str, access: AccessSettings) -> Person:
    """Return whoever runs the workspace, where nobody signs in."""
    return Person("", name, access.local_role, access.local_principals)


def visitor_of(access: AccessSettings, session: str) -> Person:
    """Return somebody without a link, where nobody signs in: they read what is public, for one session.

    Raises:
        AccessDenied: [access] lets no visitors in.
    """
    if access.visitors == "nobody":
        raise AccessDenied("This page is only for whoever opens a link of `rag link`: signing in is not set up")
    return Person(f"visitor:{session}", "Visitor", "reader")
