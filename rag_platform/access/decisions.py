"""What people decide about who may read, as records."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

Kind = Literal["source", "collection", "address", "document"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""From the least to the most particular."""
Effect = Literal["allow", "deny"]


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """What a rule is about."""

    kind: Kind
    name: str
    """The id of a source or of a document, the name of a collection, or a pattern of addresses with * and ?."""
    source: str = ""
    """Of a collection or of addresses, if only those of one source are meant."""

    @property
    def place(self) -> tuple[int, int, str]:
        """Where it stands among others: the more particular the later, of patterns the longer."""
        return KINDS.index(self.kind), len(self.name) if self.kind == "address" else bool(self.source), str(self)

    def __str__(self) -> str:
        """Return it as people write it."""
        return f"{self.kind} {self.name}" + (f" of {self.source}" if self.source else "")


@dataclass(frozen=True, slots=True)
class Rule:
    """Somebody may read something, or may not."""

    target: Target
    effect: Effect
    principal: str
    until: datetime | None
    """From this moment on an allowed one may not read any more, and a denied one as if it had not been denied."""
    at: datetime
    who: str
    why: str

    def holds(self, now: datetime) -> bool:
        """Return whether it has not ended."""
        return self.until is None or now < self.until


@dataclass(frozen=True, slots=True)
class Held:
    """A document that was put into quarantine: nobody reads it until it is released."""

    doc_id: str
    revision: str
    """Its text when it was held; empty: whichever it has."""
    why: str
    since: datetime
    who: str
    released_at: datetime | None = None
    released_by: str | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody, or a group, who is in a group."""

    name: str
    """Of the group."""
    member: str
    at: datetime
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the log."""

    at: datetime
    who: str
    action: str
    """ "allow", "deny", "remove", "join", "leave", "role", "quarantine" or "release"."""
    target: str
    about: dict[str, Any] = field(default_factory=dict)
    why: str = ""
