"""What became of a source's documents between the live version and the last sync, as the brake on change judges it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A document side by side: as the live version has it, and as it is now."""

    uri: str
    before: str
    """The beginning of its text; empty: it is new."""
    after: str
    """The beginning of its text; empty: nothing could be read of it."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One way in which a source changed that does not look like its own doing."""

    name: str
    """Such as ``alike``, ``errors``, ``shorter``, ``language``, ``type``, ``structure``."""
    said: str
    """A sentence: how many of how many documents, and what became of them."""
    documents: int
    of: int
    allowed: float
    """The share that would have passed, learnt from the source's own history."""
    examples: tuple[Example, ...] = ()
    """At most three."""


@dataclass(frozen=True, slots=True)
class ChangeReport:
    """A source's documents against those of the live version."""

    source: str
    state: str
    """Digest of the documents as they are: what a person's leave is for."""
    documents: int
    changed: int
    new: int
    gone: int
    anomalies: tuple[Anomaly, ...] = ()
    """What stops the source; empty: it may go on."""
    remarks: tuple[str, ...] = ()
    """Drift and other things that are told and stop nothing."""
    statistics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether the source may go on."""
        return not self.anomalies

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self) | {"passed": self.passed}
