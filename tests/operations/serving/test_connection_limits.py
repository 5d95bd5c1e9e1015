"""What one client may hold of a server: real sockets, short limits."""

import asyncio
import socket
import threading
import time
from contextlib import contextmanager, suppress
from functools import partial

import pytest

from rag_platform.config.sections.http import HttpSettings
from rag_platform.operations.serving.connection_limits import LimitedProtocol, _network
from tests.waiting import wait_until

PATIENT = HttpSettings(header_seconds=60, idle_seconds=60, stalled_seconds=60)
GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: he"
POST = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n"
LARGE = 64 * 2**20


async def application(scope, receive, send):
    """Take a body, and answer; /large is more than any buffer holds."""
    body = b""
    while scope["type"] == "http":
        message = await receive()
        body += message.get("body", b"")
        if message["type"] == "http.disconnect" or not message.get("more_body"):
            break
    size = LARGE if scope["path"] == "/large" else 2
    headers = [(b"content-length", str(size).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(max(1, size // 2**20)):
        await send({"type": "http.response.body", "body": b"ok" * min(2**19, size // 2), "more_body": True})
    await send({"type": "http.response.body", "body": b""})


@contextmanager
def serving(limits):
    """Run the application in a thread within these limits; yield the port and the connections that it holds."""
    import uvicorn

    config = uvicorn.Config(
        application,
        port=0,
        http=partial(LimitedProtocol, limits=limits),
        timeout_keep_alive=limits.idle_seconds,
        log_config=None,
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield listening.getsockname()[1], server.server_state.connections
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def client(port, sent=b"", source="127.0.0.1"):
    opened = socket.create_connection(("127.0.0.1", port), source_address=(source, 0), timeout=120)
    opened.sendall(sent)
    return opened


def answered(port, source="127.0.0.1"):
    with client(port, GET, source) as opened:
        return opened.recv(64)


def read_answer(opened):
    """Read the whole answer to GET, which comes in pieces."""
    received = b""
    while not received.endswith(b"ok"):
        received += opened.recv(64)
    assert received.startswith(b"HTTP/1.1 200")


def is_hung_up(opened):
    with suppress(ConnectionResetError):
        return opened.recv(64) == b""
    return True


@pytest.mark.parametrize("sent", [b"", HALF])
def test_headers_that_do_not_come_are_given_up(sent):
    with serving(PATIENT.model_copy(update={"header_seconds": 0.2})) as (port, held), client(port, sent) as opened:
        assert is_hung_up(opened)
        wait_until(lambda: not held)


@pytest.mark.parametrize("further", [b"", HALF])
def test_a_connection_without_a_further_request_is_closed(further):
    with serving(PATIENT.model_copy(update={"idle_seconds": 0.2})) as (port, _), client(port, GET + further) as opened:
        read_answer(opened)
        assert is_hung_up(opened)


def test_a_further_request_that_does_not_come_whole_is_given_up():
    with serving(PATIENT.model_copy(update={"header_seconds": 1.0})) as (port, _), client(port, GET) as opened:
        read_answer(opened)
        opened.sendall(HALF)
        assert is_hung_up(opened)


def test_a_body_that_comes_by_drops_is_given_up():
    with serving(PATIENT.model_copy(update={"stalled_seconds": 0.3})) as (port, held), client(port, POST) as opened:
        with suppress(ConnectionError):
            for _ in range(1000):
                opened.sendall(b"x")
                time.sleep(0.01)
        assert is_hung_up(opened)
        wait_until(lambda: not held)


def test_an_answer_that_is_not_read_is_given_up():
    limits = PATIENT.model_copy(update={"stalled_seconds": 0.3})
    with serving(limits) as (port, held), client(port, GET.replace(b"/ ", b"/large ", 1)):
        wait_until(lambda: held)
        wait_until(lambda: not held)


def test_a_slow_reader_gets_all():
    limits = PATIENT.model_copy(update={"stalled_seconds": 60})
    with serving(limits) as (port, _), client(port, GET.replace(b"/ ", b"/large ", 1)) as opened:
        received = 0
        while received < LARGE:
            received += len(opened.recv(2**20))


def test_half_sent_headers_shut_nobody_out():
    """Without waiting for any limit of time: the oldest that still waits for its request gives way."""
    limits = PATIENT.model_copy(update={"connections": 20, "connections_per_address": 10})
    with serving(limits) as (port, held):
        many = [client(port, HALF) for _ in range(60)]
        assert answered(port).startswith(b"HTTP/1.1 200")
        wait_until(lambda: len(held) <= 10)
        more = [client(port, HALF, f"127.0.0.{1 + number % 8}") for number in range(60)]
        assert answered(port, "127.0.0.99").startswith(b"HTTP/1.1 200")
        wait_until(lambda: len(held) <= 20)
        for opened in many + more:
            opened.close()


def test_whoever_is_being_served_is_not_hung_up_on_for_others():
    limits = PATIENT.model_copy(update={"connections_per_address": 5})
    with serving(limits) as (port, held):
        busy = [client(port, POST) for _ in range(5)]
        wait_until(lambda: sum(one.awaited == "body" for one in held) == 5)
        assert answered(port).startswith(b"HTTP/1.1 503")
        assert answered(port, "127.0.0.2").startswith(b"HTTP/1.1 200")
        for opened in busy:
            opened.sendall(b"x" * 100_000)
            assert opened.recv(64).startswith(b"HTTP/1.1 200")
            opened.close()


def test_proxies_are_not_limited():
    limits = PATIENT.model_copy(update={"connections_per_address": 5, "proxies": ("127.0.0.0/8",)})
    with serving(limits) as (port, held):
        many = [client(port, POST) for _ in range(8)]
        assert answered(port).startswith(b"HTTP/1.1 200")
        wait_until(lambda: len(held) >= 8)
        for opened in many:
            opened.close()


def test_a_customer_of_ipv6_is_one_address():
    def network(host):
        return _network((host, 1))

    assert network("2001:db8::1") == network("2001:db8::ffff") != network("2001:db8:0:1::1")
    assert network("::ffff:10.0.0.1") == network("10.0.0.1") != network("10.0.0.2")
    assert _network(None) is None and network("a socket") is None
