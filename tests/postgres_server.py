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
    binaries = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin")]
    found = next((folder for folder in binaries if (folder / "initdb").exists()), None)
    if found is None:
        pytest.skip("no PostgreSQL server is installed")
    user = server_user()
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    shutil.chown(folder, user)

    def run(name: str, *arguments: str | Path) -> None:
        command = [found / name, "-D", folder / "data", *arguments]
        subprocess.run(command, check=True, user=user, cwd="/", capture_output=True, timeout=240)

    try:
        run("initdb", "--auth=trust", "--username=reader", "--no-sync", "--encoding=UTF8", "--locale=C")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        # a server that inherits our pipes would keep them open, so it logs to a file
        run("pg_ctl", "-w", "-l", folder / "log", "-o", options, "start")
        yield f"postgresql://reader@/postgres?host={folder}"
        run("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


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
