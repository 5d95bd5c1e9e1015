"""A model for each source: several vector spaces in one version, and the way from one model to the next."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from evals.candidate_evaluation import evaluate
from evals.commands.question_changes import question_changes
from rag_platform.core.hits import Filters
from rag_platform.index.build import segment_plan
from rag_platform.index.build.builder import build
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.version_diff import difference
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors.spaces import NEUTRAL, Space, reference_of
from rag_platform.pipeline.stages import Pipeline
from rag_platform.retrieval.search.similarity import Similarity
from rag_platform.workspace import Workspace, open_workspace
from tests.index.corpora import corpus, document

SOURCES = ("notes", "rules")
TEXTS = {
    "notes": [f"The ferry of day {number} runs from {number} in the morning until dusk." for number in range(6)],
    "rules": [f"Rule {number}: a red lamp at weir {number} means that the lock is shut." for number in range(6)],
}


@pytest.fixture(scope="module")
def models(tmp_path_factory, tiny_model_folder, tiny_unigram_folder):
    """Describe two models in the settings; their graphs are written once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAG_MODEL_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield (
            f'[model]\nname = "letters"\nfolder = "{tiny_model_folder}"\nthreads = 1\n'
            f'[models.new]\nname = "unigram"\nfolder = "{tiny_unigram_folder}"\nthreads = 1\n'
            "[chunks]\nsize = 200\noverlap = 20\n"
        )


def _configure(home: Path, models: str, *moved: str, to: str = "new") -> Workspace:
    tables = [
        f'[[sources]]\nid = "{name}"\nkind = "folder"\npath = "{name}"\n'
        + (f'model = "{to}"\n' if name in moved else "")
        for name in SOURCES
    ]
    (home / "rag.toml").write_text("\n".join([*tables, models]))
    return open_workspace(home)


@pytest.fixture
def versions(tmp_path) -> Versions:
    return Versions(tmp_path / "index")


@pytest.fixture
def home(tmp_path) -> Path:
    for name, texts in TEXTS.items():
        (tmp_path / name).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / name / f"{number}.md").write_text(text)
    return tmp_path


def _sync(workspace: Workspace, *sources: str) -> tuple[str, dict[str, int]]:
    pipeline = Pipeline(workspace)
    embedded = {source: pipeline.sync_source(source)[-1].embedded for source in sources or SOURCES}
    version = pipeline.build().version
    return version, embedded


def _publish(workspace: Workspace, *sources: str) -> str:
    version, _ = _sync(workspace, *sources)
    workspace.versions.promote(version, why="test")
    return version


