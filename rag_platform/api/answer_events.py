"""An answer while it is written, as server-sent events: what is searched, found, thought and said, then the whole."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import asdict
from typing import Any

from rag_platform.answering.events import AnswerEvent, AnswerEvents
from rag_platform.api.event_stream import Event
from rag_platform.api.problems import Problem, problem_document
from rag_platform.core.answers import Answer
from rag_platform.core.errors import RagError
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.operations.replies import answer_document
from rag_platform.retrieval.results import SearchResult

NAMES = {
    "search": "A search: `question`, `version`, `hits`.",
    "thought": "A piece of the model's reasoning, as `text`.",
    "token": "A piece of the answer's text, as `text`.",
    "retracted": "All `token` so far was reasoning.",
    "citation": "A citation of the verified answer.",
    "verdict": "A sentence of the answer with its state.",
    "answer": "The whole answer, which takes the place of the tokens; it is the last event.",
    "error": "What went wrong, in the place of the answer.",
}
"""The events, in the order in which they come."""


EventsTold = Generator[Event | None, None, None]


def answer_events(parts: AnswerEvents) -> EventsTold:
    """Yield the events of an answer; closing this ends the work on it."""
    with closing(parts):
        for part in parts:
            yield from _events_of(part)


def failed_event(problem: Problem | RagError) -> Event:
    """Return the event of an error."""
    return "error", problem_document(problem)[1]


def _events_of(part: AnswerEvent) -> Iterator[Event | None]:
    match part:
        case str(text):
            yield "token", {"text": text}
        case Reasoning(text):
            yield ("thought", {"text": text}) if text else None
        case Retracted():
            yield "retracted", {}
        case SearchResult():
            yield "search", _search(part)
        case Answer():
            yield from (("citation", asdict(one)) for one in part.citations)
            yield from (("verdict", asdict(one)) for one in part.claims)
            yield "answer", answer_document(part)


def _search(result: SearchResult) -> dict[str, Any]:
    hits = [asdict(hit) for hit in result.hits]
    return {"question": result.question, "version": result.version, "hits": hits}
