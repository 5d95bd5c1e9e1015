"""What the release status says that is worth an alert: sources that are held or late, a version that was refused."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rag_platform.operations.status.release_status import Notice, ReleaseStatus

_TITLES = {
    "held": ("Source {source} is held", "Source {source} is no longer held"),
    "refused": ("Version {version} was not published", "No version is refused any more"),
    "late": ("Source {source} is late", "Source {source} is no longer late"),
}
"""By event: while it holds, and once it is over."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that holds for a while, and is told when it begins and when it is over."""

    event: str
    title: str
    """In a few words."""
    text: str
    """In sentences: what happened, and what to do. It shows no document: who reads it may not read every source."""
    over: str
    """The title once it is over."""
    source: str | None = None
    version: str | None = None
    since: datetime | None = None
    wait: timedelta = timedelta()
    """How long it has to hold before it is told."""

    @property
    def key(self) -> str:
        """What makes it the same as before: of a refusal not the version, for every sync may build another."""
        return f"{self.event}:{self.source or ''}"


def conditions_of(status: ReleaseStatus, about: Collection[str], patience: timedelta) -> Iterator[Condition]:
    """Yield what there is to tell; `patience`: for how long a source may be late untold."""
    for notice in status.notices:
        if notice.kind in about and notice.kind in _TITLES:
            yield _condition(notice.kind, notice, patience if notice.kind == "late" else timedelta())


def _condition(event: str, notice: Notice, wait: timedelta) -> Condition:
    title, over = (one.format(source=notice.source, version=notice.version) for one in _TITLES[event])
    return Condition(event, title, notice.text, over, notice.source, notice.version, notice.since, wait)
