"""Programs that are kept running together until one ends or Ctrl-C comes, and then all end."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

PATIENCE = 90
"""Seconds until a service must answer."""


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
    variable: str
    """Of the Makefile, that chooses its port."""

    @property
    def port(self) -> int:
        """The port it listens on."""
        return urlsplit(self.address).port


def refuse_used(service: Service) -> None:
    """End with an explanation when the service's port is taken."""
    with socket.socket() as probe:
        if probe.connect_ex((urlsplit(service.address).hostname, service.port)):
            return
    sys.exit(
        f"error: port {service.port} is in use, and {service.name} is to listen there. If `make up` runs in another "
        f"terminal, end it with Ctrl-C; else choose another port: make up {service.variable}={service.port + 1}"
    )


def run(services: Sequence[Service]) -> None:
    """Start the services, tell where they are, and wait until one of them ends."""
    with ExitStack() as stack:
        running = [(service, stack.enter_context(_started(service))) for service in services]
        print(f"\nStarting {' and '.join(service.name for service in services)} …", flush=True)
        for service, process in running:
            _wait_ready(service, process)
        print("\nReady. Ctrl-C ends both.")
        for service in services:
            print(f"  {service.address}   {service.name}: {service.purpose}", flush=True)
        while True:
            time.sleep(0.5)
            for service, process in running:
                _refuse_ended(service, process)


@contextmanager
def _started(service: Service) -> Iterator[subprocess.Popen]:
    """Start a service in a process group of its own; end the whole group afterwards."""
    service.log.parent.mkdir(parents=True, exist_ok=True)
    with service.log.open("w") as log:
        process = subprocess.Popen(service.command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            yield process
        finally:
            _end_group(process)


def _end_group(process: subprocess.Popen) -> None:
    """Ask a process group to end; force what remains."""
    for number, patience in ((signal.SIGINT, 10), (signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        deadline = time.monotonic() + patience
        if not _signal_group(process, number):
            return
        while _signal_group(process, 0) and time.monotonic() < deadline:
            time.sleep(0.1)


def _signal_group(process: subprocess.Popen, number: int) -> bool:
    """Send a signal (0: none, only look); return whether anybody is left in the group."""
    process.poll()  # a child that ended stays in its group until it is asked after
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        return False
    return True


def _wait_ready(service: Service, process: subprocess.Popen) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        _refuse_ended(service, process)
        try:
            with urllib.request.urlopen(service.address + service.health, timeout=2):
                return
        except OSError:
            time.sleep(0.3)
    sys.exit(f"error: {service.name} did not answer within {PATIENCE} seconds; see {service.log}")


def _refuse_ended(service: Service, process: subprocess.Popen) -> None:
    """End with the last lines of its log when a service has ended."""
    if process.poll() is not None:
        last = service.log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:]
        end = "\n".join(last)
        sys.exit(f"error: {service.name} ended with status {process.returncode}; the end of {service.log}:\n{end}")
