"""What the assets report, and where to; the workspace itself is the other resource."""

import time
from collections.abc import Callable

from rag_platform.core.ports import Progress, silent

Reporter = Callable[[str], Progress]
"""Gives, for the name of a stage, where its progress goes."""


def quiet(stage: str) -> Progress:  # noqa: ARG001
    """Report no progress: what a run did is in its metadata."""
    return silent


def seconds_since(start: float) -> float:
    """Return the seconds since a moment of `time.perf_counter`, as every asset reports them."""
    return round(time.perf_counter() - start, 3)
