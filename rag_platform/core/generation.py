"""What a generator yields and returns.

A generator is a generator function: it yields text, and what a model thinks beside it, and returns an `Outcome`. Every
sentence carries marks ``[n]``, n being a 1-based place among the hits; `citations.verify` checks them afterwards,
whoever wrote them.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of what a model thinks aloud; an empty one tells that it is still waited for, so that one may stop."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All text so far turned out to be thought: it is no part of the answer."""


Piece = str | Reasoning | Retracted


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a generator tells besides its text."""

    model: str
    prompt_hash: str = ""
    """Of everything the model was given; empty when there was no prompt."""
    reasoning: str = ""
    """What the model thought aloud; never part of the answer."""
    warnings: tuple[str, ...] = ()


AnswerStream = Generator[Piece, None, Outcome]


@dataclass(slots=True)
class Draft:
    """What was written so far."""

    text: str = ""
    thought: str = ""

    def hear(self, piece: Piece) -> None:
        """Take a piece more."""
        match piece:
            case Reasoning(text):
                self.thought += text
            case Retracted():
                self.text, self.thought = "", self.thought + self.text
            case _:
                self.text += piece


def recorded(writing: AnswerStream, draft: Draft) -> AnswerStream:
    """Pass the pieces on, and keep them; a plain iterator returns no outcome."""
    pieces = iter(writing)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        draft.hear(piece)
        yield piece


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to be called."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    """None: what the model wrote is no JSON object."""
    raw: str
    """The arguments as the model wrote them."""

    @property
    def message(self) -> dict[str, Any]:
        """The call as it stands in the assistant's message, for the next request, whose JSON the server reads."""
        arguments = "{}" if self.arguments is None else self.raw or "{}"
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a request took, as the server counted them."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Reply:
    """All that a server said to a conversation."""

    model: str
    text: str
    reasoning: str
    """What the model thought aloud; no part of the text."""
    tool_calls: tuple[ToolCall, ...]
    finish: str | None
    """Why it ended: "stop", "length", "tool_calls" …; None: the server went away."""
    usage: Usage | None
    """None: the server did not tell."""
    warnings: tuple[str, ...] = ()


ReplyStream = Generator[Piece, None, Reply]
