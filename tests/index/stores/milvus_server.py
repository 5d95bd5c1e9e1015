"""A real server of Milvus on this machine: Milvus Lite, as a process that listens on loopback."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.loopback import free_port
from tests.waiting import wait_until


@contextmanager
def milvus_server(folder: Path, port: int | None = None) -> Iterator[str]:
    """Start it over a folder and give its address."""
    pytest.importorskip("milvus_lite", reason="Milvus Lite is not installed: `make test-scale` runs this")
    from pymilvus import MilvusClient
    from pymilvus.exceptions import MilvusException

    port = port or free_port()
    command = [sys.executable, "-m", "milvus_lite", "server", "--data-dir", str(folder)]
    server = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )

    def answers() -> bool:
        assert server.poll() is None, "Milvus Lite ended"
        try:
            MilvusClient(uri=f"http://127.0.0.1:{port}").close()
        except MilvusException:
            return False
        return True

    try:
        wait_until(answers)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)
