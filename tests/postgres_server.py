"""A PostgreSQL server of its own for the tests, on a socket in a folder that goes with it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def postgres_server() -> Iterator[str]:
    """Start one and give its address; the test is skipped where none is installed."""
    _program("initdb")
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    shutil.chown(folder, server_user())
    address = f"postgresql://reader@/postgres?host={folder}"
    try:
        options = ("--auth=trust", "--username=reader", "--no-sync", "--encoding=UTF8", "--locale=C")
        _run(folder, "initdb", *options)
        start(address)
        yield address
        stop(address)
    finally:
        shutil.rmtree(folder)


def start(address: str) -> None:
    """Start the server of an address."""
    folder = _folder(address)
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    # a server that inherits our pipes would keep them open, so it logs to a file
    _run(folder, "pg_ctl", "-w", "-l", folder / "log", "-o", options, "start")


def stop(address: str) -> None:
    """Stop it as a crash would."""
    _run(_folder(address), "pg_ctl", "-m", "immediate", "stop")


def _folder(address: str) -> Path:
    return Path(address.partition("host=")[2])


def _run(folder: Path, name: str, *arguments: str | Path) -> None:
    command = [_program(name), "-D", folder / "data", *arguments]
    subprocess.run(command, check=True, user=server_user(), cwd="/", capture_output=True, timeout=240)


def _program(name: str) -> Path:
    folders = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin")]
    found = next((folder / name for folder in folders if (folder / name).exists()), None)
    if found is None:
        pytest.skip("no PostgreSQL server is installed")
    return found


def server_user() -> int:
    """Return whom a server may run as: PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return os.geteuid()
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    pytest.skip("PostgreSQL refuses to run as root and there is no other user")
