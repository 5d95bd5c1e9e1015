"""A real server is stopped and replaced while clients ask: what was begun is finished, and nothing is refused."""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress

import httpx
import psutil
import pytest

from tests.loopback import free_port
from tests.waiting import wait_until

SERVER = """
import sys, time
from pathlib import Path
from rag_platform.config.settings_file import load_settings
from rag_platform.operations.serving.server import serve

async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    path = scope["path"]
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-process", str(os.getpid()).encode())]})
    await send({"type": "http.response.body", "body": b"begun ", "more_body": True})
    if path == "/slow":
        (home / "begun").touch()
        while not (home / "finish").exists():
            await asyncio.sleep(0.01)
    await send({"type": "http.response.body", "body": b"finished"})

import asyncio, os, socket
home, number, fd, replaces = Path(sys.argv[1]), int(sys.argv[2]), *(
    (int(sys.argv[4]), int(sys.argv[6])) if len(sys.argv) > 3 else (None, None))
if (home / "broken").exists():
    sys.exit("broken")
serve(app, load_settings(home), "127.0.0.1", number, listening=socket.socket(fileno=fd) if fd else None,
      command=[sys.executable, __file__, str(home), str(number)], predecessor=replaces)
"""


@pytest.fixture
def home(tmp_path):
    (tmp_path / "rag.toml").write_text("[http]\nstop_seconds = 20\n")
    (tmp_path / "server.py").write_text(SERVER)
    return tmp_path


@contextmanager
def serving(home, **environ):
    """Run the server, and yield its process and its address; end it, and what replaced it."""
    port = free_port()
    command = [sys.executable, str(home / "server.py"), str(home), str(port)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": (home / "log").open("wb")}
    process = subprocess.Popen(
        command,
        env=os.environ | environ,
        start_new_session=True,
        preexec_fn=_unless_ignored,  # noqa: PLW1509  no threads
        **pipes,
    )
    try:
        wait_until(lambda: process_at(f"http://127.0.0.1:{port}"))
        yield process, f"http://127.0.0.1:{port}"
    finally:
        for one in psutil.process_iter(["cmdline"]):
            if one.info["cmdline"] and str(home / "server.py") in one.info["cmdline"]:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
        process.wait(120)
        pipes["stderr"].close()


def _unless_ignored():
    """Have the server replaced on SIGHUP also where the tests themselves run under `nohup`."""
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def process_at(address):
    """Return the process that answers; None: none does."""
    with suppress(httpx.TransportError):
        return int(httpx.get(address).headers["x-process"])


@contextmanager
def slow_request(home, address):
    """Begin a request that ends when the test says so; yield the list that gets its answer."""
    answers = []
    thread = threading.Thread(target=lambda: answers.append(httpx.get(f"{address}/slow", timeout=120).text))
    thread.start()
    wait_until((home / "begun").exists)
    yield answers
    thread.join(120)


def test_a_server_that_is_asked_to_stop_refuses_what_is_new_and_finishes_what_was_begun(home):
    with serving(home) as (process, address), slow_request(home, address) as answers:
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: process_at(address) is None)
        assert process.poll() is None and not answers
        (home / "finish").touch()
        wait_until(lambda: answers)
        assert answers == ["begun finished"] and process.wait(120) == -signal.SIGTERM


def test_what_does_not_end_is_given_up_after_the_time_that_is_set(home):
    (home / "rag.toml").write_text("[http]\nstop_seconds = 1\n")
    with serving(home) as (process, address):
        answers = []

        def ask():
            with suppress(httpx.TransportError):
                answers.append(httpx.get(f"{address}/slow", timeout=120).text)

        thread = threading.Thread(target=ask)
        thread.start()
        wait_until((home / "begun").exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == -signal.SIGTERM
        thread.join(120)
        assert answers == []


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no SIGHUP")
def test_a_server_is_replaced_and_no_request_is_refused(home):
    with serving(home) as (process, address), slow_request(home, address) as answers:
        failed, seen, ended = [], set(), threading.Event()

        def ask_on():
            while not ended.is_set():
                try:  # each over a connection of its own
                    seen.add(int(httpx.get(address).headers["x-process"]))
                except httpx.TransportError as error:
                    failed.append(error)

        asking = [threading.Thread(target=ask_on) for _ in range(3)]
        for thread in asking:
            thread.start()
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: len(seen) == 2)
        assert process.poll() is None and not answers  # the old one has something to finish
        (home / "finish").touch()
        assert process.wait(120) == 0
        wait_until(lambda: process_at(address) != process.pid)
        ended.set()
        for thread in asking:
            thread.join()
        assert answers == ["begun finished"] and failed == []


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="the system has no SIGHUP")
def test_where_the_new_one_fails_the_old_one_goes_on_and_can_be_replaced_later(home):
    with serving(home) as (process, address):
        (home / "broken").touch()
        process.send_signal(signal.SIGHUP)
        wait_until(lambda: b"broken" in (home / "log").read_bytes())
        assert process_at(address) == process.pid
        (home / "broken").unlink()

        def replaced():
            process.send_signal(signal.SIGHUP)
            return process_at(address) not in (process.pid, None)

        wait_until(replaced)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="the system has no such sockets")
def test_systemd_is_told_which_process_serves(home):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(home / "notify"))
        line.settimeout(60)
        with serving(home, NOTIFY_SOCKET=str(home / "notify")) as (process, address):
            assert line.recv(1000).decode() == f"MAINPID={process.pid}\nREADY=1"
            process.send_signal(signal.SIGHUP)
            told = line.recv(1000).decode()
            assert told.endswith("READY=1") and f"={process.pid}\n" not in told
            assert address
