"""Where a source went on the last time: a library's own state, which counts only beside what was read with it."""

import json
from collections.abc import Callable
from pathlib import Path

from rag_platform.core.ports import Last
from rag_platform.storage.atomic import write_bytes

STATES = "raw/states"
"""Their folder, in the workspace's data."""


class SavedState:
    """One source's state in its file."""

    def __init__(self, path: Path, version: str, last: Callable[[str], Last | None]) -> None:
        """Read nothing yet.

        Args:
            path: of the file.
            version: another one, and the state is void: what was read with other settings is read anew.
            last: what the last good fetch of an address brought.
        """
        self._path = path
        self._version = version
        self._last = last

    def read(self) -> str | None:
        """Return the state; None: the source is read from its beginning, as when what was read with it is lost."""
        try:
            saved = json.loads(self._path.read_bytes())
            sound = saved["version"] == self._version and self._last(saved["read"]) is not None
            return str(saved["state"]) if sound else None
        except (FileNotFoundError, ValueError, LookupError, TypeError):
            return None

    def write(self, state: str, read: str) -> None:
        """Keep a state, with the address of something that was read before it."""
        write_bytes(self._path, json.dumps({"version": self._version, "read": read, "state": state}).encode())

    def forget(self) -> None:
        """Read from the beginning the next time."""
        self._path.unlink(missing_ok=True)
