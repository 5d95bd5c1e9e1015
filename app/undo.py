"""What is taken away goes a little later, so that it can be taken back."""

import atexit
import logging
import threading
from collections.abc import Callable, Hashable

SECONDS = 10.0
"""In which it can be taken back."""

_LOCK = threading.Lock()
_LEAVING: dict[Hashable, tuple[threading.Timer, Callable[[], object]]] = {}
"""Of all visitors, until it is done: who leaves meanwhile has still taken it away."""


def do_later(key: Hashable, action: Callable[[], object], seconds: float = SECONDS) -> None:
    """Do what takes something away after so many seconds, unless `take_back` is called before."""
    timer = threading.Timer(seconds, _do, (key,))
    timer.daemon = True
    with _LOCK:
        if key not in _LEAVING:
            _LEAVING[key] = timer, action
            timer.start()


def take_back(key: Hashable) -> bool:
    """Return whether it is still there, and stays."""
    with _LOCK:
        found = _LEAVING.pop(key, None)
    if found:
        found[0].cancel()
    return found is not None


def is_leaving(key: Hashable) -> bool:
    """Return whether it is to go, and is still there."""
    return key in _LEAVING


def _do(key: Hashable) -> None:
    with _LOCK:
        found = _LEAVING.pop(key, None)
    if found:
        try:
            found[1]()
        except Exception:
            logging.getLogger(__name__).exception("%r was not taken away", key)


@atexit.register
def do_all() -> None:
    """Do at once what still waits: the process ends."""
    for key in [*_LEAVING]:
        _do(key)
