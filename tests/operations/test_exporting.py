"""What a version holds, as other programs read it: whole, within the asker's rights, and readable here again."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml
from typer.testing import CliRunner

from evals.benchmark.beir import load_folder
from rag_platform.cli import app as command_line
from rag_platform.config.source_kinds import Context, open_source, settings_of
from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.core.ports import Validators
from rag_platform.operations.exporting import exported_rows
from rag_platform.operations.exporting.export import everybody, export
from rag_platform.operations.exporting.exported_rows import ABOUT, Exported
from rag_platform.operations.exporting.layouts import writing
from rag_platform.pipeline.sync import sync
from rag_platform.workspace import open_workspace
from tests.pipeline.fixed_gate import FixedGate

PUBLIC = "# Ferry\n\nThe ferry runs from six until dusk. “Käpt'n” says so: a, b and c."
SECRET = "# Accounts\n\nThe amber account is closed on Friday."
QUESTIONS = [
    {"id": "ferry", "question": "When does the ferry run?",
     "relevant": [{"uri": "a.md", "quote": "from six until dusk"}]},
    {"id": "amber", "question": "When is the amber account closed?", "principal": "user:ilse",
     "relevant": [{"uri": "b.md", "quote": "closed on Friday"}]},
]  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_embedder):
    home = tmp_path_factory.mktemp("exported")
    for name, text, principals in (("open", PUBLIC, "*"), ("closed", SECRET, "user:ilse")):
        (home / name).mkdir()
        (home / name / ("a.md" if name == "open" else "b.md")).write_text(text)
        with (home / "rag.toml").open("a") as file:
            file.write(f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1\n')
            file.write(f'principals = ["{principals}"]\n')
    (home / "questions").mkdir()
    (home / "questions" / "own.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS))
    opened = open_workspace(home)
    opened.embedder = tiny_embedder
    assert sync(opened, gate=FixedGate(opened)).published
    return home


@pytest.fixture
def workspace(home):
    return open_workspace(home)


ILSE = Filters(principals=("user:ilse",))


def test_the_folder_in_which_one_works_is_filled(workspace, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert export(workspace, Path(), "beir", Filters()) == 1
    assert Path("corpus.jsonl").read_text().count("ferry") and not list(tmp_path.parent.glob(f".{tmp_path.name}-*"))
    with pytest.raises(SettingsError, match=f"{tmp_path} holds something already"):
        export(workspace, Path(), "beir", Filters())


@pytest.mark.parametrize("layout", ["markdown", "jsonl", "parquet", "hf", "beir"])
def test_nobody_takes_what_they_may_not_read(workspace, tmp_path, layout):
    for who, documents in ((Filters(), 1), (ILSE, 2)):
        folder = tmp_path / str(documents)
        assert export(workspace, folder, layout, who) == documents
        told = b"".join(path.read_bytes() for path in folder.rglob("*") if path.suffix in (".md", ".jsonl", ".tsv"))
        told += b"".join(str(pl.read_parquet(path).to_dicts()).encode() for path in folder.rglob("*.parquet"))
        assert (b"amber" in told) == (documents == 2)
        assert b"ferry" in told


def test_what_is_put_into_quarantine_is_not_taken_from_then_on(workspace, tmp_path):
    doc_ids = workspace.versions.live().catalog.documents(source="open")["doc_id"].to_list()
    workspace.access.rules.quarantine(dict.fromkeys(doc_ids, "open"), who="anna", why="to be seen first")
    try:
        assert export(workspace, tmp_path / "out", "jsonl", ILSE) == 1
        assert "ferry" not in (tmp_path / "out" / "passages.jsonl").read_text()
    finally:
        workspace.access.rules.release(doc_ids, who="anna")


def test_documents_of_one_title_are_files_of_their_own(tmp_path):
    known = dict.fromkeys(ABOUT) | {"uri": "u", "title": "𠀀" * 300, "source": "s", "tags": []}
    with writing("markdown", tmp_path, {}) as write:
        for last in "12":
            write(Exported({"id": f"0123456789abcde{last}", "text": last, **known}, ()))
    assert sorted(path.read_text()[-2] for path in (tmp_path / "s").iterdir()) == ["1", "2"]


def test_markdown_has_front_matter_that_our_own_reader_understands(workspace, tmp_path):
    export(workspace, tmp_path / "out", "markdown", Filters())
    (page,) = (tmp_path / "out").rglob("*.md")
    assert page.parent.name == "open"
    _, front, text = page.read_text(encoding="utf-8").split("---\n", 2)
    known = yaml.safe_load(front)
    assert (known["title"], known["source"], known["collection"]) == ("Ferry", "open", "default")
    document = workspace.versions.live().document(known["id"])
    assert text.strip() == document.text.strip()


def test_passages_and_vectors_are_those_of_the_version(workspace, tmp_path, monkeypatch):
    monkeypatch.setattr(exported_rows, "TOGETHER", 1)
    export(workspace, tmp_path / "out", "parquet", ILSE, vectors=True)
    version = workspace.versions.live()
    passages = pl.read_parquet(tmp_path / "out" / "passages.parquet")
    documents = version.catalog.documents("doc_id")["doc_id"].to_list()  # not the planted ones
    chunks = version.catalog.chunks("chunk_id", "doc_id", "key", "start", "text").sort("chunk_id")
    chunks = chunks.filter(pl.col("doc_id").is_in(documents))
    assert (
        passages.sort("id").select("id", "start_index", "text").rows()
        == chunks.select("chunk_id", "start", "text").rows()
    )
    stored = version.vectors.rows(chunks["key"].to_numpy())
    given = np.array(passages.sort("id")["vector"].to_list(), np.float32)
    assert np.array_equal(given, stored.astype(np.float32))
    assert set(passages["model"]) == {version.spaces[0].model["name"]}
    texts = dict(pl.read_parquet(tmp_path / "out" / "documents.parquet").select("id", "text").iter_rows())
    for row in passages.iter_rows(named=True):
        assert texts[row["document_id"]][row["start_index"] :].startswith(row["text"])


def test_hugging_face_loads_it_as_it_is(workspace, tmp_path, monkeypatch):
    datasets = pytest.importorskip("datasets")
    export(workspace, tmp_path / "hub", "hf", Filters(), vectors=True)
    cache = str(tmp_path / "cache")
    documents = datasets.load_dataset(str(tmp_path / "hub"), "documents", split="train", cache_dir=cache)
    assert documents[0]["title"] == "Ferry"
    passages = datasets.load_dataset(str(tmp_path / "hub"), "passages", split="train", cache_dir=cache)
    assert passages[0]["document_id"] == documents[0]["id"]
    assert len(passages[0]["vector"]) == workspace.versions.live().spaces[0].model["dimension"]


def test_beir_has_the_questions_of_those_who_take_it(home, tmp_path):
    asked = {}
    for who in ("user:ilse", "user:bo"):
        folder = tmp_path / who[-3:].strip(":")
        command = ["--home", str(home), "export", str(folder), "--format", "beir", "--as", who, "--json"]
        done = CliRunner().invoke(command_line, command)
        assert json.loads(done.output)["documents"] == (2 if who == "user:ilse" else 1)
        found = load_folder(folder)
        assert not found.problems
        asked[who] = {key: [found.documents[one].title for one in grades] for key, grades in found.qrels.items()}
    assert asked == {"user:ilse": {"ferry": ["Ferry"], "amber": ["Accounts"]}, "user:bo": {"ferry": ["Ferry"]}}


def test_what_was_exported_is_imported_again_to_the_letter(workspace, tmp_path):
    export(workspace, tmp_path / "out", "jsonl", ILSE)
    for name in ("documents", "passages"):
        table = {"id": "again", "kind": "store", "format": "jsonl", "place": f"out/{name}.jsonl"}
        source = open_source(settings_of(table), Context(tmp_path))
        texts = {
            item.metadata["title"]: source.fetch(item, Validators()).content.decode() for item in source.list().items
        }
        assert (
            texts["Ferry"].split()
            == workspace.versions.live()
            .catalog.texts(workspace.versions.live().catalog.documents("doc_id", source="open")["doc_id"].to_list())
            .popitem()[1]
            .split()
        )
        assert texts.keys() == {"Ferry", "Accounts"}


@pytest.mark.parametrize(("layout", "form"), [("jsonl", "jsonl"), ("parquet", "parquet"), ("hf", "parquet")])
def test_a_folder_of_documents_and_their_passages_is_imported_once(workspace, tmp_path, layout, form):
    export(workspace, tmp_path / "out", layout, ILSE)
    table = {"id": "again", "kind": "store", "format": form, "place": "out"}
    items = open_source(settings_of(table), Context(tmp_path)).list().items
    assert sorted(item.metadata["title"] for item in items) == ["Accounts", "Ferry"]
    assert all(len(item.content) > 40 for item in items)


@pytest.mark.parametrize(
    ("layout", "form"), [("jsonl", "jsonl"), ("parquet", "parquet"), ("hf", "parquet"), ("beir", "beir")]
)
def test_an_export_keeps_types_and_tags(tmp_path, layout, form):
    known = dict.fromkeys(ABOUT) | {"uri": "a.md", "title": "A", "source": "s", "type": "note", "tags": ["x", "y"]}
    (tmp_path / "out").mkdir()
    about = {"name": "out", "version": "v", "documents": 1, "vectors": False}
    with writing(layout, tmp_path / "out", about) as write:
        write(Exported({"id": "d", "text": "The ferry.", **known}, ()))
    table = {"id": "again", "kind": "store", "format": form, "place": "out"}
    (item,) = open_source(settings_of(table), Context(tmp_path)).list().items
    assert (item.metadata["type"], item.metadata["tags"]) == ("note", ["x", "y"])


def test_everything_is_what_anybody_may_read(workspace, tmp_path):
    version = workspace.versions.live()
    found = export(workspace, tmp_path / "all", "jsonl", Filters(principals=everybody(workspace, version)))
    assert found == 2


def test_the_audit_notes_it(workspace, tmp_path):
    export(workspace, tmp_path / "out", "jsonl", ILSE)
    event = workspace.audit.events()[0]
    assert (event.kind, event.shown["documents"], event.who["principals"]) == ("export", 2, ["user:ilse"])


def test_a_folder_that_holds_something_is_left_alone(workspace, tmp_path):
    (tmp_path / "out").mkdir()
    export(workspace, tmp_path / "out", "jsonl", Filters())
    with pytest.raises(SettingsError, match="holds something already"):
        export(workspace, tmp_path / "out", "jsonl", Filters())
    with pytest.raises(SettingsError, match="markdown has no place for vectors; use jsonl, parquet or hf"):
        export(workspace, tmp_path / "more", "markdown", Filters(), vectors=True)


def test_an_export_that_fails_leaves_nothing(workspace, tmp_path):
    def fail(*_):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        export(workspace, tmp_path / "out", "beir", Filters(), add_questions=fail)
    assert not [*tmp_path.iterdir()]
