"""How long each stage of an answer takes."""

import time


class StageTimer:
    """Milliseconds of each stage and of all together ("total").

    They are whole ones: finer ones help to guess at what is hidden.
    """

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self.took_ms: dict[str, float] = {}

    def end(self, stage: str) -> None:
        """Note that a stage ended, and that the next one begins."""
        now = time.perf_counter()
        self.took_ms[stage] = round((now - self._last) * 1000)
        self.took_ms["total"] = round((now - self._start) * 1000)
        self._last = now
