"""What people are shown of the candidates: neighbours merged, documents bounded, and every span true."""

import random
from dataclasses import replace

import polars as pl
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters, Hit
from rag_platform.index.build.builder import build
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.result_grouping import LONGEST, group_results
from tests.index.corpora import LengthReranker, WordEmbedder, chunked, document


def _row(doc_id: str, ordinal: int, text: str = "", near: str | None = None) -> dict:
    return {"doc_id": doc_id, "ordinal": ordinal, "text": text, "near": near}


def _merged(rows: list[dict], k: int, **how: object) -> dict[int, list[int]]:
    return {place: group.merged for place, group in group_results(rows, k, merge=True, **how).groups.items()}


def test_neighbours_become_one_hit_that_stands_where_the_better_one_did() -> None:
    rows = [_row("a", 4), _row("b", 0), _row("a", 5), _row("a", 9), _row("a", 3)]
    assert _merged(rows, 10) == {0: [2, 4], 1: [], 3: []}
    assert _merged(rows, 2) == {0: [], 1: []}, "what comes after the last hit is not merged"
    assert _merged(rows, 3) == {0: [2], 1: [], 3: []}


def test_a_chunk_between_two_hits_joins_them_and_leaves_room_for_another() -> None:
    rows = [_row("a", 1), _row("a", 3), _row("b", 0), _row("a", 2), _row("c", 0)]
    assert _merged(rows, 4) == {0: [1, 3], 2: [], 4: []}


def test_no_hit_grows_without_end() -> None:
    rows = [_row("a", ordinal) for ordinal in range(10)]
    sizes = [1 + len(merged) for merged in _merged(rows, 10).values()]
    assert sizes == [LONGEST, LONGEST, 2]


@pytest.mark.parametrize("most", [1, 2])
def test_a_document_has_no_more_hits_than_it_may(most) -> None:
    rows = [_row("a", 2 * n) for n in range(5)] + [_row("b", 0)]
    made = group_results(rows, 3, per_document=most, merge=True)
    assert [rows[place]["doc_id"] for place in made.groups] == ["a"] * most + ["b"]
    assert made.over_limit == list(range(most, 5))


def test_what_repeats_a_merged_passage_is_collapsed_into_the_hit_that_shows_it() -> None:
    story, other = "one two three four five six seven", "eight nine ten eleven twelve thirteen"
    rows = [
        _row("a", 0, story, "g"),
        _row("a", 2, "quite something else that stands there", "g"),
        _row("b", 0, other, None),
        _row("a", 1, other, "g"),
        _row("c", 1, other, "g"),
        _row("d", 0, "quite something else that stands there", "g"),
    ]
    made = group_results(rows, 5, merge=True)
    assert {place: (group.collapsed, group.merged) for place, group in made.groups.items()} == {
        0: ([4, 5], [1, 3]),
        2: ([], []),
    }


@pytest.mark.parametrize("k", [1, 5, 20])
def test_a_merged_hit_is_the_document_s_text_and_each_part_lies_where_it_says(versions, k) -> None:
    chance = random.Random(3)
    words = [f"w{n}" for n in range(12)]
    texts = {f"d{n}": "\n\n ".join(" ".join(chance.choices(words, k=6)) for _ in range(8)) for n in range(6)}
    made = build(chunked(*(document(uri, text) for uri, text in texts.items()), words=7), versions, partitions={})
    versions.promote(made.version, why="test")
    retriever = Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings())
    found = retriever.search("w1 w2 w3", k=k, filters=Filters())
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))
    assert any(hit.merged for hit in found.hits) or k == 1
    shown = [passage.chunk_id for hit in found.hits for passage in hit.passages]
    assert len(shown) == len(set(shown)), "no chunk is shown twice"
    for hit in found.hits:
        assert hit.text == texts[hit.uri][slice(*hit.span)]
        assert {passage.chunk_id: passage.score for passage in hit.passages}[hit.chunk_id] == hit.score
        for passage in hit.passages:
            assert hit.text_of(passage) == texts[hit.uri][slice(*passage.span)]
            assert hit.at(passage.span[0]) == passage
    plain = Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(merge=False))
    assert not any(hit.merged for hit in plain.search("w1 w2 w3", k=k).hits)
    alone = plain.search("w1 w2 w3", k=k, per_document=1).hits
    assert len({hit.doc_id for hit in alone}) == len(alone) == min(k, 6)


@pytest.mark.parametrize("merge", [True, False])
def test_a_hit_is_shown_with_the_sentences_that_it_needs(versions, merge) -> None:
    text = "The weir is old. It leaks at night. Boats wait. Fish do not."
    made = chunked(document("a", text), words=None)
    cuts = [(0, 16, 0, 16), (17, 35, 0, 35), (36, 47, 36, 47), (48, 60, 36, 60)]
    rows = [
        made.chunks.row(0, named=True)
        | {"chunk_id": f"{place:016x}", "key": place, "ordinal": place, "start": start, "end": end,
           "text": text[start:end], "shown_start": first, "shown_end": stop, "text_hash": str(place)}
        for place, (start, end, first, stop) in enumerate(cuts)
    ]  # fmt: skip
    chunks = pl.DataFrame(rows, schema=made.chunks.schema)
    space = replace(
        made.spaces[0], keys=chunks["key"].to_numpy(), vectors=WordEmbedder().embed_passages(chunks["text"].to_list())
    )
    built = build(replace(made, chunks=chunks, spaces=(space,)), versions, partitions={})
    versions.promote(built.version, why="test")

    def found(*, complete: bool, k: int = 1) -> Hit:
        settings = RetrievalSettings(complete=complete, merge=merge)
        return Retriever(versions, WordEmbedder, LengthReranker, settings).search("leaks night", k=k).hits[0]

    hit = found(complete=True)
    assert (hit.text, hit.completed) == ("The weir is old. It leaks at night.", (17, 0))
    assert hit.text == text[slice(*hit.span)]
    assert hit.text_of(hit.passages[0]) == "It leaks at night."
    assert hit.at(0) == hit.at(20) == hit.passages[0]
    assert found(complete=False).text == "It leaks at night."
    several = found(complete=True, k=4)
    assert several.text == text[slice(*several.span)]
    assert bool(several.merged) == merge and (several.completed == (0, 0)) == merge


def test_a_repeat_is_not_looked_at_again_and_ranks_as_what_it_repeats(versions, publish) -> None:
    story = " ".join(f"w{n}" for n in range(60))
    publish(document("a", story), document("b", f"{story} x"), document("c", "w1 w2 quite another thing"))
    asked = []

    class Counting(LengthReranker):
        def score(self, question, passages, weight):
            asked.append(list(passages))
            return super().score(question, passages, weight)

    def found(*, collapse: bool) -> list:
        retriever = Retriever(versions, WordEmbedder, Counting, RetrievalSettings(collapse=collapse, merge=False))
        return retriever.search("w1 w2 w30", mode="rerank").hits

    hits = found(collapse=False)
    assert len(asked.pop()) == 3
    assert len(hits) == 3
    hits = found(collapse=True)
    assert len(asked.pop()) == 2, "one of the two that are alike speaks for both"
    assert [len(hit.duplicates) for hit in hits] == [1, 0]
