"""The process that reads, from within: it answers one request after the other."""

import json
import os
from collections.abc import Iterator

from rag_platform.core.errors import ExtractionError
from rag_platform.documents import heartbeat
from rag_platform.documents.reading.rendering import render_page
from rag_platform.documents.reading.unpacking import read_parts, unpack
from rag_platform.documents.sandbox.channel import Channel
from rag_platform.documents.sandbox.memory_limit import limit_memory
from rag_platform.documents.sandbox.protocol import Message, encoded, options_of, page_message, part_message


def serve(memory: int) -> None:
    """Answer requests until the other side is gone, in at most so many bytes of memory."""
    limit_memory(memory)
    channel = _standard_streams()
    heartbeat.listen(lambda: channel.send(b'{"alive": true}'))
    while True:
        try:
            request, content = json.loads(channel.receive()), channel.receive()
            for reply in _replies(request, content):
                channel.send(json.dumps(reply).encode())
        except (EOFError, OSError):
            return


def _standard_streams() -> Channel:
    """Take over standard input and output: what a library prints goes nowhere, and no message gets lost in it."""
    channel = Channel(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return channel


def _replies(request: Message, content: bytes) -> Iterator[Message]:
    yield from _parts(request, content) if "done" in request else [_file_or_page(request, content)]
    yield {"end": True}


def _parts(request: Message, content: bytes) -> Iterator[Message]:
    options, limits = options_of(request)
    about = {name: request[name] for name in ("uri", "content_type", "type", "done")}
    for part in read_parts(content, options=options, limits=limits, **about):
        yield {"begun": part} if isinstance(part, str) else part_message(part)


def _file_or_page(request: Message, content: bytes) -> Message:
    """Return the file within the raw file, or a page of it as a picture, or the reason why that is impossible."""
    options, limits = options_of(request)
    try:
        file = unpack(content, uri=request["uri"], path=request["path"], options=options, limits=limits)
        if "render" in request:
            return page_message(render_page(file.content, options=options, **request["render"]))
    except (ExtractionError, MemoryError) as error:
        return {"problem": str(error) or "it takes more memory than it may"}
    return {"content": encoded(file.content)}
