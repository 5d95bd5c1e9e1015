"""A server on loopback that speaks OpenAI's chat protocol from a script: it replays what real ones send."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODELS = {"object": "list", "data": [{"id": "tiny", "object": "model", "max_model_len": 2048}]}
USAGE = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [], "usage": None}


def chunk(content=None, finish=None, **delta):
    choice = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice]}


END = [chunk("", "stop"), USAGE, "[DONE]"]


def whole(content):
    """Answer a request that does not want a stream."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return 200, {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [choice],
        "usage": usage,
    }


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.models = (200, MODELS)
        self.script = []
        """What each POST meets; the last one stays. A status with a body, a list of what is streamed ("die" and "hang"
        are done, not said), or a function of the request that returns one of these."""
        self.requests = []
        self.paths = []
        self.keys = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_):
        """Say nothing of clients that hang up."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(*self.server.models)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        self.server.paths.append(self.path)
        self.server.keys.append(self.headers["Authorization"])
        met = self.server.script.pop(0) if len(self.server.script) > 1 else self.server.script[0]
        met = met(body) if callable(met) else met
        if isinstance(met, tuple):
            return self.reply(*met)
        return self.stream(met)

    def stream(self, events):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            if event == "die":
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            if event == "hang":
                time.sleep(1.5)
                continue
            self.send(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode())
        return self.send(b"")

    def send(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def reply(self, status, body):
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving() -> Iterator[ChatServer]:
    with ChatServer() as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()
