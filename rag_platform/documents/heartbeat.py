"""A sign of life from within a long reading: the limit on time is then for what follows it."""

from collections.abc import Callable

_listener: Callable[[], None] | None = None


def listen(listener: Callable[[], None]) -> None:
    """Let this be called at every beat; the process that reads tells the one that waits."""
    global _listener  # noqa: PLW0603 (there is one of them in a process)
    _listener = listener


def heartbeat() -> None:
    """Say that a bounded piece of work is done and another begins."""
    if _listener is not None:
        _listener()
