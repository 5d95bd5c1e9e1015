"""A version of the newest good state of each source: what is held answers in it as it does in the live one."""

from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.build import segment_plan
from rag_platform.index.vectors.spaces import models_of
from rag_platform.storage.kept.vector_tables import VectorTable
from rag_platform.workspace import Workspace
from tests.copies import copy_of
from tests.pipeline.three_sources import SENTENCES, SOURCES, hold, open_three, stages, write


def texts(workspace: Workspace, version: str, source: str) -> list[str]:
    return workspace.versions.open(version).catalog.documents(source=source)["text"].to_list()


def same(workspace: Workspace, source: str, *versions: str) -> bool:
    """Tell whether a source's documents, chunks and vectors are the same in two versions."""
    catalogs = [workspace.versions.open(version).catalog for version in versions]
    one, two = (catalog.documents(source=source).drop("near", "signature") for catalog in catalogs)
    chunks = [catalog.chunks(source=source) for catalog in catalogs]
    found = [vectors(workspace, version, source) for version in versions]
    return one.equals(two) and chunks[0].equals(chunks[1]) and np.array_equal(*found)


def vectors(workspace: Workspace, version: str, source: str) -> np.ndarray:
    opened = workspace.versions.open(version)
    (model,) = models_of(opened.manifest)[source]
    index = next(space.index for space in opened.spaces if space.model == model)
    return index.rows(opened.catalog.chunks("key", source=source)["key"].to_numpy())


def test_a_held_source_stays_as_it_is_live_and_the_others_go_on(three: Workspace) -> None:
    live = three.versions.live_id()
    write(three, "desk", {"a.md": "Service unavailable.", "b.md": "Service unavailable."})
    write(three, "news", {"a.md": "# A\n\nThe weir was mended.", "b.md": "# B\n\nThe lock is shut."})
    pipeline = stages(three, "desk", "news")
    held = hold(three, "desk")
    made = pipeline.build().version
    opened = three.versions.open(made)
    assert opened.verify() == []
    assert same(three, "desk", made, live) and same(three, "rules", made, live)
    assert "weir" in texts(three, made, "news")[0]
    before = three.versions.manifest(live)["sources"]["desk"]
    assert opened.manifest["sources"]["desk"] == before | {
        "held": {"since": held.since.isoformat(), "cause": "person", "why": "as given"}
    }


def test_a_build_after_an_edit_reads_the_vectors_of_the_edited_document_alone(three: Workspace, monkeypatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)
    write(three, "rules", {"a.md": f"# A\n\n{SENTENCES[2]}", "b.md": "# B\n\nThe weir was mended."})
    pipeline, asked, read = stages(three, "rules"), [], VectorTable.read
    monkeypatch.setattr(VectorTable, "read", lambda table, of=None: asked.append(of.to_list()) or read(table, of))
    opened = three.versions.open(pipeline.build().version)
    edited = opened.catalog.documents(source="rules").filter(uri="rules/b.md")["doc_id"].item()
    assert asked == [opened.catalog.chunks(source="rules").filter(doc_id=edited).sort("key")["text_hash"].to_list()]
    assert opened.verify() == []


def test_with_all_that_changed_held_nothing_is_new(three: Workspace) -> None:
    write(three, "desk", {"a.md": "Service unavailable."})
    pipeline = stages(three, "desk")
    hold(three, "desk")
    made = pipeline.build()
    assert (made.version, made.new) == (three.versions.live_id(), False)


def test_a_hold_that_has_ended_leaves_nothing_behind(three: Workspace) -> None:
    write(three, "desk", {"a.md": "# A\n\nThe weir was mended."})
    pipeline = stages(three, "desk")
    hold(three, "desk")
    pipeline.build()
    three.holds.end("desk", why="seen", who="ada")
    made = pipeline.build().version
    assert "weir" in texts(three, made, "desk")[0]
    assert "held" not in three.versions.manifest(made)["sources"]["desk"]


def test_a_source_that_was_never_published_is_left_out_while_it_is_held(tmp_path: Path, tiny_embedder) -> None:
    workspace = open_three(tmp_path, tiny_embedder)
    for source in SOURCES:
        write(workspace, source, {"a.md": f"# A\n\n{SENTENCES[0]} It is in {source}."})
    pipeline = stages(workspace, *SOURCES)
    hold(workspace, "desk")
    manifest = workspace.versions.manifest(pipeline.build().version)
    assert (manifest["counts"]["documents"], manifest["sources"]["desk"]["documents"]) == (2, 0)
    assert manifest["sources"]["desk"]["held"]["cause"] == "person"


def test_a_source_whose_stages_are_behind_does_not_stop_the_others(three: Workspace) -> None:
    live = three.versions.live_id()
    write(three, "desk", {"a.md": "# A\n\nThe weir was mended."})
    write(three, "news", {"a.md": "# A\n\nThe lock is shut."})
    pipeline = stages(three, "news")
    pipeline.fetch("desk", allow_mass_delete=True)
    pipeline.extract("desk")
    made = pipeline.build().version
    assert same(three, "desk", made, live) and "lock" in texts(three, made, "news")[0]
    assert "rag sync desk" in three.versions.manifest(made)["sources"]["desk"]["behind"]
    assert not three.holds.active()
    pipeline.chunk("desk")
    pipeline.embed("desk")
    assert "weir" in texts(three, pipeline.build().version, "desk")[0]


def test_a_held_source_keeps_the_model_that_it_is_live_with(
    three: Workspace, tiny_embedder, tiny_unigram_embedder
) -> None:
    live = three.versions.live_id()
    moved = open_three(three.settings.home, tiny_embedder, tiny_unigram_embedder, moved="news")
    write(moved, "rules", {"a.md": "# A\n\nThe lock is shut."})
    pipeline = stages(moved, "news", "rules")
    hold(moved, "news")
    made = pipeline.build().version
    assert same(moved, "news", made, live) and "spaces" not in moved.versions.manifest(made)
    moved.holds.end("news", why="seen", who="ada")
    both = pipeline.build().version
    assert len(moved.versions.manifest(both)["spaces"]) == 2
    moved.versions.promote(both, why="test")
    back = open_three(three.settings.home, tiny_embedder, tiny_unigram_embedder)
    hold(back, "news")
    made = stages(back, "news").build().version
    assert same(back, "news", made, both) and back.versions.open(made).verify() == []


_documents = st.dictionaries(
    st.sampled_from(("a.md", "b.md", "c.md")),
    st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map("\n\n".join),
    min_size=1,
)


@settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    edits=st.dictionaries(st.sampled_from(SOURCES), _documents, min_size=1),
    held=st.sets(st.sampled_from(SOURCES)),
)
def test_whatever_changes_what_is_held_answers_as_it_is_live(
    tmp_path_factory, published: Path, tiny_embedder: OnnxEmbedder, edits: dict, held: set
) -> None:
    workspace = open_three(copy_of(published, tmp_path_factory.mktemp("edited")), tiny_embedder)
    live = workspace.versions.live_id()
    for source, documents in edits.items():
        write(workspace, source, documents)
    pipeline = stages(workspace, *edits)
    newest = pipeline.build({}).version
    made = pipeline.build({source: hold(workspace, source) for source in held}).version
    opened = workspace.versions.open(made)
    assert opened.verify() == []
    for source in SOURCES:
        assert same(workspace, source, made, live if source in held else newest)
    if held >= edits.keys():
        assert made == live
