"""What we ask of sources: what there is, and its bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

REMOVED = "removed by "
"""How the reason begins of what a person took out of a source."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something a source says it has."""

    uri: str
    """Canonical: the same thing has the same uri in every listing."""
    fingerprint: str | None = None
    """A cheap mark that changes when the content does; None: only a fetch can tell."""
    metadata: dict[str, Any] = field(default_factory=dict)
    """What the source knows: title, author, published_at, updated_at (ISO 8601), type, language, and identity: what
    stays the same when the item gets another uri."""
    content: bytes | None = None
    """The content itself, or what stands in for it when a fetch fails (a feed entry's own text)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source says it has now."""

    items: Sequence[Item]
    complete: bool
    """True when what is not listed does not exist: only then can missing mean deleted."""
    confirmations: int = 1
    """Complete listings in a row that must miss an item before it counts as deleted."""
    failed: Sequence[tuple[str, str]] = ()
    """(uri, reason) of parts of the listing that could not be read."""
    unlisted: Sequence[str] = ()
    """Beginnings of uris: what begins so could not be listed now, and is not missing."""
    expect: Callable[[Sequence[Item]], None] | None = None
    """Told once which items will be fetched, before the first is: what reads many at a time reads these together."""
    removed: Sequence[tuple[str, str]] = ()
    """(uri, reason, which begins with `REMOVED`) of what a person took out on purpose: it goes, and no brake asks."""


@dataclass(frozen=True, slots=True)
class Validators:
    """What a conditional request sends, from the last good fetch."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """The bytes of one item."""

    content: bytes
    content_type: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    """Added to the item's metadata, over it."""
    provisional: bool = False
    """Stands in for something that could not be had now: it is asked for again next time."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last good fetch of one address."""

    validators: Validators
    content_type: str | None
    content: Callable[[], bytes]
    """Reads the bytes; `StorageError` when they were lost."""


def nothing(uri: str) -> Last | None:  # noqa: ARG001
    """Know nothing: as on the first sync."""
    return None


def nothing_below(beginning: str) -> bool:  # noqa: ARG001
    """Know nothing: as on the first sync."""
    return False


class Gone(Exception):
    """Raised by `Source.fetch` when the source itself says that the item no longer exists (HTTP 410)."""


class Source(Protocol):
    """Where documents come from."""

    def list(self) -> Listing:
        """Name what there is; `SourceError` when the source cannot be listed at all."""
        ...

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Read one item; None when it has not changed; `FetchError` or `Gone` when there is nothing."""
        ...


@runtime_checkable
class Resuming(Protocol):
    """A source that lists what came since the last time; optional, beside `Source`. It must know what has arrived."""

    def restart(self) -> None:
        """List everything the next time."""
        ...

    def settled(self) -> None:
        """Go on from here the next time: all that was listed and fetched is kept."""
        ...


@runtime_checkable
class Watched(Protocol):
    """A source that can say at little cost whether anything may have changed, so that it can be asked often.

    Optional, beside `Source`. Keep the source object between two calls where you can: what makes the next call cheap
    may live in it (a folder remembers its directories). Open another when its settings have changed.
    """

    def fingerprint(self) -> str:
        """Return a mark of all there is, comparable across processes; `SourceError` when there is no telling just now.

        Another mark means that a sync is due. The same mark means that none was noticed: a change that costs much to
        notice, such as a file overwritten in place, may show minutes later (the adapter says how late at most).
        """
        ...
