"""The exact nearest rows of a few vectors in a segment, noted beside its files: recall is measured against them.

A segment never changes, so what was once found by comparing all its rows stands for all versions that share it. All
rows count, for which of them live differs between versions.
"""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from rag_platform.core.errors import StorageError
from rag_platform.storage.atomic import write_bytes
from rag_platform.storage.hashed.sealed import sealed, unsealed

NEAREST = ".nearest"
"""The suffix of such notes, which whoever reads a version may write."""

Noted = tuple[list[int], list[float]]
"""The places of rows, and their similarities, best first."""


def read_nearest(path: Path) -> dict[str, Noted]:
    """Return what is noted, by the hash of the vector; of a note that is missing or damaged: nothing."""
    try:
        return {name: (places, scores) for name, (places, scores) in unsealed(path.read_bytes()).items()}
    except (OSError, ValueError):
        return {}


def write_nearest(path: Path, noted: Mapping[str, Noted]) -> None:
    """Replace a note; where nobody may write, all rows are compared each time."""
    with contextlib.suppress(OSError, StorageError):
        write_bytes(path, sealed(noted))
