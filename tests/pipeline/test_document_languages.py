"""Each document is embedded by the model that reads its language, and by the other one where questions need it."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from evals.benchmark.beir import BeirDocument, BeirFolder
from evals.commands.evaluation import index_corpus
from evals.measures.integrity import mismatched_vectors
from evals.questions.question import Question, Relevant
from rag_platform.core.ids import chunk_key, embedding_text
from rag_platform.core.ports import quiet
from rag_platform.erasure.stage_tables import erase_tables
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.version_diff import difference
from rag_platform.index.releases.versions import Versions
from rag_platform.operations.doctor import diagnose
from rag_platform.operations.status.disk_usage import version_sizes
from rag_platform.pipeline.cross_language import FEWEST
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import Workspace, open_workspace
from tests.copies import copy_of
from tests.pipeline.three_sources import hold
from tests.pipeline.two_languages import ENGLISH, GERMAN, GREEK, open_two, reading, synced, write

MIXED = {f"en{place}.md": text for place, text in enumerate(ENGLISH)} | {"de.md": GERMAN[0], "el.md": GREEK}


@pytest.fixture
def two(tmp_path: Path, tiny_embedder, tiny_unigram_embedder) -> Workspace:
    """Return a workspace whose auto is not reached: one German document."""
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder)
    write(workspace, MIXED)
    return workspace


def languages_by_space(version: OpenVersion) -> list[tuple[str, bool, list[str]]]:
    """Return of each space its model, whether it is a cross space, and the languages of its chunks' documents."""
    chunks = version.catalog.chunks().join(version.documents().select("doc_id", "language"), on="doc_id")
    return [
        (
            space.model["name"],
            space.cross,
            chunks.filter(np.isin(chunks["key"], space.index.keys))["language"].sort().to_list(),
        )
        for space in version.spaces
    ]


def rebuilt(workspace: Workspace, folder: Path) -> OpenVersion:
    """Build the same from nothing: without any version to derive from."""
    home, workspace.versions = workspace.versions, Versions(folder)
    try:
        return workspace.versions.open(Pipeline(workspace).build({}).version)
    finally:
        workspace.versions = home


def test_a_document_goes_to_the_model_that_reads_its_language(two: Workspace) -> None:
    version, embedded = synced(two)
    opened = two.versions.open(version)
    assert languages_by_space(opened) == [("all-MiniLM-L6-v2", False, ["en"] * 4), ("other", False, ["de"])]
    assert (opened.verify(), opened.manifest["counts"]["words_only"], embedded) == ([], 1, 5)
    hits = two.retriever.search("πλοίο λιμάνι", mode="lexical").hits
    assert [hit.uri for hit in hits] == ["docs/el.md"]


def test_its_chunks_are_cut_by_the_word_pieces_of_its_model(two: Workspace, tiny_unigram_embedder) -> None:
    write(two, {"de.md": " ".join(GERMAN)})
    synced(two)
    chunks = two.store.read("chunks", "docs")
    texts = [embedding_text(header, text) for header, text in chunks.select("header", "text").iter_rows()]
    assert chunks["tokens"].to_list() == tiny_unigram_embedder.count_tokens(texts)


def test_a_change_of_language_embeds_that_document_alone(two: Workspace, tmp_path: Path) -> None:
    first, _ = synced(two)
    before = two.store.read("chunks", "docs")
    write(two, MIXED | {"en1.md": GERMAN[1]})
    second, embedded = synced(two)
    after = two.store.read("chunks", "docs")
    opened = two.versions.open(second)
    assert embedded == 1 and len({*after["chunk_id"]} - {*before["chunk_id"]}) == 1
    assert [languages for *_, languages in languages_by_space(opened)] == [["en"] * 3, ["de"] * 2]
    again = rebuilt(two, tmp_path / "elsewhere")
    assert (opened.verify(), again.manifest["content"]) == ([], opened.manifest["content"])
    differing = difference(two.versions.open(first), opened)
    assert (differing.moved, [*differing.making]) == (frozenset(), [])
    assert version_sizes(two)[0].models == ("all-MiniLM-L6-v2 (32)", "other (48)")
    write(two, MIXED)
    assert synced(two)[0] == first


