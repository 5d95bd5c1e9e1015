"""How long each stage of a search took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rag_platform.monitoring.tracing import NOTHING, STAGE, Attributes, span

TOTAL = "total"


@contextmanager
def timed(took: dict[str, float], stage: str, about: Attributes = NOTHING) -> Iterator[dict[str, Any]]:
    """Record the milliseconds that a stage took, and tell of it with `about`, and what is added to what is yielded."""
    name, kind = ("retrieval", "search") if stage == TOTAL else (stage, f"search.{stage}")
    start = time.perf_counter()
    with span(name, {STAGE: kind, **about}) as noted:
        yield noted
    took[stage] = round((time.perf_counter() - start) * 1000, 3)
