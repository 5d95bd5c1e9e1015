"""Near-duplicates: found whatever their order and source, and shown once to those who may read them."""

import random

import polars as pl
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build.redaction import redact
from rag_platform.index.catalog.near_duplicates import group
from rag_platform.index.releases.versions import Versions
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.result_grouping import group_results
from rag_platform.text.shingles import signature
from tests.index.corpora import LengthReranker, WordEmbedder, document

STORY = (
    "the council of the town voted on tuesday to mend the old weir above the mill before the winter floods come and "
    "set aside two hundred thousand for stone timber and the wages of forty masons who will begin their work in may"
)
EDITED = STORY.replace("tuesday", "monday")
CHINESE = "市议会周二投票决定在冬季洪水来临之前修复磨坊上方的旧堰并拨出二十万元用于石料木材和四十名石匠的工资"
HERONS = "the heron number {0} stood in the mud of pond {0} and ate frog {0}"
OTHERS = [document(f"other{n}", HERONS.format(n)) for n in range(30)]


def _grouped(texts: dict[str, str], threshold: float = 0.6) -> dict[str, str]:
    schema = {"doc_id": pl.String, "signature": pl.List(pl.UInt32)}
    rows = [{"doc_id": name, "signature": signature(text)} for name, text in texts.items()]
    found = group(pl.DataFrame(rows, schema=schema), threshold)
    return dict(found.filter(pl.col("near").is_not_null()).select("doc_id", "near").iter_rows())


def _retriever(versions: Versions, **settings: object) -> Retriever:
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(**settings))


def test_texts_that_differ_in_few_words_are_one_group_in_any_script() -> None:
    texts = {"a": STORY, "b": EDITED, "c": CHINESE, "d": CHINESE.replace("周二", "周一"), "e": "a heron", "f": ""}
    found = _grouped(texts)
    assert found.keys() == {"a", "b", "c", "d"}
    assert found["a"] == found["b"] != found["c"] == found["d"]
    assert _grouped(texts, threshold=0) == {}
    assert _grouped(texts, threshold=1) == {}
    assert _grouped({"a": STORY, "b": STORY, "c": EDITED}, threshold=1).keys() == {"a", "b"}


def test_groups_depend_on_the_documents_alone() -> None:
    chance = random.Random(4)
    words = [f"w{n}" for n in range(50)]
    stories = [chance.choices(words, k=60) for _ in range(20)]
    texts = {}
    for number in range(120):
        story = list(chance.choice(stories))
        for _ in range(chance.randrange(6)):
            story[chance.randrange(len(story))] = chance.choice(words)
        texts[f"d{number:03}"] = " ".join(story)
    expected = _grouped(texts)
    assert 20 <= len(expected) <= 120
    for _ in range(5):
        shuffled = list(texts.items())
        chance.shuffle(shuffled)
        assert _grouped(dict(shuffled)) == expected


def test_groups_are_of_all_sources_and_a_redacted_version_names_none_that_has_left(versions, publish) -> None:
    one, two = document("north", STORY), document("south", EDITED, source="others")
    old = publish(one, two, *OTHERS)
    near = dict(versions.open(old).catalog.documents("uri", "near").drop_nulls().iter_rows())
    assert near.keys() == {"north", "south"}
    form = redact(versions, {min(one["doc_id"], two["doc_id"])}, why="forgotten", scrub=lambda value: value)[old]
    assert versions.open(form).catalog.documents("near")["near"].null_count() == len(OTHERS) + 1


@pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "rerank"])
def test_a_story_of_several_sources_takes_one_place_in_the_list(versions, publish, mode) -> None:
    texts = (STORY, EDITED, STORY + " said a clerk")
    papers = [document("story", text, source=f"paper{n}") for n, text in enumerate(texts)]
    publish(*papers, *OTHERS)
    result = _retriever(versions).search("council weir heron", k=10, mode=mode, explain=True)
    stories = [hit for hit in result.hits if hit.uri == "story"]
    assert len(stories) == 1
    assert {stories[0].source, *(other.source for other in stories[0].duplicates)} == {"paper0", "paper1", "paper2"}
    assert [hit.rank for hit in result.hits] == list(range(1, 11))  # the list is filled up
    collapsed = [entry for entry in result.explanation if entry["folded_into"]]
    assert {entry["folded_into"] for entry in collapsed} == {stories[0].chunk_id}
    assert len(collapsed) == 2 and not any(entry["returned"] for entry in collapsed)
    apart = _retriever(versions, collapse=False).search("council weir heron", k=10, mode=mode)
    assert sum(hit.uri == "story" for hit in apart.hits) == 3 and not any(hit.duplicates for hit in apart.hits)


def test_as_many_hits_as_asked_for_are_returned_however_many_are_collapsed(versions, publish) -> None:
    copies = [document(f"copy{n}", f"{STORY} {n}") for n in range(20)]
    publish(*copies, *OTHERS)
    hits = _retriever(versions, depth=5).search("council weir heron", k=8, mode="lexical").hits
    assert len(hits) == 8
    assert sum(hit.uri.startswith("copy") for hit in hits) == 1


def test_nothing_is_collapsed_into_or_named_to_somebody_who_may_not_read_it(versions, publish) -> None:
    mine = document("mine", STORY, principals=["alice"])
    publish(mine, document("ours", EDITED), *OTHERS)
    retriever = _retriever(versions)
    for principals, expected in (((), set()), (("bob",), set()), (("alice",), {"mine", "ours"})):
        found = retriever.search("council weir tuesday", k=3, filters=Filters(principals=principals)).hits
        hit = next(hit for hit in found if hit.uri in ("mine", "ours"))
        assert {hit.uri, *hit.also_in} == (expected or {"ours"})


def test_passages_that_differ_are_not_collapsed_though_their_documents_are_alike() -> None:
    row = {"near": "one", "doc_id": "a", "text": STORY}
    for rows, expected in (
        ([row, row | {"doc_id": "b", "text": "quite another passage of the same manual"}], {0: [], 1: []}),
        ([row, row | {"doc_id": "b"}, row], {0: [1], 2: []}),
        ([row, row | {"doc_id": "b", "near": None}], {0: [], 1: []}),
    ):
        assert {place: group.collapsed for place, group in group_results(rows, 5).groups.items()} == expected