def test_one_model_for_all_is_one_setting(tmp_path: Path, tiny_embedder, tiny_unigram_embedder) -> None:
    workspace = open_two(tmp_path, tiny_embedder, None)
    text = (tmp_path / "rag.toml").read_text()
    (tmp_path / "rag.toml").write_text(text.replace("multilingual = 'other'", "multilingual = ''"))
    workspace = type(workspace)(
        workspace.settings.model_copy(
            update={"model": workspace.settings.model.model_copy(update={"multilingual": ""})}
        )
    )
    workspace.embedder = reading(tiny_embedder)
    write(workspace, MIXED)
    opened = workspace.versions.open(synced(workspace)[0])
    assert "spaces" not in opened.manifest and "words_only" not in opened.manifest["counts"]


def test_without_the_model_words_alone_find_it_until_a_sync_can_have_it(
    tmp_path: Path, tiny_embedder, tiny_unigram_folder, caplog
) -> None:
    workspace = open_two(tmp_path, tiny_embedder, None)
    write(workspace, MIXED)
    version, embedded = synced(workspace)
    opened = workspace.versions.open(version)
    assert (opened.manifest["counts"]["words_only"], embedded, opened.verify()) == (2, 4, [])
    assert caplog.text.count("found by their words alone") == 1 and "nowhere" in caplog.text
    shutil.copytree(tiny_unigram_folder, tmp_path / "nowhere")
    workspace.embedders.try_again()
    version, embedded = synced(workspace)
    assert (workspace.versions.manifest(version)["counts"].get("words_only"), embedded) == (None, 2)


def tokens_by_space(version: OpenVersion) -> list[list[bytes | None]]:
    """Return what is stored of the tokens of each space's passages."""
    rows = version.catalog.chunks("chunk_id", "header", "text").iter_rows()
    texts = {chunk_key(chunk_id): embedding_text(header or "", text) for chunk_id, header, text in rows}
    return [space.tokens.of([texts[key] for key in space.index.keys.tolist()]) for space in version.spaces]


def test_documents_of_the_model_are_embedded_by_the_other_too_for_questions_in_other_languages(
    tmp_path: Path, tiny_embedder, tiny_unigram_embedder
) -> None:
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    write(workspace, MIXED)
    version, embedded = synced(workspace)
    opened = workspace.versions.open(version)
    assert languages_by_space(opened)[1:] == [("other", False, ["de"]), ("other", True, ["en"] * 4)]
    assert (opened.verify(), embedded) == ([], 5)
    assert not set(opened.spaces[0].index.keys.tolist()) ^ set(opened.spaces[2].index.keys.tolist())
    assert all(None not in found for found in tokens_by_space(opened))
    write(workspace, MIXED | {"en0.md": ENGLISH[0] + " It carries bicycles."})
    ledger = len(workspace.costs.entries())
    version, _ = synced(workspace)
    made = [entry for entry in workspace.costs.entries()[ledger:] if entry.stage == "embed"]
    assert [entry.counts["embedded"] for entry in made] == [1, 1]  # at home, and for other languages
    assert all(None not in found for found in tokens_by_space(workspace.versions.open(version)))
    assert (
        rebuilt(workspace, tmp_path / "elsewhere").manifest["content"]
        == workspace.versions.manifest(version)["content"]
    )


@pytest.mark.parametrize(
    ("german", "setting", "crossed"), [(FEWEST - 1, "auto", False), (FEWEST, "auto", True), (FEWEST, False, False)]
)
def test_whether_that_is_done_is_known_from_what_there_is(
    tmp_path: Path, tiny_embedder, tiny_unigram_embedder, german: int, setting, crossed: bool
) -> None:
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=setting)
    write(
        workspace,
        {"en.md": ENGLISH[0]} | {f"{place}.md": f"{GERMAN[place % 4]} Seite {place}." for place in range(german)},
    )
    opened = workspace.versions.open(synced(workspace)[0])
    assert any(space.cross for space in opened.spaces) == crossed


