"""An answer as a span: by the semantic conventions for generative models, an agent that is invoked."""

import json
from collections.abc import Generator
from typing import Any, TypeVar

from rag_platform.answering.events import AnswerEvent, AnswerEvents
from rag_platform.core.answers import Answer, count_states
from rag_platform.core.generation import Reply
from rag_platform.monitoring.tracing import STAGE, spanned

Y = TypeVar("Y")
R = TypeVar("R")
_NAME = "rag-platform"


def told(question: str, events: Generator[AnswerEvent, None, Answer | Reply], session: str) -> AnswerEvents:
    """Yield the events of an answer and, last, what they return; tell of it when that is there."""
    about: dict[str, Any] = {
        STAGE: "answer",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": _NAME,
        "gen_ai.input.messages": lambda: messages("user", question),
    } | ({"gen_ai.conversation.id": session} if session else {})
    yield (yield from spanned(f"invoke_agent {_NAME}", events, about, outcome=_outcome))


def step(name: str, events: Generator[Y, None, R]) -> Generator[Y, None, R]:
    """Yield what a step of an answer does, and tell of it."""
    return spanned(name, events, {STAGE: f"answer.{name}"})


def messages(role: str, text: str) -> str:
    """Return a message in the JSON of the semantic conventions."""
    return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}], ensure_ascii=False)


def _outcome(answer: Answer | Reply) -> dict[str, Any]:
    if isinstance(answer, Reply):  # which calls tools of the asker
        return {"gen_ai.response.model": answer.model}
    states = {f"rag.claims.{state}": count for state, count in count_states(answer.claims).items()}
    return states | {
        "gen_ai.response.model": answer.model,
        "gen_ai.data_source.id": answer.version,
        "gen_ai.output.messages": lambda: messages("assistant", answer.answer),
        "rag.abstained": answer.abstained,
        "rag.receipt.id": answer.receipt_id,
        "rag.sources": len(answer.citations),
    }
