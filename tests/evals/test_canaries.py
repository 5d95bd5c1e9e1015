"""Planted documents: nobody else finds them, nobody sees them by chance, and the gate notices when that breaks."""

import numpy as np
import pytest

from evals.candidate_evaluation import evaluate
from evals.measures.permission_leaks import leaked_canaries
from rag_platform.core.hits import Filters
from rag_platform.core.schemas import CANARY
from rag_platform.index.build import canaries, segment_plan
from rag_platform.index.build.builder import build
from rag_platform.index.build.canaries import plant, words_of
from rag_platform.index.catalog.catalog import Catalog
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.version_diff import difference
from tests.evals.workspaces import SmallWorkspace
from tests.index.corpora import WordEmbedder, corpus, document

OPEN = document("weir.md", "the weir holds the river back")
PLAN = document("plan.md", "the board plans to sell the mill", principals=["alice"])
DIARY = document("diary.md", "nobody may read of the ferry", principals=["bob", "carol"])


@pytest.fixture
def workspace(tmp_path) -> SmallWorkspace:
    made = SmallWorkspace(tmp_path)
    made.questions()
    return made


def _planted(workspace: SmallWorkspace, *documents: dict) -> OpenVersion:
    version = build(plant(corpus(*documents), WordEmbedder()), workspace.versions, partitions={}).version
    return workspace.versions.open(version)


def test_each_owner_gets_a_document_that_nobody_sees(workspace) -> None:
    version = _planted(workspace, OPEN, PLAN, DIARY)
    assert [owner for owner, _ in version.catalog.canaries()] == ["alice", "bob", "carol"]
    assert version.manifest["counts"] == {"documents": 3, "chunks": 3, "canaries": 3}
    assert version.documents().height == 3
    assert version.catalog.documents(planted=True).height == 6
    assert CANARY not in version.facets(("alice",))["type"]
    assert version.verify() == []
    retriever = workspace.retriever_of(version.id)
    for mode in ("lexical", "vector", "rerank"):
        asked = {"mode": mode, "filters": Filters(principals=("alice",))}
        assert {hit.type for hit in retriever.search(words_of("alice"), **asked).hits} <= {"text"}


def test_a_version_with_canaries_is_compared_with_one_without(workspace) -> None:
    restricted = _planted(workspace, OPEN, PLAN)
    public = _planted(workspace, OPEN, PLAN | {"principals": ["*"]})
    for before, after, counts in ((restricted, public, (1, 0)), (public, restricted, (0, 1))):
        made = difference(before, after)
        assert made.sizes["canaries"] == counts
        assert made.sizes["documents"] == (2, 2)
        assert made.changed("description")["fields"].to_list() == [["principals"]]


def test_a_public_corpus_has_no_canary_and_equal_corpora_have_equal_ones(workspace) -> None:
    public = corpus(OPEN, document("ferry.md", "the ferry crosses", principals=["*", "alice"]))
    assert plant(public, WordEmbedder()) is public
    one, other = (plant(corpus(*rows), WordEmbedder()) for rows in ((OPEN, PLAN, DIARY), (OPEN, PLAN, DIARY)))
    assert one.content == other.content
    assert np.array_equal(one.spaces[0].vectors, other.spaces[0].vectors)
    assert one.chunks["key"].is_sorted()
    assert words_of("alice") != words_of("bob")


def test_a_version_by_difference_has_the_canaries_of_one_from_nothing(workspace, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(segment_plan, "SMALL", 0)
    others = [document(f"{number}.md", f"public words {number}") for number in range(12)]
    workspace.versions.promote(_planted(workspace, *others, PLAN).id, why="test")
    derived = _planted(workspace, *others, DIARY)
    assert any(segment["shared"] for segment in derived.manifest["segments"])
    rebuilt = _planted(SmallWorkspace(tmp_path / "other"), *others, DIARY)
    assert derived.manifest["content"] == rebuilt.manifest["content"]
    assert derived.catalog.canaries() == rebuilt.catalog.canaries()
    assert leaked_canaries(derived, workspace.retriever_of(derived.id)) == []


def test_only_so_many_owners_get_one(workspace, monkeypatch) -> None:
    monkeypatch.setattr(canaries, "MOST", 2)
    assert len(_planted(workspace, OPEN, PLAN, DIARY).catalog.canaries()) == 2


def test_permissions_that_hold_pass(workspace) -> None:
    version = _planted(workspace, OPEN, PLAN, DIARY)
    assert leaked_canaries(version, workspace.retriever_of(version.id)) == []
    assert evaluate(workspace, version.id).verdict.passed


def test_without_the_permission_filter_the_gate_refuses(workspace, monkeypatch) -> None:
    version = _planted(workspace, OPEN, PLAN, DIARY)

    def everything(self: Catalog, filters: Filters, _) -> np.ndarray:
        return np.sort(self.chunks()["key"].to_numpy())

    monkeypatch.setattr(Catalog, "_find_allowed", everything)
    monkeypatch.setattr(OpenVersion, "view", lambda version, _: version.whole_view)  # else no word leads there
    workspace.versions._opened.clear()
    verdict = evaluate(workspace, version.id).verdict
    assert verdict.outcome == "refused"
    assert any(
        "of 'alice' was found by 'everyone' in vector search: permissions" in reason for reason in verdict.reasons
    )
    assert any("was found by everyone, who may not read it" in reason for reason in verdict.reasons)


def test_a_canary_that_its_owner_does_not_find_makes_the_check_blind(workspace, monkeypatch) -> None:
    version = _planted(workspace, OPEN, PLAN)
    monkeypatch.setattr(Catalog, "_find_allowed", lambda *_: np.empty(0, np.uint64))
    workspace.versions._opened.clear()
    (first, *_) = leaked_canaries(workspace.versions.open(version.id), workspace.retriever_of(version.id))
    assert "was not found by 'alice' in lexical search, so that the check of permissions is blind" in first
