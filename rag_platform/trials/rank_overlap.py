"""How much two rankings have in common, without knowing what is relevant."""

from collections.abc import Sequence

PERSISTENCE = 0.9
"""p of rank-biased overlap: the first ten ranks have 86 % of the weight."""


def overlap(one: Sequence[str], other: Sequence[str], depth: int = 10) -> float:
    """Return the share of the first `depth` that both have, in [0, 1]; 1 where both are empty."""
    first, second = set(one[:depth]), set(other[:depth])
    return len(first & second) / max(len(first), len(second)) if first or second else 1.0


def rank_biased_overlap(one: Sequence[str], other: Sequence[str], p: float = PERSISTENCE) -> float:
    """Return how alike two rankings without repetitions are, in [0, 1]; the first ranks count most.

    Extrapolated from what is seen of both, which may differ in length: equation 32 of Webber, Moffat and Zobel, "A
    Similarity Measure for Indefinite Rankings", 2010.
    """
    short, long = sorted((one, other), key=len)
    if not short:
        return float(not long)
    s, depths = len(short), range(1, len(long) + 1)
    common = {d: len(set(short[:d]) & set(long[:d])) for d in depths}
    seen = sum(common[d] / d * p**d for d in depths)
    beyond = sum(common[s] * (d - s) / (s * d) * p**d for d in depths if d > s)
    last = (common[len(long)] - common[s]) / len(long) + common[s] / s
    return (1 - p) / p * (seen + beyond) + last * p ** len(long)
