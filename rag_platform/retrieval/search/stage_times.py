"""How long each stage of a search took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def timed(took: dict[str, float], stage: str) -> Iterator[None]:
    """Record the milliseconds that a stage took."""
    start = time.perf_counter()
    yield
    took[stage] = round((time.perf_counter() - start) * 1000, 3)
