"""How near a question is to chunks, in whichever vector space each of them is, on one scale.

Each model has a scale of its own: for one 0.3 is a good match, for another 0.8 is a poor one. So a cosine is never
compared with one of another space. It is first expressed against what the question has in common with the version's
reference texts, which are the same in every space: where it lies between their mean (0) and the mean of the nearest of
them (1). Then it is put on the scale of the first space, whose cosines stay as they are.
"""

import logging
import math
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from rag_platform.core.errors import ModelError
from rag_platform.core.ports import Embedder
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.vectors.spaces import OpenSpace
from rag_platform.retrieval.search.feedback import rocchio

_NEAREST = 0.05
"""Share of the reference texts that count as near: what matters is the upper end of the scale."""
_LEAST = 1e-6
"""Least distance of the two marks of a scale: reference texts may all be alike."""


@dataclass(frozen=True, slots=True)
class _SpaceQuery:
    """A question in one vector space."""

    space: OpenSpace
    vector: np.ndarray
    slope: float
    shift: float
    """A cosine times `slope` plus `shift` is on the scale of the first space."""

    def scaled(self, cosines: np.ndarray) -> np.ndarray:
        return cosines if self.slope == 1.0 and self.shift == 0.0 else cosines * self.slope + self.shift


class Similarity:
    """A question as every space of a version sees it that holds something allowed."""

    def __init__(
        self,
        version: OpenVersion,
        question: str,
        embedder_of: Callable[[Mapping[str, Any]], Embedder],
        allowed: np.ndarray | None = None,
    ) -> None:
        """Embed the question, once for each model.

        Args:
            version: What is searched.
            question: The question.
            embedder_of: Gives the model of a space, or raises `ModelError`.
            allowed: Keys (uint64) of the chunks that may be found; None: all.

        Raises:
            ModelError: There is no model for any space that holds something allowed. When only some have none, their
                chunks are found by their words alone, and the log says so.
        """
        several = len(version.spaces) > 1
        present = [place for place, space in enumerate(version.spaces) if _holds(space, allowed, several=several)]
        needed = sorted({0, *present}) if present else []  # the first gives the scale
        self._allowed = allowed
        embedded, missing = _embed(version, needed, question, embedder_of)
        if missing and not any(space is version.spaces[place] for space, _ in embedded for place in present):
            raise missing[0]
        self._references = version.view(()).references  # those of public texts alone: one scale for everybody
        self._queries = _on_one_scale(embedded, self._references)

    def nearest(self, depth: int) -> tuple[np.ndarray, np.ndarray]:
        """Return keys (uint64) and similarities (float32) of the nearest `depth` allowed chunks, best first."""
        found = [self._nearest(query, depth) for query in self._queries]
        if len(found) == 1:
            return found[0]
        keys = np.concatenate([np.empty(0, np.uint64), *(keys for keys, _ in found)])
        scores = np.concatenate([np.empty(0, np.float32), *(scores for _, scores in found)])
        order = np.lexsort((keys, -scores))[:depth]
        return keys[order], scores[order]

    def of(self, keys: np.ndarray) -> np.ndarray:
        """Return the similarity of each chunk: float32, shape (len(keys),); NaN where its space has no model here."""
        scores = np.full(len(keys), np.nan, np.float32)
        for query in self._queries:
            own = query.space.index.contains(keys)
            scores[own] = query.scaled(query.space.index.similarities(query.vector, keys[own]))
        return scores

    def towards(self, keys: np.ndarray, shares: np.ndarray, weight: float) -> "Similarity":
        """Return the similarity to the question after it was moved towards these chunks; each moves it in its space."""
        near = copy(self)
        moved = [(query.space, _moved(query, keys, shares, weight)) for query in self._queries]
        near._queries = _on_one_scale(moved, self._references)
        return near

    def _nearest(self, query: _SpaceQuery, depth: int) -> tuple[np.ndarray, np.ndarray]:
        allowed, index = self._allowed, query.space.index
        if allowed is not None and len(self._queries) > 1:
            allowed = allowed[index.contains(allowed)]
        keys, cosines = index.search(query.vector, depth, allowed)
        return keys, query.scaled(cosines)


def _moved(query: _SpaceQuery, keys: np.ndarray, shares: np.ndarray, weight: float) -> np.ndarray:
    """Return the question's vector moved towards those of the keys that are in its space."""
    own = query.space.index.contains(keys)
    if not own.any():
        return query.vector
    return rocchio(query.vector, shares[own] @ query.space.index.rows(keys[own]), weight)


def _holds(space: OpenSpace, allowed: np.ndarray | None, *, several: bool) -> bool:
    if allowed is None or not len(allowed) or not several:
        return len(space.index) > 0 and (allowed is None or len(allowed) > 0)
    return bool(space.index.contains(allowed).any())


def _embed(
    version: OpenVersion, needed: list[int], question: str, embedder_of: Callable[[Mapping[str, Any]], Embedder]
) -> tuple[list[tuple[OpenSpace, np.ndarray]], list[ModelError]]:
    """Return the question's vector in each space whose model is here, and why others have none."""
    embedded, missing = [], []
    for place in needed:
        space = version.spaces[place]
        try:
            embedder = embedder_of(space.model)
        except ModelError as error:
            missing.append(error)
            _warn_once(version.id, str(error))
        else:
            embedded.append((space, embedder.embed_query(question)))
    return embedded, missing


@lru_cache(maxsize=64)
def _warn_once(version: str, problem: str) -> None:
    logging.getLogger(__name__).warning("version %s: %s", version, problem)


def _on_one_scale(
    embedded: list[tuple[OpenSpace, np.ndarray]], references: Mapping[str, np.ndarray] | None
) -> list[_SpaceQuery]:
    """Calibrate every space by the first of them; `references` is None where there is no other."""
    query, scale = [], None
    for space, vector in embedded:
        if references is None:
            return [_SpaceQuery(space, vector, 1.0, 0.0)]
        mean, spread = _marks(references[space.fingerprint] @ vector)
        scale = scale or (mean, spread)
        slope = scale[1] / spread
        query.append(_SpaceQuery(space, vector, slope, scale[0] - mean * slope))
    return query


def _marks(cosines: np.ndarray) -> tuple[float, float]:
    """Return the mean of the reference texts' cosines, and how far above it that of the nearest lies."""
    if not len(cosines):
        return 0.0, 1.0
    mean, near = cosines.mean(), np.sort(cosines)[-math.ceil(_NEAREST * len(cosines)) :].mean()
    return float(mean), max(float(near - mean), _LEAST)
