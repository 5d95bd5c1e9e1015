"""How relevant hits are said to be, when nothing is, and what a search then does."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from rag_platform.config.settings import MODES, RetrievalSettings
from rag_platform.core.hits import Filters
from rag_platform.index.releases.versions import Versions
from rag_platform.models.calibration import WORDS, Curve, Curves
from rag_platform.models.cards import CARDS, ModelCard
from rag_platform.models.known_models import RELEVANCE
from rag_platform.operations.replies import search_document
from rag_platform.reranking.cache import CachingReranker
from rag_platform.reranking.cross_encoder import CrossEncoder
from rag_platform.reranking.endpoint import RerankEndpoint
from rag_platform.reranking.late_interaction import LateInteraction
from rag_platform.reranking.llm_judge import LanguageModelReranker
from rag_platform.retrieval import Retriever
from rag_platform.retrieval.explain.chunk_outcomes import chunk_outcomes
from rag_platform.retrieval.explain.descriptions import describe, remedy
from tests.index.corpora import LengthReranker, WordEmbedder, document

RIVERS = [
    document("weir", "the weir holds the river back"),
    document("ferry", "the ferry crosses the river at noon"),
    document("heron", "a heron stands in the mud"),
    document("reiher", "ein reiher steht im schlamm", language="de"),
]
CURVES = Curves(Curve(-4.0, similarity=8.0), Curve(-3.0, words=4.0, similarity=4.0), Curve(-3.0, rerank=6.0))
MINILM = RELEVANCE["all-MiniLM-L6-v2"]
RISING = np.linspace(0, 1, 9, dtype=np.float32)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the test's model be one whose similarities were measured, on English texts."""
    card = ModelCard("words", None, WordEmbedder.dimension, 100, languages=("en",), relevance=CURVES)
    monkeypatch.setitem(CARDS, "words", card)


def _retriever(versions: Versions, **settings: object) -> Retriever:
    return Retriever(versions, WordEmbedder, LengthReranker, RetrievalSettings(**settings))


@pytest.mark.parametrize(
    "curve", [WORDS, *(getattr(RELEVANCE["all-MiniLM-L6-v2"], name) for name in ("vector", "hybrid", "rerank"))]
)
def test_relevance_is_a_probability_that_grows_with_each_feature(curve) -> None:
    grid = np.array(list(product(RISING, repeat=3)), np.float32)
    values = curve.of(*grid.T).reshape(9, 9, 9)
    assert values.min() > 0 and values.max() < 1
    for axis, weight in enumerate((curve.words, curve.similarity, curve.rerank)):
        grows = np.diff(values, axis=axis)
        assert (grows > 0).all() if weight else (grows == 0).all()


def test_what_a_curve_needs_must_be_known() -> None:
    unknown = np.array([np.nan, 0.5], np.float32)
    assert np.isnan(CURVES.hybrid.of(unknown, RISING[:2])).tolist() == [True, False]
    assert np.isfinite(CURVES.vector.of(unknown, RISING[:2])).all()


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("mode", MODES)
def test_a_question_about_something_else_is_recognised(versions, publish, mode) -> None:
    publish(*RIVERS[:3])
    retriever = _retriever(versions, mode=mode, min_relevance=0.3)
    found = retriever.search("the weir holds the river back")
    assert not found.nothing_relevant and found.hits[0].uri == "weir" and found.hits[0].relevance > 0.5
    other = retriever.search("compilers crosses quantum pizza bread violin", k=1)
    assert other.nothing_relevant and other.hits[0].relevance < 0.3, "the nearest is shown all the same"
    assert search_document(other)["nothing_relevant"] is True


@pytest.mark.usefixtures("measured")
def test_the_order_of_hits_stays_whatever_is_relevant(versions, publish) -> None:
    publish(*RIVERS[:3])
    every = _retriever(versions, min_relevance=0.0).search("ferry at the weir")
    some = _retriever(versions, min_relevance=0.5, drop_irrelevant=True).search("ferry at the weir")
    kept = [hit.uri for hit in every.hits if hit.relevance >= 0.5]
    assert [hit.uri for hit in some.hits] == kept and 0 < len(kept) < len(every.hits)
    assert all(earlier.score >= later.score for earlier, later in pairwise(every.hits))


