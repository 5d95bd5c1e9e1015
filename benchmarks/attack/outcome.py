"""What an attack tried, what failed and what was lost."""

from dataclasses import dataclass
from pathlib import Path

SCRATCH = "rag-attack-"
"""How the temporary folder of each attack begins."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A row of the campaign's report."""

    attack: str
    """What was tried, in a few words."""
    tries: int
    failures: int = 0
    """Tries after which the platform did not do what it promises: a crash, a wrong answer, a leak, a wedge."""
    lost: int = 0
    """Documents, answers, versions or settings that were gone afterwards."""
    notes: tuple[str, ...] = ()
    """What failed, an example or two each; figures worth keeping."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What an attack may use."""

    minutes: float
    scratch: Path
    """An empty folder of its own, removed afterwards."""
