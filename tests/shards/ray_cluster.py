"""A cluster of Ray on this machine, of several nodes: what `ray start` makes on each of several machines."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import pytest

from tests.waiting import wait_until

Node = subprocess.Popen[bytes]


@contextmanager
def ray_cluster(*cpus: int) -> Iterator[tuple[str, list[Node]]]:
    """Start a node with each number of CPUs, and give the address and the nodes; processes of ours get its token."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    nodes: list[Node] = []
    with pytest.MonkeyPatch.context() as environment, ExitStack() as started:
        environment.setenv("RAY_AUTH_MODE", "token")
        environment.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        for number in cpus:
            joins = [f"--address={address}"] if nodes else ["--head", "--port", address.partition(":")[2]]
            nodes.append(started.enter_context(_node(*joins, f"--num-cpus={number}")))
        yield address, nodes


def kill_node(node: Node) -> None:
    """End all of its processes at once, as a machine that loses power does."""
    lost = [*psutil.Process(node.pid).children(recursive=True), psutil.Process(node.pid)]
    for process in lost:
        process.kill()
    node.wait()


@contextmanager
def _node(*options: str) -> Iterator[Node]:
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", *options, "--node-ip-address=127.0.0.1", "--block"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), *sys.path]))}
    with tempfile.NamedTemporaryFile() as log:
        said = Path(log.name)
        command += ["--include-dashboard=false"] if "--head" in options else []
        with subprocess.Popen(command, stdout=log, stderr=log, env=environment) as node:
            try:
                begun = lambda: node.poll() is not None or "Ray runtime started" in said.read_text()  # noqa: E731
                wait_until(begun, else_="Ray did not start", every=0.2)
                assert node.poll() is None, said.read_text()
                yield node
            finally:
                if node.poll() is None:
                    node.terminate()
