"""Wait for what another thread or process does."""

import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


def wait_until(
    happened: Callable[[], Result], seconds: float = 240.0, else_: str = "it did not happen", *, every: float = 0.01
) -> Result:
    """Ask until the answer is true, and return it; what does not come in `seconds` fails with the words of `else_`."""
    deadline = time.monotonic() + seconds
    while not (result := happened()):
        assert time.monotonic() < deadline, else_
        time.sleep(every)
    return result
