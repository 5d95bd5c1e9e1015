"""Question -> answer: the one way in for the page, the terminal, the API and the evaluation."""

import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rag_platform import ports
from rag_platform.answering.citations import verify
from rag_platform.answering.coverage import Weight
from rag_platform.answering.extractive import Extractive
from rag_platform.answering.writing import Outcome, Writing, abstains, abstention
from rag_platform.errors import DocumentForgotten, GenerationError, StorageError
from rag_platform.journal import Journal
from rag_platform.records import Answer, Filters, SearchResult
from rag_platform.settings import Mode, Settings

if TYPE_CHECKING:
    from rag_platform.retrieval import Retriever

LONGEST = 2000
"""Characters of a question that are read; the middle of a longer one is left out."""
FORGOTTEN = "A document that this answer rests on was forgotten while it was written. Please ask again."
NOTHING_ASKED = "There is no question. Ask something about the documents."


class Answerer:
    """Finds, writes, verifies and records an answer."""

    def __init__(
        self,
        retriever: "Retriever",
        generator: ports.Generator,
        embedder: ports.Embedder,
        journal: Journal | None,
        settings: Settings,
    ) -> None:
        """Answer with `generator`, or sentences of the sources when it fails; without a journal, no receipt is left."""
        self.retriever = retriever
        self.generator = generator
        self.embedder = embedder
        self.journal = journal
        self.settings = settings

    def ask(
        self,
        question: str,
        *,
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
    ) -> Answer:
        """Answer a question.

        Args:
            question: in any language; the middle of a very long one is not read.
            k: how many hits the generator sees; None: as set in ``answer.sources``.
            mode: of the search; None: as set in ``retrieval.mode``.
            filters: what may be searched, and who asks.
            now: the moment from which age is counted; None: this one.

        Raises:
            RagError: the search failed, or nothing is published. A generator that fails is only a warning.
        """
        *_, answer = self.stream(question, k=k, mode=mode, filters=filters, now=now)
        return answer

    def stream(
        self,
        question: str,
        *,
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
    ) -> Iterator[SearchResult | str | Answer]:
        """Yield the hits, then the text as it is written, then the verified answer, which may differ from the text."""
        clock, now = _Clock(), now or datetime.now(UTC)
        question, warnings = _readable(question)
        k = k or self.settings.answer.sources
        found = self._search(question, k, mode, filters, now)
        clock.lap("search")
        yield found
        if not found.hits or found.nothing_relevant:
            said = abstention(question) if question else NOTHING_ASKED
            yield said
            outcome = Outcome(self.generator.name)
        else:
            said, outcome = yield from self._write(found)
        clock.lap("generate")
        answer = self._verified(found, said, outcome)
        clock.lap("verify")
        answer = replace(answer, warnings=(*warnings, *found.warnings, *answer.warnings), took_ms=clock.laps)
        yield self._recorded(answer, outcome, asked_at=now, k=k, mode=found.mode, filters=filters)

    def _search(self, question: str, k: int, mode: Mode | None, filters: Filters, now: datetime) -> SearchResult:
        if not question:
            return SearchResult("", self.retriever.live().id, mode or self.settings.retrieval.mode, {}, ())
        return self.retriever.search(question, k=k, mode=mode, filters=filters, now=now)

    def _write(self, found: SearchResult) -> Generator[str, None, tuple[str, Outcome]]:
        """Yield the generator's text, or that of the sources when it has none; return it with its outcome."""
        said: list[str] = []
        try:
            outcome = yield from _kept(self.generator.stream(found.question, found.hits), said)
        except GenerationError as error:
            warning = f"answered with sentences of the sources, because the language model failed: {error}"
            said.clear()
            version = self.retriever.version(found.version)
            fallback = Extractive.over(lambda: version, self.embedder, self.settings.answer)
            outcome = yield from _kept(fallback.stream(found.question, found.hits), said)
            outcome = replace(outcome, warnings=(warning, *outcome.warnings))
        outcome = outcome or Outcome(self.generator.name)
        return "".join(said)[outcome.retracted :].strip(), outcome

    def _weight(self, found: SearchResult) -> Weight:
        """Return the weights of words in the version that was searched, wherever the pointer has moved since."""
        return self.retriever.version(found.version).word_weight

    def _verified(self, found: SearchResult, said: str, outcome: Outcome) -> Answer:
        answer = Answer(
            question=found.question,
            answer=said,
            abstained=True,
            citations=(),
            version=found.version,
            model=outcome.model,
            receipt_id="",
            hits=found.hits,
            warnings=outcome.warnings,
        )
        if not found.hits or abstains(said):
            return replace(answer, answer=said if not found.hits else abstention(found.question))
        checked = verify(said, found.hits, self.embedder, self._weight(found))
        return replace(
            answer,
            answer=checked.text,
            abstained=False,
            citations=checked.citations,
            warnings=(*outcome.warnings, *checked.warnings),
        )

    def _recorded(self, answer: Answer, outcome: Outcome, **asked: Any) -> Answer:
        if not answer.question or self.journal is None:
            return answer
        principals = asked["filters"].principals
        try:
            receipt_id = self.journal.record(
                answer,
                principal=principals[0] if principals else "",
                prompt_hash=outcome.prompt_hash,
                settings=self._in_force(),
                **asked,
            )
        except DocumentForgotten:  # nothing of it may be shown or kept any more
            return replace(answer, answer=FORGOTTEN, abstained=True, citations=(), hits=())
        except StorageError as error:  # an answer is worth more than its receipt
            return replace(answer, warnings=(*answer.warnings, f"this answer has no receipt: {error}"))
        return replace(answer, receipt_id=receipt_id)

    def _in_force(self) -> dict:
        """Return what an answer depends on besides question and version: what a replay needs."""
        generator = self.settings.generator.model_dump(include={"model", "max_tokens", "temperature"})
        return {
            "retrieval": self.settings.retrieval.model_dump(),
            "answer": self.settings.answer.model_dump(),
            "generator": generator if self.settings.generator.base_url else None,
            "half_lives": self.settings.half_lives,
            "max_ages": self.settings.max_ages,
            "embedder": self.embedder.fingerprint,
        }


def _readable(question: str) -> tuple[str, tuple[str, ...]]:
    """Return the question as it is searched for, and what was done to it."""
    question = question.encode("utf-8", "replace").decode().replace("\0", " ").strip()
    if len(question) <= LONGEST:
        return question, ()
    half = LONGEST // 2
    return (
        f"{question[:half].rsplit(None, 1)[0]} … {question[-half:].split(None, 1)[-1]}",
        (f"the question has {len(question)} characters; only its first and last {half} were read",),
    )


def _kept(writing: Writing, said: list[str]) -> Writing:
    """Pass the pieces on, and keep them; a plain iterator of text returns no outcome."""
    pieces = iter(writing)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            return end.value
        said.append(piece)
        yield piece


class _Clock:
    """Milliseconds of each stage."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage] = round((now - self._last) * 1000, 1)
        self.laps["total"] = round((now - self._start) * 1000, 1)
        self._last = now
