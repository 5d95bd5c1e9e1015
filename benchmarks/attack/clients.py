"""Clients that wait, stall, send junk or leave, against the real server: others are answered meanwhile, memory holds.

Each kind of client comes in hundreds, from one address of loopback and from many, at a real `rag serve` with short
limits. Meanwhile somebody else asks for `/healthz` and for their collections; a request of theirs that is not answered
within seconds is a failure. Afterwards the server holds no connection more, no more memory, and no trace in its log.
"""

import contextlib
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil

from benchmarks.attack.outcome import Budget, Outcome
from tests.loopback import free_port

ROOT = Path(__file__).resolve().parents[2]
CROWD = 300
"""Clients at a time."""
PATIENCE = 10.0
"""Seconds within which others must be answered, also on a busy machine."""
GROWTH = 64 * 2**20
"""Bytes that the server's memory may differ by afterwards: what Python keeps for reuse."""
LIMITS = {"HEADER_SECONDS": "2", "IDLE_SECONDS": "2", "STALLED_SECONDS": "3"}

Send = Callable[[socket.socket, random.Random], None]


def run(chance: random.Random, budget: Budget) -> list[Outcome]:
    """Send each kind of client at the server in turn."""
    (budget.scratch / "rag.toml").write_text('[[sources]]\nid = "teaching"\nkind = "upload"\n', encoding="utf-8")
    deadline = time.monotonic() + budget.minutes * 60
    with serving(budget.scratch) as (port, process, token):
        rows = [_attack(name, send, chance, port, token) for name, send in KINDS.items() if time.monotonic() < deadline]
        rows.append(_aftermath(port, process, budget.scratch / "server.log"))
    return rows


def _attack(name: str, send: Send, chance: random.Random, port: int, token: str) -> Outcome:
    """Let a crowd of one kind come, and ask as somebody else meanwhile."""
    waits, lost = [], []
    for sources in (1, 40):
        with contextlib.ExitStack() as crowd:
            clients = [crowd.enter_context(_client(port, 2 + number % sources)) for number in range(CROWD)]
            threading.Thread(
                target=_all_send, args=(clients, send, random.Random(chance.random())), daemon=True
            ).start()
            for path in ("/healthz", "/v1/collections") * 5:
                began = time.monotonic()
                try:
                    answer = httpx.get(
                        f"http://127.0.0.1:{port}{path}",
                        headers={"authorization": f"Bearer {token}"},
                        timeout=PATIENCE,
                    )
                    lost += [] if answer.status_code == 200 else [f"{path}: {answer.status_code}"]
                except httpx.HTTPError as error:
                    lost.append(f"{path}: {error!r}")
                waits.append(time.monotonic() - began)
    note = (
        f"{2 * CROWD} clients; others waited {sorted(waits)[len(waits) // 2] * 1000:.0f} ms, at most {max(waits):.2f} s"
    )
    return Outcome(f"clients: {name}", len(waits), len(lost), notes=(note, *lost[:2]))


def _all_send(clients: list[socket.socket], send: Send, chance: random.Random) -> None:
    for client in clients:
        with contextlib.suppress(OSError):
            send(client, chance)


@contextmanager
def _client(port: int, number: int) -> Iterator[socket.socket]:
    """Connect from an address of loopback: each number has another (Linux)."""
    client = socket.socket()
    client.settimeout(2)
    with client, contextlib.suppress(OSError):
        if sys.platform == "linux":
            client.bind((f"127.0.1.{number}", 0))
        client.connect(("127.0.0.1", port))
        yield client
        return
    yield client


def _half_a_head(client: socket.socket, chance: random.Random) -> None:
    client.sendall(_HEAD[: chance.randrange(1, len(_HEAD))])


def _drops(client: socket.socket, chance: random.Random) -> None:
    client.sendall(_HEAD + b"Content-Length: 90000\r\n\r\n")
    for _ in range(chance.randrange(3)):
        client.sendall(b"{")
        time.sleep(0.005)


