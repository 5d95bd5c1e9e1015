"""How often one person may ask, so that nobody takes the machine from the others."""

import math
import time
from collections.abc import Callable

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage

from rag_platform.core.errors import TooManyRequests
from rag_platform.journal.shared_counts import SharedCounts


class RateLimits:
    """Counts what people do within the last minute, in this process or in all that share a database."""

    def __init__(
        self,
        per_minute: dict[str, int],
        counted: Callable[[str, int], None] = lambda *_: None,
        shared: SharedCounts | None = None,
    ) -> None:
        """Take the most of each kind in a minute; 0: any number. `counted` is told what was allowed."""
        self._counted = counted
        self._counts = shared or MemoryStorage()
        self._items = {kind: RateLimitItemPerMinute(most) for kind, most in per_minute.items() if most}

    def take(self, kind: str, who: str, cost: int = 1) -> None:
        """Count one more, or one that costs as much as several: a minute's whole allowance at most.

        Raises:
            TooManyRequests: that is more than allowed; `seconds` says when to try again.
        """
        item = self._items.get(kind)
        if item is None or self._counts.acquire_entry(*_window(item, kind, who), amount=min(cost, item.amount)):
            self._counted(kind, cost)
            return
        raise self._refusal(item, kind, who, cost)

    def take_each(self, *takes: tuple[str, str]) -> None:
        """Count one of each kind and whose it is, or none of them; for the error see `take`."""
        for kind, who in takes:
            item = self._items.get(kind)
            if item is not None and self._counts.get_moving_window(*_window(item, kind, who))[1] >= item.amount:
                raise self._refusal(item, kind, who)
        for kind, who in takes:
            self.take(kind, who)

    def _refusal(self, item: RateLimitItemPerMinute, kind: str, who: str, cost: int = 1) -> TooManyRequests:
        first, _ = self._counts.get_moving_window(*_window(item, kind, who))
        freed = first + item.get_expiry() - time.time()  # for one
        return TooManyRequests(kind, item.amount, max(1, math.ceil(freed)) if cost == 1 else item.get_expiry())


def _window(item: RateLimitItemPerMinute, kind: str, who: str) -> tuple[str, int, int]:
    """Return whose window it is, how many it holds, and for how many seconds."""
    return item.key_for(kind, who), item.amount, item.get_expiry()
