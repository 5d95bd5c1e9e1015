"""What a reader takes for one document: processor time, time in which it does nothing, memory.

Only time that it worked counts against its limit, so that a busy machine costs no document. A process that waits for a
processor works, as far as it can; one that sleeps or is stopped does not, and has another, much longer limit.
"""

import time
from contextlib import suppress

from rag_platform.core.errors import ReadingStopped
from rag_platform.documents.options import Limits
from rag_platform.documents.sandbox.resource_limits import LIMITED_BY_KERNEL, limit_processor_time

INTERVAL = 0.25
"""Seconds between two looks."""
_MARGIN = 10.0
"""Seconds of processor time after which the kernel ends what its owner has not ended, because it is stopped itself."""


class Meter:
    """Of one process; `begin` starts the count anew."""

    def __init__(self, pid: int, limits: Limits) -> None:
        import psutil  # not at the start of whatever only might read

        self._limits = limits
        self._process = psutil.Process(pid)
        self.begin()

    def begin(self) -> None:
        """Count from now on: a document begins."""
        self._base = self._last = self._worked()
        self._looked, self._idle = time.monotonic(), 0.0
        with suppress(OSError):  # it has ended
            limit_processor_time(self._process.pid, self._base + self._limits.seconds + _MARGIN)

    @property
    def seconds(self) -> float:
        """Of processor time, as far as it was seen."""
        return self._last - self._base

    def check(self) -> None:
        """Raise when a limit is passed.

        Raises:
            ReadingStopped: says which.
        """
        import psutil

        try:
            worked, state = self._worked(), self._process.status()
        except psutil.Error:  # it has ended
            return
        now = time.monotonic()
        if state != psutil.STATUS_RUNNING:  # a longer while was its owner's, who did not look
            self._idle += max(0.0, min(now - self._looked, 4 * INTERVAL) - (worked - self._last))
        self._last, self._looked = worked, now
        if worked - self._base > self._limits.seconds:
            raise ReadingStopped(after(self._limits.seconds))
        if self._idle > self._limits.idle_seconds:
            raise ReadingStopped(f"stopped: it did nothing for {self._limits.idle_seconds:g} s")
        if not LIMITED_BY_KERNEL and self._process.memory_info().rss > self._limits.memory:
            raise ReadingStopped(too_large(self._limits.memory))

    def _worked(self) -> float:
        used = self._process.cpu_times()
        return float(used.user + used.system)


def after(seconds: float) -> str:
    """Say that a reader used up its processor time."""
    return f"stopped after {seconds:g} s of processor time"


def too_large(memory: int) -> str:
    """Say that a reader took more than its memory."""
    return f"stopped: it takes more than {memory >> 20} MB of memory"
