"""Separates a model's reasoning from its answer, and what follows its turn from both, while text is coming."""

from collections.abc import Iterator

from rag_platform.core.generation import Piece, Reasoning, Retracted

OPEN, CLOSE = "<think>", "</think>"
TURNS = (
    "<|im_end|>",
    "<|im_start|>",
    "<end_of_turn>",
    "<start_of_turn>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|end|>",
)
"""What ends a turn in the templates of chats. A server takes it out, unless its template is not that of the model."""
_TAGS = (OPEN, CLOSE, *TURNS)


class ReasoningSplitter:
    """Cuts a stream of pieces at ``<think>`` and ``</think>``, wherever the pieces begin and end.

    Some models leave out the opening tag: a closing one before any reasoning means that all text so far was reasoning.
    Without the closing tag, all that follows the opening one is reasoning. Where the model writes the end of its turn,
    and goes on as if it were the asker, it is at its end.
    """

    ended = False
    """Whether the model has ended its turn: nothing that comes belongs to the reply."""

    def __init__(self) -> None:
        self._buffer = ""
        self._in_reasoning = False
        self._seen_tag = False

    def feed(self, piece: str) -> Iterator[Piece]:
        """Yield the pieces that are certain; what may be the start of a tag is buffered."""
        self._buffer += "" if self.ended else piece
        while self._buffer:
            at, tag = self._next_tag()
            if at:
                yield self._piece(self._buffer[:at])
            self._buffer = self._buffer[at + len(tag) :]
            if not tag:
                return
            if tag in TURNS:
                self.ended, self._buffer = True, ""
                return
            if tag == CLOSE and not self._seen_tag:
                yield Retracted()
            self._in_reasoning, self._seen_tag = tag == OPEN, True

    def end(self) -> Iterator[Piece]:
        """Yield the rest of the buffer: it was no tag after all."""
        if self._buffer:
            yield self._piece(self._buffer)
        self._buffer = ""

    def _piece(self, text: str) -> Piece:
        return Reasoning(text) if self._in_reasoning else text

    def _next_tag(self) -> tuple[int, str]:
        """Return where the next tag begins and which; without one, where what may become one begins."""
        found = [(at, tag) for tag in _TAGS if (at := self._buffer.find(tag)) >= 0]
        if found:
            return min(found)
        for length in range(min(max(map(len, _TAGS)) - 1, len(self._buffer)), 0, -1):
            tail = self._buffer[-length:]
            if any(tag.startswith(tail) for tag in _TAGS):
                return len(self._buffer) - length, ""
        return len(self._buffer), ""
