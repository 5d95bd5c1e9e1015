"""Which spaces a question is asked of, and how similarities of several models come together."""

from dataclasses import replace
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest

from rag_platform.config.settings import RetrievalSettings
from rag_platform.index.build.builder import build
from rag_platform.index.vectors.spaces import Space
from rag_platform.models.calibration import Curve, Curves, RandomCosines
from rag_platform.models.cards import CARDS, ModelCard
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.retriever_ranks import retriever_ranks
from rag_platform.retrieval.search.fusion import fuse
from rag_platform.retrieval.search.question_language import levelled, may_share_language, read_with
from rag_platform.retrieval.search.scales import query_of
from rag_platform.retrieval.search.similarity import Similarity, spaces_read
from tests.index.corpora import WordEmbedder, corpus, document

COSINES = Curves(Curve(-4.0, similarity=8.0), Curve(-3.0, words=4.0, similarity=4.0), Curve(-3.0, rerank=6.0))
Z_SCORES = replace(COSINES, vector=Curve(-6.0, similarity=2.0), random=RandomCosines(0.7, 0.05))
ENGLISH = "where does the grey heron stand in the morning, and what does it do there"
GERMAN = "Wo steht der graue Reiher am Morgen und was macht er dort den ganzen Tag lang?"
HINDI = "सुबह बगुला कहाँ खड़ा रहता है और वहाँ क्या करता है"
NEPALI = "बिहान बकुल्ला कहाँ उभिन्छ र त्यहाँ के गर्छ"
DOCUMENTS = [
    document("heron", "the grey heron stands in the mud in the morning"),
    document("weir", "the weir holds the river back"),
    document("reiher", "der graue Reiher steht am Morgen im Schlamm", language="de"),
    document("wehr", "das Wehr staut den Fluss", language="de"),
    document("ghost", "der graue Reiher steht den ganzen Tag im Nebel", language="de"),
]


class Second(WordEmbedder):
    """Another model: the same vectors with a common part, so that all cosines are high."""

    card = ModelCard("second", None, WordEmbedder.dimension, 100, languages=("en", "de", "hi"), relevance=Z_SCORES)
    fingerprint = "second"

    def embed_query(self, text):
        return _unit(super().embed_query(text) + np.float32(0.2))


def _unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


MODELS = {"words": WordEmbedder(), "second": Second()}


def embedder_of(model):
    return MODELS[model["fingerprint"]]


@pytest.fixture
def version(versions, monkeypatch):
    """English in the first space, and in the second as well; German in the second, but for one without a vector."""
    first = ModelCard("words", None, WordEmbedder.dimension, 100, languages=("en",), relevance=COSINES)
    monkeypatch.setitem(CARDS, "words", first)
    monkeypatch.setitem(CARDS, "second", Second.card)
    plain = corpus(*DOCUMENTS)
    english = plain.chunks["language"].to_numpy() == "en"
    german = ~english & (plain.chunks["text"].str.contains("Nebel").to_numpy() == False)  # noqa: E712  an array
    texts, keys, model = plain.chunks["text"].to_list(), plain.chunks["key"].to_numpy(), plain.spaces[0].model
    other = model | {"name": "second", "fingerprint": "second"}
    vectors = Second().embed_passages(texts)
    spaces = (
        Space(model, (), keys[english], plain.spaces[0].vectors[english]),
        Space(other, (), keys[german], vectors[german]),
        Space(other, (), keys[english], vectors[english], cross=True),
    )
    made = build(replace(plain, spaces=spaces), versions, partitions={})
    versions.promote(made.version, why="test")
    return versions.open(made.version)


@pytest.mark.parametrize(
    ("question", "places"), [(ENGLISH, {0, 1}), (GERMAN, {1, 2}), (HINDI, {1, 2}), (NEPALI, set())]
)
def test_a_question_goes_to_the_spaces_whose_model_reads_it_and_to_each_chunk_once(version, question, places) -> None:
    assert spaces_read(version, question) == places
    if places:
        near = Similarity(version, question, embedder_of)
        found = [own for _, own in near.each(version.catalog.keys)]
        assert np.sum(found, axis=0).max() == 1 and np.sum(found) == 4


def test_an_equal_similarity_is_one_that_is_as_probable(version) -> None:
    near, keys = Similarity(version, ENGLISH, embedder_of), version.catalog.keys
    first, other = (query for query, _ in near.each(keys))
    cosines = np.linspace(0.5, 0.9, 5, dtype=np.float32)
    assert first.scaled(cosines) is cosines
    nothing = np.zeros(5)
    probable = Z_SCORES.vector.of(nothing, other.evidence(cosines))
    assert COSINES.vector.of(nothing, other.scaled(cosines)) == pytest.approx(probable, abs=1e-4)


def test_spaces_of_one_model_share_a_scale_and_are_moved_together(version) -> None:
    near, keys = Similarity(version, GERMAN, embedder_of), version.catalog.keys
    (home, own), (cross, _) = near.each(keys)
    assert home.random == cross.random and home.levels == cross.levels and (cross.slope, cross.shift) == (1.0, 0.0)
    moved = near.towards(keys[own][:1], np.ones(1, np.float32), 1.0)
    assert len({query.vector.tobytes() for query, _ in moved.each(keys)}) == 1


def test_the_usual_cosines_count_where_the_sample_is_small() -> None:
    usual, random = RandomCosines(0.7, 0.05), np.random.default_rng(0)
    assert usual.observed(np.empty(0)) == usual
    few, many = (usual.observed(random.normal(0.8, 0.01, count)) for count in (2, 4000))
    assert 0.7 < few.mean < 0.75 and few.spread > 0.03
    assert many.mean == pytest.approx(0.8, abs=1e-3) and many.spread == pytest.approx(0.01, abs=3e-3)
    space = SimpleNamespace(model={"name": "nobody knows"}, relevance=None)
    assert query_of(space, np.ones(2), lambda: 1 / 0).evidence(random) is random  # no sample is looked at


