"""For any history of edits, what was brought up to date step by step equals what is built from nothing."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from rag_platform.embeddings.onnx_embedder import OnnxEmbedder
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of

SOURCES = ("notes", "rules")
NAMES = ("a.md", "c.txt", "sub/d.md", "day1.md", "day2.md", "day3.md")
SENTENCES = (
    "The ferry runs from six in the morning until dusk.",
    "A gauge is calibrated every spring by two wardens.",
    "# Floods",
    "Herons nest in the reeds below the old mill from March on.",
    "The boathouse closes at nine and keys go back to the warden.",
    "## Signals",
    "A red lamp at the weir means that the lock is shut.",
)
STEADY = 24
"""Documents that stay as they are."""
QUESTIONS = ("When does the ferry run?", "red lamp weir", "herons nest in the reeds")

_files = st.tuples(st.sampled_from(SOURCES), st.sampled_from(NAMES))
_texts = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=6).map("\n\n".join)
_steps = st.one_of(
    st.tuples(st.just("write"), _files, _texts),
    st.tuples(st.just("move"), _files, _files),
    st.tuples(st.just("delete"), _files, st.none()),
    *[st.tuples(st.just("sync"), st.none(), st.none())] * 2,
)


def _workspace(home: Path, embedder: OnnxEmbedder, other: OnnxEmbedder, moved: tuple[str, ...]) -> Workspace:
    """Open the workspace; the sources `moved` have the other model."""
    tables = [
        f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\ncollection = "{name}"'
        + ('\nmodel = "other"' if name in moved else "")
        for name in SOURCES
    ]
    common = '[models.other]\nname = "other"\n\n[chunks]\nsize = 200\noverlap = 20'
    (home / "rag.toml").write_text("\n\n".join([*tables, common]))
    for name in SOURCES:
        (home / name / "sub").mkdir(parents=True, exist_ok=True)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    workspace.embedders._opened[workspace.settings.models["other"]] = other
    return workspace


def _apply(home: Path, step: tuple) -> None:
    action, place, argument = step
    path = home.joinpath(*place)
    if action == "write":
        path.write_text(argument)
    elif action == "delete":
        path.unlink(missing_ok=True)
    elif path.exists():
        path.rename(home.joinpath(*argument))


def _sync(workspace: Workspace) -> str:
    pipeline = Pipeline(workspace)
    for source in SOURCES:
        pipeline.fetch(source, allow_mass_delete=True)
        pipeline.extract(source, allow_mass_change=True)  # what the brake holds is not what a rebuild reads
        pipeline.chunk(source)
        pipeline.embed(source)
    version = pipeline.build().version
    workspace.versions.promote(version, why="test")
    return version


def _state(workspace: Workspace, version: str) -> tuple:
    """Return all that a reader can see: documents, chunks, and the hits of each mode."""
    opened = workspace.versions.open(version)
    assert opened.verify() == []
    documents = opened.documents().select("doc_id", "uri", "source", "text", "title", "raw_sha256", "near").rows()
    chunks = opened.catalog.chunks().select("chunk_id", "doc_id", "start", "end", "text", "section").rows()
    hits = [
        [(hit.chunk_id, pytest.approx(hit.score, abs=1e-5)) for hit in workspace.retriever.search(q, mode=mode).hits]
        for q in QUESTIONS
        for mode in ("lexical", "vector", "rerank")
    ]
    return documents, chunks, hits, opened.manifest["content"]


@pytest.fixture(scope="module")
def begun(
    tmp_path_factory, tiny_embedder: OnnxEmbedder, tiny_unigram_embedder: OnnxEmbedder
) -> Callable[[tuple], Path]:
    """Make, once for each choice of models, a workspace in which the steady documents were synced."""

    @cache
    def begun_with(moved: tuple) -> Path:
        home = tmp_path_factory.mktemp("begun")
        workspace = _workspace(home, tiny_embedder, tiny_unigram_embedder, moved)
        for number in range(STEADY):  # so that an edit is a small part, and versions are made from their parents
            text = f"# Day {number}\n\n{SENTENCES[number % 7]}\n\nEntry {number}: {SENTENCES[number * 3 % 7]}\n"
            (home / "notes" / f"day{number}.md").write_text(text)
        _sync(workspace)
        return home

    return begun_with


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(_steps, min_size=2, max_size=14), moved=st.sampled_from([(), ("rules",), ("notes",)]))
def test_incremental_equals_rebuild(
    tmp_path_factory,
    begun: Callable[[tuple], Path],
    tiny_embedder: OnnxEmbedder,
    tiny_unigram_embedder: OnnxEmbedder,
    steps: list[tuple],
    moved: tuple,
) -> None:
    home = copy_of(begun(moved), tmp_path_factory.mktemp("incremental"))
    models = (tiny_embedder, tiny_unigram_embedder, moved)
    workspace = _workspace(home, *models)
    for step in steps:
        if step[0] == "sync":
            _sync(workspace)
        else:
            _apply(home, step)
    grown = _state(workspace, _sync(workspace))
    event(f"{len(workspace.versions.live().manifest['segments'])} segments")
    shutil.rmtree(home / "data")
    rebuilt = _workspace(home, *models)
    rebuilt_version = _sync(rebuilt)
    assert grown == _state(rebuilt, rebuilt_version)
    shutil.rmtree(home)
