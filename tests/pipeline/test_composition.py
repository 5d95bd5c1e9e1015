"""A version of the newest good state of each source: what is held answers in it as it does in the live one."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.index.releases.holds import Hold
from rag_platform.index.vectors.spaces import models_of
from rag_platform.pipeline.stages import Pipeline
from rag_platform.validation.changes import state_of
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of

SOURCES = ("desk", "news", "rules")
SENTENCES = (
    "The ferry runs from six in the morning until dusk.",
    "A gauge is calibrated every spring by two wardens.",
    "The boathouse closes at nine and keys go back to the warden.",
    "Herons nest in the reeds below the old mill from March on.",
    "Service unavailable.",
)


def open_three(home: Path, embedder: OnnxEmbedder, other: OnnxEmbedder | None = None, moved: str = "") -> Workspace:
    """Open a workspace of three folders; the source `moved` has the other model."""
    tables = [
        f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\nmin_words = 1'
        + ('\nmodel = "other"' if name == moved else "")
        for name in SOURCES
    ]
    (home / "rag.toml").write_text(
        "\n\n".join([*tables, '[models.other]\nname = "other"', "[chunks]\nsize = 16\noverlap = 0"])
    )
    workspace = open_workspace(home)
    workspace.embedder = embedder
    if other:
        workspace.embedders._opened[workspace.settings.models["other"]] = other
    return workspace


def write(workspace: Workspace, source: str, texts: dict[str, str]) -> None:
    folder = workspace.settings.home / source
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)


def stages(workspace: Workspace, *sources: str) -> Pipeline:
    pipeline = Pipeline(workspace)
    for source in sources:
        pipeline.fetch(source, allow_mass_delete=True)
        pipeline.extract(source)
        pipeline.chunk(source)
        pipeline.embed(source)
    return pipeline


def hold(workspace: Workspace, source: str, cause: str = "person") -> Hold:
    state = state_of(workspace.store.read("documents", source))
    return workspace.holds.hold(Hold(source, cause, "as given", datetime.now(UTC), state, who="ada"))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory, tiny_embedder: OnnxEmbedder) -> Path:
    home = tmp_path_factory.mktemp("published")
    (home / "rag.toml").write_text("")
    workspace = open_three(home, tiny_embedder)
    for place, source in enumerate(SOURCES):
        write(workspace, source, {"a.md": f"# A\n\n{SENTENCES[place]}", "b.md": f"# B\n\n{SENTENCES[place + 1]}"})
    workspace.versions.promote(stages(workspace, *SOURCES).build().version, why="test")
    return home


@pytest.fixture
def workspace(tmp_path: Path, published: Path, tiny_embedder: OnnxEmbedder) -> Workspace:
    return open_three(copy_of(published, tmp_path), tiny_embedder)


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
    fingerprint = models_of(opened.manifest)[source]["fingerprint"]
    index = next(space.index for space in opened.spaces if space.fingerprint == fingerprint)
    return index.rows(opened.catalog.chunks("key", source=source)["key"].to_numpy())


def test_a_held_source_stays_as_it_is_live_and_the_others_go_on(workspace: Workspace) -> None:
    live = workspace.versions.live_id()
    write(workspace, "desk", {"a.md": "Service unavailable.", "b.md": "Service unavailable."})
    write(workspace, "news", {"a.md": "# A\n\nThe weir was mended.", "b.md": "# B\n\nThe lock is shut."})
    pipeline = stages(workspace, "desk", "news")
    held = hold(workspace, "desk")
    made = pipeline.build().version
    opened = workspace.versions.open(made)
    assert opened.verify() == []
    assert same(workspace, "desk", made, live) and same(workspace, "rules", made, live)
    assert "weir" in texts(workspace, made, "news")[0]
    before = workspace.versions.manifest(live)["sources"]["desk"]
    assert opened.manifest["sources"]["desk"] == before | {
        "held": {"since": held.since.isoformat(), "cause": "person", "why": "as given"}
    }


def test_with_all_that_changed_held_nothing_is_new(workspace: Workspace) -> None:
    write(workspace, "desk", {"a.md": "Service unavailable."})
    pipeline = stages(workspace, "desk")
    hold(workspace, "desk")
    made = pipeline.build()
    assert (made.version, made.new) == (workspace.versions.live_id(), False)


def test_a_hold_that_has_ended_leaves_nothing_behind(workspace: Workspace) -> None:
    write(workspace, "desk", {"a.md": "# A\n\nThe weir was mended."})
    pipeline = stages(workspace, "desk")
    hold(workspace, "desk")
    pipeline.build()
    workspace.holds.end("desk", why="seen", who="ada")
    made = pipeline.build().version
    assert "weir" in texts(workspace, made, "desk")[0]
    assert "held" not in workspace.versions.manifest(made)["sources"]["desk"]


def test_a_source_that_was_never_published_is_left_out_while_it_is_held(tmp_path: Path, tiny_embedder) -> None:
    workspace = open_three(tmp_path, tiny_embedder)
    for source in SOURCES:
        write(workspace, source, {"a.md": f"# A\n\n{SENTENCES[0]} It is in {source}."})
    pipeline = stages(workspace, *SOURCES)
    hold(workspace, "desk")
    manifest = workspace.versions.manifest(pipeline.build().version)
    assert (manifest["counts"]["documents"], manifest["sources"]["desk"]["documents"]) == (2, 0)
    assert manifest["sources"]["desk"]["held"]["cause"] == "person"


def test_a_source_whose_stages_are_behind_does_not_stop_the_others(workspace: Workspace) -> None:
    live = workspace.versions.live_id()
    write(workspace, "desk", {"a.md": "# A\n\nThe weir was mended."})
    write(workspace, "news", {"a.md": "# A\n\nThe lock is shut."})
    pipeline = stages(workspace, "news")
    pipeline.fetch("desk", allow_mass_delete=True)
    pipeline.extract("desk")
    made = pipeline.build().version
    assert same(workspace, "desk", made, live) and "lock" in texts(workspace, made, "news")[0]
    assert "rag sync desk" in workspace.versions.manifest(made)["sources"]["desk"]["behind"]
    assert not workspace.holds.active()
    pipeline.chunk("desk")
    pipeline.embed("desk")
    assert "weir" in texts(workspace, pipeline.build().version, "desk")[0]


def test_a_held_source_keeps_the_model_that_it_is_live_with(
    workspace: Workspace, tiny_embedder, tiny_unigram_embedder
) -> None:
    live = workspace.versions.live_id()
    moved = open_three(workspace.settings.home, tiny_embedder, tiny_unigram_embedder, moved="news")
    write(moved, "rules", {"a.md": "# A\n\nThe lock is shut."})
    pipeline = stages(moved, "news", "rules")
    hold(moved, "news")
    made = pipeline.build().version
    assert same(moved, "news", made, live) and "spaces" not in moved.versions.manifest(made)
    moved.holds.end("news", why="seen", who="ada")
    both = pipeline.build().version
    assert len(moved.versions.manifest(both)["spaces"]) == 2
    moved.versions.promote(both, why="test")
    back = open_three(workspace.settings.home, tiny_embedder, tiny_unigram_embedder)
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
