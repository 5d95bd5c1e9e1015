"""Programs that run together: each is ready or its last words are shown, and all end with all that they started."""

import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from examples.feed_server import serving
from rag_platform.core.errors import RagError
from rag_platform.operations.services import Service, refuse_used
from tests.loopback import free_port

ROOT = Path(__file__).resolve().parents[2]
FEED = ROOT / "examples" / "feed"


def service(port: int, command: list[str], log: Path) -> Service:
    return Service("the test", "", f"http://127.0.0.1:{port}", "/feed.xml", command, log, "--test-port")


def test_a_used_port_is_named_with_what_to_do(tmp_path):
    with (
        serving(FEED, 0) as port,
        pytest.raises(RagError, match=rf"{port} is in use.*--test-port {port + 1} "),
    ):
        refuse_used(service(port, [], tmp_path / "log"))
    refuse_used(service(port, [], tmp_path / "log"))


RUN = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
from rag_platform.core.errors import RagError
from rag_platform.operations.services import Service, run
port, command, log = sys.argv[1:]
address = f"http://127.0.0.1:{port}"
try:
    run([Service("the test", "", address, "/feed.xml", [sys.executable, "-c", command], Path(log), "--p")],
        say=lambda text: print(text, flush=True))
except KeyboardInterrupt:
    print("stopped")
except RagError as error:
    sys.exit(f"error: {error}")
"""
SERVE = """
import subprocess, sys, time
from pathlib import Path
from examples.feed_server import serving
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
Path({pid!r}).write_text(str(child.pid))
with serving(Path({feed!r}), {port}):
    time.sleep(60)
"""


def start(tmp_path: Path, port: int, command: str) -> subprocess.Popen:
    arguments = [sys.executable, "-c", RUN, str(port), command, str(tmp_path / "log")]
    return subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for(happened, seconds: float = 120.0) -> None:
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def is_alive(pid: int) -> bool:
    """A process that has ended and is not yet asked after counts as ended."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminated"])
def test_everything_that_was_started_ends(tmp_path, how):
    port, pid = free_port(), tmp_path / "pid"
    with start(tmp_path, port, SERVE.format(pid=str(pid), feed=str(FEED), port=port)) as process:
        output = []
        while not any("Ready" in line for line in output):
            output.append(process.stdout.readline())
            assert output[-1], "it ended before it was ready"
        grandchild = int(pid.read_text())
        assert is_alive(grandchild)
        process.send_signal(how)
        rest, _ = process.communicate(timeout=120)
    assert "stopped" in rest
    assert process.returncode == 0
    wait_for(lambda: not is_alive(grandchild))
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_service_that_ends_is_shown_with_its_last_words(tmp_path):
    with start(tmp_path, free_port(), "print('no such option'); raise SystemExit(7)") as process:
        output, _ = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "ended with status 7" in output
    assert "no such option" in output
