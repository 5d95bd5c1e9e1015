"""Messages of OpenAI's chat -> a question, the chat before it, and what the asker wishes of the model."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_platform.api.openai.cited_text import without_sources
from rag_platform.api.openai.openai_route import BadField
from rag_platform.core.answers import Turn

Message = Mapping[str, Any]
_SYSTEM = ("system", "developer")
_ROLES = (*_SYSTEM, "user", "assistant", "tool")
_TEXTS = ("text", "input_text", "output_text", "refusal")


@dataclass(frozen=True, slots=True)
class Conversation:
    """What messages come to."""

    question: str
    history: tuple[Turn, ...]
    """Oldest first."""
    instructions: str
    """Of the system and of developers."""
    after: tuple[Message, ...]
    """Calls of tools since the question, and what these returned."""


def conversation_of(messages: Sequence[Message]) -> Conversation:
    """Read messages, the oldest first.

    Raises:
        BadField: there is no question among them, or one holds what is no text.
    """
    roles = [_role(place, message) for place, message in enumerate(messages)]
    texts = [_text(place, message) for place, message in enumerate(messages)]
    if "user" not in roles:
        raise BadField("messages", "there is no message of the user", "a question", "Add one.")
    last = len(roles) - 1 - roles[::-1].index("user")
    if not texts[last].strip():
        raise BadField(f"messages[{last}].content", "the question is empty", "a question", "Ask something.")
    if roles[last + 1 :] and roles[-1] != "tool":
        said = "the last message is the assistant's"
        raise BadField("messages", said, "a question, or what a tool returned", "End with one of these.")
    instructions = "\n\n".join(text for role, text in zip(roles, texts, strict=True) if role in _SYSTEM and text)
    after = tuple(_cleaned(message) for message in messages[last + 1 :])
    return Conversation(texts[last], tuple(_turns(roles[:last], texts[:last])), instructions, after)


def _turns(roles: Sequence[str], texts: Sequence[str]) -> Iterable[Turn]:
    """Yield each question with all that was answered to it."""
    asked, answers = "", list[str]()
    for role, text in zip(roles, texts, strict=True):
        if role == "user":
            if asked:
                yield Turn(asked, "\n\n".join(answers))
            asked, answers = text, []
        elif role == "assistant" and text:
            answers.append(without_sources(text))
    if asked:
        yield Turn(asked, "\n\n".join(answers))


def _role(place: int, message: Message) -> str:
    role = message.get("role")
    if role not in _ROLES:
        raise BadField(f"messages[{place}].role", f"{role!r} is no role", f"one of: {', '.join(_ROLES)}", "Mend it.")
    return str(role)


def _text(place: int, message: Message) -> str:
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        said = f"it is a {type(content).__name__}"
        raise BadField(f"messages[{place}].content", said, "a text or a list of parts", "Mend it.")
    return "".join(_part(place, part) for part in content)


def _part(place: int, part: Any) -> str:
    kind = part.get("type") if isinstance(part, dict) else part
    text = (part.get("text") or part.get("refusal")) if isinstance(part, dict) and kind in _TEXTS else None
    if not isinstance(text, str):
        said, do = f"a part of the type {kind!r} is not read", "Upload pictures and files to a collection."
        raise BadField(f"messages[{place}].content", said, "parts of text", do)
    return text


def _cleaned(message: Message) -> Message:
    """Return what a server is told of a call and of what it returned."""
    known = ("role", "content", "tool_calls", "tool_call_id", "name")
    return {name: message[name] for name in known if message.get(name) is not None}
