"""What the filters' counts say, and the order by date."""

from datetime import UTC, datetime

import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from tests.index.corpora import LengthReranker, WordEmbedder, corpus, document

OLD, NEW = datetime(2020, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def retriever(tmp_path):
    """Searches five documents, of which one is for ada alone."""
    versions = Versions(tmp_path / "index")
    made = corpus(
        document("a", "rivers rise in spring", published_at=OLD, tags=["water", "season"], source="wire"),
        document("b", "rivers fall in autumn", published_at=NEW, tags=["water"], source="wire"),
        document("c", "rivers rise and fall", published_at=None, tags=[], source="desk"),
        document("d", "bread is baked at night", published_at=NEW, tags=["food"], source="desk"),
        document("e", "rivers are secret", published_at=NEW, tags=["secret"], source="board", principals=["user:ada"]),
    )
    versions.promote(build(made, versions, partitions={}).version, "test")
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(mode="lexical"))


def test_all_that_may_be_read_is_counted_without_a_question(retriever):
    found = retriever.facets(Filters(), moments=[OLD, NEW])
    assert found.counts["source"] == {"desk": 2, "wire": 2} and found.documents == 4
    assert list(found.counts["tag"].items()) == [("water", 2), ("food", 1), ("season", 1)]
    assert found.since == {OLD: 3, NEW: 2}
    assert retriever.facets(Filters(principals=("user:ada",))).counts["source"]["board"] == 1


def test_a_question_counts_what_it_finds(retriever):
    found = retriever.facets(Filters(), "rivers", mode="lexical")
    assert found.counts["source"] == {"wire": 2, "desk": 1} and "food" not in found.counts["tag"]
    assert "secret" not in found.counts["tag"]


def test_a_facet_with_a_choice_shows_what_its_other_values_would_add(retriever):
    found = retriever.facets(Filters(sources=("wire",), since=NEW), "rivers", mode="lexical", moments=[OLD, NEW])
    assert found.documents == 1
    assert found.counts["source"] == {"wire": 1}, "nothing of the desk is dated"
    assert found.since == {OLD: 2, NEW: 1}
    assert found.without == {"source": 1, "since": 2}
    by_tag = retriever.facets(Filters(tags=("season",)), "rivers", mode="lexical")
    assert by_tag.counts["tag"] == {"season": 1, "water": 1}, "tags add up"


def test_counts_are_those_of_the_search_that_is_given(retriever):
    result = retriever.search("rivers", mode="lexical", trace=True)
    assert result.trace is not None and result.explanation is None
    assert retriever.facets(Filters(), "rivers", mode="lexical", known=result).documents == 3


def test_by_date_the_newest_come_first_and_what_has_none_last(retriever):
    found = retriever.search("rivers", order="date")
    assert [hit.uri for hit in found.hits] == ["b", "a", "c"]
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert [hit.uri for hit in retriever.search("rivers", order="date", k=1).hits] == ["b"]
    assert retriever.search("rivers", order="date", filters=Filters(since=NEW)).hits[0].uri == "b"


def test_by_date_what_is_only_near_is_left_out(retriever):
    by_meaning = {hit.uri for hit in retriever.search("rivers rise", mode="hybrid", k=10).hits}
    by_date = [hit.uri for hit in retriever.search("rivers rise", mode="hybrid", k=10, order="date").hits]
    assert "d" in by_meaning and "d" not in by_date and by_date[0] in ("a", "b")
