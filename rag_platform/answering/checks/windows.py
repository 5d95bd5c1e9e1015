"""A long source -> pieces of whole sentences that a model reads at a time, the nearest to a claim first."""

from bisect import bisect_left
from collections.abc import Sequence

from rag_platform.answering.coverage import coverage, term_weights, uniform_weight
from rag_platform.text.language import UNDETERMINED
from rag_platform.text.sentences import split_sentences

MOST = 16
"""Windows of one source that are read for a claim: those that share the most words with it."""


def windows(source: str, tokens: Sequence[tuple[int, int]], size: int) -> list[str]:
    """Cut a source into windows of at most `size` tokens that begin with a sentence and repeat the last one before.

    What stands on the border of two windows is so within one of them. A sentence that is longer is cut.

    Args:
        source: the text.
        tokens: where each of its tokens begins and ends.
        size: tokens of a window.
    """
    begins = [begin for begin, _ in tokens]
    sentences = [bisect_left(begins, start) for start, _, _ in split_sentences(source)]
    found, start = [], 0
    while len(tokens) - start > size:
        inside = [at for at in sentences if start < at <= start + size]
        end = inside[-1] if inside else start + size
        found.append(source[begins[start] : begins[end]])
        start = inside[-2] if len(inside) > 1 else end
    return [*found, source[begins[start] :]] if tokens else [source]


def nearest(claim: str, pieces: Sequence[str], most: int = MOST) -> list[str]:
    """Return the pieces that share the most words with a claim, at most so many."""
    if len(pieces) <= most:
        return list(pieces)
    weights = term_weights(claim, UNDETERMINED, uniform_weight)
    return sorted(pieces, key=lambda piece: -coverage(weights, piece, UNDETERMINED))[:most]
