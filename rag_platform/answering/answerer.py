"""Question -> answer: the one way in for the page, the terminal, the API and the evaluation."""

from collections.abc import Generator, Sequence
from copy import copy
from dataclasses import replace
from typing import Unpack

from rag_platform.answering.agentic.hit_pool import HitPool
from rag_platform.answering.agreement.comparing import age_warnings
from rag_platform.answering.answer_spans import step, told
from rag_platform.answering.ask_options import AskOptions, clipped, prompted, search_request
from rag_platform.answering.checks.check import Check
from rag_platform.answering.checks.own_curve import FOLDER, OwnCurves
from rag_platform.answering.conversation.rewriting import StandaloneQuestion, recent, rewrite_question
from rag_platform.answering.events import AnswerEvent, AnswerEvents
from rag_platform.answering.generation_step import generate
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.generators.hit_readers import models_in
from rag_platform.answering.generators.registry import Generators
from rag_platform.answering.live_trial import LiveTrial
from rag_platform.answering.recording_step import record, settings_in_force, told_to_generator
from rag_platform.answering.sanitizing.streaming import sanitize_stream
from rag_platform.answering.search_step import SearchRequest, Titles, search_for
from rag_platform.answering.stage_timer import StageTimer
from rag_platform.answering.unchecked_step import BY_TOOLS, JSON, unchecked_answer
from rag_platform.answering.unsearched_step import UNSEARCHED, answer_unsearched
from rag_platform.answering.verification_step import verify_answer
from rag_platform.audit.audit_log import AuditLog
from rag_platform.config.settings import Settings
from rag_platform.core import ports
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.errors import StorageError
from rag_platform.core.generation import Outcome, PartialAnswer, Reasoning, Reply, Wishes
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.index.releases.view import View
from rag_platform.journal.forgotten import without_forgotten
from rag_platform.journal.journal import Journal
from rag_platform.monitoring.tracing import STAGE, span
from rag_platform.retrieval.results import SearchResult
from rag_platform.retrieval.retriever import Retriever
from rag_platform.text.abstention import abstains

STOPPED = "it was stopped; its sentences were not checked against their sources"


