"""The real server, started as people start it."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.loopback import free_port

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def serving(home, host="127.0.0.1", **environ):
    """Run `rag serve` over a workspace, to this machine as its user, and give its address."""
    port = free_port()
    command = [sys.executable, "-m", "rag_platform", "--home", str(home), "serve", "--host", host, "--port", str(port)]
    variables = os.environ | {"RAG_ACCESS__LOCAL": "true"} | environ
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=variables, stdout=log, stderr=log)
        try:
            for _ in range(1200):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/healthz")
                    break
                except httpx.TransportError:
                    assert server.poll() is None, (home / "server.log").read_text()
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)
    told = (home / "server.log").read_text()
    assert "Traceback" not in told, told


@pytest.fixture(scope="session")
def serve():
    return serving


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """A workspace whose only source is uploads, with a small limit."""
    home = tmp_path_factory.mktemp("api") / "home"
    home.mkdir()
    (home / "rag.toml").write_text(
        '[[sources]]\nid = "teaching"\nkind = "upload"\nmax_bytes = 300000\nmax_files = 30\n'
    )
    return home
