"""The result of a search -> the text of an answer: by the chosen generator, else by extracted sentences."""

from collections.abc import Callable, Generator
from dataclasses import replace

from rag_platform.answering.sanitizing.sanitizing import sanitize, source_text, strip_invisible
from rag_platform.core import ports
from rag_platform.core.errors import GenerationError
from rag_platform.core.generation import Outcome, PartialAnswer, Piece, Retracted, Wishes, accumulate
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import abstention

FELL_BACK = "answered with sentences of the sources, because the language model failed"
NO_QUESTION = "There is no question. Ask something about the documents."


def generate(
    result: SearchResult,
    generator: ports.Generator,
    fallback: Callable[[], ports.Generator],
    wishes: Wishes | None = None,
) -> Generator[Piece, None, tuple[str, Outcome]]:
    """Yield the text of an answer as it is written; return all of it, with its outcome.

    Args:
        result: what the answer is written from; without hits, or with none that is relevant, the answer abstains.
        generator: writes the answer.
        fallback: gives the generator that writes it when the first one fails.
        wishes: what the generator was told; with tools it never abstains unasked.

    Raises:
        GenerationError: JSON or calls of tools were wished for, and the fallback writes neither.
    """
    wishes = wishes or Wishes()
    if (not result.hits or result.nothing_relevant) and not (wishes.tools or wishes.after):
        text = abstention(result.question) if result.question else NO_QUESTION
        yield text
        return text, Outcome(generator.name)
    try:
        text, outcome = yield from _written_by(generator, result)
        if not wishes and not any(map(str.isalnum, sanitize(text, sources=source_text(result.hits)))):
            yield Retracted()
            raise GenerationError(f"{outcome.model} wrote no word, only {text[:20]!r}")
        return text, outcome
    except GenerationError as error:
        if wishes.tools or wishes.wants_json:
            raise
        text, outcome = yield from _written_by(fallback(), result)
        return text, replace(outcome, warnings=(f"{FELL_BACK}: {error}", *outcome.warnings))


def _written_by(generator: ports.Generator, result: SearchResult) -> Generator[Piece, None, tuple[str, Outcome]]:
    partial = PartialAnswer()
    outcome = yield from accumulate(generator.stream(result.question, result.hits), partial)
    return strip_invisible(partial.text).strip(), outcome
