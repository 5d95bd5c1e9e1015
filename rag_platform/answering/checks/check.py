"""What judges whether a source supports a claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Judgement:
    """How probable it is that a source supports, and that it contradicts, a claim; what is left is neither."""

    supported: float
    contradicted: float


class Check(Protocol):
    """Judges pairs of a claim and a source."""

    @property
    def name(self) -> str:
        """What judges, with its version."""
        ...

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Judgement | None]:
        """Judge each (claim, source); None: it could not be judged.

        Raises:
            RagError: nothing could be judged.
        """
        ...
