"""An answer -> its receipt in the journal."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rag_platform.answering.search_step import SearchRequest
from rag_platform.config.settings import Settings
from rag_platform.core import ports
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.errors import DocumentForgotten, StorageError
from rag_platform.core.generation import Wishes
from rag_platform.core.ids import answer_digest
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.journal.journal import Journal

FORGOTTEN = "A document that this answer rests on was forgotten while it was written. Please ask again."


def record(
    journal: Journal,
    answer: Answer,
    request: SearchRequest,
    *,
    mode: str,
    prompt_hash: str,
    read: Sequence[Turn],
    settings: dict[str, Any],
) -> Answer:
    """Return the answer with the id of its receipt; without any text when a document of it was just forgotten.

    Args:
        journal: stores the receipt.
        answer: checked, or stopped.
        request: how its question was searched for.
        mode: of the search.
        prompt_hash: of what a model was given.
        read: turns that a model read to understand the question.
        settings: in force, which a replay needs.
    """
    try:
        receipt_id = journal.record(
            answer,
            principal=request.owner,
            prompt_hash=prompt_hash,
            settings=settings,
            history=[answer_digest(turn.answer) for turn in read],
            asked_at=request.now,
            k=request.k,
            mode=mode,
            filters=request.filters,
        )
    except DocumentForgotten:
        return _withdrawn(answer)
    except StorageError as error:  # an answer is worth more than its receipt
        return replace(answer, warnings=(*answer.warnings, f"this answer has no receipt: {error}"))
    return replace(answer, receipt_id=receipt_id)


def _withdrawn(answer: Answer) -> Answer:
    """Return the answer without anything that came from its documents."""
    return replace(
        answer,
        answer=FORGOTTEN,
        abstained=True,
        citations=(),
        hits=(),
        queries=(),
        standalone="",
        reasoning="",
        warnings=(),
        claims=(),
        disagreements=(),
        verdict="",
        also=(),
    )


def settings_in_force(
    settings: Settings, embedder: EmbeddingModel, generator: ports.Generator, name: str
) -> dict[str, Any]:
    """Return what an answer depends on besides question and version: what a replay needs.

    Args:
        settings: of the workspace.
        embedder: whose vectors were searched.
        generator: that wrote.
        name: by which it is known.
    """
    parameters = getattr(generator, "parameters", None)
    return {
        "retrieval": settings.retrieval.model_dump(),
        "answer": settings.answer.model_dump(),
        "generator": {"name": name} | parameters if parameters else None,
        "half_lives": settings.half_lives,
        "max_ages": settings.max_ages,
        "trust": settings.trust,
        "embedder": embedder.fingerprint,
    }


def told_to_generator(wishes: Wishes) -> dict[str, Any]:
    """Return what the generator was told by the asker, but for what is said to tools."""
    return {"instructions": wishes.instructions, "request": dict(wishes.request)} if wishes else {}
