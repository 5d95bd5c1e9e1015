"""The versions that could not be opened: their files are not hashed again for each query that asks for them."""

import time
from pathlib import Path

from rag_platform.core.errors import DamagedVersion
from rag_platform.index.releases.version_files import State, folder_states

_SECONDS = 60.0
"""How long a failure is believed while nobody writes to the files: a disk may have been away for a moment."""


class FailedOpenings:
    """What was wrong with each version that this process could not open."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[float, dict[str, State], str]] = {}

    def add(self, folder: Path, error: DamagedVersion) -> None:
        """Remember it."""
        self._known[folder] = (time.monotonic(), folder_states(folder), str(error))

    def problem(self, folder: Path) -> str | None:
        """Say what is wrong with a version whose files are as they were when it was tried last; None: try it."""
        at, states, said = self._known.get(folder, (0.0, {}, ""))
        known = said and time.monotonic() - at < _SECONDS and folder_states(folder) == states
        return said if known else None

    def forget(self, folder: Path) -> None:
        """Have it tried again."""
        self._known.pop(folder, None)