class Answerer:
    """Finds, writes, verifies and records an answer."""

    def __init__(
        self,
        retriever: Retriever,
        generator: ports.Generator,
        embedder: EmbeddingModel,
        journal: Journal | None,
        settings: Settings,
        generators: Generators | None = None,
        titles: Titles = lambda _: {},
        check: Check | None = None,
        audit: AuditLog | None = None,
        trial: LiveTrial | None = None,
        *,
        compare: bool = True,
    ) -> None:
        """Answer with `generator`, or with sentences of the sources when it fails.

        Args:
            retriever: searches.
            generator: writes.
            embedder: reads the meaning of sentences and quotes.
            journal: stores receipts; None: there are none.
            settings: of the workspace.
            generators: those that a question may name; None: only `generator`.
            titles: of the collections, for a model that searches by itself.
            check: judges sentences that are no verbatim quotes.
            audit: records who was shown what; None: nothing is shown to anybody.
            trial: follows the answers, and gives some sessions another version.
            compare: tell where other sources say the same, and where they disagree.
        """
        self.retriever = retriever
        self.generator = generator
        self.embedder = embedder
        self.journal = journal
        self.settings = settings
        self.titles = titles
        self.check = check
        self.audit = audit
        self.trial = trial
        self._canary: str | None = None
        self.compare = compare
        self.generators = generators or Generators({}, generator)
        self._generator_name = self.generators.default
        self._wishes = Wishes()
        self._assistant = ""

    def ask(self, question: str, **options: Unpack[AskOptions]) -> Answer:
        """Answer a question, in any language; the middle of a very long one is not read.

        Raises:
            SettingsError: there is no generator of that name.
            RagError: the search failed, or nothing is published. A generator that fails is only a warning.
        """
        *_, answer = self.stream(question, **options)
        assert isinstance(answer, Answer)
        return answer

    def stream(self, question: str, **options: Unpack[AskOptions]) -> AnswerEvents:
        """Yield the result of each search, text and reasoning as they come, and last the verified answer.

        The rank of a hit is its number in the text, from which the verified answer may differ. Closing this stops the
        generator. With `wishes`, the server's reply comes before the answer, and in its place where the model calls the
        asker's tools. For errors see `ask`.
        """
        options = prompted(options, self.settings.prompts)
        answerer = self._with(options)
        request = search_request(options, self.settings.answer.sources)
        events = told(question, answerer._followed(question, request, options), request.session)
        return sanitize_stream(events)

    def stopped(
        self, question: str, found: Sequence[SearchResult], partial: PartialAnswer, **options: Unpack[AskOptions]
    ) -> Answer:
        """Record what was written of an answer that somebody stopped; none of its sentences was checked.

        `found` and `partial` are what `stream` yielded of it.
        """
        options = prompted(options, self.settings.prompts)
        answerer, last = self._with(options), found[-1]
        answer = Answer(
            question=clipped(question)[0],
            answer=partial.text.strip(),
            abstained=False,
            citations=(),
            version=last.version,
            model=answerer._generator_name,
            receipt_id="",
            hits=tuple({hit.chunk_id: hit for result in found for hit in result.hits}.values()),
            warnings=(STOPPED,),
            queries=tuple(result.question for result in found),
            reasoning=partial.reasoning,
        )
        request = search_request(options, self.settings.answer.sources)
        return answerer._record(answer, request, last.mode, read=options.get("history", ()))

    def _with(self, options: AskOptions) -> "Answerer":
        """Return an answerer with the generator that is named, else this one, which is told wishes if it can be."""
        other, generator, wishes = copy(self), options.get("generator"), options.get("wishes")
        other._assistant = options.get("assistant", "")
        if generator is not None:
            other.generator, other._generator_name = self.generators.of(generator), generator
        if wishes and isinstance(other.generator, ports.Obliging):
            other.generator, other._wishes = other.generator.wishing(wishes), wishes
        return other

    def _followed(
        self, question: str, request: SearchRequest, options: AskOptions
    ) -> Generator[AnswerEvent, None, Answer | Reply]:
        """Yield and return what `_answer` does, from the version of the session, and let the trial follow it."""
        if self.trial is None:
            answer = yield from self._answer(question, request, options)
        else:
            with self.trial.underway():
                answerer = self._of_version(self.trial.version_for(request.session))
                answer = yield from answerer._answer(question, request, options)
                if isinstance(answer, Answer):
                    self.trial.answered(answer, request)
        return answer

    def _of_version(self, version: str | None) -> "Answerer":
        """Return an answerer from a version on trial, as long as that can be opened; None: this one."""
        if version is None:
            return self
        other = copy(self)
        other.retriever, other._canary = self.retriever.pinned(version, or_live=True), version
        return other

    def _answer(
        self, question: str, request: SearchRequest, options: AskOptions
    ) -> Generator[AnswerEvent, None, Answer | Reply]:
        """Yield what `stream` does up to its last, not sanitized, and return that."""
        timer, history = StageTimer(), options.get("history", ())
        question, warnings = clipped(question)
        if question and not options.get("search", True):
            return (yield from self._unsearched(question, request, history))
        asked = self.retriever.scoped(question, request.filters)
        request = replace(request, filters=asked.filters)
        standalone = yield from step("understand", self._standalone(asked.text, history))
        if history:
            timer.end("understand")
        pool = yield from step("search", self._search(standalone.question, options.get("queries", ()), request))
        result, wishes = pool.as_result(standalone.question), self._wishes
        if result.nothing_relevant and (wishes.tools or wishes.after):
            result = replace(result, hits=())
        timer.end("search")
        view = self.retriever.version(result.version).view(request.filters.principals)
        writing = generate(result, self._writer(view), lambda: self._fallback(view), wishes)
        text, outcome = yield from step("generate", writing)
        timer.end("generate")
        if outcome.reply and wishes:
            if outcome.reply.tool_calls:
                return self._handed_back(outcome.reply, result, request)
            yield outcome.reply
        reasoning = "\n\n".join(filter(None, (*pool.reasoning, outcome.reasoning)))
        with span("verify", {STAGE: "answer.verify"}):
            answer = self._verified(result, text, replace(outcome, reasoning=reasoning), view)
        searched = self._holdings(result.version, request) if answer.abstained and question else None
        aged = age_warnings(answer.citations, answer.hits, self.settings.half_lives, request.now)
        timer.end("verify")
        answer = replace(
            answer,
            question=question,
            standalone=standalone.question if standalone.question != asked.text else "",
            queries=pool.queries if question else (),
            warnings=(*warnings, *standalone.warnings, *pool.warnings, *result.warnings, *answer.warnings, *aged),
            took_ms=timer.took_ms,
            searched=searched,
        )
        return self._record(answer, request, result.mode, read=standalone.read, prompt_hash=outcome.prompt_hash)

    def _unsearched(
        self, question: str, request: SearchRequest, history: Sequence[Turn]
    ) -> Generator[AnswerEvent, None, Answer]:
        """Yield what a language model says by itself, and return it as an answer that nothing was checked of."""
        settings, timer = self.settings, StageTimer()
        result = SearchResult(question, self.retriever.live().id, request.mode or settings.retrieval.mode, {}, ())
        yield result
        turns = recent(self._remembered(history), settings.answer.history_tokens) if history else ()
        reply = yield from step("generate", answer_unsearched(question, turns, self.generator, self._wishes))
        timer.end("generate")
        outcome = Outcome(reply.model, reasoning=reply.reasoning, warnings=reply.warnings)
        answer = replace(unchecked_answer(result, reply.text, outcome, UNSEARCHED), took_ms=timer.took_ms)
        return self._record(answer, request, result.mode, read=turns)

    def _handed_back(self, reply: Reply, result: SearchResult, request: SearchRequest) -> Reply:
        """Return a reply that calls tools, and record what the model was shown: its calls may tell the asker of it."""
        if self.audit:
            who = request.who or request.asker
            self.audit.searched(result.question, result.hits, result.version, request.filters.principals, who)
        return reply

    def _standalone(self, question: str, history: Sequence[Turn]) -> Generator[Reasoning, None, StandaloneQuestion]:
        """Return the question so that it can be understood without the chat."""
        settings, turns = self.settings.answer, self._remembered(history) if history else ()
        tokens, seconds = settings.history_tokens, settings.search_seconds
        return (yield from rewrite_question(question, turns, self.generator, tokens=tokens, seconds=seconds))

    def _remembered(self, history: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns whose answers rest on nothing that was forgotten, as far as can be known."""
        try:
            return without_forgotten(self.journal, history) if self.journal else history
        except StorageError:  # nor will there be a receipt, which says so
            return ()

    def _search(
        self, question: str, queries: Sequence[str], request: SearchRequest
    ) -> Generator[SearchResult | Reasoning, None, HitPool]:
        settings, model = self.settings, self.generator
        return (
            yield from search_for(question, queries, request, self.retriever, settings, model=model, titles=self.titles)
        )

    def _holdings(self, version: str, request: SearchRequest) -> int:
        """Return how many documents of a version the request could find."""
        return sum(self.retriever.holdings(request.filters, request.now, version).values())

    def _writer(self, view: View) -> ports.Generator:
        """Return who writes; extracted sentences are weighed by what the asker may read of the version searched."""
        model = self.generator
        return model.over(view, self.retriever.embedder_of) if isinstance(model, Extractive) else model

    def _fallback(self, view: View) -> Extractive:
        return Extractive.as_set(self.embedder, self.settings.answer).over(view, self.retriever.embedder_of)

    def _verified(self, result: SearchResult, text: str, outcome: Outcome, view: View) -> Answer:
        unfit = JSON if self._wishes.wants_json else "" if result.hits else BY_TOOLS
        if self._wishes and outcome.reply and unfit and not abstains(text):
            return unchecked_answer(result, text, outcome, unfit)
        return verify_answer(
            result,
            text,
            outcome,
            embedder=self.embedder,
            models=models_in(view, self.retriever.embedder_of, result.question, result.hits, self.embedder),
            weight=view.word_weight,
            check=self.check,
            own=OwnCurves(self.settings.data / FOLDER),
            contradicted=self.settings.answer.contradicted,
            compare=self.compare,
        )

    def _record(
        self, answer: Answer, request: SearchRequest, mode: str, *, read: Sequence[Turn], prompt_hash: str = ""
    ) -> Answer:
        if not answer.question or self.journal is None:
            return answer
        told = told_to_generator(self._wishes)
        more = (("canary", self._canary), ("assistant", self._assistant), ("wishes", told))
        settings = settings_in_force(self.settings, self.embedder, self.generator, self._generator_name)
        settings |= {name: value for name, value in more if value}
        said = record(self.journal, answer, request, mode=mode, prompt_hash=prompt_hash, read=read, settings=settings)
        return self._audited(said, request)

    def _audited(self, answer: Answer, request: SearchRequest) -> Answer:
        who = request.who or request.asker
        warning = self.audit.answered(answer, request.filters.principals, who) if self.audit else None
        return replace(answer, warnings=(*answer.warnings, warning)) if warning else answer
