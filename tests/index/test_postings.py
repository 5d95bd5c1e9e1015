"""The stored postings: what a text gives, whatever the order in which they are put into their places."""

import random
from collections import Counter

import numpy as np
import pytest

from rag_platform.index import postings
from rag_platform.index.build.redaction import redact
from rag_platform.index.joined_postings import JoinedPostings
from rag_platform.index.postings import Postings, PostingsWriter
from rag_platform.index.statistics import Statistics
from tests.index.corpora import document


def _written(folder, chunks: list[list[str]]) -> Postings:
    writer = PostingsWriter()
    for terms in chunks:
        writer.add(terms)
    writer.write(folder)
    return Postings(folder)


@pytest.mark.parametrize("block", [7, 10**6])
def test_each_term_has_its_chunks_and_how_often_it_is_there(tmp_path, monkeypatch, block) -> None:
    monkeypatch.setattr(postings, "_BLOCK", block)
    chance, words = random.Random(1), [f"w{n}" for n in range(30)]
    chunks = [chance.choices(words, k=chance.randrange(12)) for _ in range(60)] + [["often"] * 300]
    stored = _written(tmp_path / "postings", chunks)
    assert len(stored) == 61 and stored.lengths.tolist() == [len(terms) for terms in chunks]
    for word in [*words, "often", "unheard"]:
        counts = [Counter(terms)[word] for terms in chunks]
        held, frequencies = stored.of(word)
        assert held.tolist() == [place for place, count in enumerate(counts) if count]
        assert frequencies.tolist() == [min(count, 255) for count in counts if count]


def test_no_chunks_at_all_are_postings_too(tmp_path) -> None:
    stored = _written(tmp_path / "postings", [])
    assert len(stored) == 0 and len(stored.of("word")[0]) == 0
    assert Statistics(JoinedPostings([stored]), np.ones(0, bool), ()).idf("word") > 0


def test_statistics_count_the_readable_chunks_alone(tmp_path) -> None:
    stored = _written(tmp_path / "postings", [["a", "b"], ["a"] * 4, ["b"]])
    part = Statistics(JoinedPostings([stored]), np.array([True, False, True]), ["en"])
    assert (part.chunks, part.average_length, part.frequency("a"), part.frequency("b")) == (2, 1.5, 1, 2)


def test_files_that_do_not_belong_together_are_refused(tmp_path) -> None:
    _written(tmp_path / "postings", [["a", "b"], ["a"]])
    np.save(tmp_path / "postings" / "chunks.npy", np.zeros(1, np.uint32))
    with pytest.raises(ValueError, match="belong together"):
        Postings(tmp_path / "postings")


def test_verifying_compares_the_postings_with_the_texts_and_forgetting_rewrites_them(versions, publish) -> None:
    kept = [document(f"d{n}", f"the weir of mile {n}") for n in range(4)]
    doomed = document("doomed", "the zebra of the quarry")
    old = versions.open(publish(*kept, doomed))
    assert old.verify() == [] and old.whole_view.statistics.frequency("zebra") == 1
    form = redact(versions, {doomed["doc_id"]}, why="forgotten", scrub=lambda value: value)[old.id]
    new = versions.open(form)
    (postings,) = new.lexical.postings.parts
    assert new.verify() == [] and new.whole_view.statistics.frequency("zebra") == 0 < sum(postings.lengths)
    postings.lengths = postings.lengths + 1
    assert any("the postings of chunk" in problem for problem in new.verify(sample=49))  # another one: looked at anew


def test_somebodys_postings_are_those_of_the_chunks_that_they_may_read(tmp_path) -> None:
    chance, words = random.Random(2), [f"w{n}" for n in range(40)]
    parts = [[chance.choices(words, range(1, 41), k=chance.randrange(20)) for _ in range(n)] for n in (70, 1, 0, 30)]
    stored_parts = [_written(tmp_path / str(n), chunks) for n, chunks in enumerate(parts)]
    joined = JoinedPostings(stored_parts)
    readable = np.array([chance.random() < 0.3 for _ in range(101)])
    own = JoinedPostings.readable(stored_parts, readable)
    assert joined.lengths.tolist() == [len(chunk) for chunks in parts for chunk in chunks]
    asked = [*words, "unheard"]
    for word, rows in zip(asked, own.holders(asked), strict=True):
        expected = [row for row in joined.holders([word])[0].tolist() if readable[row]]
        assert rows.tolist() == expected and own.count(word) == len(expected)
        times = dict(zip(*(one.tolist() for one in joined.of(word)), strict=True))
        mine = {row: count for row, count in times.items() if readable[row]}
        assert dict(zip(*(one.tolist() for one in own.of(word)), strict=True)) == mine
        wider = dict(zip(*(one.tolist() for one in own.of(word, superset=True)), strict=True))
        assert mine.items() <= wider.items() <= times.items()
        assert bool(wider) == bool(mine)
    assert JoinedPostings.readable(stored_parts, np.ones(101, bool)).parts == joined.parts
