"""What is known of a source from before, by which a change of it is judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of a source from before."""

    max_changed_share: float = 0.2
    """`[sync] max_changed_share`."""
    shares: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By anomaly, the shares of earlier runs that changed something and were published."""
    earlier: Callable[[], frozenset[tuple[str, str]]] = frozenset
    """Reads (uri, revision) of what was live before the live version."""
    elsewhere: Callable[[], frozenset[tuple[str, frozenset[str]]]] = frozenset
    """Reads (revision, readers) of what other sources have in the live version."""
    readers_set: bool = False
    """Whether people changed who may read the source since the live version was made."""
