"""What became of a document in a search: told by the search's own trace, and always what really happened."""

import random
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.build.builder import build
from rag_platform.index.build.corpus import Corpus
from rag_platform.index.releases.versions import Versions
from rag_platform.index.vectors import hnsw
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.chunk_outcomes import ChunkOutcome, chunk_outcomes
from rag_platform.retrieval.explain.descriptions import describe, remedy
from rag_platform.retrieval.explain.outcomes import lost_at
from tests.index.corpora import LengthReranker, WordEmbedder, chunked, document

NOW = datetime(2026, 6, 1, tzinfo=UTC)
WORDS = [f"w{n}" for n in range(30)]


def _retriever(versions: Versions, *, half_lives=None, max_ages=None, **settings: object) -> Retriever:
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(**settings), half_lives, max_ages)


def _outcomes(retriever: Retriever, question: str, uri: str, **options: object) -> tuple[list[ChunkOutcome], object]:
    search = retriever.search(question, explain=True, now=NOW, **options).trace
    row = next(row for row in search.index.catalog.named(uri) if row["uri"] == uri)
    chunks = search.index.catalog.chunks_of(row["doc_id"]).to_dicts()
    return chunk_outcomes(search, chunks, "en"), search


def _publish(versions: Versions, corpus: Corpus) -> str:
    made = build(corpus, versions, partitions={})
    versions.promote(made.version, why="test")
    return made.version


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Versions:
    """A version of 60 random documents of one to four chunks, some dated, some alike, some restricted."""
    chance = random.Random(7)
    made = Versions(tmp_path_factory.mktemp("library") / "index")
    rows = []
    for n in range(60):
        words = chance.choices(WORDS, k=chance.choice([8, 16, 32]))
        if n % 7 == 6:
            words = [*rows[-1]["text"].split()[:-1], "w0"]
        dated = NOW - timedelta(days=chance.randrange(2000)) if chance.random() < 0.5 else None
        rows.append(
            document(
                f"d{n}",
                " ".join(words),
                published_at=dated,
                collection=chance.choice(["a", "b"]),
                principals=["*"] if n % 9 else ["alice"],
            )
        )
    _publish(made, chunked(*rows, words=8))
    return made


@pytest.mark.parametrize("seed", range(12))
def test_the_stage_told_is_the_one_that_lost_a_document(library, seed) -> None:
    """`chunk_outcomes` says "returned at rank r" exactly when search returns it there, else the explanation's end."""
    chance = random.Random(seed)
    retriever = _retriever(
        library,
        half_lives={"docs": 300.0} if chance.random() < 0.5 else None,
        max_ages={"docs": 1500.0} if chance.random() < 0.5 else None,
        depth=chance.choice([3, 10, 50]),
        rerank_depth=chance.choice([2, 5, 20]),
        per_document=chance.choice([0, 0, 1]),
        merge=chance.random() < 0.5,
    )
    filters = Filters(collections=chance.choice([(), ("a",)]), principals=chance.choice([(), ("alice",)]))
    mode, k = chance.choice(["lexical", "vector", "hybrid", "rerank"]), chance.choice([1, 3, 10])
    question = " ".join(chance.choices(WORDS, k=3))
    result = retriever.search(question, k=k, mode=mode, filters=filters, explain=True, now=NOW)
    shown = {part.chunk_id: hit.rank for hit in result.hits for part in (hit, *hit.merged)}
    entries = {entry["chunk_id"]: entry for entry in result.explanation}
    allowed = result.trace.candidates.trace.allowed
    for doc_id, chunks in _by_document(result.trace):
        keys = np.array([chunk["key"] for chunk in chunks], np.uint64)
        if allowed is not None and not np.isin(keys, allowed).any():
            assert not any(chunk["chunk_id"] in entries for chunk in chunks), "what is left out is no candidate"
            continue
        told = chunk_outcomes(result.trace, chunks, "en")
        for chunk in told:
            assert (chunk.outcome.stage in ("returned", "merged")) == (chunk.chunk_id in shown)
            assert chunk.outcome.stage not in ("returned", "merged") or chunk.outcome.rank == shown[chunk.chunk_id]
            _consistent(chunk, entries.get(chunk.chunk_id), k)
        assert (told[0].outcome.stage in ("returned", "merged")) == any(hit.doc_id == doc_id for hit in result.hits)


class _Shortest(LengthReranker):
    """Prefers the shorter passage, whatever it says."""

    def score(self, question: str, passages: list[str], weight: object) -> np.ndarray:
        return np.array([-len(passage) for passage in passages], np.float32)


