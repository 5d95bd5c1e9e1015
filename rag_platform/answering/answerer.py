"""Question -> answer: the one way in for the page, the terminal, the API and the evaluation."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rag_platform import ports
from rag_platform.answering.agent import Agent
from rag_platform.answering.citations import verify
from rag_platform.answering.conversation import Understood, stand_alone
from rag_platform.answering.coverage import Weight
from rag_platform.answering.extractive import Extractive
from rag_platform.answering.findings import Findings
from rag_platform.answering.tools import holdings, search_tool
from rag_platform.answering.writing import ABSTENTION, Outcome, Piece, Retracted, Thought, Writing
from rag_platform.errors import DocumentForgotten, GenerationError, StorageError
from rag_platform.journal import Journal
from rag_platform.records import Answer, Filters, SearchResult, Turn, answer_mark
from rag_platform.settings import Mode, Settings

if TYPE_CHECKING:
    from rag_platform.retrieval import Retriever

LONGEST = 2000
"""Characters of a question that are read; the middle of a longer one is left out."""
FORGOTTEN = "A document that this answer rests on was forgotten while it was written. Please ask again."
NOTHING_ASKED = "There is no question. Ask something about the documents."


@dataclass(frozen=True, slots=True)
class _Inquiry:
    """How a question is searched for."""

    k: int
    mode: Mode | None
    filters: Filters
    now: datetime


class Answerer:
    """Finds, writes, verifies and records an answer."""

    def __init__(
        self,
        retriever: "Retriever",
        generator: ports.Generator,
        embedder: ports.Embedder,
        journal: Journal | None,
        settings: Settings,
        titles: Callable[[Sequence[str]], Mapping[str, str]] = lambda _: {},
    ) -> None:
        """Answer with `generator`, or sentences of the sources when it fails; without a journal, no receipt is left.

        `titles` gives what people call the collections that some principals may see, by id.
        """
        self.retriever = retriever
        self.generator = generator
        self.embedder = embedder
        self.journal = journal
        self.settings = settings
        self.titles = titles

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        queries: Sequence[str] = (),
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
    ) -> Answer:
        """Answer a question.

        Args:
            question: in any language; the middle of a very long one is not read.
            history: what was asked and answered before in the same chat, oldest first.
            queries: what to search for instead of the question.
            k: how many hits the generator sees; None: as set in ``answer.sources``.
            mode: of the search; None: as set in ``retrieval.mode``.
            filters: what may be searched, and who asks.
            now: the moment from which age is counted; None: this one.

        Raises:
            RagError: the search failed, or nothing is published. A generator that fails is only a warning.
        """
        *_, answer = self.stream(question, history=history, queries=queries, k=k, mode=mode, filters=filters, now=now)
        return answer

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        queries: Sequence[str] = (),
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
    ) -> Iterator[SearchResult | Piece | Answer]:
        """Yield the hits of each search, then the text as it is written, and what a model thinks; last the answer.

        The rank of a hit is its number in the text. The answer is verified, and may differ from the text. For the
        arguments see `ask`.
        """
        clock = _Clock()
        question, warnings = _readable(question)
        inquiry = _Inquiry(k or self.settings.answer.sources, mode, filters, now or datetime.now(UTC))
        understood = yield from self._understood(question, history)
        if history:
            clock.lap("understand")
        findings = yield from self._find(understood.question, queries, inquiry)
        found = findings.of(understood.question)
        clock.lap("search")
        said, outcome = yield from self._write(found)
        clock.lap("generate")
        answer = self._verified(found, said, outcome)
        clock.lap("verify")
        answer = replace(
            answer,
            question=question,
            standalone=understood.question if understood.question != question else "",
            queries=findings.queries if question else (),
            reasoning="\n\n".join(filter(None, (*findings.reasoning, answer.reasoning))),
            warnings=(*warnings, *understood.warnings, *findings.warnings, *found.warnings, *answer.warnings),
            took_ms=clock.laps,
        )
        yield self._recorded(answer, outcome, found.mode, inquiry, understood.read)

    def _understood(self, question: str, history: Sequence[Turn]) -> Generator[Thought, None, Understood]:
        """Return the question so that it can be understood without the chat."""
        settings = self.settings.answer
        kept = self._remembered(history) if history else ()
        limits = {"tokens": settings.history_tokens, "seconds": settings.search_seconds}
        return (yield from stand_alone(question, kept, self.generator, **limits))

    def _remembered(self, history: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns whose answers rest on nothing that was forgotten, as far as can be known."""
        try:
            return self.journal.remembered(history) if self.journal else history
        except StorageError:  # nor will there be a receipt, which says so
            return ()

    def _find(
        self, question: str, queries: Sequence[str], inquiry: _Inquiry
    ) -> Generator[SearchResult | Thought, None, Findings]:
        """Search for the queries; without any, for what the model chooses, or for the question."""
        findings = Findings(lambda query, version: self._search(query, inquiry, version))
        if question and not queries:
            yield from self._explore(question, findings, inquiry)
        for query in queries:
            yield findings.search(query)
        if not findings.hits and question not in findings.queries:
            yield findings.search(question)
        return findings

    def _explore(
        self, question: str, findings: Findings, inquiry: _Inquiry
    ) -> Generator[SearchResult | Thought, None, None]:
        """Let the model search, if there is one that can and it may."""
        if self.settings.answer.search == "once" or not isinstance(self.generator, ports.Converser):
            return
        held = holdings(self.retriever.holdings(inquiry.filters, inquiry.now), self.titles(inquiry.filters.principals))
        tool = search_tool(held, choosing=self.settings.retrieval.syntax)
        yield from Agent(self.generator, findings, tool, self.settings.answer).run(question)

    def _search(self, question: str, inquiry: _Inquiry, version: str | None) -> SearchResult:
        if not question:
            return SearchResult("", self.retriever.live().id, inquiry.mode or self.settings.retrieval.mode, {}, ())
        asked = {"k": inquiry.k, "mode": inquiry.mode, "filters": inquiry.filters, "now": inquiry.now}
        return self.retriever.search(question, version=version, **asked)

    def _write(self, found: SearchResult) -> Generator[Piece, None, tuple[str, Outcome]]:
        """Yield the generator's text, or that of the sources when it has none; return it with its outcome."""
        if not found.hits or found.nothing_relevant:
            said_at_once = ABSTENTION if found.question else NOTHING_ASKED
            yield said_at_once
            return said_at_once, Outcome(self.generator.name)
        said: list[str] = []
        try:
            outcome = yield from _kept(self.generator.stream(found.question, found.hits), said)
        except GenerationError as error:
            warning = f"answered with sentences of the sources, because the language model failed: {error}"
            said.clear()
            fallback = Extractive(self.embedder, self._weight(found), self.settings.answer.sentences)
            outcome = yield from _kept(fallback.stream(found.question, found.hits), said)
            outcome = replace(outcome, warnings=(warning, *outcome.warnings))
        outcome = outcome or Outcome(self.generator.name)
        return "".join(said).strip(), outcome

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
            reasoning=outcome.reasoning,
        )
        if not found.hits or abstains(said):
            return replace(answer, answer=said if not found.hits else ABSTENTION)
        checked = verify(said, found.hits, self.embedder, self._weight(found))
        return replace(
            answer,
            answer=checked.text,
            abstained=False,
            citations=checked.citations,
            warnings=(*outcome.warnings, *checked.warnings),
        )

    def _recorded(self, answer: Answer, outcome: Outcome, mode: str, inquiry: _Inquiry, read: Sequence[Turn]) -> Answer:
        if not answer.question or self.journal is None:
            return answer
        principals = inquiry.filters.principals
        try:
            receipt_id = self.journal.record(
                answer,
                principal=principals[0] if principals else "",
                prompt_hash=outcome.prompt_hash,
                settings=self._in_force(),
                history=[answer_mark(turn.answer) for turn in read],
                asked_at=inquiry.now,
                k=inquiry.k,
                mode=mode,
                filters=inquiry.filters,
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


def abstains(text: str) -> bool:
    """Tell whether a generator said that the sources hold no answer."""
    return ABSTENTION.rstrip(".").lower() in text.lower() and len(text) < 2 * len(ABSTENTION)


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
    """Pass the pieces on, and keep the text; a plain iterator returns no outcome."""
    pieces = iter(writing)
    while True:
        try:
            piece = next(pieces)
        except StopIteration as end:
            return end.value
        if isinstance(piece, Retracted):
            said.clear()
        elif not isinstance(piece, Thought):
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