def _ask_for(home: Path, *names: str) -> None:
    """Write questions that are the texts of these sources themselves."""
    rows = [
        {"id": f"{name}{number}", "question": text, "relevant": [{"uri": f"{name}/{number}.md", "quote": text}]}
        for name in names
        for number, text in enumerate(TEXTS[name])
    ]
    (home / "questions").mkdir()
    (home / "questions" / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_source_is_moved_alone_compared_then_widened(home, models) -> None:
    _ask_for(home, *SOURCES)
    workspace = _configure(home, models)
    first, _ = _sync(workspace)
    assert evaluate(workspace, first).verdict.passed
    workspace.versions.promote(first, why="test")

    workspace = _configure(home, models, "notes")
    second, embedded = _sync(workspace)
    assert embedded == {"notes": 6, "rules": 0}
    made = evaluate(workspace, second)
    assert made.verdict.passed
    assert made.verdict.live == first  # judged by the same questions, in both spaces
    before, after = workspace.versions.open(first), workspace.versions.open(second)
    assert [space["sources"] for space in after.manifest["spaces"]] == [["rules"], ["notes"]]
    assert [len(space.index) for space in after.spaces] == [6, 6]
    differing = difference(before, after)
    assert (differing.moved, [*differing.making]) == ({"notes"}, ["model of notes"])
    causes = {change.cause for change in question_changes(workspace, first, second, differing)}
    assert causes <= {None, "model"}
    workspace.versions.promote(second, why="test")

    workspace = _configure(home, models, *SOURCES)
    third, embedded = _sync(workspace)
    assert embedded == {"notes": 0, "rules": 6}
    (space,) = workspace.versions.open(third).spaces
    assert (space.model["name"], len(space.index)) == ("unigram", 12)

    common = "[chunks]" + models.partition("[chunks]")[2]
    new = "[model]" + models.partition("[models.new]")[2].partition("[chunks]")[0]
    assert _sync(_configure(home, new + common)) == (third, {"notes": 0, "rules": 0})  # now the model of [model]


def test_a_move_that_loses_questions_is_refused_and_the_live_version_goes_on(home, models, make_tiny_model) -> None:
    _ask_for(home, "notes")
    forgetful = make_tiny_model(home / "forgetful", num_hidden_layers=1)
    weights = load_file(forgetful / "model.safetensors")
    weights["embeddings.word_embeddings.weight"][:] = weights["embeddings.word_embeddings.weight"][0]  # deaf to words
    save_file(weights, forgetful / "model.safetensors")
    models = models + '[retrieval]\nmode = "vector"\n' + f'[models.forgetful]\nname = "f"\nfolder = "{forgetful}"\n'
    workspace = _configure(home, models)
    first, _ = _sync(workspace)
    assert evaluate(workspace, first).verdict.passed
    workspace.versions.promote(first, why="test")
    workspace = _configure(home, models, "notes", to="forgetful")
    second, _ = _sync(workspace)
    verdict = evaluate(workspace, second).verdict
    assert not verdict.passed
    differing = difference(workspace.versions.open(first), workspace.versions.open(second))
    worst = question_changes(workspace, first, second, differing)[0]
    assert (worst.cause, worst.gain < 0) == ("model", True)
    asked = TEXTS["notes"][3]
    assert workspace.retriever.search(asked).hits[0].uri == "notes/3.md"  # by the live version, and its own model


def test_only_the_changed_space_is_made_again_and_equals_a_rebuild(home, models, monkeypatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)
    for number in range(20):  # so that an edit is a small part
        (home / "notes" / f"more{number}.md").write_text(f"More notes about herons, page {number}.")
    workspace = _configure(home, models, "notes")
    _publish(workspace)
    (home / "notes" / "3.md").write_text("Herons nest in the reeds.")
    (home / "notes" / "4.md").unlink()
    grown = workspace.versions.open(_publish(workspace))
    assert grown.verify() == []
    assert [segment["shared"] for segment in grown.manifest["segments"]] == [True, False]
    assert [*grown.segments[1].glob("vectors*.usearch")] == [grown.segments[1] / grown.manifest["spaces"][1]["file"]]
    again = _configure(home, models, "notes")
    again.versions = Versions(home / "elsewhere")
    rebuilt = again.versions.open(Pipeline(again).build().version)
    assert rebuilt.manifest["content"] == grown.manifest["content"]
    assert rebuilt.reference.equals(grown.reference)
    for question in ("herons in the reeds", "red lamp", "ferry"):
        for mode in ("vector", "rerank"):
            found = [
                [(hit.chunk_id, pytest.approx(hit.score, abs=1e-5)) for hit in search.hits]
                for search in (
                    opened.retriever_of(version.id).search(question, mode=mode)
                    for opened, version in ((workspace, grown), (again, rebuilt))
                )
            ]
            assert found[0] == found[1]


def test_filters_and_forgetting_reach_into_every_space(home, models) -> None:
    workspace = _configure(home, models, "notes")
    version = workspace.versions.open(_publish(workspace))
    search = workspace.retriever.search
    for source in SOURCES:
        hits = search("red ferry", mode="vector", k=20, filters=Filters(sources=(source,))).hits
        assert len(hits) == 6
        assert {hit.source for hit in hits} == {source}
    assert len(search("red ferry", mode="vector", k=20).hits) == 12
    doomed = [hit.doc_id for hit in search("ferry", mode="lexical", k=2, filters=Filters(sources=("notes",))).hits]
    forms = redact(workspace.versions, doomed, why="test", scrub=lambda evaluation: evaluation)
    form = workspace.versions.open(forms[version.id])
    assert form.verify() == []
    assert [len(space.index) for space in form.spaces] == [6, 4]
    assert form.reference.height == 10 + len(NEUTRAL)
    assert not {hit.doc_id for hit in search("ferry", mode="vector", k=20).hits} & set(doomed)


def test_a_model_that_is_gone_leaves_its_chunks_to_their_words(home, models, caplog) -> None:
    _publish(_configure(home, models, "notes"))
    text = (home / "rag.toml").read_text().replace('model = "new"', "")
    (home / "rag.toml").write_text(text.replace('name = "unigram"', 'name = "another"'))
    workspace = open_workspace(home)
    hits = workspace.retriever.search(TEXTS["notes"][2], mode="hybrid").hits
    assert {hit.source: hit.scores.vector is None for hit in hits} == {"notes": True, "rules": False}
    assert "none of the settings' models gives such vectors" in caplog.text
    only = workspace.retriever.search("ferry", mode="vector", filters=Filters(sources=("notes",)))
    assert only.hits == () and "'unigram'" in only.warnings[0] and "[models.NAME]" in only.warnings[0]


def test_similarities_of_another_scale_do_not_win_by_it(versions) -> None:
    """The same vectors with a common part added, as of a model whose cosines are all high, rank as without it."""
    random = np.random.default_rng(0)
    rows = [document(f"{n}.md", f"text {n}", source=("notes", "rules")[n % 2]) for n in range(400)]
    plain = corpus(*rows)
    vectors = _unit(random.normal(size=(400, 64)))
    common = _unit(random.normal(size=64)) * 2
    asked = _unit(vectors[7] + 0.8 * random.normal(size=64) / 8)
    inside = np.isin(plain.chunks["source"].to_numpy(), ["rules"])
    keys, spaces, models = plain.chunks["key"].to_numpy(), [], {}
    for name, place, given in (("words", ~inside, vectors), ("high", inside, _unit(vectors + common))):
        described = plain.spaces[0].model | {"name": name, "fingerprint": name}
        source = "rules" if name == "high" else "notes"
        spaces.append(Space(described, (source,), keys[place], given[place].astype(np.float32)))
        models[name] = SimpleNamespace(
            embed_query=lambda _, name=name: _unit(asked + common * (name == "high")).astype(np.float32),
            embed_passages=lambda texts, given=given: given[[_row(plain, text) for text in texts]],
        )
    reference = reference_of(plain.chunks, spaces, lambda model: models[model["name"]])
    whole = replace(plain, spaces=tuple(spaces), reference=reference)
    version = versions.open(build(whole, versions, partitions={}).version)
    found, scores = Similarity(version, "?", lambda model: models[model["name"]]).nearest(20)
    best = keys[np.argsort(-(vectors @ asked))][:20]
    assert len(set(found.tolist()) & set(best.tolist())) >= 15
    assert len(set(found.tolist()) & set(keys[inside].tolist())) < 16  # as they are, the high cosines take every place
    own = Similarity(version, "?", lambda model: models[model["name"]]).of(found)
    assert own == pytest.approx(scores, abs=1e-3)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _row(whole, text: str) -> int:
    texts = whole.chunks["text"].to_list()
    return texts.index(text) if text in texts else 0  # a neutral sentence


def test_the_library_of_graphs_does_not_end_a_process_that_then_runs_a_model():
    code = "import rag_platform.index.vectors.hnsw, onnxruntime; print('both')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "both\n"), done.stderr
