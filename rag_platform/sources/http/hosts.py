"""What one run has learnt about a host: its addresses, its rules, and whether it answers."""

import threading
import time
from collections.abc import Callable

from protego import Protego

from rag_platform.core.errors import FetchError
from rag_platform.sources.http.addresses import Address

PATIENCE = 3
"""Requests in a row that must fail, with all their retries, before a host that connects is left alone."""
COOLDOWN = 60.0
"""Seconds until a host that was left alone is tried again."""
LONGEST_DELAY = 30.0
"""Most seconds between two requests that a robots.txt may ask for."""


class Unavailable(FetchError):
    """A failure that may pass: the same request may succeed later."""

    def __init__(self, message: str, *, retry: bool = True, wait: float | None = None, dead: bool = False) -> None:
        super().__init__(message)
        self.retry = retry
        """It may pass within seconds."""
        self.wait = wait
        """Seconds that the server asked us to wait."""
        self.dead = dead
        """The host could not even be reached."""


class Host:
    """State of one host, used by one request at a time (`lock`)."""

    def __init__(self, name: str, delay: float, sleep: Callable[[float], None]) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.rules_lock = threading.Lock()
        self.rules: Protego | None = None
        self.addresses: tuple[Address, ...] = ()
        self._delay = delay
        self._sleep = sleep
        self._ready_at = 0.0
        self._failures = 0
        self._closed_until = 0.0
        self._reason = ""

    def slow_down(self, delay: float) -> None:
        """Leave at least that many seconds between two requests."""
        self._delay = max(self._delay, min(delay, LONGEST_DELAY))

    def wait_turn(self) -> None:
        """Sleep until the host may be asked again."""
        delay = 0.0 if self.addresses and all(address.is_loopback for address in self.addresses) else self._delay
        pause = self._ready_at + delay - time.monotonic()
        if self._ready_at and pause > 0:
            self._sleep(pause)

    def note_request(self) -> None:
        """Note that a request has just ended."""
        self._ready_at = time.monotonic()

    def check(self) -> None:
        """Raise `Unavailable` when the host has failed so clearly that asking again is a waste (circuit breaker)."""
        if time.monotonic() < self._closed_until:
            raise Unavailable(f"not asked, because {self.name} failed just before: {self._reason}", retry=False)

    def failed(self, error: Unavailable) -> None:
        """Count a request that failed after all its retries."""
        self._failures += 1
        if error.dead or self._failures >= PATIENCE:
            self._closed_until = time.monotonic() + COOLDOWN
            self._reason = str(error)

    def answered(self) -> None:
        """Count a request that was answered."""
        self._failures = 0
