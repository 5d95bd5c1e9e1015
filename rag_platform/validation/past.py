"""What is known of a source from before, by which a change of it is judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Past:
    """What is known of a source from before."""

    max_changed_share: float = 0.2
    """`[sync] max_changed_share`."""
    runs: int = 0
    """Runs of it that changed something and were published."""
    shares: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By anomaly, the share of each of these runs; what is not named never happened."""
    earlier: Callable[[], frozenset[tuple[str, str]]] = frozenset
    """Reads (uri, revision) of what was live before the live version."""
    elsewhere: Callable[[], frozenset[tuple[str, frozenset[str]]]] = frozenset
    """Reads (revision, readers) of what other sources have in the live version."""
    readers_set: bool = False
    """Whether people changed who may read the source since the live version was made."""

    def of(self, anomaly: str) -> Sequence[float]:
        """Return the shares of documents that changed in one way, one for each run."""
        return self.shares.get(anomaly) or [0.0] * self.runs
