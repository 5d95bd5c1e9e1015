"""Chunks of a stream -> what was said, thought and called; whatever is malformed is passed over."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rag_platform.core.generation import Piece, Reasoning, Reply, Retracted, ToolCall, Usage
from rag_platform.llm.reasoning import ReasoningSplitter


@dataclass
class StreamParser:
    """What has been heard so far."""

    table: str
    """Of the server in the settings."""
    said: list[str] = field(default_factory=list)
    thought: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    finish: str | None = None
    usage: Usage | None = None
    _calls: dict[int, "_Call"] = field(default_factory=dict)
    _thoughts: ReasoningSplitter = field(default_factory=ReasoningSplitter)

    @property
    def anything(self) -> bool:
        """Whether there is something that is worth keeping."""
        return bool("".join(self.said).strip() or self._calls)

    def hear(self, chunk: Any) -> Iterator[Piece]:
        """Yield what a chunk, or a reply that came at once, holds; one without choices only counts tokens."""
        self.usage = _usage(getattr(chunk, "usage", None)) or self.usage
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return
        delta = getattr(choices[0], "delta", None) or getattr(choices[0], "message", None)
        thought = _text(getattr(delta, "reasoning", None)) or _text(getattr(delta, "reasoning_content", None))
        if thought:
            yield from self._take(self._thoughts.think(thought))
        yield from self._take(self._thoughts.feed(_text(getattr(delta, "content", None))))
        for call in getattr(delta, "tool_calls", None) or ():
            self._call(call)
        self.finish = getattr(choices[0], "finish_reason", None) or self.finish

    def end(self) -> Iterator[Piece]:
        """Yield what was held back, and note why the reply ended, if that was too early."""
        yield from self._take(self._thoughts.end())
        if self.finish == "length" and self.anything:
            self.warnings.append(f"the answer was cut off: it reached {self.table}.max_tokens")
        elif self.finish == "content_filter":
            self.warnings.append("the server's content filter ended the answer: this is only a part of it")
        elif self.finish is None and self.anything and not self.warnings:
            self.warnings.append("the server went away in mid-answer: this may be only a part of it")

    def reply(self, model: str) -> Reply:
        """Return all of it."""
        calls = tuple(call.made(number) for number, call in enumerate(self._calls.values()) if call.name)
        text, thought = "".join(self.said).strip(), "".join(self.thought).strip()
        return Reply(model, text, thought, calls, self.finish, self.usage, tuple(self.warnings))

    def _take(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        for piece in pieces:
            match piece:
                case Reasoning(text):
                    self.thought.append(text)
                case Retracted():
                    self.thought.extend(self.said)
                    self.said.clear()
                case str() if not self.said and not piece.strip():
                    continue  # no white space before the first word
                case str():
                    self.said.append(piece)
            yield piece

    def _call(self, delta: Any) -> None:
        """Put the piece of a call where it belongs; without an index, an id begins a new one."""
        function, given = getattr(delta, "function", None), getattr(delta, "index", None)
        last = max(self._calls, default=-1)
        index = given if isinstance(given, int) else max(last, 0) if not getattr(delta, "id", None) else last + 1
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

    def made(self, number: int) -> ToolCall:
        return ToolCall(self.id or f"call_{number}", self.name, parse_arguments(self.raw), self.raw)


def parse_arguments(raw: str) -> dict | None:
    """Read a call's arguments, also with words around the object, or as a text that holds it; None: there is none."""
    if not raw.strip():
        return {}
    for candidate in (raw, raw[raw.find("{") :] if "{" in raw else ""):
        try:
            read, _ = json.JSONDecoder().raw_decode(candidate.strip())
            read = json.loads(read) if isinstance(read, str) else read
        except (ValueError, RecursionError):
            continue
        if isinstance(read, dict):
            return read
    return None


def _usage(told: Any) -> Usage | None:
    counts = [getattr(told, f"{what}_tokens", None) for what in ("prompt", "completion")]
    return Usage(*counts) if all(isinstance(count, int) for count in counts) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