@pytest.mark.parametrize("mode", ["hybrid", "rerank"])
def test_each_passage_is_found_by_the_model_that_reads_it_or_by_its_words(versions, version, mode) -> None:
    reranker = LateInteraction(WordEmbedder(), embedder_of)
    retriever = Retriever(versions, WordEmbedder, lambda: reranker, RetrievalSettings(), embedder_of=embedder_of)
    german = {hit.uri: hit for hit in retriever.search(GERMAN, mode=mode).hits}
    assert [*german][:2] == ["reiher", "ghost"] or [*german][:2] == ["ghost", "reiher"]
    assert german["ghost"].scores.vector is None is german["ghost"].scores.rerank
    assert german["ghost"].score > german["wehr"].score and german["heron"].scores.vector is not None
    traced = retriever.search(ENGLISH, mode=mode, trace=True).trace
    chunks = {row["doc_id"]: row["key"] for row in version.catalog.chunks("key", "doc_id").to_dicts()}
    ghost = chunks[german["ghost"].doc_id]
    assert "no vector" in retriever_ranks(traced, np.array([ghost], np.uint64))["vector"][ghost].absent
    english = {hit.uri: hit for hit in retriever.search(ENGLISH, mode=mode).hits}
    assert next(iter(english)) == "heron" and {"reiher", "wehr"} <= {*english}
    assert (english["heron"].scores.rerank is not None) == (mode == "rerank")
    assert all(hit.relevance is not None for hit in english.values() if hit.uri != "ghost")


def test_passages_in_the_language_of_the_question_are_not_nearer_by_that_alone() -> None:
    random = np.random.default_rng(0)
    rows = random.normal(0.7, 0.03, (200, 1)).astype(np.float32)
    rows[100:] += 0.1
    space, languages = SimpleNamespace(model={"name": "second"}, relevance=None), ["hi"] * 100 + ["de"] * 100
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CARDS, "second", Second.card)
        query = query_of(space, np.ones(1, np.float32), lambda: (rows, languages))
        alone = query_of(space, np.ones(1, np.float32), lambda: (rows[:100], languages[:100]))
    near, german = query.level(["hi", "de", "und"])[[0, 1]]
    assert german - near == pytest.approx(0.1, abs=0.01) and query.level(["und"])[0] == 0
    assert query.random.spread == pytest.approx(0.03, abs=0.005) and not alone.levels


def test_words_count_where_both_are_in_one_language() -> None:
    languages = ["en", "de", "und", None]
    assert may_share_language(ENGLISH, languages).tolist() == [True, False, True, True]
    assert may_share_language(GERMAN, languages).tolist() == [False, True, True, True]
    assert may_share_language("zebra", languages).all()
    assert read_with(ENGLISH, languages, ("en",)).tolist() == [True, False, True, True]
    assert not read_with(GERMAN, languages, ("en",)).any() and read_with(GERMAN, languages, ()).all()


def test_a_chunk_without_a_vector_is_scored_by_its_words_alone() -> None:
    lexical, vector = np.array([4.0, 2.0, np.nan], np.float32), np.array([0.1, np.nan, 0.5], np.float32)
    assert fuse(lexical, vector, "minmax", 0.4).tolist() == pytest.approx([0.4, 0.5, 0.6])
    assert fuse(lexical[:2], np.full(2, np.nan, np.float32), "minmax", 0.4).tolist() == [1.0, 0.5]
    by_chunk = fuse(lexical, np.array([0.1, 0.3, 0.5], np.float32), "minmax", np.array([1.0, 0.5, 0.0]))
    assert by_chunk.tolist() == pytest.approx([1.0, 0.5, 1.0])


def test_late_interaction_orders_foreign_passages_among_themselves() -> None:
    scores, before = np.array([0.8, 0.3, 0.1, np.nan], np.float32), np.array([1.0, 0.9, 0.5, 0.4])
    foreign = np.array([False, True, True, True])
    found = levelled(scores, before, foreign)
    assert found[:3].tolist() == pytest.approx([0.8, 0.63, 0.43]) and np.isnan(found[3])
    assert levelled(scores, before, ~foreign)[1:3].tolist() == scores[1:3].tolist()


class Longest(LateInteraction):
    """Prefers the longest passage; keeps what words weigh."""

    weighed: ClassVar[list[float]] = []

    def of_space(self, model, stored=None):
        return self

    def score(self, question, passages, weight):
        self.weighed.append(weight("heron"))
        return np.array([len(passage) / 100 for passage in passages], np.float32)


def test_passages_in_other_languages_are_ordered_by_late_interaction_alone(versions, version) -> None:
    retriever = Retriever(
        versions,
        WordEmbedder,
        lambda: Longest(WordEmbedder()),
        RetrievalSettings(rerank_margin=1.0),
        embedder_of=embedder_of,
    )
    hits = [
        hit for hit in retriever.search(HINDI + " heron Reiher", mode="rerank").hits if hit.scores.rerank is not None
    ]
    assert len(hits) >= 3 and not any(Longest.weighed)
    assert [hit.scores.rerank for hit in hits] == sorted((hit.scores.rerank for hit in hits), reverse=True)
    retriever.search(ENGLISH, mode="rerank")
    assert Longest.weighed[-2] > 0 == Longest.weighed[-1]  # the English ones, then the German
