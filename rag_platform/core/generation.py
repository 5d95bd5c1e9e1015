"""What a generator of answers yields and returns.

It is a generator function that yields text and reasoning, and returns an `Outcome`. Every sentence ends with citation
markers ``[n]``, n being a 1-based rank among the hits; `citations.verification` checks them, whoever wrote them.
"""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_platform.core.answers import Verdict


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of a model's reasoning; an empty one says that the server is still silent, so that a caller may stop."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All text so far turned out to be reasoning: it is no part of the answer."""


Piece = str | Reasoning | Retracted


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """A piece of a hit that an answer repeats word for word."""

    place: int
    """Of its hit, from 1."""
    span: tuple[int, int]
    """In the hit's text."""
    highlight: tuple[int, int] | None = None
    """The short answer within it, in the hit's text; None: none is sure."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a generator returns beside its text."""

    model: str
    prompt_hash: str = ""
    """SHA-256 of the whole prompt and the model's name; empty when there was no prompt."""
    reasoning: str = ""
    """Never part of the answer."""
    warnings: tuple[str, ...] = ()
    quotes: tuple[QuotedSpan, ...] = ()
    """All that the answer consists of, in its order, if it is quotes; empty: it was written, and has to be checked."""
    also: tuple[QuotedSpan, ...] = ()
    """The best in each other language, which the text leaves out."""
    verdict: Verdict = ""
    """Of a question for yes or no, as the first quote tells it."""
    reply: "Reply | None" = None
    """All that a language model's server replied; None: none wrote it."""


AnswerStream = Generator[Piece, None, Outcome]


@dataclass(slots=True)
class PartialAnswer:
    """An answer as far as it is written."""

    text: str = ""
    reasoning: str = ""

    def add(self, piece: Piece) -> None:
        """Add the next piece of the stream."""
        match piece:
            case Reasoning(text):
                self.reasoning += text
            case Retracted():
                self.text, self.reasoning = "", self.reasoning + self.text
            case _:
                self.text += piece


def accumulate(stream: AnswerStream, partial: PartialAnswer) -> AnswerStream:
    """Yield the pieces of a stream, and add each to `partial`; return its outcome."""
    while True:
        try:
            piece = next(stream)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        partial.add(piece)
        yield piece


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the model asks for."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    """None: what the model wrote is no JSON object."""
    raw: str
    """The arguments as the model wrote them."""

    @property
    def message(self) -> dict[str, Any]:
        """The call as part of the assistant's message in the next request."""
        arguments = "{}" if self.arguments is None else self.raw or "{}"
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request, as the server counted them."""

    prompt: int
    completion: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's whole reply to a conversation."""

    model: str
    text: str
    reasoning: str
    """No part of the text."""
    tool_calls: tuple[ToolCall, ...]
    finish: str | None
    """Why it ended: "stop", "length", "tool_calls" …; None: the connection broke."""
    usage: Usage | None
    """None: the server did not report it."""
    warnings: tuple[str, ...] = ()


ReplyStream = Generator[Piece, None, Reply]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody asks of the language model that writes an answer, beside the question."""

    instructions: str = ""
    """How to write: its tone, form or role. The rules about sources stand above them."""
    after: Sequence[Mapping[str, Any]] = ()
    """Messages that follow the question, in OpenAI's form: calls of tools, and what these returned."""
    tools: Sequence[Mapping[str, Any]] = ()
    """The asker's own tools, in OpenAI's form; what the model wants to call is handed back to the asker."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """What the server is asked beside, in OpenAI's form: ``tool_choice``, ``response_format``, ``max_tokens`` …"""

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return bool(self.instructions or self.after or self.tools or self.request)

    @property
    def wants_json(self) -> bool:
        """Whether the text is to be JSON."""
        form: Mapping[str, Any] = self.request.get("response_format") or {}
        return bool(form.get("type", "text") != "text")
