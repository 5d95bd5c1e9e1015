"""Settings to the chosen parts: the only place that chooses.

Each part is imported and built when it is first asked for, so a search loads no language model's client, and opening a
workspace loads next to nothing. A part is built once, also when several threads ask for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_platform.access import Access
from rag_platform.config.settings import FILE, Settings, home_folder, load_settings
from rag_platform.core.errors import SettingsError
from rag_platform.core.lazy import locked_cached_property
from rag_platform.index.releases.holds import Holds
from rag_platform.index.releases.versions import Versions
from rag_platform.raw.suppression import Suppression
from rag_platform.storage.files.private import is_open, make_private
from rag_platform.storage.swapping import finish_exchange
from rag_platform.storage.tables import Store
from rag_platform.validation.statistics_record import StatisticsRecord

if TYPE_CHECKING:
    from rag_platform.answering.answerer import Answerer
    from rag_platform.answering.checks.check import Check
    from rag_platform.answering.generators.registry import Generators
    from rag_platform.answering.live_trial import LiveTrial
    from rag_platform.answering.suggestions.question_suggestions import Suggestions
    from rag_platform.audit.audit_log import AuditLog
    from rag_platform.chunks import Chunker
    from rag_platform.config.secrets import Secrets
    from rag_platform.config.sections.sources import SourceSettings
    from rag_platform.core import ports
    from rag_platform.embeddings.embedding_model import EmbeddingModel
    from rag_platform.embeddings.registry import EmbedderRegistry
    from rag_platform.journal.answer_judgements import Feedback
    from rag_platform.journal.journal import Journal
    from rag_platform.journal.proposals import Proposals
    from rag_platform.journal.unanswered import UnansweredQuestions
    from rag_platform.journal.usage import UsageCounter
    from rag_platform.llm.client import OpenAICompatible
    from rag_platform.monitoring.cost_ledger import CostLedger
    from rag_platform.monitoring.progress import ProgressNotes
    from rag_platform.people.chats import Chats
    from rag_platform.people.preferences import Preferences
    from rag_platform.people.rate_limits import RateLimits
    from rag_platform.reranking.semaphore import TimedSemaphore
    from rag_platform.retrieval.audited import AuditedRetriever
    from rag_platform.retrieval.retriever import Retriever
    from rag_platform.sources.uploads.collections import Collections
    from rag_platform.trials.live_traffic import LiveTraffic
    from rag_platform.trials.shadow_set import ShadowSet
    from rag_platform.trials.trial_records import Trials


class Workspace:
    """A workspace's parts, each made when it is first asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.data)
        self.suppression = Suppression(settings.data / "forgotten.jsonl")
        self.interface = "python"
        """Through what people reach it, for the audit: "page", "api", "cli", "chat" or a program's own calls."""
        self.access = self._access()
        """Who may read what, now."""
        self.versions = Versions(settings.data / "index", exact_below=settings.index.exact_below, access=self.access)
        self.holds = Holds(settings.data / "holds.sqlite")
        """Sources that are held at their live state."""
        self.statistics = StatisticsRecord(settings.data / "statistics.sqlite")
        """What each run found of each source, in numbers."""
        self._chunkers: dict[str, Chunker] = {}
        self._reached: dict[str, Workspace] = {}
        self._reached_lock = threading.Lock()

    def _access(self) -> Access:
        forgotten = (self.suppression.path, lambda: self.suppression.rule().doc_ids)
        return Access(self.settings, forgotten=forgotten, collections_of=self._readers_of_collections)

    def _readers_of_collections(self, source: SourceSettings) -> tuple[Path, Callable[[], dict[str, Any]]] | None:
        """Return the database of a source that people fill, and how it says who may read each collection."""
        if source.kind != "upload":
            return None
        from rag_platform.sources.uploads.source import UploadSource, collections_of

        assert isinstance(source, UploadSource)
        opened = collections_of(source, self.settings.data)
        return opened.database_path, lambda: {one.id: one.principals for one in opened.list()}

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

    def reached_by(self, interface: str) -> Workspace:
        """Return this workspace as people reach it by another interface: it shares all parts but what notes that."""
        with self._reached_lock:
            if interface not in self._reached:
                assert self._searching and self.live_traffic and self.rates  # opened once, for both
                other = copy(self)
                other.interface = interface
                for own in ("audit", "retriever", "answerer"):
                    other.__dict__.pop(own, None)
                self._reached[interface] = other
            return self._reached[interface]

    @locked_cached_property
    def audit(self) -> AuditLog:
        """Who was shown what."""
        from rag_platform.audit.audit_log import AuditLog
        from rag_platform.index.releases.release_log import acting_user

        return AuditLog(
            self.settings.data / "audit.sqlite", self.settings.audit, lambda: (acting_user(), self.interface)
        )

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
            self.versions,
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
    def journal(self) -> Journal:
        """What the applications write: receipts, chats, feedback."""
        from rag_platform.journal.journal import Journal

        return Journal(self.settings.data / "app.sqlite")

    @locked_cached_property
    def preferences(self) -> Preferences:
        """What people chose last."""
        from rag_platform.people.preferences import Preferences

        return Preferences(self.journal)

    @locked_cached_property
    def feedback(self) -> Feedback:
        """What people think of answers, in the journal's file."""
        from rag_platform.journal.answer_judgements import Feedback

        return Feedback(self.journal)

    @locked_cached_property
    def chats(self) -> Chats:
        """Conversations, in the journal's file."""
        from rag_platform.people.chats import Chats

        return Chats(self.journal)

    @locked_cached_property
    def suggestions(self) -> Suggestions:
        """What is worth asking."""
        from rag_platform.answering.suggestions.question_suggestions import Suggestions

        return Suggestions(self._searching, self.embedder, self.settings.answer, self.generator)

    @locked_cached_property
    def proposals(self) -> Proposals:
        """Questions that people's judgements propose for the evaluation."""
        from rag_platform.journal.proposals import Proposals

        return Proposals(self.journal, self.versions)

    @locked_cached_property
    def rates(self) -> RateLimits:
        """How often one person may ask and search, in this process."""
        from rag_platform.people.rate_limits import RateLimits

        access = self.settings.access
        limits = {"questions": access.questions_per_minute, "searches": access.searches_per_minute}
        limits["questions of visitors"] = access.widget_questions_per_minute
        return RateLimits(
            limits, counted=lambda kind, cost: self.uses.count(kind, cost) if kind == "searches" else None
        )

    @locked_cached_property
    def uses(self) -> UsageCounter:
        """How many searches there were each day; questions leave receipts."""
        from rag_platform.journal.usage import UsageCounter

        return UsageCounter(lambda: self.journal)

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

    @locked_cached_property
    def costs(self) -> CostLedger:
        """What each stage of each run did and took."""
        from rag_platform.monitoring.cost_ledger import CostLedger

        return CostLedger(self.settings.data / "ledger.jsonl")

    @locked_cached_property
    def activity(self) -> ProgressNotes:
        """The progress of what this process does here."""
        from rag_platform.monitoring.progress import ProgressNotes

        return ProgressNotes(self.settings.data / "progress")

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
    def shadow_set(self) -> ShadowSet:
        """Real questions that were kept, with leave, and masked."""
        from rag_platform.trials.shadow_set import ShadowSet

        return ShadowSet(self.settings.data / "shadow.sqlite", self.settings.shadow)

    @locked_cached_property
    def trials(self) -> Trials:
        """Versions on trial beside the live one."""
        from rag_platform.trials.trial_records import Trials

        return Trials(self.shadow_set, self.versions)

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

    def titles(self, principals: Sequence[str]) -> dict[str, str]:
        """Return what people call the collections of uploads that these principals may see, by id."""
        from rag_platform.sources.uploads.source import UploadSource, collections_of

        found = {}
        for source in self.settings.sources:
            if isinstance(source, UploadSource):
                for one in collections_of(source, self.settings.data, self.access.asker).list(principals):
                    found[one.id] = f"{one.title}: {one.description}" if one.description else one.title
        return found

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

    def source(self, source_id: str) -> ports.Source:
        """Open a source.

        Raises:
            SettingsError: There is none of that id, or it would send a password unencrypted.
        """
        from rag_platform.config.source_kinds import CACHES, Context, open_source
        from rag_platform.raw.last_fetch import LastFetches

        settings = self.settings.source(source_id)
        last = LastFetches(self.store, source_id)
        context = Context(
            self.settings.home,
            last,
            last.any_below,
            secrets=self.secrets,
            sessions=self.sessions,
            cache=self.settings.data / CACHES / source_id,
            environ=self.settings.variables,
            browser=self.settings.browser,
        )
        return open_source(settings, context)

    def collections(self, source_id: str | None = None) -> Collections:
        """Open the collections of a source of the kind `upload`; None: of the only one there is."""
        from rag_platform.sources.uploads.source import UploadSource, collections_of

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
        return collections_of(chosen[0], self.settings.data, self.access.asker)

    @locked_cached_property
    def secrets(self) -> Secrets:
        """Passwords and keys by name."""
        from rag_platform.config.secrets import open_secrets

        settings = self.settings
        path = settings.data / "secrets.enc"
        return open_secrets(settings.secrets.store, settings.home, path, settings.secrets_key)

    @locked_cached_property
    def sessions(self) -> Secrets:
        """The cookies of portals, by source: too large for a keyring."""
        from rag_platform.config.vault import Vault

        return Vault(self.settings.data / "sessions.enc", self.settings.secrets_key)


def open_workspace(home: str | Path | None = None) -> Workspace:
    """Open the workspace in that folder (default: RAG_HOME, else the current folder)."""
    finish_exchange(home_folder(home))  # of a restore that was killed
    settings = load_settings(home)
    if (settings.home / FILE).is_file():
        _keep_private(settings.data)
    return Workspace(settings)


def _keep_private(data: Path) -> None:
    """Make `data` its owner's alone, and mend one that others could enter, with all that is in it; say so once."""
    with suppress(OSError):  # a disk that is only read; whoever writes is told
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_open(data) and (mended := make_private(data)):
        logging.getLogger(__name__).warning(
            "%s could be read by other users of this machine; %d files and folders are now their owner's alone",
            data,
            mended,
        )
