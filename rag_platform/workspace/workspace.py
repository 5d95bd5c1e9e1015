"""Settings to the chosen parts: the only place that chooses."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from rag_platform.answering import Answerer
from rag_platform.answering.citations.claim_checks import Check, LanguageModelCheck
from rag_platform.answering.citations.nli import NliCheck
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.answering.generators.registry import Generators
from rag_platform.answering.suggestions.suggestions import Suggestions
from rag_platform.chunks import Chunker
from rag_platform.config.secrets import Secrets, Vault, open_secrets
from rag_platform.config.settings import FILE, GeneratorSettings, Settings, load_settings
from rag_platform.config.source_kinds import Context, kind_of
from rag_platform.core import ports
from rag_platform.core.errors import SettingsError
from rag_platform.embeddings.registry import EmbedderRegistry
from rag_platform.embeddings.stage import OnnxEmbedder, open_embedder
from rag_platform.index.releases.versions import Versions
from rag_platform.journal.feedback import Feedback
from rag_platform.journal.journal import Journal
from rag_platform.journal.proposals import Proposals
from rag_platform.journal.unanswered import UnansweredQuestions
from rag_platform.journal.usage import UsageCounter
from rag_platform.llm import OpenAICompatible
from rag_platform.monitoring.cost_ledger import CostLedger
from rag_platform.monitoring.progress import ProgressNotes
from rag_platform.people.chats import Chats
from rag_platform.people.rate_limits import RateLimits
from rag_platform.raw.last_fetch import LastFetches
from rag_platform.raw.suppression import Suppression
from rag_platform.reranking import (
    CachingReranker,
    LanguageModelReranker,
    LateInteraction,
    RerankEndpoint,
    open_cross_encoder,
)
from rag_platform.reranking.semaphore import TimedSemaphore
from rag_platform.retrieval import Retriever
from rag_platform.sources.uploads.collections import Collections
from rag_platform.sources.uploads.source import UploadSource, collections_of
from rag_platform.storage.store import Store


class Workspace:
    """A workspace's parts, each made when it is first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.data)
        self.versions = Versions(settings.data / "index", exact_below=settings.index.exact_below)
        self.suppression = Suppression(settings.data / "forgotten.jsonl")
        self._chunkers: dict[str, Chunker] = {}

    @cached_property
    def embedder(self) -> OnnxEmbedder:
        """The embedding model of [model], loaded."""
        return open_embedder(self.settings.model)

    @cached_property
    def embedders(self) -> EmbedderRegistry:
        """The models of all sources, and of the vector spaces of versions."""
        return EmbedderRegistry(self.settings, lambda: self.embedder)

    def chunker_of(self, source_id: str) -> Chunker:
        """Cut a source's documents by its model's word pieces; each chunk fits what that model reads."""
        embedder, chunks = self.embedders.of_source(source_id), self.settings.chunks
        if embedder.fingerprint not in self._chunkers:
            self._chunkers[embedder.fingerprint] = Chunker(
                embedder.tokenizer,
                size=chunks.size,
                overlap=chunks.overlap,
                limit=embedder.limit,
                unit=chunks.unit,
            )
        return self._chunkers[embedder.fingerprint]

    @cached_property
    def reranker(self) -> ports.Reranker:
        """What looks closely at the best candidates.

        Late interaction has the token vectors of the model of [model], whatever embedded the passages.
        """
        settings = self.settings.reranker
        match self.settings.retrieval.reranker:
            case "cross-encoder":
                return CachingReranker(open_cross_encoder(settings))
            case "http":
                return CachingReranker(RerankEndpoint(settings, settings.api_key))
            case "llm":
                return CachingReranker(self._curation())
        return LateInteraction(self.embedder)

    def _curation(self) -> LanguageModelReranker:
        own, server, table = self.settings.reranker, self.settings.generator, "generator"
        if own.base_url:
            fields = own.model_dump(include={"base_url", "model", "api_key_env"})
            server, table = GeneratorSettings(**fields), "reranker"
        server = server.model_copy(update={"timeout": own.timeout, "max_tokens": own.max_tokens, "temperature": 0.0})
        return LanguageModelReranker(OpenAICompatible(server, server.api_key), own.timeout, table)

    @cached_property
    def retriever(self) -> Retriever:
        """Searches the live version."""
        return self.retriever_of(None)

    def retriever_of(self, version: str | None) -> Retriever:
        """Search one version for good; None: the live one, whichever it is."""
        settings = self.settings
        retriever = Retriever(
            self.versions,
            lambda: self.embedder,
            lambda: self.reranker,
            settings.retrieval,
            settings.half_lives,
            settings.max_ages,
            embedder_of=self.embedders.of_space,
        )
        return retriever.pinned(version) if version else retriever

    @cached_property
    def journal(self) -> Journal:
        """What the applications write: receipts, chats, feedback."""
        return Journal(self.settings.data / "app.sqlite")

    @cached_property
    def feedback(self) -> Feedback:
        """What people think of answers, in the journal's file."""
        return Feedback(self.journal)

    @cached_property
    def chats(self) -> Chats:
        """What people said and were told, in the journal's file."""
        return Chats(self.journal)

    @cached_property
    def suggestions(self) -> Suggestions:
        """What is worth asking."""
        return Suggestions(self.retriever, self.embedder, self.settings.answer, self.generator)

    @cached_property
    def proposals(self) -> Proposals:
        """Questions that people's judgements propose for the evaluation."""
        return Proposals(self.journal, self.versions)

    @cached_property
    def rates(self) -> RateLimits:
        """How often one person may ask and search, in this process."""
        access = self.settings.access
        limits = {"questions": access.questions_per_minute, "searches": access.searches_per_minute}
        return RateLimits(limits, counted=lambda kind: self.uses.count(kind) if kind == "searches" else None)

    @cached_property
    def uses(self) -> UsageCounter:
        """How many searches there were each day; questions leave receipts."""
        return UsageCounter(lambda: self.journal)

    @cached_property
    def unanswered(self) -> UnansweredQuestions:
        """What was asked and not answered."""
        return UnansweredQuestions(lambda: self.journal, lambda: self.embedder)

    @cached_property
    def rerank_semaphore(self) -> TimedSemaphore:
        """The turns of those who look at a page of results: a model here has all cores for one look, a server many."""
        here = self.settings.retrieval.reranker in ("late-interaction", "cross-encoder")
        return TimedSemaphore(most=1 if here else 16, patience=0.75)

    @cached_property
    def costs(self) -> CostLedger:
        """What each stage of each run did and took."""
        return CostLedger(self.settings.data / "ledger.jsonl")

    @cached_property
    def activity(self) -> ProgressNotes:
        """What this process does here, told to whoever waits."""
        return ProgressNotes(self.settings.data / "progress")

    @property
    def generator(self) -> ports.Generator:
        """The server of [generator], else extracted sentences."""
        return self.generators.of()

    @cached_property
    def generators(self) -> Generators:
        """All who may write an answer, by name."""
        return self._generators(self.retriever)

    def _generators(self, retriever: Retriever) -> Generators:
        default = self.settings.generator.name if self.settings.generator.base_url else None
        return Generators(self._servers, self._extractive(retriever), default)

    @cached_property
    def _servers(self) -> dict[str, OpenAICompatible]:
        first = self.settings.generator.name
        return {
            name: OpenAICompatible(server, server.api_key, table="generator" if name == first else f"generators.{name}")
            for name, server in self.settings.servers.items()
        }

    def _extractive(self, retriever: Retriever) -> Extractive:
        return Extractive.over(retriever.live, self.embedder, self.settings.answer)

    @cached_property
    def answerer(self) -> Answerer:
        """Answers from the live version."""
        return self._answerer(self.retriever, self.generators)

    def answerer_as_of(self, version: str) -> Answerer:
        """Answer from what that version held; to be asked like today's."""
        retriever = self.retriever.as_of(version)
        return self._answerer(retriever, self._generators(retriever))

    def _answerer(self, retriever: Retriever, generators: Generators) -> Answerer:
        parts = (retriever, generators.of(), self.embedder, self.journal, self.settings)
        return Answerer(*parts, generators=generators, titles=self.titles, check=self.check)

    @cached_property
    def check(self) -> Check | None:
        """What looks again at sentences of answers that are no verbatim quotes; None: nothing does."""
        settings = self.settings.answer
        if settings.check == "llm" and isinstance(server := self.generators.of(), OpenAICompatible):
            return LanguageModelCheck(server)
        return NliCheck(self.settings.check) if settings.check == "nli" else None

    def titles(self, principals: Sequence[str]) -> dict[str, str]:
        """Return what people call the collections of uploads that these principals may see, by id."""
        found = {}
        for source in self.settings.sources:
            if isinstance(source, UploadSource):
                for one in collections_of(source, self.settings.data).list(principals):
                    found[one.id] = f"{one.title}: {one.description}" if one.description else one.title
        return found

    def evaluator_of(self, version: str) -> Answerer:
        """Answer from one version with extracted sentences and no receipts: equal questions, equal answers."""
        retriever = self.retriever_of(version)
        return Answerer(retriever, self._extractive(retriever), self.embedder, None, self.settings)

    def source(self, source_id: str) -> ports.Source:
        """Open a source."""
        settings = self.settings.source(source_id)
        last = LastFetches(self.store, source_id)
        context = Context(
            self.settings.home,
            last,
            last.any_below,
            secrets=self.secrets,
            sessions=self.sessions,
            environ=self.settings.variables,
            browser=self.settings.browser,
        )
        return kind_of(settings.kind).open(settings, context)

    def collections(self, source_id: str | None = None) -> Collections:
        """Open the collections of a source of the kind `upload`; None: of the only one there is."""
        sources = [source for source in self.settings.sources if isinstance(source, UploadSource)]
        chosen = [source for source in sources if source_id in (None, source.id)]
        if len(chosen) != 1:
            known = ", ".join(source.id for source in sources) or "none"
            raise SettingsError(
                f"{self.settings.home / FILE}: "
                + (f"{source_id!r} is no source of the kind upload" if source_id else "which source is meant?")
                + f" Expected one of: {known}. "
                + ("Name it." if sources else "Add a [[sources]] table with kind = 'upload'; see docs/sources.md.")
            )
        return collections_of(chosen[0], self.settings.data)

    @cached_property
    def secrets(self) -> Secrets:
        """Passwords and keys by name."""
        settings = self.settings
        path = settings.data / "secrets.enc"
        return open_secrets(settings.secrets.store, settings.home, path, settings.secrets_key)

    @cached_property
    def sessions(self) -> Secrets:
        """The cookies of portals, by source: too large for a keyring."""
        return Vault(self.settings.data / "sessions.enc", self.settings.secrets_key)


def open_workspace(home: str | Path | None = None) -> Workspace:
    """Open the workspace in that folder (default: RAG_HOME, else the current folder)."""
    return Workspace(load_settings(home))
