"""What no check can hold against sources, as an answer: JSON, and what a model says without a search."""

import json
from dataclasses import replace
from typing import Any

from rag_platform.answering.sanitizing.sanitizing import sanitize, source_text
from rag_platform.answering.verification_step import bare_answer
from rag_platform.core.answers import Answer
from rag_platform.core.generation import Outcome
from rag_platform.retrieval.results import SearchResult

BY_TOOLS = "the documents hold nothing about it: this is what the model made of the tools that it was given"
JSON = "this is JSON: its values were written from the sources, and were not checked against them"


def unchecked_answer(result: SearchResult, text: str, outcome: Outcome, warning: str) -> Answer:
    """Return what was written, without citations and without anything that leads away; it has no receipt yet."""
    sources = source_text(result.hits)
    answer = bare_answer(result, outcome, _sanitized(text, sources), sources)
    return replace(answer, abstained=False, warnings=(warning, *outcome.warnings))


def _sanitized(text: str, sources: str) -> str:
    """Return a text, or each text within JSON, sanitized."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return sanitize(text, sources=sources)
    return json.dumps(_within(document, sources), ensure_ascii=False)


def _within(value: Any, sources: str) -> Any:
    match value:
        case str():
            return value if value in sources else sanitize(value, sources=sources)
        case list():
            return [_within(one, sources) for one in value]
        case dict():
            return {sanitize(name, sources=sources): _within(one, sources) for name, one in value.items()}
    return value
