"""Arrays in files of numpy's form."""

from pathlib import Path
from threading import RLock

import numpy as np

HEADERS = RLock()
"""Held while numpy reads the header of a file: in CPython 3.11 threads that do so at once may fail (gh-106905)."""


def mapped(path: Path) -> np.ndarray:
    """Map an array from its file."""
    with HEADERS:
        return np.asarray(np.load(path, mmap_mode="r"))  # the map as a plain array, which is quicker to index