def _silent_reader(client: socket.socket, chance: random.Random) -> None:  # noqa: ARG001 - as all are called
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    client.sendall(b"GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 8)


def _junk(client: socket.socket, chance: random.Random) -> None:
    client.sendall(chance.randbytes(chance.randrange(1, 4096)))


def _pipelined_junk(client: socket.socket, chance: random.Random) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    client.sendall(whole * chance.randrange(1, 30) + chance.randbytes(200) + whole)


def _huge_head(client: socket.socket, chance: random.Random) -> None:
    client.sendall(_HEAD + b"X-Filler: " + b"x" * chance.randrange(60_000, 200_000))


def _endless_body(client: socket.socket, chance: random.Random) -> None:
    client.sendall(_HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(chance.randrange(1, 4)):
        client.sendall(b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n")


def _hang_up(client: socket.socket, chance: random.Random) -> None:
    """Leave amid the body, half of them with a reset."""
    client.sendall(_HEAD + b'Content-Length: 90000\r\n\r\n{"question"')
    if chance.random() < 0.5:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    client.close()


_HEAD = b"POST /v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
KINDS: dict[str, Send] = {
    "headers half sent": _half_a_head,
    "bodies by drops": _drops,
    "answers never read": _silent_reader,
    "junk": _junk,
    "junk after good requests": _pipelined_junk,
    "huge headers": _huge_head,
    "bodies without an end": _endless_body,
    "hang-ups amid the body": _hang_up,
}


def _aftermath(port: int, process: psutil.Process, log: Path) -> Outcome:
    """Look for what the crowds left: connections, memory, traces in the log."""
    wrong = []
    deadline = time.monotonic() + 30
    while (open_now := _held(process, port)) and time.monotonic() < deadline:
        time.sleep(0.2)
    if open_now:
        wrong.append(f"{open_now} connections are still held")
    grown = process.memory_info().rss - _AT_FIRST[process.pid]
    if grown > GROWTH:
        wrong.append(f"the server's memory has grown by {grown / 2**20:.0f} MiB")
    if "Traceback" in (said := log.read_text(encoding="utf-8", errors="replace")):
        wrong.append("a trace is in the log: " + said[said.index("Traceback") :][-300:])
    return Outcome("clients: what is left of them", 3, len(wrong), notes=(f"{grown / 2**20:+.1f} MiB", *wrong))


def _held(process: psutil.Process, port: int) -> int:
    states = (psutil.CONN_ESTABLISHED, psutil.CONN_CLOSE_WAIT)
    return sum(one.status in states and one.laddr.port == port for one in process.net_connections("tcp"))


_AT_FIRST: dict[int, int] = {}


@contextmanager
def serving(home: Path) -> Iterator[tuple[int, psutil.Process, str]]:
    """Run `rag serve` with short limits; give its port, its process and a token."""
    port = free_port()
    environment = os.environ | {f"RAG_HTTP__{name}": value for name, value in LIMITS.items()}
    rag = [sys.executable, "-m", "rag_platform", "--home", str(home)]
    made = subprocess.run(
        [*rag, "token", "create", "other"], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    with (home / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [*rag, "serve", "--port", str(port)], cwd=ROOT, env=environment, stdout=log, stderr=log
        )
    try:
        token = made.stdout.strip()
        _wait(port, token)
        process = psutil.Process(server.pid)
        _AT_FIRST[server.pid] = process.memory_info().rss
        yield port, process, token
    finally:
        server.terminate()
        server.wait(30)


def _wait(port: int, token: str) -> None:
    """Wait until the server answers and has loaded what a request needs."""
    for _ in range(600):
        with contextlib.suppress(httpx.TransportError):
            for path in ("/v1/collections", "/v1/openapi.json"):
                httpx.get(f"http://127.0.0.1:{port}{path}", headers={"authorization": f"Bearer {token}"}, timeout=30)
            return
        time.sleep(0.2)
    raise TimeoutError("the server did not answer within two minutes")
