"""Where work reports how far it has come."""

from collections.abc import Callable

Progress = Callable[[int, int | None], None]
"""Called with what is done and the total (None: not known yet)."""


def silent(done: int, total: int | None) -> None:
    """Report no progress."""


def within(progress: Progress, start: int, total: int) -> Progress:
    """Return where a part that begins at `start` reports its progress, as that of the whole."""
    return lambda done, _: progress(start + done, total)


Reporter = Callable[[str], Progress]
"""Gives, for the name of a stage, where its progress goes."""


def quiet(stage: str) -> Progress:  # noqa: ARG001
    """Report no progress of any stage."""
    return silent
