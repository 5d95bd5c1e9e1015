"""Settings to the chosen parts: the only place that chooses.

Each part is imported and built when it is first asked for, so a search loads no language model's client, and opening a
workspace loads next to nothing. A part is built once, also when several threads ask for it.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from rag_platform.config.settings import Settings
from rag_platform.core.lazy import locked_cached_property
from rag_platform.workspace.people_records import Records

if TYPE_CHECKING:
    from rag_platform.answering.answerer import Answerer
    from rag_platform.answering.checks.check import Check
    from rag_platform.answering.generators.registry import Generators
    from rag_platform.answering.live_trial import LiveTrial
    from rag_platform.answering.suggestions.question_suggestions import Suggestions
    from rag_platform.chunks import Chunker
    from rag_platform.core import ports
    from rag_platform.embeddings.embedding_model import EmbeddingModel
    from rag_platform.embeddings.registry import EmbedderRegistry
    from rag_platform.embeddings.sharded import Cluster
    from rag_platform.journal.unanswered import UnansweredQuestions
    from rag_platform.llm.client import OpenAICompatible
    from rag_platform.reranking.semaphore import TimedSemaphore
    from rag_platform.retrieval.audited import AuditedRetriever
    from rag_platform.retrieval.retriever import Retriever
    from rag_platform.trials.live_traffic import LiveTraffic


class Workspace(Records):
    """A workspace's parts, each made when it is first asked for."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._chunkers: dict[str, Chunker] = {}
        self._reached: dict[str, Workspace] = {}
        self._reached_lock = threading.Lock()

    def reached_by(self, interface: str) -> Workspace:
        """Return this workspace as people reach it by another interface: it shares all parts but what notes that."""
        with self._reached_lock:
            if interface not in self._reached:
                self._reached[interface] = _Reached(self, interface)
            return self._reached[interface]

    @locked_cached_property
    def embedder(self) -> EmbeddingModel:
        """The embedding model of [model], loaded."""
        from rag_platform.embeddings.runtimes import open_model

        return open_model(self.settings.model)

    @locked_cached_property
    def embedders(self) -> EmbedderRegistry:
        """The models of all sources, and of the vector spaces of versions."""
        from rag_platform.embeddings.registry import EmbedderRegistry

        return EmbedderRegistry(self.settings, lambda: self.embedder)

    def cluster(self, source_id: str, embedder: EmbeddingModel) -> Cluster | None:
        """Return who embeds the texts of a source elsewhere; None: this machine does, or reaches who does."""
        settings = self.embedders.settings_of(embedder)
        executor = self.shards_elsewhere("embed", source_id) if settings.runtime == "onnx" else None
        if executor is None:
            return None
        from rag_platform.embeddings.sharded import Cluster

        return Cluster(executor, settings)

    def chunker_of(self, source_id: str, language: str | None = None) -> Chunker:
        """Cut a source's documents in a language by their model's word pieces; each chunk fits what that model reads.

        Those that no model reads are cut for the source's own.
        """
        from rag_platform.chunks import Chunker

        embedders, chunks = self.embedders, self.settings.chunks
        embedder = embedders.of_documents(source_id, language) or embedders.of_source(source_id)
        if embedder.fingerprint not in self._chunkers:
            self._chunkers[embedder.fingerprint] = Chunker(
                embedder.tokenizer,
                size=chunks.size,
                overlap=chunks.overlap,
                limit=embedder.limit,
                unit=chunks.unit,
            )
        return self._chunkers[embedder.fingerprint]

    @locked_cached_property
    def reranker(self) -> ports.Reranker:
        """What reorders the best candidates."""
        from rag_platform.reranking.registry import open_reranker

        return open_reranker(self.settings, lambda: self.embedder, self.embedders.of_space)

    @locked_cached_property
    def retriever(self) -> AuditedRetriever:
        """Searches the live version for people: what it shows is in the audit."""
        from rag_platform.retrieval.audited import AuditedRetriever

        return AuditedRetriever(self._searching, self.audit)

    @locked_cached_property
    def _searching(self) -> Retriever:
        return self.retriever_of(None)

    def follow(self) -> None:
        """Open and warm what is published while the version before it answers: for programs that go on answering."""
        self.versions.follow(self._searching.warm)

    def retriever_of(self, version: str | None, memo: ports.Memo | None = None) -> Retriever:
        """Search one version for good, None: the live one, for the platform itself: nothing of it is in the audit.

        With a `memo`, what late interaction found in a passage before is not computed again.
        """
        from rag_platform.retrieval.retriever import Retriever

        def reranker() -> ports.Reranker:
            from rag_platform.reranking.late_interaction import LateInteraction

            own = self.reranker
            return own.remembering(memo) if memo and isinstance(own, LateInteraction) else own

        settings = self.settings
        retriever = Retriever(
            self.versions.built_here(version),
            lambda: self.embedder,
            reranker,
            settings.retrieval,
            settings.half_lives,
            settings.max_ages,
            settings.trust,
            embedder_of=self.embedders.of_space,
        )
        return retriever.pinned(version) if version else retriever

    @locked_cached_property
    def suggestions(self) -> Suggestions:
        """What is worth asking."""
        from rag_platform.answering.suggestions.question_suggestions import Suggestions

        def scores(version: str) -> dict[str, Any]:
            return self.versions.manifest(version).get("scores") or {}

        return Suggestions(self._searching, self.embedder, self.settings.answer, self.generator, scores)

    @locked_cached_property
    def unanswered(self) -> UnansweredQuestions:
        """Questions that were not answered."""
        from rag_platform.journal.unanswered import UnansweredQuestions

        return UnansweredQuestions(lambda: self.journal, lambda: self.embedder)

    @locked_cached_property
    def rerank_semaphore(self) -> TimedSemaphore:
        """Limits how many searches are reranked at a time: a local model takes all cores, a server takes many."""
        from rag_platform.reranking.semaphore import TimedSemaphore

        here = self.settings.retrieval.reranker in ("late-interaction", "cross-encoder")
        return TimedSemaphore(most=1 if here else 16, patience=0.75)

    @property
    def generator(self) -> ports.Generator:
        """The server of [generator], else extracted sentences."""
        return self.generators.of()

    @locked_cached_property
    def generators(self) -> Generators:
        """All who may write an answer, by name."""
        from rag_platform.answering.generators.extractive import Extractive
        from rag_platform.answering.generators.registry import Generators

        default = self.settings.generator.name if self.settings.generator.base_url else None
        return Generators(self._servers, Extractive.as_set(self.embedder, self.settings.answer), default)

    @locked_cached_property
    def _servers(self) -> dict[str, OpenAICompatible]:
        from rag_platform.llm.client import OpenAICompatible

        first = self.settings.generator.name
        return {
            name: OpenAICompatible(server, server.api_key, table="generator" if name == first else f"generators.{name}")
            for name, server in self.settings.servers.items()
        }

    @locked_cached_property
    def answerer(self) -> Answerer:
        """Answers from the live version, and from one on trial."""
        return self._answerer(self._searching, self.live_traffic)

    def answerer_as_of(self, version: str) -> Answerer:
        """Answer from what that version held; to be asked like today's."""
        return self._answerer(self._searching.as_of(version))

    def _answerer(self, retriever: Retriever, trial: LiveTrial | None = None) -> Answerer:
        from rag_platform.answering.answerer import Answerer

        parts = (retriever, self.generators.of(), self.embedder, self.journal, self.settings)
        more: dict[str, Any] = {"generators": self.generators, "titles": self.titles, "check": self.check}
        return Answerer(*parts, **more, audit=self.audit, trial=trial)

    @locked_cached_property
    def live_traffic(self) -> LiveTraffic:
        """Follows what this process answers."""
        from rag_platform.trials.live_traffic import LiveTraffic

        parts = (self.trials, self.shadow_set, self.versions, self.answerer_beside, self.settings.shadow)
        return LiveTraffic(*parts)

    def answerer_beside(self, version: str) -> Answerer:
        """Answer from one version as the live one would, without receipts and audit: nobody is shown it."""
        from rag_platform.answering.answerer import Answerer

        parts = (self.retriever_of(version), self.generators.of(), self.embedder, None, self.settings)
        return Answerer(*parts, generators=self.generators, titles=self.titles, check=self.check)

    @locked_cached_property
    def check(self) -> Check | None:
        """What verifies sentences of answers that are no verbatim quotes; None: nothing does."""
        from rag_platform.answering.checks.registry import open_check

        return open_check(self.settings, self.generators.of)

    def evaluator_of(self, version: str, memo: ports.Memo | None = None, *, compare: bool = True) -> Answerer:
        """Answer from one version with extracted sentences and no receipts: equal questions, equal answers.

        With a `memo`, what the model found in a passage before is not computed again; `compare`: as of `Answerer`.
        """
        from rag_platform.answering.answerer import Answerer
        from rag_platform.answering.generators.extractive import Extractive

        extracted = Extractive.as_set(self.embedder, self.settings.answer)
        generator = extracted.remembering(memo) if memo else extracted
        embedder = self.embedder.remembering(memo) if memo else self.embedder
        parts = (self.retriever_of(version, memo), generator, embedder, None, self.settings)
        return Answerer(*parts, compare=compare)


class _Reached(Workspace):
    """A workspace by another interface. What is its own notes who was shown what; all else is built once, for both."""

    _OWN = ("audit", "retriever", "answerer")

    def __init__(self, first: Workspace, interface: str) -> None:
        shared = {name: part for name, part in vars(first).copy().items() if name.partition(":")[0] not in self._OWN}
        self.__dict__.update(shared, _first=first, interface=interface)

    def __getattribute__(self, name: str) -> Any:
        shared = name not in _Reached._OWN and isinstance(getattr(Workspace, name, None), locked_cached_property)
        return getattr(self._first, name) if shared else super().__getattribute__(name)
