"""Chunks of a stream -> text, reasoning and tool calls; whatever is malformed is skipped."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rag_platform.core.generation import Piece, Reasoning, Reply, Retracted, ToolCall, Usage
from rag_platform.llm.reasoning import ReasoningSplitter


@dataclass
class StreamParser:
    """A reply as far as it has come."""

    table: str
    """Of the server in the settings, for messages."""
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: Usage | None = None
    _calls: dict[int, "_Call"] = field(default_factory=dict)
    _splitter: ReasoningSplitter = field(default_factory=ReasoningSplitter)

    @property
    def has_content(self) -> bool:
        """Whether there is text or a tool call."""
        return bool("".join(self.text).strip() or self._calls)

    @property
    def ended(self) -> bool:
        """Whether the model has written the end of its turn as text, and what it writes on is of no use."""
        return self._splitter.ended

    def feed(self, chunk: Any) -> Iterator[Piece]:
        """Yield the pieces of a chunk, or of a reply that was not streamed; one without choices only counts tokens."""
        self.usage = _usage(getattr(chunk, "usage", None)) or self.usage
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return
        delta = getattr(choices[0], "delta", None) or getattr(choices[0], "message", None)
        reasoning = _text(getattr(delta, "reasoning", None)) or _text(getattr(delta, "reasoning_content", None))
        if reasoning:  # whose text may hold more of it, up to a closing tag
            yield from self._add([Reasoning(reasoning)])
        yield from self._add(self._splitter.feed(_text(getattr(delta, "content", None))))
        for call in getattr(delta, "tool_calls", None) or ():
            self._add_call(call)
        self.finish = getattr(choices[0], "finish_reason", None) or self.finish
        if self.ended:
            self.finish = "stop"

    def end(self) -> Iterator[Piece]:
        """Yield what is still buffered, and add a warning if the reply ended too early."""
        yield from self._add(self._splitter.end())
        if self.finish == "length" and self.has_content:
            self.warnings.append(f"the answer was cut off: it reached {self.table}.max_tokens")
        elif self.finish == "content_filter":
            self.warnings.append("the server's content filter ended the answer: this is only a part of it")
        elif self.finish is None and self.has_content and not self.warnings:
            self.warnings.append("the server went away in mid-answer: this may be only a part of it")

    def reply(self, model: str) -> Reply:
        """Return the whole reply."""
        calls = tuple(call.build(number) for number, call in enumerate(self._calls.values()) if call.name)
        text, reasoning = "".join(self.text).strip(), "".join(self.reasoning).strip()
        return Reply(model, text, reasoning, calls, self.finish, self.usage, tuple(self.warnings))

    def _add(self, pieces: Iterable[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            match piece:
                case Reasoning(text):
                    self.reasoning.append(text)
                case Retracted():
                    self.reasoning.extend(self.text)
                    self.text.clear()
                case str() if not self.text and not piece.strip():
                    continue  # no white space before the first word
                case str():
                    self.text.append(piece)
            yield piece

    def _add_call(self, delta: Any) -> None:
        """Add a piece of a tool call to its call; without an index, an id begins a new one."""
        function, position = getattr(delta, "function", None), getattr(delta, "index", None)
        last = max(self._calls, default=-1)
        index = position if isinstance(position, int) else max(last, 0) if not getattr(delta, "id", None) else last + 1
        call = self._calls.setdefault(index, _Call())
        call.id = call.id or _text(getattr(delta, "id", None))
        call.name = call.name or _text(getattr(function, "name", None))
        arguments = getattr(function, "arguments", None)
        call.raw += json.dumps(arguments) if isinstance(arguments, dict) else _text(arguments)


@dataclass
class _Call:
    id: str = ""
    name: str = ""
    raw: str = ""

    def build(self, number: int) -> ToolCall:
        return ToolCall(self.id or f"call_{number}", self.name, parse_arguments(self.raw), self.raw)


def parse_arguments(raw: str) -> dict[str, Any] | None:
    """Parse a call's arguments, also with words around the object, or as a text that holds it; None: there are none."""
    if not raw.strip():
        return {}
    for candidate in (raw, raw[raw.find("{") :] if "{" in raw else ""):
        try:
            parsed, _ = json.JSONDecoder().raw_decode(candidate.strip())
            parsed = json.loads(parsed) if isinstance(parsed, str) else parsed
        except (ValueError, RecursionError):
            continue
        if isinstance(parsed, dict):
            return parsed
    return None


def _usage(reported: Any) -> Usage | None:
    prompt, completion = (getattr(reported, f"{kind}_tokens", None) for kind in ("prompt", "completion"))
    return Usage(prompt, completion) if isinstance(prompt, int) and isinstance(completion, int) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
