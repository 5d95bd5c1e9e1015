"""What a workspace's own judged claims say of a check: how its probabilities are to be read there.

A logistic curve over the check's log-odds (Platt, "Probabilistic Outputs for Support Vector Machines", 1999), which has
two numbers and so needs few claims, and is the same for every kind of check. `rag check --fit` fits it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from rag_platform.core.errors import StorageError
from rag_platform.core.ids import digest
from rag_platform.models.calibration import sigmoid
from rag_platform.storage.atomic import write_bytes

FOLDER = "checks"
"""Below the data folder: what is kept of checks."""
_FILE = "curves.json"
_SURE = 1e-4
"""Probabilities nearer to 0 or 1 count as this near."""


@dataclass(frozen=True, slots=True)
class OwnCurve:
    """How the probabilities of one check are to be read."""

    check: str
    """The check's name, with its version: for another one it says nothing."""
    shift: float
    scale: float
    claims: int = 0
    """How many it was fitted to."""
    before: float = 0.0
    """Balanced accuracy on them without it."""
    after: float = 0.0
    """And with it, of each fifth by a curve that was fitted to the others."""
    at: str = ""
    """When it was fitted, as ISO 8601."""

    @property
    def name(self) -> str:
        """The check's name with the curve's own version, as receipts have it."""
        return f"{self.check}, own {digest(self.check, str(self.shift), str(self.scale))[:6]}"

    def of(self, probability: float) -> float:
        """Return how probable support is where the check says `probability`."""
        return float(sigmoid(np.array(self.shift + self.scale * log_odds(probability))))


class Curves(Protocol):
    """Curves by the name of their check."""

    def get(self, check: str, /) -> OwnCurve | None:
        """Return the curve of a check; None: its probabilities stand as they are."""
        ...


class OwnCurves:
    """The curves of a workspace, read each time, so that whatever runs notices a new one."""

    def __init__(self, folder: Path) -> None:
        """Read and write in `folder`, which need not be there."""
        self.path = folder / _FILE

    def get(self, check: str, /) -> OwnCurve | None:
        """Return the curve of a check; None: there is none, or it cannot be read."""
        try:
            return self._all().get(check)
        except StorageError:
            return None

    def put(self, curve: OwnCurve) -> None:
        """Keep a curve, in the place of the one that its check had."""
        kept = [asdict(one) for one in ({} if not self.path.exists() else self._all()).values()]
        kept = [one for one in kept if one["check"] != curve.check]
        write_bytes(self.path, json.dumps([*kept, asdict(curve)], indent=1).encode())

    def _all(self) -> dict[str, OwnCurve]:
        try:
            return {one["check"]: OwnCurve(**one) for one in json.loads(self.path.read_text(encoding="utf-8"))}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise StorageError(f"{self.path} cannot be read: {error}; remove it, and fit again") from error


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability that is not quite 0 or 1."""
    kept = min(max(probability, _SURE), 1 - _SURE)
    return float(np.log(kept / (1 - kept)))
