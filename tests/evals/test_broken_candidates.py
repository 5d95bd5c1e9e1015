"""Broken on the way: chunker, extractor, model, source. It is refused or held with the reason, and never answers.

Everything is real: sources, model, the assets' sync, the gate. The defect is put where a careless change would put it.
"""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rag_platform.chunks import Chunker, Piece, chunker
from rag_platform.documents import raw_reader
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


def _stopped(home: Path, broken: Callable[[pytest.MonkeyPatch], None], **options: bool) -> SyncReport:
    """Sync with the defect, which those who answer do not have; what is live stays, and nobody sees a difference."""
    before, live = _answers(home), open_workspace(home).versions.live_id()
    with pytest.MonkeyPatch.context() as patch:
        broken(patch)
        ledger = sync(open_workspace(home), **options)
    assert ledger.errors == ()
    assert ledger.exit_code == 3
    assert not ledger.moved
    assert open_workspace(home).versions.live_id() == live
    assert _answers(home) == before
    return ledger


def _refused(home: Path, broken: Callable[[pytest.MonkeyPatch], None]) -> tuple[str, ...]:
    """Return why the version is refused as a whole: what broke is no single source's own doing."""
    ledger = _stopped(home, broken)
    assert not ledger.published and not ledger.held_sources
    assert ledger.version == _verdict(home, ledger)["version"] != open_workspace(home).versions.live_id()
    return ledger.refused.reasons


def _held(home: Path, source: str, broken: Callable[[pytest.MonkeyPatch], None], **options: bool) -> SyncReport:
    """Sync with the defect of one source: it alone is held as it is live, so that nothing new is left to publish."""
    ledger = _stopped(home, broken, **options)
    assert set(ledger.held_sources) == {source}
    assert ledger.version == open_workspace(home).versions.live_id()
    return ledger


def _verdict(home: Path, ledger: SyncReport) -> dict[str, Any]:
    """Return the verdict that is stored with the version that was refused."""
    verdict = open_workspace(home).versions.manifest(ledger.refused.version)["verdict"]
    assert (verdict["outcome"], verdict["reasons"]) == ("refused", list(ledger.refused.reasons))
    return verdict


def test_chunks_of_twenty_characters(home: Path) -> None:
    def split(self: Chunker, text: str, **_: object) -> list[Piece]:
        starts = [start for start in range(0, len(text), 20) if text[start : start + 20].strip()]
        pieces = [(start, min(start + 20, len(text))) for start in starts]
        return self._counted(
            [Piece(*span, text[slice(*span)], "", None, "", 0, span) for span in pieces], [""] * len(pieces)
        )

    def cut_small(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(chunker, "VERSION", "broken")
        patch.setattr(Chunker, "split", split)

    assert any(reason.startswith("nDCG@10 fell from ") for reason in _refused(home, cut_small))


@pytest.mark.parametrize(
    ("home", "brake"),
    [("human", True), ("human", False), ("synthetic", False)],
    indirect=["home"],
    ids=["stopped by the brake", "human", "synthetic"],
)
def test_an_extractor_that_keeps_only_navigation(home: Path, brake: bool) -> None:
    def navigation(tree: object, **_: object) -> tuple[str, tuple[str, ...]]:
        return "\n".join(tree.xpath("//nav//text()")), ()

    def here(_: Sandbox, content: bytes, boundary: str = "", **about: object) -> list[Part]:
        """Read in this process, where the defect is."""
        return [part for part in read_parts(content, **about) if isinstance(part, Part)]

    def keep_navigation(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(raw_reader, "VERSION", "broken")
        patch.setattr(html, "main_content", navigation)
        patch.setattr(Sandbox, "read", here)
        if not brake:
            patch.setenv("RAG_SYNC__MAX_CHANGED_SHARE", "1")

    def navigates(version: str) -> bool:
        texts = open_workspace(home).versions.open(version).documents()["text"].to_list()
        return any(NAVIGATION in " ".join(text.split()) for text in texts)

    ledger = _held(home, "pages", keep_navigation)
    hold = ledger.held_sources["pages"]
    assert not navigates(ledger.version)
    if brake:
        assert (hold.cause, ledger.refused) == ("change", None)  # no version is built with it
        assert "documents lost most of their text" in hold.why
        return
    assert (hold.cause, hold.version) == ("evaluation", ledger.refused.version)
    assert any(reason.startswith("nDCG@10 fell from ") for reason in ledger.refused.reasons)
    assert _verdict(home, ledger)["stale"] == {}  # the sources' bytes are the same: this is our own loss
    assert navigates(ledger.refused.version)


@pytest.mark.parametrize(
    ("home", "batch"),
    [("human", True), ("synthetic", True), ("synthetic", False)],
    indirect=["home"],
    ids=["human, among the texts", "synthetic, among the texts", "synthetic, within each vector"],
)
def test_a_model_with_shuffled_vectors(home: Path, batch: bool) -> None:
    embed, embed_both = OnnxEmbedder.embed_passages, OnnxEmbedder.embed_with_tokens

    def mixed(vectors: np.ndarray) -> np.ndarray:
        chance = np.random.default_rng(7)
        return vectors[chance.permutation(len(vectors))] if batch else vectors[:, chance.permutation(vectors.shape[1])]

    def shuffled(self: OnnxEmbedder, texts: list[str], *more: object) -> np.ndarray:
        return mixed(embed(self, texts, *more))

    def shuffled_with_tokens(self: OnnxEmbedder, texts: list[str], *more: object) -> tuple[np.ndarray, list[bytes]]:
        vectors, tokens = embed_both(self, texts, *more)
        return mixed(vectors), tokens

    def shuffle(patch: pytest.MonkeyPatch) -> None:
        patch.setattr(OnnxEmbedder, "embed_passages", shuffled)
        patch.setattr(OnnxEmbedder, "embed_with_tokens", shuffled_with_tokens)
        patch.setattr(OnnxEmbedder, "fingerprint", property(lambda self: "broken"), raising=False)
        patch.setattr(OnnxEmbedder, "__setattr__", _but_the_fingerprint)

    reasons = " ".join(_refused(home, shuffle))
    if batch:
        assert "vectors, sampled, are not those of their texts" in reasons
        assert "nDCG@10 fell from " in reasons
    else:  # scored anew without its model, the live version is found by words alone; what is lost is the answers
        assert "answered fell from " in reasons


def _but_the_fingerprint(self: object, name: str, value: object) -> None:
    if name != "fingerprint":
        object.__setattr__(self, name, value)


def _empty(home: Path) -> None:
    for path in (home / "notes").iterdir():
        path.unlink()


def test_a_source_with_an_empty_listing(home: Path) -> None:
    ledger = _held(home, "notes", lambda _: _empty(home), allow_mass_delete=True)
    hold, reasons = ledger.held_sources["notes"], ledger.refused.reasons
    assert (hold.cause, hold.version) == ("evaluation", _verdict(home, ledger)["version"])
    empty = "Source 'notes' is empty: the live version has 4 documents of it."
    assert hold.why.startswith(empty) and any(reason.startswith(empty) for reason in reasons)
    asked_by_people = (home / "questions" / "people.jsonl").exists()
    stale = [reason for reason in reasons if "cannot vouch for it" in reason]
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
