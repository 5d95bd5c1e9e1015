"""How near a question is to chunks, in whichever vector space each of them is, on one scale.

A question goes to each space whose model may read it. Chunks of other spaces, and those without a vector, have no
similarity: they are found by their words. A cosine is never compared with one of another space as it is: see `scales`.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Embedder
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.view import View
from rag_platform.index.vectors.spaces import OpenSpace
from rag_platform.models.cards import may_read
from rag_platform.retrieval.search.feedback import rocchio
from rag_platform.retrieval.search.scales import SpaceQuery, query_of

_NOT_READ = "no model of this index reads the language of the question; its words alone were searched for"

_WIDER = 5
"""Times as many chunks are looked at where those of one language are nearer to the question whatever they are about."""


class Similarity:
    """A question as every space of a version sees it whose model reads it and that holds something allowed."""

    def __init__(
        self,
        version: OpenVersion,
        question: str,
        embedder_of: Callable[[Mapping[str, Any]], Embedder],
        allowed: np.ndarray | None = None,
    ) -> None:
        """Embed the question, once for each space.

        Args:
            version: What is searched.
            question: The question.
            embedder_of: Gives the model of a space, or raises `ModelError`.
            allowed: Keys (uint64) of the chunks that may be found; None: all.

        Raises:
            ModelError: There is no model for any space that holds something allowed, or none of them reads the
                question. When only some have none, their chunks are found by their words alone, and the log says so.
        """
        several = len(version.spaces) > 1
        present = [place for place, space in enumerate(version.spaces) if _holds(space, allowed, several=several)]
        read = spaces_read(version, question)
        asked = [place for place in present if place in read]
        if present and not asked:
            raise ModelError(_NOT_READ)
        self._allowed = allowed
        embedded, missing = _embed(version, asked, question, embedder_of)
        if missing and not embedded:
            raise missing[0]
        self._catalog = version.catalog
        self._public = version.view(())  # one scale for everybody
        self._queries = self._on_one_scale([(version.spaces[place], vector) for place, vector in embedded])

    def nearest(self, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and similarities (float32) of the nearest `depth` allowed chunks, best first."""
        found = [self._nearest(query, depth) for query in self._queries]
        if len(found) == 1:
            return found[0]
        keys = np.concatenate([np.empty(0, np.uint64), *(keys for keys, _ in found)])
        scores = np.concatenate([np.empty(0, np.float32), *(scores for _, scores in found)])
        order = np.lexsort((keys, -scores))[:depth]
        return keys[order], scores[order]

    def each(self, keys: np.ndarray) -> Iterator[tuple[SpaceQuery, np.ndarray]]:
        """Yield the question in each space, with which of the keys are there: bool, shape (len(keys),)."""
        for query in self._queries:
            yield query, self._in_space(query, keys)

    def _in_space(self, query: SpaceQuery, keys: np.ndarray) -> np.ndarray:
        """Return which keys are in a space: bool; most versions have one space, which has them all."""
        index = query.space.index
        return np.ones(len(keys), bool) if len(index) == len(self._catalog.keys) else index.contains(keys)

    def of(self, keys: np.ndarray) -> np.ndarray:
        """Return the similarity of each chunk: float32, shape (len(keys),); NaN where no asked space has it."""
        scores = np.full(len(keys), np.nan, np.float32)
        for query, own in self.each(keys):
            scores[own] = query.scaled(self._cosines(query, keys[own]))
        return scores

    def evidence(self, keys: np.ndarray, similarities: np.ndarray) -> np.ndarray:
        """Return what each model's curves take for these similarities of the keys: cosines or z-scores."""
        values = np.full(len(keys), np.nan, np.float32)
        for query, own in self.each(keys):
            values[own] = query.evidence(query.unscaled(similarities[own]))
        return values

    def towards(self, keys: np.ndarray, shares: np.ndarray, weight: float) -> "Similarity":
        """Return the similarity to the question after it was moved towards these chunks, as each model reads them."""
        near = copy(self)
        near._queries = self._on_one_scale(
            [(query.space, self._moved(query, keys, shares, weight)) for query in self._queries]
        )
        return near

    def _moved(self, query: SpaceQuery, keys: np.ndarray, shares: np.ndarray, weight: float) -> np.ndarray:
        """Return the question's vector moved towards those of the keys that its model has read, in whichever space."""
        read = [
            shares[own] @ other.space.index.rows(keys[own])
            for other, own in self.each(keys)
            if other.space.fingerprint == query.space.fingerprint and own.any()
        ]
        return rocchio(query.vector, np.sum(read, axis=0), weight) if read else query.vector

    def _on_one_scale(self, embedded: list[tuple[OpenSpace, np.ndarray]]) -> list[SpaceQuery]:
        """Calibrate every space by the first of them, whose cosines stay as they are."""
        queries = [
            query_of(space, vector, partial(self._public.sample, space.fingerprint)) for space, vector in embedded
        ]
        return [*queries[:1], *(query.on_scale_of(queries[0], self._public.references) for query in queries[1:])]

    def _nearest(self, query: SpaceQuery, depth: int) -> tuple[np.ndarray, np.ndarray]:
        allowed, index = self._allowed, query.space.index
        if allowed is not None:
            allowed = allowed[self._in_space(query, allowed)]
        if not query.levels:
            keys, cosines = index.search(query.vector, depth, allowed)
            return keys, query.scaled(cosines)
        keys, cosines = index.search(query.vector, _WIDER * depth, allowed)
        cosines = cosines - query.level(self._catalog.facts(keys).language)
        order = np.lexsort((keys, -cosines))[:depth]
        return keys[order], query.scaled(cosines[order])

    def _cosines(self, query: SpaceQuery, keys: np.ndarray) -> np.ndarray:
        cosines = query.space.index.similarities(query.vector, keys)
        return cosines - query.level(self._catalog.facts(keys).language) if query.levels else cosines


def spaces_read(version: OpenVersion | View, question: str) -> set[int]:
    """Return the places of the spaces whose model may read a question.

    What another model has read as well is asked of only by a question that this other, the first, does not read: so no
    chunk has two similarities.
    """
    read = {place for place, space in enumerate(version.spaces) if may_read(space.model, question)}
    return {place for place in read if 0 not in read or not version.spaces[place].cross}


def _holds(space: OpenSpace, allowed: np.ndarray | None, *, several: bool) -> bool:
    if allowed is None or not len(allowed) or not several:
        return len(space.index) > 0 and (allowed is None or len(allowed) > 0)
    return bool(space.index.contains(allowed).any())


def _embed(
    version: OpenVersion, asked: list[int], question: str, embedder_of: Callable[[Mapping[str, Any]], Embedder]
) -> tuple[list[tuple[int, np.ndarray]], list[ModelError]]:
    """Return the question's vector in each space whose model is here, by its place, and why others have none."""
    embedded, missing = [], []
    for place in asked:
        try:
            embedder = embedder_of(version.spaces[place].model)
        except ModelError as error:
            missing.append(error)
            _warn_once(version.id, str(error))
        else:
            embedded.append((place, embedder.embed_query(question)))
    return embedded, missing


@lru_cache(maxsize=64)
def _warn_once(version: str, problem: str) -> None:
    logging.getLogger(__name__).warning("version %s: %s", version, problem)
