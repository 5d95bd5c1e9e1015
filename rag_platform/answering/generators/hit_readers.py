"""Which model reads a hit together with its question, word by word: that of the vector space where the two meet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from rag_platform.answering.attached.attached_index import ATTACHED
from rag_platform.answering.generators.word_tokens import WordTokens
from rag_platform.core.errors import ModelError
from rag_platform.core.hits import Hit
from rag_platform.core.ids import chunk_key
from rag_platform.core.ports import Embedder, PassageTokens
from rag_platform.embeddings.embedding_model import TokenModel, TokenReader
from rag_platform.embeddings.stored_reader import StoredReader
from rag_platform.index.releases.view import View
from rag_platform.index.vectors.spaces import NEUTRAL
from rag_platform.retrieval.search.similarity import spaces_read
from rag_platform.text.language import UNDETERMINED, may_be

ReadersOf = Callable[[str, Sequence[Hit]], "Sequence[HitReader]"]
"""A question and its hits to who reads each of them."""
EmbedderOf = Callable[[Mapping[str, Any]], Embedder]
"""Gives the model of a vector space, as a manifest describes it; `ModelError` where there is none."""

_SPELLED = 0.8  # tokens a letter: MiniLM has 0.25 for English, 0.4 for German, but 1.2 for Hindi and 1.1 for Chinese


@dataclass(frozen=True, slots=True)
class HitReader:
    """A model that reads questions and passages, and what is to be known of it."""

    tokens: TokenReader
    query_prefix: str = ""
    """What it wants to read before a question, and before a passage:"""
    passage_prefix: str = ""


def everyday(reader: HitReader) -> tuple[np.ndarray, ...]:
    """Return sentences about everyday things as a model reads them: of each, float32, shape (tokens, dimension)."""
    return _everyday(replace(reader, tokens=reader.tokens.model) if isinstance(reader.tokens, StoredReader) else reader)


@lru_cache(maxsize=16)
def _everyday(reader: HitReader) -> tuple[np.ndarray, ...]:
    read = reader.tokens.embed_tokens([reader.passage_prefix + text for text in NEUTRAL.values()])
    return tuple(one.after(reader.passage_prefix).vectors for one in read)


WORDS = HitReader(WordTokens())
"""Words alone."""


def reader_of(embedder: Embedder, question: str, hit: Hit) -> HitReader:
    """Return the model, or words alone where it gives no vectors of tokens or does not read both question and hit."""
    if not isinstance(embedder, TokenModel) or not _reads(embedder, question, hit):
        return WORDS
    return HitReader(embedder, embedder.card.query_prefix, embedder.card.passage_prefix)


def _reads(embedder: TokenModel, question: str, hit: Hit) -> bool:
    """Tell whether a model reads the language of a question and of a hit.

    Of a model that does not say what it reads: whether it knows words, or only spells them out letter by letter.
    """
    languages = embedder.card.languages
    if languages:
        return may_be(question, languages) and hit.language in (*languages, UNDETERMINED)
    pieces = embedder.count_tokens([question])[0] - 2
    return pieces < _SPELLED * max(1, sum(letter.isalnum() for letter in question))


def readers_in(
    view: View, embedder_of: EmbedderOf, question: str, hits: Sequence[Hit], *, other: Embedder | None = None
) -> list[HitReader]:
    """Return who reads each hit: the model of the space in which the question is compared with it, or words alone.

    A hit of a chat's file is in no space: `other` reads it.
    """
    found = [reader_of(other, question, hit) if other and hit.source == ATTACHED else WORDS for hit in hits]
    for row, model, stored in _models_in(view, embedder_of, question, hits):
        found[row] = reader_of(model, question, hits[row])
        if stored and found[row] is not WORDS and isinstance(model, TokenModel):
            found[row] = replace(found[row], tokens=StoredReader(model, stored))
    return found


def models_in(
    view: View, embedder_of: EmbedderOf, question: str, hits: Sequence[Hit], other: Embedder
) -> list[Embedder]:
    """Return the model of the space in which the question is compared with each hit; of a hit in none, `other`."""
    found = {row: model for row, model, _ in _models_in(view, embedder_of, question, hits)}
    return [found.get(row, other) for row in range(len(hits))]


def _models_in(
    view: View, embedder_of: EmbedderOf, question: str, hits: Sequence[Hit]
) -> Iterator[tuple[int, Embedder, PassageTokens | None]]:
    """Yield the hits that a space holds, its model, and what is stored of its tokens."""
    keys = np.array([chunk_key(hit.passages[0].chunk_id) for hit in hits], np.uint64)
    for place in sorted(spaces_read(view, question)):
        space = view.spaces[place]
        with suppress(ModelError):  # the search said so
            model = embedder_of(space.model)
            yield from ((row, model, space.tokens) for row in np.flatnonzero(space.index.contains(keys)).tolist())
