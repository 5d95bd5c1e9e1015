"""What the gate considers beside the scores of the two versions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from evals.gate.blame import Origins
from evals.gate.floors import Floors
from evals.measures.takeover import Takeover


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of a candidate that its questions do not tell."""

    integrity: Sequence[str] = ()
    """What is wrong with the candidate's index, whatever its scores."""
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What is wrong with one source in it, whatever its scores: source -> sentences."""
    pinned: Floors | None = None
    takeovers: Sequence[Takeover] = ()
    latency: Mapping[str, float] | None = None
    """`candidate_p95` and `live_p95` in milliseconds, timed in the same run, and their `ratio`."""
    stale: Mapping[str, str] = field(default_factory=dict)
    """Questions that rest on text which the sources have changed or removed, with what happened."""
    stale_before: Collection[str] = ()
    """Those of them that were stale when the live version was published: they are no news."""
    excused: Collection[str] = ()
    """Synthetic ones of them whose documents were removed: the brake on deletions has given its leave."""
    max_stale_share: float = 0.2
    remarks: Sequence[str] = ()
    """What people should know and what decides nothing."""
    origins: Origins | None = None
    """Which source each document is of; None: no loss is laid to a source."""
    permitted: Collection[str] = ()
    """Sources whose state somebody let pass: what is laid to them decides nothing."""

    @property
    def gone(self) -> list[str]:
        """Questions whose text was taken away since the live version was published, without leave."""
        return [key for key in self.stale if key not in self.stale_before and key not in self.excused]


NOTHING_ELSE = Evidence()
"""Scores alone."""
