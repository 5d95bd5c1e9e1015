"""Separates what a model thinks aloud from what it answers, while the text is still coming."""

from collections.abc import Iterator

from rag_platform.core.generation import Piece, Reasoning, Retracted

OPEN, CLOSE = "<think>", "</think>"


class ReasoningSplitter:
    """Cuts a stream of pieces at ``<think>`` and ``</think>``, wherever the pieces begin and end.

    Some models think without the opening tag: a closing one before any thought tells that all text so far was thought.
    Without the closing tag, all that follows the opening one is thought.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._thought = False

    def think(self, piece: str) -> Iterator[Reasoning]:
        """Yield what the server itself calls thought; its text may hold more of it, up to a closing tag."""
        yield Reasoning(piece)

    def feed(self, piece: str) -> Iterator[Piece]:
        """Yield what this piece settles; what may be the start of a tag is held back."""
        self._held += piece
        while self._held:
            at, tag = self._next_tag()
            if at:
                yield self._as_meant(self._held[:at])
            self._held = self._held[at + len(tag) :]
            if not tag:
                return
            if tag == CLOSE and not self._thought:
                yield Retracted()
            self._thinking, self._thought = tag == OPEN, True

    def end(self) -> Iterator[Piece]:
        """Yield what was held back: it was no tag after all."""
        if self._held:
            yield self._as_meant(self._held)
        self._held = ""

    def _as_meant(self, text: str) -> Piece:
        return Reasoning(text) if self._thinking else text

    def _next_tag(self) -> tuple[int, str]:
        """Return where the next tag begins and which; without one, where what may become one begins."""
        found = [(at, tag) for tag in (OPEN, CLOSE) if (at := self._held.find(tag)) >= 0]
        if found:
            return min(found)
        for length in range(min(len(CLOSE) - 1, len(self._held)), 0, -1):
            tail = self._held[-length:]
            if OPEN.startswith(tail) or CLOSE.startswith(tail):
                return len(self._held) - length, ""
        return len(self._held), ""
