"""Source to candidate version, stage by stage.

Each stage is a pure function of the stage before it; what it made last time only saves work. Each replaces its table
in one atomic step, so a run that dies anywhere leaves what was there, and the next one goes on.
"""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import polars as pl

from rag_platform.access.standing import standing
from rag_platform.chunks import split_documents
from rag_platform.core.ports import Progress, silent, within
from rag_platform.documents.reader_options import reading_limits, reading_options, retries
from rag_platform.documents.retries import without_attempts
from rag_platform.documents.stage import Reading, read_documents
from rag_platform.documents.transcription import transcriber
from rag_platform.documents.vision import vision_model
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.embeddings.stage import Embedding, embed_chunks
from rag_platform.embeddings.token_table import TokenTable
from rag_platform.erasure.forget import finish
from rag_platform.index.build.builder import Build, build, gather
from rag_platform.index.build.canaries import plant
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.build.relevance_fitting import fitted
from rag_platform.index.releases.holds import Hold
from rag_platform.index.releases.release_log import acting_user
from rag_platform.index.vectors.spaces import open_reference, reference_of
from rag_platform.index.vectors.stored_tokens import TOKENS
from rag_platform.models.cards import card_of
from rag_platform.pipeline import screening
from rag_platform.pipeline.brake import brake
from rag_platform.pipeline.composition import compose
from rag_platform.pipeline.cross_language import with_cross_language
from rag_platform.pipeline.passage_tokens import live_texts, live_tokens, token_bits, token_givers
from rag_platform.pipeline.vision_costs import pages_to_show, recordings_to_send
from rag_platform.raw.scrape import Scrape, Tally, plan, scrape, without_marks
from rag_platform.raw.suppression import SuppressingSource, readers_of
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.text.language import UNDETERMINED
from rag_platform.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Cut:
    """What came of cutting a source's documents."""

    table: pl.DataFrame
    new: int
    """Chunks that were not there before."""
    removed: int


@dataclass(frozen=True, slots=True)
class Embedded:
    """What came of embedding a source's chunks."""

    rows: int
    """Vectors in the tables of its models."""
    embedded: int
    reused: int
    tokens: int
    """Of the texts embedded now."""
    words_only: int
    """Chunks that no model reads, or whose model could not be had."""
    missing: int
    """Chunks that have no vector though a model reads them."""
    models: tuple[str, ...]
    """Those that read its documents."""


