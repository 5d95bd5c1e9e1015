"""A workspace of real versions and a real search over a few documents of one chunk each."""

import json
from pathlib import Path
from types import SimpleNamespace

import polars as pl

from evals.candidate_evaluation import evaluate
from rag_platform.access import Access
from rag_platform.access.standing import standing
from rag_platform.config.settings import GateSettings, RetrievalSettings, Settings
from rag_platform.core.answers import Answer
from rag_platform.core.schemas import ACCESS, RAW
from rag_platform.index.build.builder import build
from rag_platform.index.releases.holds import Holds
from rag_platform.index.releases.versions import Versions
from rag_platform.monitoring.cost_ledger import CostLedger
from rag_platform.retrieval import Retriever
from rag_platform.sources.files.folder import FolderSource
from rag_platform.storage.tables import Store
from tests.index.corpora import LengthReranker, WordEmbedder, corpus


class SmallWorkspace:
    """Real versions and a real search; answers abstain."""

    def __init__(self, home: Path) -> None:
        self.settings = Settings(home=home, retrieval=RetrievalSettings(mode="lexical"), gate=GateSettings(synthetic=0))
        self.versions = Versions(home / "data" / "index")
        self.store = Store(home / "data")
        self.embedder = WordEmbedder()
        self.embedders = SimpleNamespace(of_space=lambda _: self.embedder, serve=lambda _: True)
        self.holds = Holds(home / "data" / "holds.sqlite")
        self.costs = CostLedger(home / "data" / "ledger.jsonl")

    @property
    def access(self) -> Access:
        """Who may read: whom the documents' tables name."""
        access = Access(self.settings, forgotten=(self.settings.home / "none", frozenset))
        access.rules.prepare()
        for source in self.store.sources("documents"):
            documents = self.store.read("documents", source).with_columns(pl.col("private").fill_null(value=False))
            own = dict(documents.select("raw_uri", "principals").iter_rows())
            self.store.write("access", source, standing(documents, own, pl.DataFrame(schema=ACCESS)))
        return access

    def retriever_of(self, version: str, _memo: object = None) -> Retriever:
        return Retriever(self.versions, WordEmbedder, LengthReranker, self.settings.retrieval).pinned(version)

    def evaluator_of(self, version: str, _memo: object = None, **_options: bool) -> SimpleNamespace:
        def ask(question: str, **_about: object) -> Answer:
            return Answer(question, "I do not know.", True, (), version, "none", "")

        return SimpleNamespace(ask=ask, retriever=self.retriever_of(version))

    def build(self, *documents: dict) -> str:
        return build(corpus(*documents), self.versions, partitions={}).version

    def publish(self, *documents: dict) -> str:
        version = self.build(*documents)
        assert evaluate(self, version).verdict.passed
        self.versions.promote(version, why="test")
        return version

    def has_raw(self, source: str, uri: str, sha256: str) -> None:
        """Let a source that is configured still have those bytes."""
        configured = FolderSource(id=source, kind="folder", path=Path())
        self.settings = self.settings.model_copy(update={"sources": (configured,)})
        row = {"uri": uri, "status": "ok", "sha256": sha256}
        self.store.write("raw", source, pl.DataFrame([row], schema=RAW))

    def questions(self, *rows: dict) -> None:
        path = self.settings.home / "questions" / "set.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