@pytest.mark.usefixtures("measured")
def test_the_stage_that_drops_tells_what_was_needed(versions, publish) -> None:
    publish(*RIVERS[:3])
    result = _retriever(versions, min_relevance=0.9, drop_irrelevant=True).search("violin", explain=True)
    assert result.nothing_relevant and not result.hits
    assert {entry["ended"] for entry in result.explanation} == {"irrelevant"}
    chunk = chunk_outcomes(result.trace, result.trace.index.catalog.chunks().to_dicts(), "en")[0]
    said = describe(chunk, result.trace, {})
    assert "the stage “irrelevant” dropped it: its relevance is 0." in said and "0.900 is needed" in said
    assert "min_relevance" in remedy(chunk, {"source": "docs"})


def test_a_model_that_was_not_measured_tells_nothing(versions, publish) -> None:
    publish(*RIVERS)
    for mode in ("vector", "hybrid", "rerank"):
        found = _retriever(versions, mode=mode, min_relevance=1.0, drop_irrelevant=True).search("violin")
        assert found.hits and not found.nothing_relevant and {hit.relevance for hit in found.hits} == {None}


@pytest.mark.usefixtures("measured")
def test_a_language_that_the_model_does_not_read_is_never_called_irrelevant(versions, publish) -> None:
    publish(*RIVERS)
    retriever = _retriever(versions, mode="hybrid", min_relevance=0.99)
    asked = "where does the heron stand and what does it do there"
    german = retriever.search(asked, filters=Filters(languages=("de",)))
    assert [hit.relevance for hit in german.hits] == [None] and not german.nothing_relevant
    assert {hit.uri for hit in retriever.search(asked).hits if hit.relevance is None} == {"reiher"}


@pytest.mark.usefixtures("measured")
@pytest.mark.parametrize("mode", ["hybrid", "rerank"])
def test_a_question_in_a_language_that_no_model_reads_is_searched_for_by_its_words_alone(versions, publish, mode):
    publish(*RIVERS)
    retriever = Retriever(versions, WordEmbedder, lambda: LateInteraction(WordEmbedder()), RetrievalSettings())
    asked = "Wo steht der Reiher und was macht er dort den ganzen Tag lang?"
    found, by_words = retriever.search(asked, mode=mode), retriever.search(asked, mode="lexical")
    assert [(hit.uri, hit.score, hit.relevance) for hit in found.hits] == [
        (hit.uri, hit.score, hit.relevance) for hit in by_words.hits
    ]
    assert [hit.uri for hit in found.hits] == ["reiher"]
    assert found.hits[0].scores.vector is found.hits[0].scores.rerank is found.hits[0].scores.feedback is None
    assert "no model of this index reads the language of the question" in found.warnings[0]
    assert not by_words.warnings
    for question in ("नदी पर बाँध", "河上的堰"):
        nothing = retriever.search(question, mode=mode)
        assert nothing.hits == () and len(nothing.warnings) == 1


def test_each_reranker_says_what_its_scores_mean() -> None:
    scores, unknown = np.array([-4.0, 0.0, 4.0, np.nan], np.float32), np.full(4, np.nan, np.float32)
    told = CrossEncoder.relevance(None, scores, unknown, unknown)
    np.testing.assert_allclose(told[:3], [0.018, 0.5, 0.982], atol=1e-3)
    assert np.isnan(told[3])
    assert LanguageModelReranker.relevance(None, scores, unknown, unknown) is scores
    assert np.isnan(RerankEndpoint.relevance(None, scores, unknown, unknown)).all()
    late = LateInteraction(SimpleNamespace(card=CARDS["all-MiniLM-L6-v2"], max_tokens=256))
    few, many = (np.full(4, share, np.float32) for share in (0.1, 0.4))
    assert (CachingReranker(late).relevance(many, many, many) > late.relevance(few, few, few)).all()
    unmeasured = LateInteraction(SimpleNamespace(card=CARDS["bge-small-en-v1.5"], max_tokens=512))
    assert np.isnan(unmeasured.relevance(many, many, many)).all()
