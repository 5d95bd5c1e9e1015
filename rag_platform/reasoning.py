"""Separates what a model thinks aloud from what it answers, while the text is still coming."""

from collections.abc import Iterator
from typing import Literal

OPEN, CLOSE = "<think>", "</think>"

Event = tuple[Literal["text", "thought", "retract"], str]


class Thoughts:
    """Cuts a stream of pieces at ``<think>`` and ``</think>``, wherever the pieces begin and end.

    Some models think without the opening tag. When the closing one comes alone, "retract" tells that all text so far
    was thought.
    """

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False

    def feed(self, piece: str) -> Iterator[Event]:
        """Yield what this piece settles; what may be the start of a tag is held back."""
        self._held += piece
        while self._held:
            at, tag = self._next_tag()
            if at:
                yield ("thought" if self._thinking else "text"), self._held[:at]
            self._held = self._held[at + len(tag) :]
            if not tag:
                return
            if tag == CLOSE and not self._thinking:
                yield "retract", ""
            self._thinking = tag == OPEN

    def end(self) -> Iterator[Event]:
        """Yield what was held back: it was no tag after all."""
        if self._held:
            yield ("thought" if self._thinking else "text"), self._held
        self._held = ""

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
