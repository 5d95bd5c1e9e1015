"""The process that reads, from within: it answers one request after the other."""

import json
import os
import queue
import threading
from collections.abc import Iterator

from rag_platform.core.errors import ExtractionError
from rag_platform.documents import heartbeat
from rag_platform.documents.formats.converters import registry
from rag_platform.documents.formats.images import tesseract
from rag_platform.documents.reading.unpacking import read_parts, unpack
from rag_platform.documents.sandbox.channel import Channel
from rag_platform.documents.sandbox.protocol import (
    OUT_OF_MEMORY,
    Message,
    decoded,
    encoded,
    options_of,
    page_message,
    part_message,
)


def serve(held: dict[str, str]) -> None:
    """Say what protects this process, then answer requests until the other side is gone."""
    channel = _standard_streams()
    inbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def send(message: Message) -> None:
        channel.send(json.dumps(message).encode())

    def ask(languages: str, picture: bytes) -> str:
        send({"tesseract": {"languages": languages, "picture": encoded(picture)}})
        return str(_answer(json.loads(inbox.get()))["tsv"])

    def convert(content: bytes, suffix: str) -> tuple[bytes, int]:
        send({"convert": {"content": encoded(content), "suffix": suffix}})
        answer = json.loads(inbox.get())
        registry.count(answer["seconds"])
        return decoded(_answer(answer)["converted"]), answer["code"]

    send({"held": held})
    threading.Thread(target=_collect, args=(channel, inbox), daemon=True).start()
    heartbeat.listen(lambda: send({"alive": True}))
    tesseract.run_by(ask)
    registry.run_by(convert)
    try:
        while True:
            request, content = json.loads(inbox.get()), inbox.get()
            for reply in _replies(request, content):
                send(reply)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except OSError:  # the other side is gone
        return


def _collect(channel: Channel, inbox: "queue.SimpleQueue[bytes]") -> None:
    """Take what comes, and end the process when its owner is gone, also in the middle of a document."""
    try:
        while True:
            inbox.put(channel.receive())
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except (EOFError, OSError):
        os._exit(0)


def _answer(reply: Message) -> Message:
    if "problem" in reply:
        raise ExtractionError(reply["problem"])
    return reply


def _standard_streams() -> Channel:
    """Take over standard input and output: what a library prints goes nowhere, and no message gets lost in it."""
    channel = Channel(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    nowhere = os.dup(2)  # standard error leads there
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return channel


def _replies(request: Message, content: bytes) -> Iterator[Message]:
    yield from _parts(request, content) if "done" in request else [_file_or_page(request, content)]
    yield {"end": True}


def _parts(request: Message, content: bytes) -> Iterator[Message]:
    options, limits = options_of(request)
    about = {name: request[name] for name in ("uri", "content_type", "type", "done", "spent")}
    for part in read_parts(content, options=options, limits=limits, **about):
        yield {"begun": part} if isinstance(part, str) else part_message(part)


def _file_or_page(request: Message, content: bytes) -> Message:
    """Return the file within the raw file, or a page of it as a picture, or the reason why that is impossible."""
    options, limits = options_of(request)
    try:
        file = unpack(content, uri=request["uri"], path=request["path"], options=options, limits=limits)
        if "render" in request:
            from rag_platform.documents.reading.rendering import render_page  # few readers draw

            return page_message(render_page(file.content, options=options, **request["render"]))
    except (ExtractionError, MemoryError) as error:
        return {"problem": str(error) or "it takes more memory than it may"}
    return {"content": encoded(file.content)}
