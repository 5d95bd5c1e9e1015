"""Source to candidate version, stage by stage.

Each stage is a pure function of the stage before it; what it made last time only saves work. Each replaces its table
in one atomic step, so a run that dies anywhere leaves what was there, and the next one goes on.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from rag_platform.chunks import split_documents
from rag_platform.documents.reading import Reading, read_documents
from rag_platform.embeddings import Embedding, embed_chunks
from rag_platform.index.building import Build, build, gather
from rag_platform.parts import Workspace
from rag_platform.ports import Progress, silent
from rag_platform.records import embeddings_schema
from rag_platform.scraping import Scrape, Tally, plan, scrape


@dataclass(frozen=True, slots=True)
class Cut:
    """What came of cutting a source's documents."""

    table: pl.DataFrame
    new: int
    """Chunks that were not there before."""
    removed: int


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
        return plan(self.workspace.source(source_id).list(), self.store.read("raw", source_id))

    def fetch(self, source_id: str, *, allow_mass_delete: bool = False, progress: Progress = silent) -> Scrape:
        """Bring the source's raw bytes up to date."""
        with self._stage("fetch", source_id):
            result = scrape(
                self.workspace.source(source_id),
                self.store.read("raw", source_id),
                self.store.blobs,
                source_id=source_id,
                now=datetime.now(UTC),
                run_id=self.run_id,
                max_deleted_share=self.workspace.settings.sync.max_deleted_share,
                allow_mass_delete=allow_mass_delete,
                progress=progress,
                checkpoint=lambda table: self.store.write("raw", source_id, table),
            )
            self.store.write("raw", source_id, result.table)
        return result

    def extract(self, source_id: str, *, progress: Progress = silent) -> Reading:
        """Turn the source's raw bytes into documents."""
        with self._stage("extract", source_id):
            result = read_documents(
                self.store.read("raw", source_id),
                self.store.read("documents", source_id),
                self.store.blobs,
                self.workspace.settings.source(source_id),
                progress=progress,
            )
            self.store.write("documents", source_id, result.table)
        return result

    def chunk(self, source_id: str, *, progress: Progress = silent) -> Cut:
        """Cut the source's documents into chunks."""
        with self._stage("chunk", source_id):
            documents = self.store.read("documents", source_id)
            before = self.store.read("chunks", source_id)
            table = split_documents(documents, before, self.workspace.chunker, progress=progress)
            self.store.write("chunks", source_id, table)
        then, now = set(before["chunk_id"]), set(table["chunk_id"])
        return Cut(table, new=len(now - then), removed=len(then - now))

    def embed(self, source_id: str, *, progress: Progress = silent) -> Embedding:
        """Give each of the source's chunks its vector."""
        with self._stage("embed", source_id):
            embedder = self.workspace.embedder
            stage = f"embeddings/{embedder.fingerprint}"
            result = embed_chunks(
                self.store.read("chunks", source_id),
                self.store.read(stage, source_id, embeddings_schema(embedder.dimension)),
                embedder,
                progress=progress,
                checkpoint=lambda table: self.store.write(stage, source_id, table),
            )
            self.store.write(stage, source_id, result.table)
        return result

    def build(self) -> Build:
        """Make a candidate version of all the workspace's sources that have been synced."""
        with self._stage("index", "index"):
            configured = {source.id for source in self.workspace.settings.sources}
            sources = [source for source in self.store.sources("chunks") if source in configured]
            corpus = gather(self.store, sources, model=self._model(), parameters=self._parameters())
            partitions = {source: self._partition(source, corpus.documents, corpus.chunks) for source in sources}
            return build(corpus, self.workspace.versions, partitions=partitions, run_id=self.run_id)

    def sync_source(self, source_id: str) -> tuple[Scrape, Reading, Cut, Embedding]:
        """Bring one source through all its stages."""
        return self.fetch(source_id), self.extract(source_id), self.chunk(source_id), self.embed(source_id)

    def _model(self) -> dict:
        embedder, model = self.workspace.embedder, self.workspace.settings.model
        return {
            "name": model.name,
            "precision": model.precision,
            "fingerprint": embedder.fingerprint,
            "dimension": embedder.dimension,
        }

    def _parameters(self) -> dict:
        return {"chunks": self.workspace.settings.chunks.model_dump()}

    def _partition(self, source_id: str, documents: pl.DataFrame, chunks: pl.DataFrame) -> dict:
        raw = self.store.read("raw", source_id)
        synced = raw["last_seen"].max()
        return {
            "documents": documents.filter(pl.col("source") == source_id).height,
            "chunks": chunks.filter(pl.col("source") == source_id).height,
            "last_seen": synced.isoformat() if synced else None,
            "runs": sorted(raw["run_id"].drop_nulls().unique()),
        }

    @contextmanager
    def _stage(self, stage: str, lock: str) -> Iterator[None]:
        """Time a stage and keep other writers out of the source."""
        start = time.perf_counter()
        with self.store.lock(lock):
            yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start
