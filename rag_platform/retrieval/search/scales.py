"""A question in one vector space, and its cosines there on the scale of another space.

Each model has a scale of its own: for one 0.3 is a good match, for another 0.8 is a poor one. Where both models'
relevance curves are known, a cosine of one stands for that cosine of the other which is as probably relevant. Else both
are expressed against what the question has in common with the version's reference texts, which are the same in every
space: where they lie between their mean (0) and the mean of the nearest of them (1).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rag_platform.index.vectors.spaces import OpenSpace
from rag_platform.models.calibration import Curves, RandomCosines
from rag_platform.models.cards import card_of

_NEAREST = 0.05
"""Share of the reference texts that count as near: what matters is the upper end of the scale."""
_LEAST = 1e-6
"""Least distance of the two marks of a scale: reference texts may all be alike."""
_FEW = 3
"""Passages of a language from which its level is half believed."""
_AS_IT_IS = RandomCosines(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SpaceQuery:
    """A question in one vector space."""

    space: OpenSpace
    vector: np.ndarray
    random: RandomCosines
    """What its cosines are measured against, where they become probabilities: (cosine - mean) / spread."""
    slope: float = 1.0
    shift: float = 0.0
    """A cosine times `slope` plus `shift` is on the scale of the first space that is asked."""
    levels: Mapping[str | None, float] = field(default_factory=dict)
    """By how much cosines with passages of a language are higher than with all, whatever they are about."""

    @property
    def curves(self) -> Curves | None:
        """The model's."""
        return curves_of(self.space)

    def level(self, languages: Sequence[str | None]) -> np.ndarray:
        """Return what is to be taken off the cosine of each passage, given by its language: float32."""
        return np.array([self.levels.get(language, 0.0) for language in languages], np.float32)

    def scaled(self, cosines: np.ndarray) -> np.ndarray:
        """Return cosines on the common scale."""
        return cosines if self.slope == 1.0 and self.shift == 0.0 else cosines * self.slope + self.shift

    def unscaled(self, similarities: np.ndarray) -> np.ndarray:
        """Return the cosines that stand at these places of the common scale."""
        as_they_are = self.slope == 1.0 and self.shift == 0.0
        return similarities if as_they_are else (similarities - self.shift) / self.slope

    def evidence(self, cosines: np.ndarray) -> np.ndarray:
        """Return what the model's curves take for similarity: cosines, or z-scores."""
        return cosines if self.random is _AS_IT_IS else (cosines - self.random.mean) / self.random.spread

    def on_scale_of(self, first: "SpaceQuery", references: Mapping[str, np.ndarray] | None) -> "SpaceQuery":
        """Return the same, put on the scale of another query; `references` is None where there are none."""
        slope, shift = self._by_curves(first) or _by_references(first, self, references or {})
        return replace(self, slope=slope, shift=shift)

    def _by_curves(self, first: "SpaceQuery") -> tuple[float, float] | None:
        if self.curves is None or first.curves is None:
            return None
        own, target = self.curves.vector, first.curves.vector
        ratio, level = own.similarity / target.similarity, (own.constant - target.constant) / target.similarity
        slope = first.random.spread * ratio / self.random.spread
        return slope, first.random.mean + first.random.spread * level - slope * self.random.mean


def query_of(
    space: OpenSpace, vector: np.ndarray, sample: Callable[[], tuple[np.ndarray, Sequence[str | None]]]
) -> SpaceQuery:
    """Return a question's vector in a space.

    Args:
        space: where it is.
        vector: of the question.
        sample: gives vectors of some passages there, float32 of shape (n, dimension), and their languages.
    """
    curves = curves_of(space)
    if not curves or not curves.random:
        return SpaceQuery(space, vector, _AS_IT_IS)
    rows, languages = sample()
    cosines = rows @ vector
    levels = {one: _level(cosines, np.array([other == one for other in languages], bool)) for one in {*languages}}
    query = SpaceQuery(space, vector, _AS_IT_IS, levels=levels if len(levels) > 1 else {})
    return replace(query, random=curves.random.observed(cosines - query.level(languages)))


def _level(cosines: np.ndarray, own: np.ndarray) -> float:
    """Return how far the mean of some cosines lies above that of all; that of few counts less."""
    count = int(own.sum())
    return float(cosines[own].mean() - cosines.mean()) * count / (count + _FEW)


def curves_of(space: OpenSpace) -> Curves | None:
    """Return the curves of a space's model, or those fitted to the version's texts; None: there are neither."""
    card = card_of(space.model)
    measured = card.relevance if card else None
    return measured or (Curves.of_similarity(space.relevance) if space.relevance else None)


def _by_references(first: SpaceQuery, other: SpaceQuery, references: Mapping[str, np.ndarray]) -> tuple[float, float]:
    (mean, spread), (own_mean, own_spread) = (
        _marks(references[one.space.fingerprint] @ one.vector) if one.space.fingerprint in references else (0.0, 1.0)
        for one in (first, other)
    )
    slope = spread / own_spread
    return slope, mean - own_mean * slope


def _marks(cosines: np.ndarray) -> tuple[float, float]:
    """Return the mean of the reference texts' cosines, and how far above it that of the nearest lies."""
    if not len(cosines):
        return 0.0, 1.0
    mean, near = cosines.mean(), np.sort(cosines)[-math.ceil(_NEAREST * len(cosines)) :].mean()
    return float(mean), max(float(near - mean), _LEAST)
