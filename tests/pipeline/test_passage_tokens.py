"""Token vectors are stored with a version: made once with the vectors, shared, forgotten, and read by a rerank."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_platform.config.sections.releases import IndexSettings
from rag_platform.core.ids import embedding_text
from rag_platform.embeddings.token_codes import packed
from rag_platform.embeddings.token_table import token_folders
from rag_platform.erasure.stage_tables import erase_tables
from rag_platform.index.build.redaction import redact
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.pipeline.stages import Pipeline
from rag_platform.storage.hashed.row_files import open_rows
from rag_platform.workspace import Workspace
from tests.pipeline.three_sources import SENTENCES, SOURCES, hold, stages, write


def passages(version: OpenVersion) -> list[str]:
    rows = version.catalog.chunks("header", "text").iter_rows()
    return [embedding_text(header or "", text) for header, text in rows]


def stored(version: OpenVersion) -> dict[str, bytes | None]:
    texts, tokens = passages(version), version.spaces[0].tokens
    return dict(zip(texts, tokens.of(texts), strict=True)) if tokens else {}


def exact(version: OpenVersion) -> bool:
    """Return whether each passage's token vectors are there, and no others."""
    found = stored(version)
    return None not in found.values() and len(version.spaces[0].tokens.rows) == len(found)


def live(workspace: Workspace) -> OpenVersion:
    return workspace.versions.live()


def opened(workspace: Workspace, **index: int) -> Workspace:
    """Open a workspace with other settings of its index."""
    again = Workspace(workspace.settings.model_copy(update={"index": IndexSettings(**index)}))
    again.embedder = workspace.embedder
    return again


def rows_below(folder: Path) -> Iterator[Path]:
    return folder.rglob("*.rows")


def test_a_version_holds_those_of_its_passages_as_the_model_gives_them(three: Workspace, tiny_embedder) -> None:
    version = live(three)
    assert exact(version) and version.verify() == []
    assert version.spaces[0].tokens.bits == version.manifest["parameters"]["tokens"] == 2
    for text, row in stored(version).items():
        read = tiny_embedder.embed_tokens([text])[0]
        assert row == packed(read.of_words("", text), 2)


def test_only_what_is_new_is_embedded_and_what_went_is_gone(three: Workspace) -> None:
    write(three, "desk", {"a.md": f"# A\n\n{SENTENCES[0]}", "c.md": "# C\n\nThe lock is shut at night."})
    pipeline = stages(three, "news", "rules")
    pipeline.fetch("desk", allow_mass_delete=True)
    pipeline.extract("desk")
    cut = pipeline.chunk("desk")
    assert pipeline.embed("desk").embedded == cut.new > 0
    version = three.versions.open(pipeline.build().version)
    assert exact(version) and any("lock is shut" in text for text in passages(version))
    (folder,) = token_folders(three.store, source="desk")
    assert len(open_rows(folder)) == three.store.read("chunks", "desk").height


def test_a_source_that_comes_back_to_its_live_texts_is_not_embedded_again(three: Workspace) -> None:
    folder = three.settings.home / "desk"
    good = {path.name: path.read_text() for path in folder.iterdir()}
    write(three, "desk", {f"{place}.md": f"Service unavailable, {place}." for place in range(9)})
    stages(three, "desk")
    write(three, "desk", good)
    pipeline = Pipeline(three)
    pipeline.fetch("desk", allow_mass_delete=True)
    pipeline.extract("desk")
    assert pipeline.chunk("desk").new > 0
    assert pipeline.embed("desk").embedded == 0
    assert exact(three.versions.open(pipeline.build().version))


def test_a_held_source_has_those_of_the_live_version(three: Workspace) -> None:
    write(three, "desk", {"a.md": "Service unavailable."})
    pipeline = stages(three, "desk")
    hold(three, "desk")
    shutil.rmtree(token_folders(three.store, source="desk")[0])
    version = three.versions.open(pipeline.build().version)
    assert exact(version) and any("ferry" in text for text in passages(version))


@pytest.mark.parametrize("bits", [0, 1])
def test_another_setting_makes_another_version(three: Workspace, bits) -> None:
    workspace = opened(three, token_bits=bits)
    made = stages(workspace, *SOURCES).build()
    version = workspace.versions.open(made.version)
    assert made.new and version.id != live(three).id
    if bits:
        assert exact(version) and version.spaces[0].tokens.bits == 1
        assert all(folder.name.endswith("-1") for folder in token_folders(workspace.store))
    else:
        assert version.spaces[0].tokens is None and token_folders(workspace.store) == []


def test_of_many_chunks_none_are_stored(three: Workspace) -> None:
    workspace = opened(three, tokens_up_to=3)
    version = workspace.versions.open(stages(workspace, *SOURCES).build().version)
    assert version.spaces[0].tokens is None and version.verify() == []


def test_a_damaged_table_of_another_source_is_no_hindrance(three: Workspace) -> None:
    three.store.path("chunks", "news").write_bytes(b"damaged")
    stages(three, "desk")
    (folder,) = token_folders(three.store, source="desk")
    assert len(open_rows(folder)) == three.store.read("chunks", "desk").height


def test_what_is_forgotten_is_in_no_table_and_no_version(three: Workspace) -> None:
    version = live(three)
    secret = next(text for text in passages(version) if "ferry" in text)
    row = stored(version)[secret]
    assert any(row in path.read_bytes() for path in rows_below(three.settings.data))
    (doc_id,) = {doc_id for doc_id, text in version.catalog.chunks("doc_id", "text").iter_rows() if "ferry" in text}
    (form,) = redact(three.versions, [doc_id], why="test", scrub=lambda found: found).values()
    erase_tables(three.store, [doc_id])
    assert exact(three.versions.open(form))
    assert not any(row in path.read_bytes() for path in rows_below(three.settings.data))


def test_damage_is_told_and_costs_no_search(three: Workspace) -> None:
    version = live(three)
    question = "When does the ferry run?"
    before = three.retriever_of(None).search(question, mode="rerank")
    for path in rows_below(version.folder):
        content = path.read_bytes()
        path.unlink()
        path.write_bytes(bytes(byte ^ 255 for byte in content))
    assert version.intact and any("is not the file that was written" in one for one in version.verify())
    after = three.retriever_of(None).search(question, mode="rerank")
    assert [hit.chunk_id for hit in after.hits] == [hit.chunk_id for hit in before.hits]
    assert [hit.score for hit in after.hits] == pytest.approx([hit.score for hit in before.hits], abs=1e-5)


def test_a_rerank_reads_the_question_alone(three: Workspace, tiny_embedder, monkeypatch) -> None:
    asked, embed = [], tiny_embedder.embed_tokens
    monkeypatch.setattr(tiny_embedder, "embed_tokens", lambda texts: asked.extend(texts) or embed(texts))
    found = three.retriever_of(None).search("When does the ferry run?", mode="rerank")
    assert asked == ["When does the ferry run?"]
    assert any(hit.scores.rerank is not None for hit in found.hits)
