"""Question -> answer: the one way in for the page, the terminal, the API and the evaluation."""

import time
from collections.abc import Generator, Iterator, Sequence
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rag_platform.answering.agentic.hit_pool import HitPool
from rag_platform.answering.citations.claim_checks import Check
from rag_platform.answering.conversation.rewriting import StandaloneQuestion, rewrite_question
from rag_platform.answering.coverage import Weight
from rag_platform.answering.finishing import verified
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.generators.registry import Generators
from rag_platform.answering.sanitizing import shown, visible
from rag_platform.answering.search_step import SearchRequest, Titles, search_for
from rag_platform.config.settings import Mode, Settings
from rag_platform.core import ports
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.errors import DocumentForgotten, GenerationError, StorageError
from rag_platform.core.generation import Draft, Outcome, Piece, Reasoning, recorded
from rag_platform.core.hits import Filters
from rag_platform.core.ids import answer_digest
from rag_platform.journal.forgotten import without_forgotten
from rag_platform.journal.journal import Journal
from rag_platform.retrieval.results import SearchResult
from rag_platform.text.abstention import abstention

if TYPE_CHECKING:
    from rag_platform.retrieval import Retriever

LONGEST = 2000
"""Characters of a question that are read; the middle of a longer one is left out."""
FORGOTTEN = "A document that this answer rests on was forgotten while it was written. Please ask again."
FELL_BACK = "answered with sentences of the sources, because the language model failed"
STOPPED = "it was stopped; its sentences were not checked against their sources"
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
        generators: Generators | None = None,
        titles: Titles = lambda _: {},
        check: Check | None = None,
    ) -> None:
        """Answer with `generator`, or sentences of the sources when it fails; without a journal, no receipt is left.

        `generators` are those that a question may ask for by name; None: only `generator`. `titles` tells a model that
        searches by itself what it can search. `check` looks again at sentences that are no verbatim quotes.
        """
        self.retriever = retriever
        self.generator = generator
        self.embedder = embedder
        self.journal = journal
        self.settings = settings
        self.titles = titles
        self.check = check
        self.generators = generators or Generators({}, generator)
        self._chosen = self.generators.default

    def ask(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        queries: Sequence[str] = (),
        generator: str | None = None,
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
        asker: str | None = None,
    ) -> Answer:
        """Answer a question.

        Args:
            question: in any language; the middle of a very long one is not read.
            history: what was asked and answered before in the same chat, oldest first.
            queries: what to search for instead of the question.
            generator: the name of the one that writes the answer; None: the default.
            k: how many hits the generator sees; None: as set in ``answer.sources``.
            mode: of the search; None: as set in ``retrieval.mode``.
            filters: what may be searched, and who asks.
            now: the moment from which age is counted; None: this one.
            asker: under whom the receipt is kept; None: the first of the principals.

        Raises:
            SettingsError: there is no generator of that name.
            RagError: the search failed, or nothing is published. A generator that fails is only a warning.
        """
        asked = {"history": history, "queries": queries, "k": k, "mode": mode, "filters": filters, "now": now}
        asked |= {"asker": asker}
        *_, answer = self.stream(question, generator=generator, **asked)
        return answer

    def stream(
        self,
        question: str,
        *,
        history: Sequence[Turn] = (),
        queries: Sequence[str] = (),
        generator: str | None = None,
        k: int | None = None,
        mode: Mode | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        now: datetime | None = None,
        asker: str | None = None,
    ) -> Iterator[SearchResult | Piece | Answer]:
        """Yield the hits of each search, text and thought as they come, and last the verified answer, which may differ.

        The rank of a hit is its number in the text. For the arguments see `ask`.

        Closing this ends the generator's work.
        """
        if generator is not None:
            asked = {"history": history, "queries": queries, "k": k, "mode": mode, "filters": filters, "now": now}
            asked |= {"asker": asker}
            yield from self._with(generator).stream(question, **asked)
            return
        inquiry = SearchRequest(k or self.settings.answer.sources, mode, filters, now or datetime.now(UTC), asker)
        yield from shown(self._answered(question, history, queries, inquiry))

    def stopped(
        self,
        question: str,
        found: Sequence[SearchResult],
        draft: Draft,
        *,
        history: Sequence[Turn] = (),
        generator: str | None = None,
        filters: Filters = Filters(),  # noqa: B008 - frozen
        asker: str | None = None,
    ) -> Answer:
        """Keep what was written of an answer that somebody stopped, as it was shown: no sentence of it was checked.

        `found` and `draft` are what `stream` yielded of it; for the other arguments see `ask`.
        """
        if generator is not None:
            told = {"history": history, "filters": filters, "asker": asker}
            return self._with(generator).stopped(question, found, draft, **told)
        last = found[-1]
        answer = Answer(
            question=_readable(question)[0],
            answer=draft.text.strip(),
            abstained=False,
            citations=(),
            version=last.version,
            model=self._chosen,
            receipt_id="",
            hits=tuple({hit.chunk_id: hit for result in found for hit in result.hits}.values()),
            warnings=(STOPPED,),
            queries=tuple(result.question for result in found),
            reasoning=draft.thought,
        )
        inquiry = SearchRequest(self.settings.answer.sources, None, filters, datetime.now(UTC), asker)
        return self._recorded(answer, Outcome(self.generator.name), last.mode, inquiry, history)

    def _answered(
        self, question: str, history: Sequence[Turn], queries: Sequence[str], inquiry: SearchRequest
    ) -> Generator[SearchResult | Piece | Answer]:
        """Yield what `stream` does, as it comes."""
        clock = _Clock()
        question, warnings = _readable(question)
        understood = yield from self._understood(question, history)
        if history:
            clock.lap("understand")
        findings = yield from self._find(understood.question, queries, inquiry)
        found = findings.of(understood.question)
        clock.lap("search")
        said, outcome = yield from self._write(found)
        clock.lap("generate")
        thought = "\n\n".join(filter(None, (*findings.reasoning, outcome.reasoning)))
        answer = self._verified(found, said, replace(outcome, reasoning=thought))
        clock.lap("verify")
        answer = replace(
            answer,
            question=question,
            standalone=understood.question if understood.question != question else "",
            queries=findings.queries if question else (),
            warnings=(*warnings, *understood.warnings, *findings.warnings, *found.warnings, *answer.warnings),
            took_ms=clock.laps,
        )
        yield self._recorded(answer, outcome, found.mode, inquiry, understood.read)

    def _with(self, name: str) -> "Answerer":
        """Return the same answerer with another generator."""
        other = copy(self)
        other.generator, other._chosen = self.generators.of(name), name
        return other

    def _understood(self, question: str, history: Sequence[Turn]) -> Generator[Reasoning, None, StandaloneQuestion]:
        """Return the question so that it can be understood without the chat."""
        settings = self.settings.answer
        turns = self._remembered(history) if history else ()
        limits = {"tokens": settings.history_tokens, "seconds": settings.search_seconds}
        return (yield from rewrite_question(question, turns, self.generator, **limits))

    def _remembered(self, history: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns whose answers rest on nothing that was forgotten, as far as can be known."""
        try:
            return without_forgotten(self.journal, history) if self.journal else history
        except StorageError:  # nor will there be a receipt, which says so
            return ()

    def _find(
        self, question: str, queries: Sequence[str], inquiry: SearchRequest
    ) -> Generator[SearchResult | Reasoning, None, HitPool]:
        parts = {"model": self.generator, "titles": self.titles}
        return (yield from search_for(question, queries, inquiry, self.retriever, self.settings, **parts))

    def _write(self, found: SearchResult) -> Generator[Piece, None, tuple[str, Outcome]]:
        """Yield the generator's text, or that of the sources when it has none; return it with its outcome."""
        if not found.hits or found.nothing_relevant:
            said_at_once = abstention(found.question) if found.question else NOTHING_ASKED
            yield said_at_once
            return said_at_once, Outcome(self.generator.name)
        draft = Draft()
        try:
            outcome = yield from recorded(self.generator.stream(found.question, found.hits), draft)
        except GenerationError as error:
            warning = f"{FELL_BACK}: {error}"
            draft = Draft()
            version = self.retriever.version(found.version)
            fallback = Extractive.over(lambda: version, self.embedder, self.settings.answer)
            outcome = yield from recorded(fallback.stream(found.question, found.hits), draft)
            outcome = replace(outcome, warnings=(warning, *outcome.warnings))
        outcome = outcome or Outcome(self.generator.name)
        return visible(draft.text).strip(), outcome

    def _weight(self, found: SearchResult) -> Weight:
        """Return the weights of words in the version that was searched, wherever the pointer has moved since."""
        return self.retriever.version(found.version).word_weight

    def _verified(self, found: SearchResult, said: str, outcome: Outcome) -> Answer:
        parts = {"embedder": self.embedder, "weight": self._weight, "check": self.check}
        return verified(found, said, outcome, **parts, unsupported=self.settings.answer.unsupported)

    def _recorded(
        self, answer: Answer, outcome: Outcome, mode: str, inquiry: SearchRequest, read: Sequence[Turn]
    ) -> Answer:
        if not answer.question or self.journal is None:
            return answer
        try:
            receipt_id = self.journal.record(
                answer,
                principal=inquiry.who,
                prompt_hash=outcome.prompt_hash,
                settings=self._in_force(),
                history=[answer_digest(turn.answer) for turn in read],
                asked_at=inquiry.now,
                k=inquiry.k,
                mode=mode,
                filters=inquiry.filters,
            )
        except DocumentForgotten:  # nothing of it may be shown or kept any more
            told = {"citations": (), "hits": (), "queries": (), "standalone": "", "reasoning": "", "warnings": ()}
            told |= {"unsupported": 0, "claims": 0}
            return replace(answer, answer=FORGOTTEN, abstained=True, **told)
        except StorageError as error:  # an answer is worth more than its receipt
            return replace(answer, warnings=(*answer.warnings, f"this answer has no receipt: {error}"))
        return replace(answer, receipt_id=receipt_id)

    def _in_force(self) -> dict:
        """Return what an answer depends on besides question and version: what a replay needs."""
        parameters = getattr(self.generator, "parameters", None)
        return {
            "retrieval": self.settings.retrieval.model_dump(),
            "answer": self.settings.answer.model_dump(),
            "generator": {"name": self._chosen} | parameters if parameters else None,
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