def test_what_is_forgotten_leaves_every_space(tmp_path: Path, tiny_embedder, tiny_unigram_embedder) -> None:
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    write(workspace, MIXED)
    version, _ = synced(workspace)
    documents = workspace.versions.open(version).documents()
    doomed = documents.filter(documents["uri"].is_in(["docs/en1.md", "docs/de.md"]))["doc_id"].to_list()
    forms = redact(workspace.versions, doomed, why="test", scrub=lambda evaluation: evaluation)
    form = workspace.versions.open(forms[version])
    assert form.verify() == []
    assert [len(languages) for *_, languages in languages_by_space(form)] == [3, 0, 3]
    assert erase_tables(workspace.store, doomed)["vectors"] == 3  # one at home in either space, one in the cross space


_TEXTS = st.sampled_from((*ENGLISH, *GERMAN, GREEK))
_DOCUMENTS = st.dictionaries(st.sampled_from(("a.md", "b.md", "c.md")), _TEXTS, min_size=1)


@pytest.fixture(scope="module")
def crossed(tmp_path_factory, tiny_embedder, tiny_unigram_embedder) -> Path:
    """Return the folder of a published workspace of two sources in both languages."""
    home = tmp_path_factory.mktemp("crossed")
    workspace = open_two(home, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    write(workspace, {"a.md": ENGLISH[0], "b.md": GERMAN[1], "c.md": ENGLISH[2]})
    write(workspace, {"a.md": GERMAN[3], "b.md": ENGLISH[1]}, "more")
    synced(workspace, "docs", "more")
    return home


@settings(
    max_examples=4,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(edits=st.lists(st.tuples(st.sampled_from(("docs", "more")), _DOCUMENTS), min_size=1, max_size=2))
def test_for_any_change_of_languages_what_is_derived_equals_what_is_built_from_nothing(
    tmp_path_factory, crossed: Path, tiny_embedder, tiny_unigram_embedder, edits: list
) -> None:
    home = copy_of(crossed, tmp_path_factory.mktemp("edited"))
    workspace = open_two(home, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    live = workspace.versions.live_id()
    for source, documents in edits:
        write(workspace, documents, source)
        derived, _ = synced(workspace, source)
    opened = workspace.versions.open(derived)
    assert opened.verify() == []
    for table in (home / "data" / "embeddings", home / "data" / "chunks"):
        shutil.rmtree(table)
    for source in ("docs", "more"):
        Pipeline(workspace).chunk(source)
        Pipeline(workspace).embed(source)
    again = rebuilt(workspace, home / "elsewhere")
    assert again.manifest["content"] == opened.manifest["content"]
    for one, two in zip(opened.spaces, again.spaces, strict=True):
        assert np.array_equal(one.index.rows(one.index.keys), two.index.rows(one.index.keys))
    if derived != live:
        workspace.versions.promote(live, why="test")
        held = {source: hold(workspace, source) for source in ("docs", "more")}
        kept = workspace.versions.open(Pipeline(workspace).build(held).version)
        assert kept.manifest["content"] == workspace.versions.manifest(live)["content"]


def test_what_is_held_keeps_vectors_whose_model_cannot_be_had(
    tmp_path: Path, tiny_embedder, tiny_unigram_embedder
) -> None:
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    write(workspace, MIXED)
    write(workspace, {"a.md": ENGLISH[0]}, "more")
    synced(workspace, "docs", "more")
    without = open_two(tmp_path, tiny_embedder, None, cross_language=True)
    write(without, {"a.md": ENGLISH[1]}, "more")
    pipeline = Pipeline(without)
    for stage in (pipeline.fetch, pipeline.extract, pipeline.chunk, pipeline.embed):
        stage("more")
    opened = without.versions.open(pipeline.build({"docs": hold(without, "docs")}).version)
    assert [(name, len(found)) for name, _, found in languages_by_space(opened)] == [
        ("all-MiniLM-L6-v2", 5),
        ("other", 1),
    ]
    assert opened.verify() == [] and [*mismatched_vectors(opened, without.embedders.of_space)] == []
    back = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    opened = back.versions.open(Pipeline(back).build({"docs": hold(back, "docs")}).version)
    assert [(name, len(found)) for name, _, found in languages_by_space(opened)][1:] == [("other", 1), ("other", 5)]


def test_while_a_source_is_written_by_somebody_else_it_is_embedded_for_other_languages_all_the_same(
    two: Workspace,
) -> None:
    synced(two)
    before = two.versions.live_id()
    settings = two.settings.model_copy(update={"model": two.settings.model.model_copy(update={"cross_language": True})})
    crossing = Workspace(settings)
    crossing.embedder = two.embedder
    crossing.embedders._opened.update(two.embedders._opened)
    with two.store.lock("docs"):
        made = Pipeline(crossing).build({}).version
    assert made != before and [space.cross for space in crossing.versions.open(made).spaces] == [False, False, True]
    assert Pipeline(crossing).build({}).version == made


def test_the_doctor_tells_of_passages_that_no_model_reads(two: Workspace) -> None:
    synced(two)
    (found,) = [one for one in diagnose(two.settings.home) if "words alone" in one.found]
    assert (found.what, found.level) == ("live version", "hint") and found.found.startswith("1 passages")


def test_a_benchmark_that_is_asked_in_other_languages_is_embedded_for_them(
    tmp_path: Path, tiny_model_folder: Path, tiny_unigram_folder: Path, monkeypatch
) -> None:
    monkeypatch.setenv("RAG_MODEL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "rag.toml").write_text(
        f"[model]\nname = 'tiny'\nfolder = '{tiny_model_folder}'\nlanguages = ['en']\nmultilingual = 'other'\n"
        f"[models.other]\nname = 'other'\nfolder = '{tiny_unigram_folder}'\nlanguages = ['en', 'de']\n"
    )
    documents = {str(place): BeirDocument("", text) for place, text in enumerate(ENGLISH)}

    def crossed(*questions: str) -> bool:
        asked = {str(place): Question(str(place), text, (Relevant("0", ""),)) for place, text in enumerate(questions)}
        folder = BeirFolder("set", "test", documents, asked, {key: {"0": 1} for key in asked})
        live = index_corpus(open_workspace(tmp_path), folder, quiet, {}).versions.live()
        return any(space.cross for space in live.spaces)

    assert not crossed("When does the ferry run in the morning?")
    assert crossed("When does the ferry run in the morning?", "Wann schließt das Bootshaus am Abend, und für wen?")


def test_a_version_says_what_a_model_reads_whose_name_does_not(two: Workspace) -> None:
    one, other = two.versions.open(synced(two)[0]).spaces
    assert "languages" not in one.model and other.model["languages"] == ["en", "de"]


def test_a_question_is_asked_of_the_models_that_may_read_it(
    tmp_path: Path, tiny_embedder, tiny_unigram_embedder
) -> None:
    workspace = open_two(tmp_path, tiny_embedder, tiny_unigram_embedder, cross_language=True)
    write(workspace, MIXED)
    synced(workspace)

    def found(question: str) -> set[str]:
        hits = workspace.retriever.search(question, mode="vector", k=20).hits
        assert len({hit.chunk_id for hit in hits}) == len(hits)
        return {hit.uri.removeprefix("docs/")[:2] for hit in hits}

    assert found("When does the ferry leave in the morning?") == {"en", "de"}
    assert found("Wann fährt die Fähre morgens über den breiten Fluss zum anderen Ufer?") == {"en", "de"}
