"""As whom a watch or a grid reads: its owner's rights now, as far as anybody can know them while they are away."""

from datetime import datetime, timedelta
from typing import Protocol

from rag_platform.config.sections.alerts import is_address
from rag_platform.core.errors import AccessDenied
from rag_platform.people.identity import known_person, local_person
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import Workspace

KNOWN_FOR = timedelta(days=30)
"""How long the groups count that an identity provider named last. Whoever does not come back may have left."""


class Owned(Protocol):
    """What reads while its owner is away: a watch, a grid."""

    @property
    def owner(self) -> str: ...  # noqa: D102
    @property
    def token(self) -> str: ...  # noqa: D102
    @property
    def principals(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def seen_at(self) -> datetime: ...  # noqa: D102


def reading_as(workspace: Workspace, watch: Owned, now: datetime) -> tuple[str, ...] | None:
    """Return the principals of the owner; None: they may not read here now, or were not seen for long.

    Of a token its own, as long as it is not revoked. Rules, groups of `rag acl` and closed documents are asked by the
    search itself.
    """
    access = workspace.settings.access
    if watch.token:
        holders = {token.name: token.readers for token in Tokens(workspace.journal).list()}
        return holders.get(watch.token)
    if not watch.owner:
        return local_person("", access).principals
    if watch.seen_at + KNOWN_FOR < now:
        return None
    try:
        known_person(watch.owner.removeprefix("user:"), "", watch.principals, access)
    except AccessDenied:
        return None
    return watch.principals


def address_of(workspace: Workspace, owner: str) -> str | None:
    """Return where e-mails to an owner go; None: nowhere.

    Nobody chooses it: it is the address that the identity provider vouches for, and that of [alerts] for whoever runs
    the workspace.
    """
    settings = workspace.settings
    if settings.alerts.smtp is None or settings.alerts.sender is None:
        return None
    if not owner:
        return ", ".join(settings.alerts.email) or None
    name = owner.removeprefix("user:")
    return name if name != owner and settings.access.user_claim == "email" and is_address(name) else None
