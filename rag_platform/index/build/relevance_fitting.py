"""What the similarities of a model say that nobody measured, from a version's own public texts.

A sentence is taken out of a passage and asked for; the passage without it counts as relevant. Many a sentence is about
something else than what stands around it, so only the nearer half of these pairs counts. Not relevant is what comes
nearest to sentences about everyday things (`spaces.NEUTRAL`), but for a few that the corpus may be about.
docs/decisions/0033 tells how well that agrees with a curve that was measured, and what was tried beside it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from rag_platform.core.errors import ModelError
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Embedder
from rag_platform.index.keys import among
from rag_platform.index.vectors.spaces import NEUTRAL, Space
from rag_platform.models.calibration import Curve, fit_logistic
from rag_platform.models.cards import card_of
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.sentences import split_sentences

PAIRS = 64
"""Documents of which a passage is asked; of more the curve does not become better."""
_LEAST = 16
"""Of fewer, nothing is fitted."""
_SHORTEST = 25
"""Characters of a sentence that is worth asking, and of what must be left of its passage."""
_DOUBTED = 0.1
"""Share of the neutral sentences that the corpus may be about."""
_APART = 0.9
"""The area under the curve that a model must reach to be believed."""
_NEAREST = 3
"""Passages of a neutral sentence that count."""


def fitted(
    public: pl.DataFrame, spaces: Sequence[Space], embedder_of: Callable[[Mapping[str, Any]], Embedder]
) -> tuple[Space, ...]:
    """Give each space whose model has no curve on its card one of its own; a pure function of texts and model.

    Args:
        public: The chunks that everybody may read, ascending by key: no figure may depend on others.
        spaces: Those of the version.
        embedder_of: Gives the model of a space; a space whose model is not here stays without.
    """
    return tuple(
        space if (card := card_of(space.model)) and card.relevance else _with_curve(public, space, embedder_of)
        for space in spaces
    )


def _with_curve(public: pl.DataFrame, space: Space, embedder_of: Callable[[Mapping[str, Any]], Embedder]) -> Space:
    own = public.filter(pl.Series(among(public["key"].to_numpy(), space.keys), dtype=pl.Boolean))
    pairs = _pairs(own)
    if len(pairs) < _LEAST:
        return space
    try:
        embedder = embedder_of(space.model)
        near = _similarities(embedder, pairs)
        vectors = space.vectors[among(space.keys, own["key"].to_numpy())]
        curve = _curve(near, _of_strangers(embedder, vectors))
    except ModelError:
        return space
    return replace(space, relevance=curve)


def _pairs(chunks: pl.DataFrame) -> list[tuple[str, str]]:
    """Return sentences and their passages without them, of the documents whose passages' hashes are the smallest."""
    pairs: dict[str, tuple[str, str]] = {}
    for doc_id, header, text in chunks.sort("text_hash", "doc_id").select("doc_id", "header", "text").iter_rows():
        if doc_id not in pairs and (parted := _parted(text)):
            pairs[doc_id] = parted[0], embedding_text(header or "", parted[1])
            if len(pairs) == PAIRS:
                break
    return [*pairs.values()]


def _parted(text: str) -> tuple[str, str] | None:
    """Take a sentence from the middle of a text; of one without sentences, the third in its middle."""
    whole = [(start, end) for start, end, kind in split_sentences(text) if kind != "heading"]
    sentences = [span for span in whole if span[1] - span[0] >= _SHORTEST]
    if len(whole) < 2 or not sentences:
        start, end = (_before_a_word(text, part * len(text) // 3) for part in (1, 2))
        sentences = [(start, end)]
    start, end = sentences[len(sentences) // 2]
    asked, left = text[start:end].strip(), f"{text[:start]}{text[end:]}".strip()
    return (asked, left) if min(len(asked), len(left)) >= _SHORTEST else None


def _before_a_word(text: str, place: int) -> int:
    """Return where the word begins that is at a place; where no word does, in a script without spaces, the place."""
    return place if has_unspaced(text) else text.rfind(" ", 0, place) + 1


def _similarities(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the cosines of the nearer half of the pairs: float32."""
    asked = np.stack([embedder.embed_query(sentence) for sentence, _ in pairs])
    passages = embedder.embed_passages([passage for _, passage in pairs])
    return np.sort((asked * passages).sum(axis=1))[len(pairs) // 2 :]


def _of_strangers(embedder: Embedder, vectors: np.ndarray) -> np.ndarray:
    """Return the cosines of what is nearest to the neutral sentences: float32."""
    asked = np.stack([embedder.embed_query(sentence) for sentence in NEUTRAL.values()])
    best = np.sort(vectors @ asked.T, axis=0)[::-1][:_NEAREST]
    kept = best[0] <= np.quantile(best[0], 1 - _DOUBTED)
    strangers: np.ndarray = best[:, kept].ravel()
    return strangers


def _curve(relevant: np.ndarray, others: np.ndarray) -> Curve | None:
    """Fit; None where what is relevant is not clearly nearer."""
    if (relevant[:, None] > others).mean() < _APART:
        return None
    near = np.concatenate([relevant, others])[:, None]
    labels = np.repeat([1.0, 0.0], [len(relevant), len(others)])
    weights = np.repeat([1 / len(relevant), 1 / len(others)], [len(relevant), len(others)])
    constant, similarity = fit_logistic(near, labels, weights).tolist()
    return Curve(constant, similarity=similarity)
