"""One damaged file."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["version", "evaluation", "pointer", "log", "pins", "table", "tokens", "blob", "database", "forgotten"]
REPAIR = "rag repair"


@dataclass(frozen=True, slots=True)
class Damage:
    """A file, or the folder of a version, that is not what was written."""

    path: str
    """Below the workspace's folder of data."""
    kind: Kind
    wrong: str
    means: str
    """What it means for the people who ask."""

    @property
    def said(self) -> str:
        """Everything in one line."""
        return f"{self.path}: {self.wrong}; {self.means}"
