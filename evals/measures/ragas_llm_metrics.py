"""Ragas' measures that need a language model: reported beside the others, and decide nothing.

Faithfulness, answer relevancy, context precision and context recall (Es et al., "RAGAs: Automated Evaluation of
Retrieval Augmented Generation", EACL 2024), by the server that writes the answers. The answers judged are those that it
writes. What the server does not give in time, or not in the form that was asked for, is missing, and is counted: it is
never a 0, which Ragas would make of some of it, and never a number beyond 1.
"""

import asyncio
import math
import os
import warnings
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import MissingExtra
from rag_platform.core.ports import Embedder

JUDGED = ("faithfulness", "answer_relevancy", "context_precision", "context_recall")
AT_ONCE = 4
"""Requests that the server gets at a time."""
_PATIENCE = 10
"""All of it may take so many times the server's time-out."""
_MAX_TOKENS = 4096
_VERDICTS = ("verdict", "attributed", "noncommittal")
"""Fields of the replies that Ragas asks for."""


@dataclass(frozen=True, slots=True)
class Judgeable:
    """An answer to be judged."""

    question_id: str
    question: str
    answer: str
    contexts: Sequence[str]
    """The passages it was written from."""
    reference: str
    """An accepted answer, else the labelled quotes."""


def judge_answers(
    samples: Sequence[Judgeable], model: str, settings: GeneratorSettings, embedder: Embedder
) -> dict[str, Any]:
    """Let the server judge answers.

    Returns:
        `model`, `questions` (how many), `means` and `missing` (how often a measure gave no number) by measure, and
        `values`: question id -> measure -> value.
    """
    rows = _judged_apart(samples, model, settings, embedder) if samples else []
    given = {name: [row[name] for row in rows if not math.isnan(row[name])] for name in JUDGED}
    return {
        "model": model,
        "questions": len(samples),
        "means": {name: sum(values) / len(values) for name, values in given.items() if values},
        "missing": {name: len(rows) - len(values) for name, values in given.items() if len(values) < len(rows)},
        "values": {
            sample.question_id: {name: value for name, value in row.items() if not math.isnan(value)}
            for sample, row in zip(samples, rows, strict=True)
        },
    }


def _judged_apart(
    samples: Sequence[Judgeable], model: str, settings: GeneratorSettings, embedder: Embedder
) -> list[dict[str, float]]:
    """Judge on a loop of its own, also where one is running: in a notebook, in an asynchronous program."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, _judge_all(samples, model, settings, embedder)).result()


async def _judge_all(
    samples: Sequence[Judgeable], model: str, settings: GeneratorSettings, embedder: Embedder
) -> list[dict[str, float]]:
    import openai

    async with openai.AsyncOpenAI(
        base_url=settings.base_url, api_key=settings.api_key or "none", timeout=settings.timeout, max_retries=1
    ) as client:
        measures = _measures(client, model, embedder)
        gate = asyncio.Semaphore(AT_ONCE)
        end = asyncio.get_running_loop().time() + _PATIENCE * settings.timeout
        return await asyncio.gather(*(_judge(sample, measures, gate, end, settings.timeout) for sample in samples))


async def _judge(
    sample: Judgeable,
    measures: dict[str, Callable[[Judgeable], Awaitable[Any]]],
    gate: asyncio.Semaphore,
    end: float,
    each: float,
) -> dict[str, float]:
    values = {}
    for name, measure in measures.items():
        async with gate:
            left = min(3 * each, end - asyncio.get_running_loop().time())
            values[name] = await _value(measure(sample), left)
    return values


async def _value(measured: Awaitable[Any], seconds: float) -> float:
    try:
        return float((await asyncio.wait_for(measured, max(0.0, seconds))).value)
    except Exception:  # noqa: BLE001  whatever Ragas, the client or the server may raise: it is one missing number
        return math.nan


def _import_ragas() -> None:
    """Import Ragas without its telemetry; `ImportError` when it is not installed."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"  # Ragas reads it when it is imported
    from ragas._analytics import get_userid

    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        get_userid()  # Ragas names its user also without telemetry, and leaves that file open


def _measures(client: Any, model: str, embedder: Embedder) -> dict[str, Callable[[Judgeable], Awaitable[Any]]]:
    try:
        _import_ragas()
        import instructor
        from ragas.embeddings.base import BaseRagasEmbedding
        from ragas.llms.base import InstructorLLM
        from ragas.metrics.collections import AnswerRelevancy, ContextPrecision, ContextRecall, Faithfulness
    except ImportError as error:
        raise MissingExtra(error.name or "ragas", "eval", "judging answers with Ragas") from error

    class Own(BaseRagasEmbedding):
        """The platform's own embedding model."""

        def embed_text(self, text: str, **_: Any) -> list[float]:
            return [float(value) for value in embedder.embed_passages([text])[0]]

        async def aembed_text(self, text: str, **_: Any) -> list[float]:
            return self.embed_text(text)

    class Judge(InstructorLLM):
        """A server whose replies are used only when they judge."""

        async def agenerate(self, prompt: str, response_model: Any) -> Any:
            reply: Any = await super().agenerate(prompt, response_model)
            _insist(reply.model_dump())
            return reply

    constrained = instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA)
    llm = Judge(client=constrained, model=model, provider="openai", max_tokens=_MAX_TOKENS, temperature=0)
    faithful, relevant = Faithfulness(llm=llm), AnswerRelevancy(llm=llm, embeddings=Own(), strictness=1)
    precise, complete = ContextPrecision(llm=llm), ContextRecall(llm=llm)

    def about(sample: Judgeable) -> dict[str, Any]:
        return {"user_input": sample.question, "retrieved_contexts": list(sample.contexts)}

    return {
        "faithfulness": lambda sample: faithful.ascore(response=sample.answer, **about(sample)),
        "answer_relevancy": lambda sample: relevant.ascore(user_input=sample.question, response=sample.answer),
        "context_precision": lambda sample: precise.ascore(reference=sample.reference, **about(sample)),
        "context_recall": lambda sample: complete.ascore(reference=sample.reference, **about(sample)),
    }


def _insist(reply: Any) -> None:
    """Refuse a reply that keeps the schema and still judges nothing, of which Ragas would make a number.

    Verdicts are 0 or 1, though the schema allows any whole number: a 7 would give a precision of 7. From an empty
    question Ragas concludes a relevancy of 0.
    """
    match reply:
        case list():
            for one in reply:
                _insist(one)
        case dict():
            for name, value in reply.items():
                if name in _VERDICTS and value not in (0, 1):
                    raise ValueError(f"{name} is {value}; expected 0 or 1")
                if name == "question" and not value.strip():
                    raise ValueError("the question is empty")
                _insist(value)
