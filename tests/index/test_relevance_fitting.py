"""Relevance curves fitted to a version's own texts."""

from dataclasses import replace

import numpy as np
import pytest

from rag_platform.core.errors import ModelError
from rag_platform.core.ids import digest
from rag_platform.index.build.builder import build
from rag_platform.index.build.relevance_fitting import _parted, fitted
from rag_platform.models.calibration import Curves
from rag_platform.retrieval.search.scales import curves_of
from tests.index.corpora import WordEmbedder, corpus, document


def article(number: int, **columns: object) -> dict:
    """Return a document whose sentences repeat the words of its subject, and share none with others."""
    words = [f"subject{number}x{part}" for part in range(6)]
    said = " ".join(words)
    return document(f"{number}.md", f"First {said} one. Then {said} two. Last {said} three.", **columns)


@pytest.fixture(scope="module")
def articles():
    return corpus(*(article(number) for number in range(40)))


def curve_of(articles, embedder=None):
    (space,) = fitted(articles.public, articles.spaces, lambda _: embedder or WordEmbedder())
    return space.relevance


def test_what_is_near_is_relevant_and_what_is_neutral_is_not(articles):
    curve = curve_of(articles)
    likely = curve.of(np.zeros(2), np.array([0.9, 0.1]))
    assert likely[0] > 0.9 and likely[1] < 0.1


def test_it_depends_on_public_texts_alone_and_on_nothing_else(articles):
    more = corpus(
        *(article(number) for number in range(40)),
        *(article(number, principals=["group:x"]) for number in range(80, 90)),
    )
    assert curve_of(more) == curve_of(articles)
    assert curve_of(articles) == curve_of(articles)


def test_a_measured_model_keeps_its_curve_and_one_that_is_not_here_has_none(articles):
    measured = replace(articles.spaces[0], model=articles.spaces[0].model | {"name": "all-MiniLM-L6-v2"})
    assert fitted(articles.public, [measured], lambda _: pytest.fail("asked"))[0].relevance is None

    def missing(model):
        raise ModelError("there is none")

    assert fitted(articles.public, articles.spaces, missing)[0].relevance is None


def test_too_few_texts_or_a_model_that_finds_nothing_give_no_curve(articles):
    assert curve_of(corpus(*(article(number) for number in range(10)))) is None

    class Blind(WordEmbedder):
        def embed_query(self, text):
            vector = np.random.default_rng(int(digest(text), 16)).normal(size=64)
            return (vector / np.linalg.norm(vector)).astype(np.float32)

    assert curve_of(articles, Blind()) is None


def test_a_version_keeps_its_curve(articles, versions):
    whole = replace(articles, spaces=fitted(articles.public, articles.spaces, lambda _: WordEmbedder()))
    version = build(whole, versions, partitions={}).version
    curve = whole.spaces[0].relevance
    assert versions.manifest(version)["relevance"] == {"constant": curve.constant, "similarity": curve.similarity}
    (space,) = versions.open(version).spaces
    assert space.model == articles.spaces[0].model
    curves = curves_of(space)
    assert curves == Curves.of_similarity(curve)
    near, far = curves.hybrid.of(np.array([0.5, 0.0]), np.array([0.9, 0.0]))
    assert near > 0.9 and far < 0.1


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("# Heading\n\nThe first sentence of them stands here. The second one is asked for now. The third ends it all.",
         "The second one is asked for now."),
        (
            "a ferry crosses the river at noon and nobody waits for it on the other bank of the water until evening",
            "and nobody waits for it on the",
        ),
        ("渡し船は朝六時に出て、冬の間は川が凍るまで毎日一時間ごとに走ります。" * 2, None),
        ("Too short.", None),
    ],
)  # fmt: skip
def test_a_sentence_is_taken_from_the_middle(text, asked):
    parted = _parted(text)
    if asked is None:
        assert parted is None or len(parted[0]) + len(parted[1]) <= len(text)
    else:
        assert parted[0] == asked and asked not in parted[1]
