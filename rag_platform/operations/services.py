"""Programs that are kept running together until one ends or Ctrl-C comes, and then all end."""

import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from rag_platform.core.errors import RagError
from rag_platform.operations.processes import is_running

STARTUP_SECONDS = 90
"""Until a service must answer."""
_LAST_LINES = 15
_ANYWHERE = ("0.0.0.0", "::")  # noqa: S104  compared with, not listened on


@dataclass(frozen=True, slots=True)
class Service:
    """A program that answers HTTP."""

    name: str
    purpose: str
    address: str
    health: str
    """Path that answers 200 when it is ready."""
    command: Sequence[str]
    log: Path
    """What it prints goes here."""
    port_option: str
    """Of `rag up`, that chooses its port."""
    link: str | None = None
    """What to open it with, if not its address."""
    environment: Mapping[str, str] | None = None
    """All of its variables; None: ours."""
    folder: Path | None = None
    """Where it runs; None: here."""

    @property
    def port(self) -> int:
        """The port it listens on."""
        return urlsplit(self.address).port or 80


def shown_address(host: str, port: int) -> str:
    """Return where a server that listens there is found from this machine."""
    shown = "127.0.0.1" if host in _ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def refuse_used(service: Service) -> None:
    """Raise an error that says what to do when the service's port is taken."""
    with socket.socket() as probe:
        if probe.connect_ex((urlsplit(service.address).hostname or "127.0.0.1", service.port)):
            return
    other = service.port + 1
    variable = service.port_option.strip("-").replace("-", "_").upper()
    raise RagError(
        f"port {service.port} is in use, and {service.name} is to listen there. If another `rag up` runs, end it with "
        f"Ctrl-C; else choose another port: {service.port_option} {other} (make up {variable}={other})"
    )


def run(services: Sequence[Service], say: Callable[[str], None] = print) -> None:
    """Start the services, say where they are, and wait until one of them ends; then end the others.

    Raises:
        RagError: one did not start, or ended; with the last lines that it printed.
        KeyboardInterrupt: somebody pressed Ctrl-C, or this process was asked to end.
    """
    with _terminated_as_interrupted(), ExitStack() as stack:
        running = [(service, stack.enter_context(_started(service))) for service in services]
        say(f"\nStarting {' and '.join(service.name for service in services)} …")
        for service, process in running:
            _wait_ready(service, process)
        say("\nReady. Ctrl-C ends both.")
        for service in services:
            say(f"  {service.link or service.address}   {service.name}: {service.purpose}")
        while True:
            time.sleep(0.5)
            for service, process in running:
                _refuse_ended(service, process)


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """Take being asked to end as Ctrl-C: both end what we started."""
    before = signal.getsignal(signal.SIGTERM)
    if before is signal.SIG_DFL:  # else our command line sees to it
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _started(service: Service) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a service that the terminal's Ctrl-C does not reach; end it with all that it started afterwards."""
    service.log.parent.mkdir(parents=True, exist_ok=True)
    with service.log.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(  # noqa: S603  our own programs
            service.command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=service.environment,
            cwd=service.folder,
            start_new_session=True,
        )
        tree = _Tree(process)
        try:
            yield process
        finally:
            tree.end()


class _Tree:
    """A process and all that came from it."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._known = {process.pid: psutil.Process(process.pid)}

    def end(self) -> None:
        """Ask all to end; force what remains."""
        interrupt = signal.SIGTERM if sys.platform == "win32" else signal.SIGINT
        for number, patience in ((interrupt, 10), (signal.SIGTERM, 5), (None, 5)):
            left = self._alive()
            for one in left:
                _send(one, number)
            self._process.poll()  # a child that ended stays there until it is asked after
            if not psutil.wait_procs(left, timeout=patience)[1] and not self._alive():
                return

    def _alive(self) -> list[psutil.Process]:
        for one in list(self._known.values()):
            try:
                self._known |= {child.pid: child for child in one.children(recursive=True)}
            except psutil.NoSuchProcess:
                continue
        return [one for one in self._known.values() if is_running(one)]


def _send(process: psutil.Process, number: int | None) -> None:
    """Send a signal; None: end it by force."""
    try:
        process.kill() if number is None else process.send_signal(number)
    except psutil.NoSuchProcess:
        return


def _wait_ready(service: Service, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + STARTUP_SECONDS
    while time.monotonic() < deadline:
        _refuse_ended(service, process)
        try:
            with urllib.request.urlopen(service.address + service.health, timeout=2):  # noqa: S310  our own address
                return
        except OSError:
            time.sleep(0.3)
    raise RagError(f"{service.name} did not answer within {STARTUP_SECONDS} seconds; see {service.log}")


def _refuse_ended(service: Service, process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is not None:
        last = service.log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:]
        end = "\n".join(last)
        raise RagError(f"{service.name} ended with status {process.returncode}; the end of {service.log}:\n{end}")
