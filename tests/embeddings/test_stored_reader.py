"""Passages whose token vectors are stored are not read by the model again."""

from copy import copy
from dataclasses import replace

import numpy as np
import pytest

from rag_platform.embeddings.stored_reader import StoredReader
from rag_platform.embeddings.token_codes import packed

TEXT = "Bridges\nThe river is long. An iron bridge over it was built in 1889. Herons nest there, in the reeds."
OTHER = "The lock is shut."


class Stored:
    """One passage, as the stage packs it."""

    bits = 2

    def __init__(self, model) -> None:
        prefix = model.card.passage_prefix
        self._row = packed(model.embed_tokens([prefix + TEXT])[0].of_words(prefix, TEXT), self.bits)

    def of(self, passages):
        return [self._row if passage == TEXT else None for passage in passages]


@pytest.mark.parametrize("prefix", ["", "passage: "])
def test_the_tokens_are_those_of_the_words_with_nearly_their_vectors(embedder, prefix) -> None:
    model = copy(embedder)
    model.card = replace(embedder.card, passage_prefix=prefix)
    reader = StoredReader(model, Stored(model))
    read, other = reader.embed_tokens([prefix + TEXT, prefix + OTHER])
    whole, same = model.embed_tokens([prefix + TEXT, prefix + OTHER])
    spoken = whole.spoken(prefix + TEXT) & (whole.spans[:, 1] > len(prefix))
    np.testing.assert_array_equal(read.spans, whole.spans[spoken])
    np.testing.assert_array_equal(read.words, whole.words[spoken])
    near = (read.vectors * whole.vectors[spoken]).sum(axis=1)
    assert near.mean() > 0.85 and near.min() > 0.6
    np.testing.assert_array_equal(other.vectors, same.vectors)
    np.testing.assert_array_equal(reader.embed_query("When?"), model.embed_query("When?"))
    assert reader.fingerprint != model.fingerprint


def test_a_passage_that_the_model_cuts_has_the_tokens_that_it_reads(tiny_embedder) -> None:
    long = " ".join(["herons"] * 200)
    row = packed(tiny_embedder.embed_tokens([long])[0].of_words("", long), 1)
    stored = type("One", (), {"bits": 1, "of": lambda _, passages: [row for _ in passages]})()
    (read,) = StoredReader(tiny_embedder, stored).embed_tokens([long])
    assert len(read.spans) == len(read.vectors) == tiny_embedder.max_tokens - 2