class _Dropping(LengthReranker):
    """Drops what does not hold the word "weir", as one that judges relevance does."""

    def score(self, question: str, passages: list[str], weight: object) -> np.ndarray:
        scores = super().score(question, passages, weight)
        return np.where(["weir" in passage for passage in passages], scores, -np.inf)


def test_what_a_stage_drops_is_told_with_the_rank_it_had(versions, publish) -> None:
    publish(document("weir", "the weir holds"), document("heron", "weird herons hold"), document("mud", "mud holds"))
    retriever = Retriever(versions, WordEmbedder, _Dropping, RetrievalSettings())
    result = retriever.search("what holds", k=5, explain=True)
    assert "mud" not in {hit.uri for hit in result.hits}
    chunks, search = _outcomes(retriever, "what holds", "mud", k=5)
    end = chunks[0].outcome
    assert (end.stage, end.rank, end.drop.limit) == ("reranked", None, None)
    assert f"rank {end.ranks['fused']}, and the stage “reranked” dropped it" in describe(chunks[0], search, {})
    assert remedy(chunks[0], {"source": "docs"}) == "--mode hybrid drops nothing."
    entry = next(entry for entry in result.explanation if entry["uri"] == "mud")
    assert (entry["rank"], entry["ended"], entry["returned"]) == (None, "reranked", False)


def test_asking_for_as_many_hits_as_advised_shows_the_document(library) -> None:
    retriever = _retriever(library, per_document=2)
    search = retriever.search("w1 w2 w3", k=2, explain=True, now=NOW).trace
    advised = 0
    for doc_id, chunks in _by_document(search):
        for chunk in chunk_outcomes(search, chunks, "en"):
            if chunk.outcome.stage in ("beyond k", "reranked") and chunk.outcome.rank:
                hits = retriever.search("w1 w2 w3", k=chunk.outcome.rank, now=NOW).hits
                assert doc_id in {hit.doc_id for hit in hits}
                fewer = retriever.search("w1 w2 w3", k=chunk.outcome.rank - 1, now=NOW).hits
                assert chunk.chunk_id not in {part.chunk_id for hit in fewer for part in (hit, *hit.merged)}
                advised += 1
    assert advised > 20


def _by_document(search) -> list[tuple[str, list[dict]]]:
    chunks = search.index.catalog.chunks().partition_by("doc_id", as_dict=True)
    return [(doc_id, frame.sort("ordinal").to_dicts()) for (doc_id,), frame in chunks.items()]


def _consistent(chunk: ChunkOutcome, entry: dict | None, k: int) -> None:
    """A stage is told that the search's own explanation bears out."""
    if entry is None:
        assert chunk.outcome.stage in ("depth", "filtered")
        assert not any(seen.retrieved for seen in chunk.retrievers.values())
        return
    assert any(seen.retrieved for seen in chunk.retrievers.values())
    assert (chunk.outcome.into or {}).get("chunk_id") == (entry["folded_into"] or entry["merged_into"])
    assert (chunk.outcome.stage == "collapsed") == bool(entry["folded_into"])
    assert (chunk.outcome.stage == "merged") == bool(entry["merged_into"])
    assert chunk.outcome.stage == entry["ended"]
    assert chunk.outcome.ranks == entry["ranks"]
    assert list(chunk.outcome.ranks.values())[-1] == entry["rank"]
    if chunk.outcome.stage in ("aged", "reranked", "fed back"):
        names = list(chunk.outcome.ranks)
        assert (
            chunk.outcome.ranks[names[names.index(chunk.outcome.stage) - 1]]
            <= k
            < chunk.outcome.ranks[chunk.outcome.stage]
        )
    if chunk.outcome.stage == "beyond k":
        assert min(chunk.outcome.ranks.values()) > k


def test_a_rank_far_below_the_depth_is_that_of_a_search_without_end(library) -> None:
    for mode in ("lexical", "vector"):
        everything = _retriever(library, depth=500, collapse=False, merge=False).search(
            "w1 w2", k=500, mode=mode, now=NOW
        )
        few = _retriever(library, depth=5, collapse=False, merge=False).search("w1 w2", k=5, mode=mode, explain=True)
        scores = [hit.scores.lexical if mode == "lexical" else hit.scores.vector for hit in everything.hits]
        for hit, score in list(zip(everything.hits, scores, strict=True))[5:60]:
            chunks = few.trace.index.catalog.chunks_of(hit.doc_id).to_dicts()
            chunk = next(one for one in chunk_outcomes(few.trace, chunks, "en") if one.chunk_id == hit.chunk_id)
            seen = chunk.retrievers[mode]
            assert seen.score == pytest.approx(score, abs=1e-3)
            assert abs(seen.rank - hit.rank) <= sum(abs(other - score) < 2e-3 for other in scores)
            assert not seen.retrieved and seen.depth == 5