class Pipeline:
    """The stages of a workspace, as one run goes through them."""

    def __init__(self, workspace: Workspace, *, run_id: str = "") -> None:
        self.workspace = workspace
        self.store = workspace.store
        self.run_id = run_id
        self.seconds: dict[str, float] = {}
        """Seconds spent in each stage, over all sources."""

    def plan(self, source_id: str) -> Tally:
        """Say what a sync of the source would find, fetching nothing and writing nothing."""
        source = self._remembering(source_id)
        raw, share = self.store.read("raw", source_id), self.workspace.settings.sync.max_deleted_share
        tally = plan(source.list(), source.remembered(raw), source_id=source_id, max_deleted_share=share)
        shown = pages_to_show(self.workspace, source_id, tally.pending)
        heard = recordings_to_send(self.workspace, source_id, tally.pending)
        return replace(tally, forgotten=source.left_out, vision_pages=shown, recordings=heard)

    def fetch(
        self, source_id: str, *, allow_mass_delete: bool = False, full: bool = False, progress: Progress = silent
    ) -> Scrape:
        """Bring the source's raw bytes up to date; `full` reads everything anew, also what seems unchanged."""
        finish(self.workspace)  # a removal that was killed on the way
        with self._stage("fetch", source_id, progress) as (counts, report):
            source, raw = self._remembering(source_id), self.store.table("raw", source_id)
            if full:
                source.restart()
                documents = self.store.table("documents", source_id)
                documents.replace(without_attempts(documents.frame))
            result = scrape(
                source,
                source.remembered(without_marks(raw.frame) if full else raw.frame),
                self.store.blobs,
                source_id=source_id,
                now=datetime.now(UTC),
                run_id=self.run_id,
                max_deleted_share=self.workspace.settings.sync.max_deleted_share,
                allow_mass_delete=allow_mass_delete,
                progress=report,
                checkpoint=raw.replace,
            )
            raw.replace(result.table)
            source.settled()
            tally = replace(result.tally, forgotten=source.left_out)
            names = ("seen", "new", "changed", "unchanged", "gone", "forgotten")
            counts |= {name: getattr(tally, name) for name in names}
            counts["failed"] = len(tally.failed)
        return replace(result, tally=tally)

    def extract(self, source_id: str, *, allow_mass_change: bool = False, progress: Progress = silent) -> Reading:
        """Turn the source's raw bytes into documents; `allow_mass_change` lets them pass, whatever they became."""
        with self._stage("extract", source_id, progress) as (counts, report):
            documents = self.store.table("documents", source_id)
            vision = vision_model(self.workspace.settings)
            shards = self.workspace.shards("extract", source_id)
            result = read_documents(
                self.store.read("raw", source_id),
                documents.frame,
                self.store.blobs,
                self.workspace.settings.source(source_id),
                options=reading_options(self.workspace.settings, source_id),
                limits=reading_limits(self.workspace.settings),
                retries=retries(self.workspace.settings),
                vision_model=vision,
                transcriber=transcriber(self.workspace.settings),
                executor=shards,
                progress=report,
            )
            screening.learn(self.workspace, source_id)
            change = screening.examine(self.workspace, source_id, result.table)
            if allow_mass_change:
                self.workspace.holds.permit(source_id, change.state, who=acting_user(), why="allowed with the sync")
            self._note_readers(source_id, result.table, screening.doubted_readers(self.workspace, change, result.table))
            documents.replace(result.table)
            shards.clear()
            screening.record(self.workspace, change, result.table, self.run_id)
            shown = {"vision_asked": vision.asked, "vision_kept": vision.known} if vision else {}
            counts |= {"extracted": result.extracted, "reused": result.reused, "failed": len(result.failed), **shown}
        return result

    def _note_readers(self, source_id: str, documents: pl.DataFrame, doubted: Collection[str]) -> None:
        """Write down what the source says of who may read; before its documents, so that none is without."""
        self.workspace.access.rules.prepare()
        raw, table = self.store.read("raw", source_id), self.store.table("access", source_id)
        own = {uri: readers_of(metadata) for uri, metadata in raw.select("uri", "metadata").iter_rows()}
        table.replace(standing(documents, own, table.frame, doubted=doubted))

    def chunk(self, source_id: str, *, progress: Progress = silent) -> Cut:
        """Cut the source's documents into chunks."""
        with self._stage("chunk", source_id, progress) as (counts, report):
            documents = self.store.read("documents", source_id)
            chunks = self.store.table("chunks", source_id)
            then = set(chunks.frame["chunk_id"])
            table = self._split(source_id, documents, chunks.frame, report)
            chunks.replace(table)
            now = set(table["chunk_id"])
            counts |= {"new": len(now - then), "removed": len(then - now)}
        return Cut(table, **counts)

    def _split(
        self, source_id: str, documents: pl.DataFrame, previous: pl.DataFrame, progress: Progress
    ) -> pl.DataFrame:
        """Cut each document for the model that reads its language."""
        indexed = self.workspace.embedders.settled(source_id, documents)
        chunkers = {code: self.workspace.chunker_of(source_id, code) for code in indexed["language"].unique().sort()}
        chunkers = chunkers or {UNDETERMINED: self.workspace.chunker_of(source_id)}
        tables, done = [], 0
        for chunker in {one.fingerprint: one for one in chunkers.values()}.values():
            own = indexed.filter(pl.col("language").is_in([code for code, one in chunkers.items() if one is chunker]))
            tables.append(split_documents(own, previous, chunker, progress=within(progress, done, indexed.height)))
            done += own.height
        return pl.concat(tables).sort("doc_id", "ordinal")

    def embed(self, source_id: str, *, progress: Progress = silent) -> Embedded:
        """Give each of the source's chunks the vector of the model that reads its document."""
        with self._stage("embed", source_id, progress) as (counts, report):
            chunks = self.store.read("chunks", source_id)
            documents = self.store.read("documents", source_id)
            routes = self.workspace.embedders.by_model(source_id, chunks, documents)
            tables = [self._embed(source_id, chunks[rows], chunks, embedder, report) for embedder, rows in routes]
            made = [one for one, _ in tables]
            result = Embedded(
                rows=sum(one.embedded + one.reused for one in made),
                embedded=sum(one.embedded for one in made),
                reused=sum(one.reused for one in made),
                tokens=sum(one.tokens for one in made),
                words_only=chunks.height - sum(len(rows) for _, rows in routes),
                missing=sum(missing for _, missing in tables),
                models=tuple(embedder.card.name for embedder, rows in routes if len(rows)),
            )
            counts |= {"embedded": result.embedded, "reused": result.reused, "tokens": result.tokens}
        return result

    def _embed(
        self, source_id: str, wanted: pl.DataFrame, chunks: pl.DataFrame, embedder: EmbeddingModel, progress: Progress
    ) -> tuple[Embedding, int]:
        """Bring a model's vectors of a source up to date; those of any of its `chunks` stay.

        Those of the live version stay too: a source that is held comes back to its texts. Also returns how many of the
        wanted chunks have none.
        """
        table = VectorTable(self.store, embedder.fingerprint, source_id, embedder.dimension)
        bits = token_bits(self.workspace)
        live = live_tokens(self.workspace, embedder.fingerprint, bits)
        table.mend()
        result = embed_chunks(
            wanted,
            table.hashes(),
            embedder,
            progress=progress,
            save=table.add,
            keep=chunks["text_hash"],
            tokens=TokenTable(self.store, embedder.fingerprint, source_id, bits, live),
            cluster=self.workspace.cluster(source_id, embedder),
        )
        table.keep(pl.concat([chunks["text_hash"], live_texts(self.workspace, source_id)]))
        return result, int((~wanted["text_hash"].is_in(table.hashes().implode())).sum())

    def build(self, held: Mapping[str, Hold] | None = None, *, progress: Progress = silent) -> Build:
        """Make a candidate version of all the workspace's sources that have been synced.

        Those that are `held` go into it as the live version has them; None: those that the brake or somebody holds.
        `progress` is told of the texts that are embedded for questions in other languages.
        """
        with self._stage("index", progress=progress) as (counts, report):
            if held is None:
                held = brake(self.workspace, run_id=self.run_id)
            composition = compose(self.workspace, held)
            corpus = gather(
                with_cross_language(self.workspace, composition.parts, partial(self._stage, "embed", progress=report)),
                first=composition.first,
                parameters=self._parameters(),
                near_duplicates=self.workspace.settings.documents.near_duplicates,
                may_be_empty=composition.may_be_empty,
            )
            embedders, versions = self.workspace.embedders, self.workspace.versions
            chunks, reference = corpus.chunks.height, self._reference(corpus)
            made = build(
                replace(
                    plant(corpus, embedders.of_space(corpus.spaces[0].model)),
                    reference=reference,
                    tokens=token_givers(self.workspace, corpus),
                ),
                versions,
                partitions=dict(composition.partitions),
                run_id=self.run_id,
                fit=partial(fitted, embedder_of=embedders.of_space),
            )
            counts |= {"chunks": chunks, "versions": int(made.new)}
            self.store.wrote(made.bytes_written)
        return made

    def _reference(self, corpus: Corpus) -> pl.DataFrame | None:
        """Return the texts that put the similarities of several models on one scale; None: their curves do."""
        cards = (card_of(space.model) for space in corpus.spaces)
        if all(card and card.relevance for card in cards):
            return None
        versions = self.workspace.versions
        live = versions.live_id()
        known = open_reference(versions.path(live)) if live and versions.is_sound(live) else None
        return reference_of(corpus.public, corpus.spaces, self.workspace.embedders.of_space, known)

    def _remembering(self, source_id: str) -> SuppressingSource:
        """Open a source without what was forgotten."""
        source = self.workspace.source(source_id)
        forgotten = self.workspace.suppression.rule().forgotten(self.workspace.settings.source(source_id))
        return SuppressingSource(source, forgotten)

    def sync_source(self, source_id: str) -> tuple[Scrape, Reading, Cut, Embedded]:
        """Bring one source through all its stages."""
        return self.fetch(source_id), self.extract(source_id), self.chunk(source_id), self.embed(source_id)

    def _parameters(self) -> dict[str, Any]:
        settings = self.workspace.settings
        return {
            "chunks": settings.chunks.model_dump(),
            "near_duplicates": settings.documents.near_duplicates,
            TOKENS: token_bits(self.workspace),
        }

    @contextmanager
    def _stage(
        self, stage: str, source_id: str | None = None, progress: Progress = silent
    ) -> Iterator[tuple[dict[str, int], Progress]]:
        """Keep other writers out of the source, tell who waits, and enter in the cost ledger what is counted here."""
        counts: dict[str, int] = {}
        start, written = time.perf_counter(), self.store.written
        with self.store.lock(source_id or stage), self.workspace.activity.running(stage, source_id, progress) as report:
            yield counts, report
        seconds = time.perf_counter() - start
        self.seconds[stage] = self.seconds.get(stage, 0.0) + seconds
        self.workspace.costs.record(
            run_id=self.run_id,
            source=source_id,
            stage=stage,
            seconds=round(seconds, 3),
            bytes_written=self.store.written - written,
            counts=counts,
        )
