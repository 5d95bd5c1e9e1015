"""The stream of an answer, sanitized while it is written."""

import re
from contextlib import closing

from rag_platform.answering.events import AnswerEvents
from rag_platform.answering.sanitizing.sanitizing import (
    LINE_BREAK,
    fence_state,
    sanitize_line,
    source_text,
    strip_invisible,
)
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.retrieval.results import SearchResult

_OPENER = re.compile(r"[`\[<\]]")
_COMPLETE = re.compile(
    r"`[^`\n]+`(?=[^`])|!?\[[^\[\]\n]*\](?:(?=[^(\[:\]])|\([^()\n]*\))|<[^<>\n]*>|<(?=[\s=\d])|\](?=[^(\[:])"
)
_VISIBLE = "".join(map(chr, range(ord("!"), ord("~") + 1)))
_SCHEMES = "https", "ftp", "www", "mailto", "javascript", "vbscript", "file", "data", "tel", "sms", "xmpp", "blob"


class StreamSanitizer:
    """Sanitizes a text while it is written: what may become a URL or a link is buffered until that is certain."""

    def __init__(self) -> None:
        self._buffer, self._fence = "", ""
        self._line_begun = False
        """Whether the beginning of the current line was returned already, so that it can be no fence."""

    def feed(self, piece: str, sources: str = "") -> str:
        """Add a piece, and return what may be shown by now; `sources` as in `sanitize`."""
        *lines, self._buffer = LINE_BREAK.sub("\n", self._buffer + piece).split("\n")
        complete = "".join(self._end_line(line, sources) + "\n" for line in lines)
        ready = self._ready()
        self._buffer, part = self._buffer[ready:], strip_invisible(self._buffer[:ready])
        self._line_begun = self._line_begun or ready > 0
        return complete + (part if self._fence else sanitize_line(part, (), sources))

    def end(self, sources: str = "") -> str:
        """Return the sanitized rest of the buffer."""
        last, self._buffer = self._buffer, ""
        return self._end_line(last, sources)

    def _end_line(self, line: str, sources: str) -> str:
        line, in_code = strip_invisible(line), bool(self._fence)
        if not self._line_begun:
            self._fence, in_code = fence_state(line, self._fence)
        self._line_begun = False
        return line if in_code else sanitize_line(line, (), sources)

    def _ready(self) -> int:
        """Return how many of the buffered characters can become nothing else, whatever follows."""
        text = self._buffer
        if self._fence:
            return 0 if text[:1] in "`~" and not self._line_begun else len(text)
        if not self._line_begun and text[:1] in ("`", "~"):
            return 0
        at, end = 0, len(text)
        while found := _OPENER.search(text, at):
            start = found.start() - (text[found.start() - 1 : found.start()] == "!")
            complete = _COMPLETE.match(text, start)
            if complete is None:
                end = start
                break
            at = complete.end()
        start = len(text[:end].rstrip(_VISIBLE))
        run = text[start:end]
        if run and (re.search(r"[:/@&\\.!]", run) or any(scheme.startswith(run.lower()) for scheme in _SCHEMES)):
            end = start
        return end


def sanitize_stream(events: AnswerEvents) -> AnswerEvents:
    """Yield the events of an answerer with sanitized text and reasoning; closing this closes `events`."""
    sources, text, reasoning = "", StreamSanitizer(), StreamSanitizer()
    with closing(events):
        for event in events:
            match event:
                case str():
                    yield from _nonempty(text.feed(event, sources))
                    continue
                case Reasoning(said):
                    yield Reasoning(reasoning.feed(said, sources))
                    continue
                case SearchResult():
                    sources += source_text(event.hits)
                case Retracted():  # what is still buffered was reasoning as well
                    yield from _nonempty(text.end(sources))
                    text = StreamSanitizer()
                case Answer():
                    yield from map(Reasoning, _nonempty(reasoning.end(sources)))
                    yield from _nonempty(text.end(sources))
            yield event


def _nonempty(text: str) -> tuple[str, ...]:
    return (text,) if text else ()
