"""Versions that people keep for good, in a file that is written twice, so that damage to one is mended by the other."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed, unsealed

Pins = dict[str, dict[str, Any]]
"""By version: `at` and `why`."""


class PinFile:
    """The file of pins and its twin; whoever writes holds the lock of the versions."""

    def __init__(self, folder: Path) -> None:
        self.paths = (folder / "pins.json", folder / "pins.copy.json")

    def read(self) -> Pins:
        """Return the pins, from whichever file is sound; `StorageError` when none is, so that nothing is removed."""
        problems = self.problems()
        for path in self.paths:
            if path.exists() and path.name not in problems:
                return unsealed(path.read_bytes())
        if not problems:
            return {}
        raise StorageError(f"{self.paths[0]} is damaged ({problems[self.paths[0].name]}). `rag repair` mends it")

    def problems(self) -> dict[str, str]:
        """Say what is wrong, by the name of the file; one that is not there is wrong if its twin is there."""
        there = [path for path in self.paths if path.exists()]
        found = {path.name: "it is missing" for path in self.paths if there and path not in there}
        for path in there:
            try:
                unsealed(path.read_bytes())
            except (OSError, ValueError) as error:
                found[path.name] = str(error)
        return found

    def write(self, pins: Pins) -> None:
        """Replace them."""
        for path in self.paths:
            write_bytes(path, sealed(pins))


def pin(why: str) -> dict[str, Any]:
    """Return what is noted of a version that is pinned now."""
    return {"at": datetime.now(UTC).isoformat(), "why": why}
