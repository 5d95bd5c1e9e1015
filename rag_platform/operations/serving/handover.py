"""A running server gives its socket to a new process of itself, which takes over when it is ready: nothing is refused.

On SIGHUP the server starts its command again and passes its listening socket on. The new process reads the settings
anew, loads what it needs, begins to accept, and only then tells the old one, by SIGUSR2, to finish what it has begun
and to end. If the new one fails, the old one goes on. systemd is told which process is the main one (Type=notify).
"""

import logging
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence

_LOG = logging.getLogger(__name__)


class Handover:
    """Starts the successor of this process, one at a time."""

    def __init__(self, command: Sequence[str], listening: socket.socket) -> None:
        """Begin anew by `command`, which gets the socket by the options `--fd` and `--replaces`."""
        number = listening.fileno()
        self._command = [*command, "--fd", str(number), "--replaces", str(os.getpid())]
        self._number = number
        self._successor: subprocess.Popen[bytes] | None = None

    def on_request(self, stop: Callable[[], None]) -> None:
        """Hand over on SIGHUP, where the system has it, and where it does not mean that a terminal was closed.

        `stop` ends this server, once its successor says that it serves.
        """
        hangup = getattr(signal, "SIGHUP", None)
        if hangup is not None and signal.getsignal(hangup) is signal.SIG_DFL and not any(map(_is_terminal, (0, 1, 2))):
            signal.signal(hangup, lambda *_: self.begin())
            signal.signal(signal.SIGUSR2, lambda *_: stop())

    def begin(self) -> None:
        """Start the successor; nothing where one is on its way."""
        if self._successor is not None and self._successor.poll() is None:
            return
        if os.getpid() == 1:  # whose end is the container's
            _LOG.warning("the first process of a container cannot be replaced: start another container")
            return
        self._successor = subprocess.Popen(self._command, pass_fds=[self._number])  # noqa: S603  our own program


def _is_terminal(number: int) -> bool:
    try:
        return os.isatty(number)
    except OSError:  # it is closed
        return False


def take_over(predecessor: int | None) -> None:
    """Tell systemd that this process serves, and ask the one that it replaces, if that is its parent, to stop."""
    notify(f"MAINPID={os.getpid()}\nREADY=1")
    if predecessor is not None and os.getppid() == predecessor:
        os.kill(predecessor, signal.SIGUSR2)


def notify(state: str) -> None:
    """Tell systemd, where it listens, as sd_notify(3) does."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.connect("\0" + address[1:] if address.startswith("@") else address)
        line.sendall(state.encode())
