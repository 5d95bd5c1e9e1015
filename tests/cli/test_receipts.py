"""`rag receipt` and `rag impact` over a real workspace: from an answer to the bytes, and back."""

import hashlib
import sqlite3
from pathlib import Path

import pytest

from rag_platform.index.build.redaction import redact
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of
from tests.test_command_line import rag, rag_json

pytestmark = pytest.mark.slow

PAGES = {
    "gauges.md": "# River gauges\n\nA gauge is calibrated every spring by two wardens.\n",
    "ferries.md": "# Ferries\n\nThe ferry at Alder Lock runs from six in the morning until dusk, except in floods.\n",
}
RAG_TOML = """
[[sources]]
id = "river"
kind = "folder"
path = "files"
half_life_days = 30
"""
QUESTION = "How often is a gauge calibrated?"


def _publish(home: Path) -> Workspace:
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace, run_id="run-1")
    pipeline.sync_source("river")
    workspace.versions.promote(pipeline.build().version, why="test")
    return workspace


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> tuple[Path, str]:
    """A workspace with one answer, and its receipt's id."""
    home = tmp_path_factory.mktemp("workspace")
    (home / "rag.toml").write_text(RAG_TOML)
    (home / "files").mkdir()
    for name, text in PAGES.items():
        (home / "files" / name).write_text(text)
    (home / "questions").mkdir()
    (home / "questions" / "own.jsonl").write_text(
        '{"id": "g", "question": "Who calibrates?", "relevant": [{"uri": "gauges.md", "quote": "by two wardens"}]}\n'
        '{"id": "x", "question": "Who sings?", "relevant": [{"uri": "gauges.md", "quote": "a choir of otters"}]}\n'
    )
    _publish(home)
    return home, rag_json(home, "ask", QUESTION, "-k", "2")["receipt_id"]


@pytest.fixture
def home(answered: tuple[Path, str], tmp_path: Path) -> Path:
    return copy_of(answered[0], tmp_path / "workspace")


def test_a_receipt_leads_to_the_bytes_and_the_run(answered) -> None:
    home, receipt_id = answered
    shown = rag_json(home, "receipt", "show", receipt_id[:9])
    assert (shown["question"], shown["k"], shown["settings"]["half_lives"]) == (QUESTION, 2, {"river": 30})
    citation = shown["citations"][0]
    content = (home / "files" / "gauges.md").read_bytes()
    assert citation["raw_sha256"] == hashlib.sha256(content).hexdigest()
    workspace = open_workspace(home)
    assert workspace.store.blobs.get(citation["raw_sha256"]) == content
    document = workspace.versions.open(shown["version"]).document(citation["doc_id"])
    assert document.text[slice(*citation["span"])] == citation["quote"]
    assert (citation["revision"], citation["run_id"]) == (document.revision, "run-1")
    printed = rag(home, "receipt", "show", receipt_id)
    for said in (QUESTION, shown["version"], citation["quote"], citation["raw_sha256"], document.revision, "run-1"):
        assert said in printed
    assert [row["id"] for row in rag_json(home, "receipt", "list", "--uri", "ferries.md")] == [receipt_id]
    assert "no receipt" in rag(home, "receipt", "show", "zz", code=1)


def test_a_replay_is_identical_though_the_live_version_and_the_settings_are_others(home, answered) -> None:
    receipt_id = answered[1]
    (home / "rag.toml").write_text(
        RAG_TOML.replace("30", "1") + "\n[retrieval]\nmode = 'lexical'\nlexical_weight = 0.9\n"
    )
    (home / "files" / "gauges.md").write_text("# River gauges\n\nNobody knows how often a gauge is calibrated.\n")
    live = _publish(home).versions.live_id()
    made = rag_json(home, "receipt", "replay", receipt_id)
    assert made["identical"], made
    assert made["version"] != live
    assert rag(home, "receipt", "replay", receipt_id).startswith("identical")
    assert len(rag_json(home, "receipt", "list")) == 1  # a replay leaves no receipt


def test_a_replay_tells_what_differs_and_why(home, answered) -> None:
    receipt_id = answered[1]
    with sqlite3.connect(home / "data" / "app.sqlite") as connection:
        connection.execute("update receipts set answer = 'Never.', prompt_hash = 'x'")
    connection.close()
    made = rag_json(home, "receipt", "replay", receipt_id, code=1)
    assert made["differences"] == ["The prompt is another one.", "The answer reads differently."]
    assert made["causes"] == []


def test_a_replay_says_when_its_version_was_redacted_or_removed(home, answered) -> None:
    receipt_id = answered[1]
    workspace = open_workspace(home)
    gauges = rag_json(home, "impact", "gauges.md")["doc_id"]
    old = workspace.versions.live_id()
    redact(workspace.versions, {gauges}, why="test", scrub=lambda evaluation: evaluation)
    made = rag_json(home, "receipt", "replay", receipt_id, code=1)
    assert made["version"] == workspace.versions.live_id() != old
    assert f"Documents of version {old} were forgotten" in made["causes"][0]
    workspace.versions.remove(workspace.versions.live_id())
    made = rag_json(home, "receipt", "replay", receipt_id, code=1)
    assert made["answer"] is None
    assert f"there is no version '{old}'" in made["causes"][0]


def test_impact_names_chunks_questions_and_answers(answered) -> None:
    home, receipt_id = answered
    found = rag_json(home, "impact", "gauges.md")
    live = open_workspace(home).versions.live()
    assert [chunk["chunk_id"] for chunk in found["chunks"]] == [
        row["chunk_id"] for row in live.catalog.chunks().iter_rows(named=True) if row["doc_id"] == found["doc_id"]
    ]
    assert [(one["version"], one["live"]) for one in found["versions"]] == [(live.id, True)]
    assert [(one["id"], one["found"]) for one in found["questions"]] == [("g", True), ("x", False)]
    assert [(one["receipt_id"], one["cited"]) for one in found["answers"]] == [(receipt_id, True)]
    (seen,) = rag_json(home, "impact", "ferries.md")["answers"]
    assert not seen["cited"]
    assert "cites it" in rag(home, "impact", found["doc_id"])
    assert "no document has the address" in rag(home, "impact", "nowhere.md", code=1)
