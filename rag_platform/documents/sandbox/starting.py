"""How processes of the cell are started: by one lasting thread, with no environment but what is named here.

Linux ends them with the *thread* that started them, so one of a pool, which ends with its work, must not do it.
"""

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[3]
_PASSED_ON = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "PYTHONDONTWRITEBYTECODE",
    "LD_LIBRARY_PATH",
    "TESSDATA_PREFIX",
)
"""Variables that the process may see."""
_PASSED_ON_WINDOWS = ("SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "USERPROFILE")
"""And without which programs do not start there."""

Process = subprocess.Popen[bytes]
_Order = tuple[list[str], "Future[Process]"]


def start(code: str, *arguments: object) -> Process:
    """Start Python with this code; it finds our package's folder in `sys.argv[1]`, then its arguments."""
    started: Future[Process] = Future()
    _orders(os.getpid()).put(([code, str(_ROOT), *map(str, arguments)], started))
    return started.result()


@cache
def _orders(_pid: int) -> "queue.SimpleQueue[_Order]":
    """Return the queue of this process's starting thread, which a fork does not inherit."""
    orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
    threading.Thread(target=_serve, args=(orders,), name="starts readers", daemon=True).start()
    return orders


def _serve(orders: "queue.SimpleQueue[_Order]") -> None:
    while True:
        arguments, started = orders.get()
        try:
            started.set_result(_started(arguments))
        except BaseException as error:  # noqa: BLE001 (whoever waits for it has it)
            started.set_exception(error)


def _started(arguments: Sequence[str]) -> Process:
    return subprocess.Popen(  # noqa: S603 (our own interpreter and code)
        [sys.executable, "-P", "-c", *arguments],  # -P: no module from the folder in which somebody works
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )


def environment() -> dict[str, str]:
    """Return the variables that a process of the cell sees: no keys."""
    names = (*_PASSED_ON, *(_PASSED_ON_WINDOWS if os.name == "nt" else ()))
    # One arena: each thread's own would reserve 64 MB of the address space that is limited.
    own = {"OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    return {name: os.environ[name] for name in names if name in os.environ} | own
