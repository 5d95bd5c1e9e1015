"""Each hit is read by the model of the space in which the question meets it, and nearness is the same for any model."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from rag_platform.answering.coverage import uniform_weight
from rag_platform.answering.generators.answerability import answerability, extract_features
from rag_platform.answering.generators.evidence import gather_evidence
from rag_platform.answering.generators.hit_readers import WORDS, HitReader, models_in, readers_in
from rag_platform.core.errors import ModelError
from rag_platform.core.ids import chunk_key
from rag_platform.embeddings.embedding_model import TokenVectors
from rag_platform.embeddings.stored_reader import StoredReader

QUESTION = "When was the iron bridge built?"


class Narrow:
    """A model whose cosines all lie close together, as E5's do."""

    def __init__(self, embedder):
        self._embedder, self.fingerprint = embedder, "narrow"

    def embed_tokens(self, texts):
        read = self._embedder.embed_tokens(texts)
        return [TokenVectors(one.spans, one.words, _narrowed(one.vectors)) for one in read]

    def embed_query(self, text):
        return _narrowed(self._embedder.embed_query(text))


def _narrowed(vectors):
    """Add something that all have in common: cosines c become .8 + .2 c."""
    common = np.full((*vectors.shape[:-1], 1), 0.8**0.5, np.float32)
    return np.concatenate([vectors * np.float32(0.2**0.5), common], axis=-1)


def _evidence(hits, *readers):
    return gather_evidence(QUESTION, hits, readers, uniform_weight)


def test_nearness_does_not_depend_on_the_scale_of_a_models_cosines(embedder, make_hit):
    hits = [
        make_hit(
            1,
            "The iron bridge was built in 1889.",
            "Bridges",
        )
    ]
    wide, narrow = (_evidence(hits, HitReader(tokens)) for tokens in (embedder, Narrow(embedder)))
    assert narrow.candidates[0].words == pytest.approx(wide.candidates[0].words, abs=1e-4)
    assert answerability(narrow) == pytest.approx(answerability(wide), abs=1e-3)


def test_each_hit_is_read_by_the_model_of_its_own_space(embedder, make_hit):
    hits = [make_hit(1, "The bridge."), make_hit(2, "Die Brücke.", language="de"), make_hit(3, "Silta.", language="fi")]
    embedder.card = replace(embedder.card, languages=("en",))
    other = type(embedder)()
    other.card = replace(other.card, languages=("en", "de"), query_prefix="query: ", passage_prefix="passage: ")
    view = SimpleNamespace(spaces=[_space("small", hits[:1]), _space("large", hits[1:2]), _space("gone", hits[2:])])
    models = {"small": embedder, "large": other}

    def model(described):
        if described["name"] not in models:
            raise ModelError("it is not here")
        return models[described["name"]]

    assert readers_in(view, model, QUESTION, hits) == [
        HitReader(embedder),
        HitReader(other, "query: ", "passage: "),
        WORDS,
    ]
    assert models_in(view, model, QUESTION, hits, embedder) == [embedder, other, embedder]


def _space(name, hits):
    keys = {chunk_key(hit.chunk_id) for hit in hits}
    index = SimpleNamespace(contains=lambda asked: np.array([int(key) in keys for key in asked], bool))
    return SimpleNamespace(model={"name": name, "languages": ()}, index=index, cross=False, tokens=None)


def test_what_is_stored_of_a_space_is_not_read_again(embedder, make_hit):
    hits = [make_hit(1, "The bridge."), make_hit(2, "Silta.", language="fi")]
    embedder.card = replace(embedder.card, languages=("en",))
    space = _space("own", hits)
    space.tokens = SimpleNamespace(bits=2)
    readers = readers_in(SimpleNamespace(spaces=[space]), lambda _: embedder, QUESTION, hits)
    assert readers == [HitReader(StoredReader(embedder, space.tokens)), WORDS]


def test_what_is_read_by_several_models_is_one_list(embedder, make_hit):
    hits = [make_hit(1, "The wooden bridge is old."), make_hit(2, "The iron bridge was built in 1889.")]
    evidence = _evidence(hits, WORDS, HitReader(embedder))
    assert [candidate.place for candidate in evidence.candidates] == [2, 1]
    assert len(evidence.passages) == 2


def test_a_passage_without_the_names_of_the_question_hardly_answers(embedder, make_hit):
    question = "What does the ferry to Oster cost in 2026?"
    said, other = (
        gather_evidence(question, [make_hit(1, text, "")], [HitReader(embedder)], uniform_weight)
        for text in ("The ferry to Oster costs 4 euros in 2026.", "The ferry to Aldern costs 4 euros in 2025.")
    )
    assert (extract_features(said).lacking, extract_features(other).lacking) == (0, 2)
    assert answerability(other) < answerability(said)
    foreign = [make_hit(1, "2026年的轮渡票价是4欧元。", "", language="zh")]
    assert extract_features(gather_evidence(question, foreign, [WORDS], uniform_weight)).lacking == 0


def test_how_relevant_the_hits_are_counts_where_it_is_known(embedder, make_hit):
    hit = make_hit(1, "The iron bridge was built in 1889.")
    likely = [
        answerability(_evidence([replace(hit, relevance=relevance)], HitReader(embedder)))
        for relevance in (0.01, None, 0.99, 1.0)
    ]
    assert likely == sorted(likely)
