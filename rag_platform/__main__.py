"""The command `rag`: from its first import on, being stopped ends in one line, with nothing left running."""

import atexit
import errno
import gc
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import TextIO

from rag_platform.core.threads.blas import keep_to_one_thread
from rag_platform.operations.serving.asking import ask_server

keep_to_one_thread()
_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_PATIENCE = 30.0
"""Seconds in which what is stopped may end by itself: the programs of `rag up` take up to twenty."""


class _Stopping:
    """Notes the signal that asked this process to stop, and sees to it that it does."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.number: int | None = None
        for number in _NAMES:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` and `&` of some shells have it
                signal.signal(number, self._stop)

    def _stop(self, number: int, _: FrameType | None) -> None:
        if self.number is not None:
            self.end()  # asked twice
        self.number = number
        sys.unraisablehook = lambda _: None  # where Python cannot raise what stops us, it would print it
        threading.excepthook = lambda _: None
        watch = threading.Timer(_PATIENCE, self.end)
        watch.daemon = True
        watch.start()
        if not _cancelled():
            raise KeyboardInterrupt

    def end(self) -> None:
        """Say so, end the children, and end: at any moment, for what is on the disk is whole at any moment."""
        number = self.number or signal.SIGINT
        seconds = time.monotonic() - self.began
        _end_children()
        said = (
            f"Stopped by {_NAMES[signal.Signals(number)]} after {seconds:.1f} s; nothing is lost: what was finished is "
            "stored. Run the same command again to go on.\n"
        )
        for stream, text in ((sys.stdout, ""), (sys.stderr, said)):
            try:
                stream.write(text)
                stream.flush()
            except (OSError, ValueError, AttributeError, RuntimeError):  # closed, or being written to just now
                continue
        os._exit(128 + number)


def main() -> None:
    """Run the command line."""
    stopping, status = _Stopping(), 0
    atexit.register(leaving := _Leaving())  # before all others, so that it is called after them
    try:
        if (answer := ask_server(sys.argv[1:])) is not None:
            sys.stdout.write(answer)
        else:
            gc.disable()  # until a command is imported: to look for garbage takes a tenth of a cold start
            from rag_platform.cli import run

            status = run()
    except KeyboardInterrupt:
        stopping.end()
    except BaseException as error:
        if stopping.number is not None:  # what raised was cut off
            stopping.end()
        if not isinstance(error, OSError) or error.errno != errno.ENOSPC:
            raise
        status = _unwritten(error)
    if stopping.number is not None:
        stopping.end()
    status = _flush(sys.stdout) or status
    for number in _NAMES:
        signal.signal(number, signal.SIG_IGN)  # it is done: Python's own end must not look like an interruption
    leaving.status = status
    sys.exit(status)


class _Leaving:
    """Ends the process at its exit: what was loaded need not be taken apart, which takes a quarter of a short command.

    Python calls it when every thread has ended and what others registered for the exit is done.
    """

    status: int | None = None
    """The exit code; None: `main` was cut off, and Python ends by itself."""

    def __call__(self) -> None:
        if self.status is not None:
            for stream in (sys.stdout, sys.stderr):
                _flush(stream)
            os._exit(self.status)


def _cancelled() -> bool:
    """Cancel what a running event loop does, as Python's own handler would: a screen is given back then."""
    asyncio = sys.modules.get("asyncio")
    try:
        loop = asyncio.get_running_loop() if asyncio else None
    except RuntimeError:
        return False
    if asyncio is None or loop is None:
        return False
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.call_soon_threadsafe(lambda: None)
    return True


def _end_children() -> None:
    """End what this process started and did not wait for."""
    import psutil

    children = psutil.Process().children(recursive=True)
    for child in children:
        _send(child, "terminate")
    for child in psutil.wait_procs(children, timeout=2)[1]:
        _send(child, "kill")


def _send(process: object, how: str) -> None:
    import psutil

    try:
        getattr(process, how)()
    except psutil.NoSuchProcess:
        return


def _flush(stream: TextIO | None) -> int:
    """Write out what is buffered; returns 1 where it could not be written, such as on a full disk.

    Where the reader has gone, nothing is wrong, and Python would complain of it at its end.
    """
    if stream is None:  # whoever started this process has closed it
        return 0
    try:
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        return _unwritten(error)
    return 0


def _unwritten(error: OSError) -> int:
    with suppress(OSError):  # the errors' own stream may be as full
        sys.stderr.write(f"The output could not be written: {error.strerror}. Free space, or write it elsewhere.\n")
        sys.stderr.flush()
    return 1


if __name__ == "__main__":
    main()