def test_what_the_graph_search_passes_over_is_told(library, monkeypatch) -> None:
    retriever = _retriever(library, depth=5, collapse=False, merge=False)
    nearest = retriever.search("w1 w2", k=1, mode="vector").hits[0]
    search = hnsw.VectorIndex.search

    def forgetful(self, vector, depth, allowed=None):
        keys, scores = search(self, vector, depth + 1, allowed)
        return keys[1:], scores[1:]

    monkeypatch.setattr(hnsw.VectorIndex, "search", forgetful)
    chunks, search = _outcomes(retriever, "w1 w2", nearest.uri, mode="vector")
    mine = next(one for one in chunks if one.chunk_id == nearest.chunk_id)
    assert (mine.outcome.stage, mine.retrievers["vector"].rank, mine.retrievers["vector"].missed) == ("depth", 1, True)
    assert "passed over" in describe(mine, search, {})


@pytest.mark.parametrize(
    ("ranks", "lost"),
    [
        ({"fused": 3}, "beyond k"),
        ({"fused": 1, "aged": 3}, "aged"),
        ({"fused": 1, "aged": 3, "reranked": 4}, "aged"),
        ({"fused": 3, "aged": 1, "reranked": 4}, "reranked"),
        ({"fused": 1, "aged": 2, "reranked": 3}, "reranked"),
        ({}, "beyond k"),
    ],
)
def test_the_last_stage_that_moved_it_out_of_the_best_is_blamed(ranks, lost) -> None:
    assert lost_at(ranks, 2) == lost


def test_each_stage_of_a_search_can_lose_a_document_and_says_how_to_get_it_back(versions, publish) -> None:
    story = "the council met on tuesday to talk about the broken weir and the heron that nests in it every spring"
    publish(
        document("story", story),
        document("copy", story + " again"),
        document("old", "weir heron weir heron", published_at=NOW - timedelta(days=900)),
        document("fresh", "weir heron weir heron stands", published_at=NOW),
        document("long", "weir heron " + "and a good deal else " * 8),
        document("other", "nothing to do with it"),
    )
    cases = [
        ("copy", {}, {"k": 4, "mode": "lexical"}, "collapsed", "A passage of story", "collapse = false"),
        ("other", {"depth": 2}, {"k": 2}, "depth", "it lacks “council”", "depth = "),
        (
            "old",
            {"half_lives": {"docs": 30.0}, "collapse": False},
            {"k": 1, "mode": "hybrid"},
            "aged",
            "900 days",
            "half_life_days",
        ),
        ("long", {}, {"k": 1, "mode": "hybrid"}, "beyond k", "1 were asked for", "-k 4"),
    ]
    for uri, settings, options, stage, reason, advice in cases:
        question = "weir heron" if uri in ("old", "long") else "council weir heron"
        chunks, search = _outcomes(_retriever(versions, **settings), question, uri, **options)
        row = search.candidates.rows.get(int(chunks[0].chunk_id, 16), {"source": "docs"})
        assert chunks[0].outcome.stage == stage
        assert reason in describe(chunks[0], search, row)
        assert advice in remedy(chunks[0], row)
    got = _retriever(versions).search("weir heron", k=4, mode="hybrid").hits
    assert got[3].uri == "long", "what is advised brings it back"


def test_what_reranking_loses_is_told_with_both_ranks(versions, publish) -> None:
    publish(document("often", "weir heron " * 6), document("short", "weir heron"), document("no", "mud " * 18))
    settings = RetrievalSettings(rerank_weight=100, lexical_weight=1.0, feedback=0)
    retriever = Retriever(versions, WordEmbedder, _Shortest, settings)
    assert retriever.search("weir heron", k=1, mode="hybrid").hits[0].uri == "often"
    chunks, search = _outcomes(retriever, "weir heron", "often", k=1, mode="rerank")
    assert (chunks[0].outcome.stage, chunks[0].outcome.ranks) == ("reranked", {"fused": 1, "reranked": 2})
    assert "rank 1, and at 2 after reranking" in describe(chunks[0], search, {})
    assert remedy(chunks[0], {"source": "docs"}) == "Ask for 2 hits (-k 2)."
