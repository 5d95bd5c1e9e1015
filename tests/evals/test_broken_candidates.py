"""Broken on the way: chunker, extractor, model, source. Each version is built, refused with the reason, and not served.

Everything is real: sources, model, the assets' sync, the gate. The defect is put where a careless change would put it.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from rag_platform.chunks import Chunker, Piece, chunker
from rag_platform.documents import stage
from rag_platform.documents.extracted import Part
from rag_platform.documents.formats.web import html
from rag_platform.documents.reading.unpacking import read_parts
from rag_platform.documents.sandbox.pool import Sandbox
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.sync import SyncReport
from rag_platform.workspace import open_workspace
from tests.copies import copy_of
from tests.evals.river import ASKED, NAVIGATION, QUESTIONS, write_river
from tests.evals.syncing import sync

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Path:
    """Two workspaces, published once: one with questions of people, one that had to make its own."""
    homes = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAG_GATE__SYNTHETIC", "14")
        for name, questions in (("human", QUESTIONS), ("synthetic", ())):
            home = write_river(homes / name, questions)
            ledger = sync(open_workspace(home))
            assert ledger.exit_code == 0, ledger
            assert (home / "questions" / "synthetic.jsonl").exists() is not bool(questions)
    return homes


@pytest.fixture(params=["human", "synthetic"])
def home(request: pytest.FixtureRequest, published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAG_GATE__SYNTHETIC", "14")
    copy_of(published / request.param, tmp_path / "home")
    return tmp_path / "home"


def _answers(home: Path) -> bytes:
    """Return all that people get to see for some questions: the JSON of search and ask, without times and receipts."""
    workspace = open_workspace(home)
    documents = []
    for question in ASKED:
        found, answer = asdict(workspace.retriever.search(question)), asdict(workspace.answerer.ask(question))
        documents += [found, answer]
        for document in documents:
            for changing in ("took_ms", "receipt_id"):
                document.pop(changing, None)
    return json.dumps(documents, default=str, ensure_ascii=False).encode()


def _refused(home: Path, broken: Callable[[pytest.MonkeyPatch], None], **options: bool) -> SyncReport:
    """Sync with the defect, which those who answer do not have; it is refused, and nobody sees a difference."""
    before, live = _answers(home), open_workspace(home).versions.live_id()
    with pytest.MonkeyPatch.context() as patch:
        broken(patch)
        ledger = sync(open_workspace(home), **options)
    assert ledger.errors == ()
    assert ledger.exit_code == 3
    assert not ledger.published
    versions = open_workspace(home).versions
    assert versions.live_id() == live != ledger.version
    assert versions.manifest(ledger.version)["verdict"]["outcome"] == "refused"
    assert _answers(home) == before
    return ledger


def test_chunks_of_twenty_characters(home: Path) -> None:
    def split(self: Chunker, text: str, **_: object) -> list[Piece]:
        starts = [start for start in range(0, len(text), 20) if text[start : start + 20].strip()]
        pieces = [(start, min(start + 20, len(text))) for start in starts]
        return self._counted([Piece(*span, text[slice(*span)], "", None, "", 0) for span in pieces])

    def cut_small(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(chunker, "VERSION", "broken")
        patch.setattr(Chunker, "split", split)

    reasons = _refused(home, cut_small).gate["reasons"]
    assert any(reason.startswith("nDCG@10 fell from ") for reason in reasons)


def test_an_extractor_that_keeps_only_navigation(home: Path) -> None:
    def navigation(tree: object) -> tuple[str, tuple[str, ...]]:
        return "\n".join(tree.xpath("//nav//text()")), ()

    def here(_: Sandbox, content: bytes, boundary: str = "", **about: object) -> list[Part]:
        """Read in this process, where the defect is."""
        return [part for part in read_parts(content, **about) if isinstance(part, Part)]

    def keep_navigation(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(stage, "VERSION", "broken")
        patch.setattr(html, "main_content", navigation)
        patch.setattr(Sandbox, "read", here)

    ledger = _refused(home, keep_navigation)
    reasons = ledger.gate["reasons"]
    assert any(reason.startswith("nDCG@10 fell from ") for reason in reasons)
    assert ledger.gate["stale"] == {}  # the sources' bytes are the same: this is our own loss
    texts = open_workspace(home).versions.open(ledger.version).documents()["text"].to_list()
    assert any(NAVIGATION in " ".join(text.split()) for text in texts)


@pytest.mark.parametrize(
    ("home", "batch"),
    [("human", True), ("synthetic", True), ("synthetic", False)],
    indirect=["home"],
    ids=["human, among the texts", "synthetic, among the texts", "synthetic, within each vector"],
)
def test_a_model_with_shuffled_vectors(home: Path, batch: bool) -> None:
    embed = OnnxEmbedder.embed_passages

    def shuffled(self: OnnxEmbedder, texts: list[str], *more: object) -> np.ndarray:
        vectors, chance = embed(self, texts, *more), np.random.default_rng(7)
        return vectors[chance.permutation(len(vectors))] if batch else vectors[:, chance.permutation(self.dimension)]

    def shuffle(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(OnnxEmbedder, "embed_passages", shuffled)
        patch.setattr(OnnxEmbedder, "fingerprint", property(lambda self: "broken"), raising=False)
        patch.setattr(OnnxEmbedder, "__setattr__", _but_the_fingerprint)

    reasons = " ".join(_refused(home, shuffle).gate["reasons"])
    if batch:
        assert "vectors, sampled, are not those of their texts" in reasons
    assert "nDCG@10 fell from " in reasons


def _but_the_fingerprint(self: object, name: str, value: object) -> None:
    if name != "fingerprint":
        object.__setattr__(self, name, value)


def _empty(home: Path) -> None:
    for path in (home / "notes").iterdir():
        path.unlink()


def test_a_source_with_an_empty_listing(home: Path) -> None:
    ledger = _refused(home, lambda _: _empty(home), allow_mass_delete=True)
    empty = "Source 'notes' is empty: the live version has 4 documents of it."
    assert any(reason.startswith(empty) for reason in ledger.gate["reasons"])
    asked_by_people = (home / "questions" / "people.jsonl").exists()
    stale = [reason for reason in ledger.gate["reasons"] if "cannot vouch for it" in reason]
    assert bool(stale) is asked_by_people, "deleting what only synthetic questions rest on has the brake's leave"


@pytest.mark.parametrize("home", ["human"], indirect=True)
def test_an_empty_listing_stops_and_asks_and_changes_nothing(home: Path) -> None:
    before, versions = _answers(home), open_workspace(home).versions.ids()
    _empty(home)
    ledger = sync(open_workspace(home))
    assert ledger.exit_code == 1
    assert "--allow-mass-delete" in ledger.errors[0]
    assert open_workspace(home).versions.ids() == versions
    assert _answers(home) == before
