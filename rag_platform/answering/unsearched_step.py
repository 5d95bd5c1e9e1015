"""A question -> what a language model says by itself, from the chat and from what it knows, without a search."""

from collections.abc import Sequence

from rag_platform.core import ports
from rag_platform.core.answers import Turn
from rag_platform.core.errors import GenerationError, SettingsError
from rag_platform.core.generation import ReplyStream, Wishes
from rag_platform.llm.prompt import in_language_of

UNSEARCHED = "it was answered without a search, as was wished: nothing of it was checked against documents"
_SYSTEM = """You help with what needs no documents: rewriting, translating, summing up what was said, small talk. You \
have no sources: where you are not sure of a fact, say so. Write no citations, no links and no images."""


def answer_unsearched(question: str, turns: Sequence[Turn], model: ports.Generator, wishes: Wishes) -> ReplyStream:
    """Yield what the model writes, and return its reply.

    Args:
        question: what is asked.
        turns: what was said before, oldest first.
        model: has to be one that can be talked with.
        wishes: how to write.

    Raises:
        SettingsError: sentences of sources cannot answer without sources.
        GenerationError: the model failed.
    """
    if not isinstance(model, ports.Converser):
        raise SettingsError(
            f"{model.name!r} quotes documents, and cannot answer without a search; set generator.base_url"
        )
    system = "\n\n".join(filter(None, (_SYSTEM, wishes.instructions)))
    said = [
        {"role": role, "content": text}
        for turn in turns
        for role, text in (("user", turn.question), ("assistant", turn.answer))
    ]
    asked = {"role": "user", "content": question + in_language_of(question)}
    reply = yield from model.converse([{"role": "system", "content": system}, *said, asked])
    if not reply.text:
        raise GenerationError(f"{reply.model} said nothing (finish reason: {reply.finish}); ask again")
    return reply
