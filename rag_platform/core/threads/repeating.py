"""What a program does again and again beside its work."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta


def repeat(work: Callable[[], object], every: timedelta, name: str, *, at_once: bool = False) -> threading.Event:
    """Do something every so often, in a thread of that name, as long as the program runs; an error is logged.

    Args:
        work: What is done.
        every: How long is waited after it was done.
        name: What it is called in the log.
        at_once: Whether it is done before anything is waited for.

    Returns:
        What ends it, once set.
    """
    ended = threading.Event()

    def again() -> None:
        if not at_once:
            ended.wait(every.total_seconds())
        while not ended.is_set():
            try:
                work()
            except Exception:
                logging.getLogger(__name__).exception("%s: it is tried again", name)
            ended.wait(every.total_seconds())

    threading.Thread(target=again, name=name, daemon=True).start()
    return ended
