"""A server on loopback that behaves as vLLM's OpenAI server does: what it says comes from a script.

The form of its chunks, errors and lists is that of vLLM 0.32: the role comes first with empty content, a field for
reasoning beside the content, tool calls in pieces by index, the finish reason in the last content chunk, then a chunk
without choices that holds the usage, then ``[DONE]``. A request for JSON of a schema is answered from the schema.
"""

import json
import selectors
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.loopback import LoopbackHandler, LoopbackServer, running

MODELS = {
    "object": "list",
    "data": [{"id": "tiny", "object": "model", "created": 1, "owned_by": "vllm", "max_model_len": 2048}],
}
COUNTED = {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}


def chunk(content=None, finish=None, **delta):
    choice = {"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}
    return {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice]}


def tool_call(index, arguments=None, name=None, id=None):  # noqa: A002 - the protocol's name
    """A piece of a tool call; the first one has the id and the name."""
    function = {"name": name} if name else {}
    function |= {"arguments": arguments} if arguments is not None else {}
    first = {"id": id, "type": "function"} if id else {}
    return chunk(tool_calls=[{"index": index, **first, "function": function}])


USAGE = {
    "id": "1",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "tiny",
    "choices": [],
    "usage": COUNTED,
}
ROLE = chunk("", role="assistant", reasoning=None)
END = [chunk("", "stop"), USAGE, "[DONE]"]


def refusal(status, message, kind="BadRequestError", param=None):
    """What vLLM answers to a request that it does not take."""
    return status, {"error": {"message": message, "type": kind, "param": param, "code": status}}


def too_long(limit):
    told = f"This model's maximum context length is {limit} tokens. However, you requested 9000 tokens. Please reduce."
    return refusal(400, told, param="input_tokens")


def whole(content, **message):
    """Answer a request that does not want a stream."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": "stop"}
    return 200, {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [choice],
        "usage": COUNTED,
    }


def from_schema(schema, *, root=None):
    """Return the plainest value that a JSON schema allows: what constrained decoding comes to."""
    root = root or schema
    if "$ref" in schema:
        return from_schema(root["$defs"][schema["$ref"].rpartition("/")[2]], root=root)
    if "enum" in schema or "const" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return from_schema(options[0], root=root)
    match schema.get("type"):
        case "object":
            return {name: from_schema(inner, root=root) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return [from_schema(schema["items"], root=root)] * max(1, schema.get("minItems", 1))
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "null":
            return None
    return "text"


def obeying(request):
    """Answer as constrained decoding does: JSON of the schema that the request holds."""
    return whole(json.dumps(from_schema(request["response_format"]["json_schema"]["schema"])))


class ChatServer(LoopbackServer):
    def __init__(self):
        super().__init__(Handler)
        self.address += "/v1"
        self.models = (200, MODELS)
        self.health = (200, b"")
        self.script = []
        """What each POST meets; the last one stays. A status with a body (and headers), a list of what is streamed, or
        a function of the request that returns one of these. What is streamed is a chunk, raw data, a number of seconds
        to wait, a `threading.Event` to wait for, or one of the things that are done, not said: "die", "hang"."""
        self.requests = []
        self.paths = []
        self.keys = []
        self.headers = []
        self.counted = []
        """Prompts that were given to /tokenize."""
        self.hung_up = threading.Event()
        """Set when a client leaves before its answer is complete."""
        self.sent_at = []
        """When each event of a stream was sent: `time.time()`."""

    def handle_error(self, *_):
        """Say nothing of clients that hang up."""


class Handler(LoopbackHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply(*(self.server.health if self.path == "/health" else self.server.models))

    def do_POST(self):
        body = json.loads(self.body())
        if self.path == "/tokenize":
            self.server.counted.append(body["prompt"])
            tokens = body["prompt"].split()
            return self.reply(200, {"count": len(tokens), "max_model_len": 2048, "tokens": [1] * len(tokens)})
        self.server.requests.append(body)
        self.server.paths.append(self.path)
        self.server.keys.append(self.headers["Authorization"])
        self.server.headers.append(dict(self.headers))
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
        try:
            self.stream_events(events)
        except OSError:  # it left between the look at it and the sending
            self.server.hung_up.set()
            raise

    def stream_events(self, events):
        for event in events:
            if event == "die":
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            gone = self.left(1.5 if event == "hang" else event if isinstance(event, float) else 0.0)
            while isinstance(event, threading.Event) and not event.is_set() and not gone:
                gone = self.left(0.02)
            if gone:
                self.close_connection = True
                return self.server.hung_up.set()
            if event != "hang" and not isinstance(event, float | threading.Event):
                self.server.sent_at.append(time.time())
                self.send(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode())
        return self.send(b"")

    def left(self, seconds):
        """Wait, and tell whether the client went away meanwhile; it has nothing more to say, so any sign is its end."""
        with selectors.DefaultSelector() as looked_at:  # not `select`, which fails in a process with many open files
            looked_at.register(self.connection, selectors.EVENT_READ)
            return bool(looked_at.select(seconds))

    def send(self, data):
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def reply(self, status, body, headers=()):
        self.answer(body, status, dict(headers))


@contextmanager
def serving() -> Iterator[ChatServer]:
    with running(ChatServer()) as server:
        yield server
