"""How far each file has come, stage by stage; and a file that is forgotten leaves nothing behind."""

import pytest

from rag_platform.core.errors import VersionError
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.operations.status.upload_status import count_states, file_states
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace

TEXT = "# Tides\n\nThe Moon pulls at the sea, and therefore two high tides come on most days.\n"


@pytest.fixture
def workspace(tmp_path, embedder):
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "teaching"\nkind = "upload"\n')
    opened = open_workspace(tmp_path)
    opened.embedder = embedder
    collections = opened.collections()
    collections.create("Physics")
    collections.add("physics", "tides.md", [TEXT.encode()])
    collections.add("physics", "scan.png", [b"\x89PNG\r\n\x1a\n" + bytes(99)])
    collections.add("physics", "short.txt", [b"word"])
    return opened


def _states(workspace):
    return {one.file.name: one.state for one in file_states(workspace, workspace.collections(), "physics")}


def _publish(workspace):
    pipeline = Pipeline(workspace)
    pipeline.sync_source("teaching")
    workspace.versions.promote(pipeline.build().version, "test")


def test_a_file_is_followed_through_every_stage(workspace):
    pipeline, seen = Pipeline(workspace), []
    for stage in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
        seen.append(_states(workspace)["tides.md"])
        stage("teaching")
    seen.append(_states(workspace)["tides.md"])
    workspace.versions.promote(pipeline.build().version, "test")
    assert seen == ["uploaded", "fetched", "read", "chunked", "embedded"]
    assert _states(workspace) == {"tides.md": "live", "scan.png": "failed", "short.txt": "excluded"}
    states = file_states(workspace, workspace.collections(), "physics")
    assert count_states(states) == {"live": 1, "failed": 1, "excluded": 1}
    reasons = {one.file.name: one.reason for one in states}
    assert "image" in reasons["scan.png"] and "too short" in reasons["short.txt"] and reasons["tides.md"] is None


def test_an_edit_or_another_reader_makes_it_wait_again(workspace):
    _publish(workspace)
    workspace.collections().add("physics", "tides.md", [TEXT.encode() + b"And two low ones."])
    assert _states(workspace)["tides.md"] == "uploaded"
    _publish(workspace)
    assert _states(workspace)["tides.md"] == "live"
    workspace.collections().change("physics", principals=["group:students"])
    assert set(_states(workspace).values()) == {"uploaded"}
    _publish(workspace)
    assert workspace.retriever.search("tides").hits == ()


def test_the_same_text_stays_in_each_collection(workspace):
    workspace.collections().create("Sailing")
    workspace.collections().add("sailing", "tides.md", [TEXT.encode()])
    workspace.collections().add("sailing", "again.md", [TEXT.encode()])
    _publish(workspace)
    assert _states(workspace)["tides.md"] == "live"
    sailing = file_states(workspace, workspace.collections(), "sailing")
    assert {one.file.name: one.state for one in sailing} == {"again.md": "live", "tides.md": "excluded"}


def test_a_forgotten_file_is_gone_with_its_bytes_and_its_name(workspace):
    _publish(workspace)
    collections = workspace.collections()
    bytes_of_it = collections.path(collections.file("physics", "tides.md"))
    report = forget(workspace, recognise(workspace, "teaching/physics/tides.md"))
    assert report["proven"], report["proof"]
    assert report["removed"]["uploads"] == 1 and not bytes_of_it.exists()
    assert "tides.md" not in _states(workspace)
    stored = b"".join(path.read_bytes() for path in collections.folder.glob("collections.sqlite*"))
    assert b"tides.md" not in stored
    collections.add("physics", "tides.md", [TEXT.encode()])
    assert _states(workspace)["tides.md"] == "forgotten"


def test_what_people_took_out_is_not_found_though_nothing_is_left(workspace, tmp_path):
    from evals.candidate_evaluation import evaluate

    with (tmp_path / "rag.toml").open("a") as file:
        file.write('[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\n')
    (tmp_path / "notes").mkdir()
    both = open_workspace(tmp_path)
    both.embedder = workspace.embedder
    pipeline, find = Pipeline(both), lambda: [hit.uri for hit in both.retriever.search("tides on most days", k=3).hits]
    pipeline.sync_source("notes")  # which never had anything
    _publish(both)
    assert find()
    both.collections().delete("physics", who="ilse")
    pipeline.sync_source("teaching")
    version = pipeline.build().version
    assert both.versions.open(version).verify() == []
    assert evaluate(both, version).verdict.passed
    both.versions.promote(version, "test")
    assert find() == []
    both.collections().create("Sea")
    both.collections().add("sea", "tides.md", [TEXT.encode()])
    _publish(both)
    assert find() == ["teaching/sea/tides.md"]


def test_what_a_source_lost_by_itself_is_no_reason_for_an_empty_version(workspace, tmp_path):
    (tmp_path / "rag.toml").write_text('[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\n')
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("A note about the tides, with enough words to be kept.")
    alone = open_workspace(tmp_path)
    alone.embedder = workspace.embedder
    pipeline = Pipeline(alone)
    pipeline.sync_source("notes")
    pipeline.build()
    (tmp_path / "notes" / "a.md").unlink()
    pipeline.fetch("notes", allow_mass_delete=True)
    for stage in (pipeline.extract, pipeline.chunk, pipeline.embed):
        stage("notes")
    with pytest.raises(VersionError, match="nothing to build"):
        pipeline.build()


def test_a_collection_that_a_person_emptied_does_not_count_as_a_source_gone_wrong(workspace, tmp_path):
    from evals.measures.integrity import emptied_sources

    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "teaching"\nkind = "upload"\n[[sources]]\nid = "notes"\nkind = "folder"\npath = "notes"\n'
    )
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("A note that stays, with enough words to be kept.")
    both = open_workspace(tmp_path)
    both.embedder = workspace.embedder
    pipeline = Pipeline(both)
    for source in ("teaching", "notes"):
        pipeline.sync_source(source)
    before = both.versions.manifest(pipeline.build().version)
    both.collections().delete("physics", who="ilse")
    pipeline.sync_source("teaching")
    after = both.versions.manifest(pipeline.build().version)
    assert after["sources"]["teaching"]["documents"] == 0
    assert list(emptied_sources(after, before)) == []
    assert list(emptied_sources({"sources": {"teaching": {"documents": 0}}}, before))
