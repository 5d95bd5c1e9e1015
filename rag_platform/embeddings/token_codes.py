"""The token vectors of a passage in few bytes: pooled by half, then one or two bits a dimension.

Of a passage there are the codes of its rows, their scales, and for each token the row that it was pooled into.

Pooling: Ward clustering to half as many vectors, each the mean of some, loses nothing that late interaction notices
(Clavié, Chaffin & Adams 2024, "Reducing the Footprint of Multi-Vector Retrieval with Minimal Performance Impact via
Token Pooling"). Codes: with two bits a dimension is one of -3, -1, 1, 3, with one bit -1 or 1; nothing is trained. The
scale of a row makes its dot product with the vector that it stands for right, and so an unbiased estimate of that with
any other (Gao & Long 2024, "RaBitQ").
"""

from collections.abc import Sequence
from functools import cache

import numkong
import numpy as np

BITS = (1, 2)
"""Of a dimension."""
_SCALE = 2
"""Bytes of a row's scale: half precision."""
_STEP = 0.996
"""Between the levels of a uniform quantiser of four levels, in standard deviations of what is normally distributed
(Max 1960, "Quantizing for minimum distortion")."""


def packed(tokens: np.ndarray, bits: int) -> bytes:
    """Return a passage's token vectors, pooled by half, with so many bits a dimension.

    Args:
        tokens: float32, shape (tokens, dimension), unit rows.
        bits: 1 or 2.
    """
    if not len(tokens):
        return b""
    rows, owners = pooled(tokens)
    wide = _widened(rows)
    if bits == 1:
        codes = (wide > 0).astype(np.uint8)
    else:
        step = _STEP / rows.shape[1] ** 0.5
        codes = (wide > -step).astype(np.uint8) + (wide > 0) + (wide > step)
    values = codes[:, : rows.shape[1]] * np.float32(2) - (2**bits - 1)
    scales = 1 / np.maximum((values * rows).sum(axis=1), 1e-6)
    parts = codes.reshape(len(rows), -1, 8 // bits) << np.arange(0, 8, bits, dtype=np.uint8)
    held = owners.astype(_owner(len(rows)))
    written = [parts.sum(axis=2, dtype=np.uint8).tobytes(), scales.astype("<f2").tobytes(), held.tobytes()]
    return b"".join(written)


def unpacked(passage: np.ndarray, dimension: int, bits: int) -> np.ndarray:
    """Return for each token what its row says: float32, shape (tokens, dimension), of about unit length."""
    columns = _columns(dimension, bits)
    rows = _rows(passage, columns)
    codes, scales = _parts(passage, rows, columns)
    values = _taken(codes.reshape(-1, columns), bits)[:, :dimension] * scales.view("<f2").astype(np.float32)[:, None]
    found: np.ndarray = values[passage[rows * (columns + _SCALE) :].view(_owner(rows))]
    return found


def best_matches(question: np.ndarray, passages: Sequence[np.ndarray], bits: int) -> list[np.ndarray]:
    """Return each token's best match in each passage: float32, shape (len(question),); 0 in one without tokens.

    Args:
        question: float32, shape (tokens, dimension), unit rows.
        passages: each as `packed` made it, with as many bits; uint8.
        bits: 1 or 2.
    """
    best = [np.zeros(len(question), np.float32)] * len(passages)
    filled = [place for place, passage in enumerate(passages) if len(passage)]
    if not filled or not len(question):
        return best
    columns = _columns(question.shape[1], bits)
    counts = [_rows(passages[place], columns) for place in filled]
    parts = [_parts(passages[place], count, columns) for place, count in zip(filled, counts, strict=True)]
    codes, scales = (np.concatenate(some) for some in zip(*parts, strict=True))
    products = _products(question, codes.reshape(-1, columns), bits) * scales.view("<f2").astype(np.float32)
    found = np.maximum.reduceat(products, np.cumsum([0, *counts[:-1]]), axis=1)
    for column, place in enumerate(filled):
        best[place] = np.ascontiguousarray(found[:, column])
    return best


def _products(question: np.ndarray, codes: np.ndarray, bits: int) -> np.ndarray:
    """Multiply each token of the question, in bytes, with each row's values: float32, shape (tokens, rows)."""
    values = _taken(codes, bits)
    scale = np.maximum(np.abs(question).max(axis=1, keepdims=True), 1e-9) / 127
    rounded = numkong.dots_pack(np.rint(_widened(question) / scale).astype(np.int8), dtype="int8")
    products = np.ascontiguousarray(np.asarray(numkong.dots_packed(values, rounded)).T)
    scaled: np.ndarray = products.astype(np.float32) * scale
    return scaled


def _rows(passage: np.ndarray, columns: int) -> int:
    """Return how many rows a passage has: of two tokens one, and of an odd one another."""
    few = (len(passage) + 1) // (columns + _SCALE + 2)
    return few if _owner(few) == np.uint8 else (len(passage) + 2) // (columns + _SCALE + 4)


def _owner(rows: int) -> type[np.uint8 | np.uint16]:
    return np.uint8 if rows <= 2**8 else np.uint16


def _parts(passage: np.ndarray, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the bytes of the codes, and of the scales."""
    end = rows * columns
    return passage[:end], passage[end : end + rows * _SCALE]


def _taken(codes: np.ndarray, bits: int) -> np.ndarray:
    """Return the values of codes: int8, shape (rows, dimensions)."""
    return np.take(_values(bits), codes.view("<u2") if bits == 2 else codes).view(np.int8)


@cache
def _values(bits: int) -> np.ndarray:
    """Return the eight values that a code of eight dimensions stands for, in the bytes of a number: uint64."""
    codes = np.arange(2 ** (8 * bits))[:, None] >> np.arange(0, 8 * bits, bits) & (2**bits - 1)
    values: np.ndarray = (codes * 2 - (2**bits - 1)).astype(np.int8).view(np.uint64).ravel()
    return values


def _columns(dimension: int, bits: int) -> int:
    """Return the bytes of a row's codes."""
    return -(-dimension // 8) * bits


def _widened(rows: np.ndarray) -> np.ndarray:
    """Append zeros, so that the dimensions are a multiple of eight."""
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % 8)))


def pooled(tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return half as many unit vectors, each the direction of the mean of some (float32), and the row of each token."""
    owners = ward_clusters(tokens, -(-len(tokens) // 2))
    order = np.argsort(owners, kind="stable")
    sums = np.add.reduceat(tokens[order], np.flatnonzero(np.diff(owners[order], prepend=-1)), axis=0)
    rows: np.ndarray = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
    return rows, owners


def ward_clusters(rows: np.ndarray, count: int) -> np.ndarray:
    """Return the cluster of each row, numbered from 0: int64, shape (len(rows),).

    Ward's method by reciprocal nearest neighbours (Murtagh 1983): two clusters that are each other's nearest are merged
    at once, all such pairs together, which gives the same tree as one after the other. The `count` - 1 costliest of
    its merges are then undone.
    """
    merges = _merges(rows, len(rows) - count)
    owner = np.arange(len(rows))
    for _, first, second in sorted(merges)[: len(rows) - count]:
        owner[second] = first
    while (owner != owner[owner]).any():
        owner = owner[owner]
    return np.unique(owner, return_inverse=True)[1]


def _merges(rows: np.ndarray, wanted: int) -> list[tuple[float, int, int]]:
    """Return merges, among them the `wanted` cheapest of the tree: the cost, and the first rows of both clusters."""
    apart = _distances(rows)
    first, size = np.arange(len(rows)), np.ones(len(rows), np.float32)
    merges: list[tuple[float, int, int]] = []
    while len(first) > 1:
        places = np.arange(len(first))
        near = apart.argmin(axis=1)
        cost = apart[places, near]
        cheapest = float(cost.min())
        if len(merges) >= wanted and sum(done <= cheapest for done, _, _ in merges) >= wanted:
            break  # what is merged later costs more
        one = np.flatnonzero((near[near] == places) & (places < near))
        if not len(one):  # rounding broke a circle of equals
            one = cost.argmin(keepdims=True)
        other = near[one]
        merges += zip(cost[one].tolist(), first[one].tolist(), first[other].tolist(), strict=True)
        apart, size = _merged(apart, size, one, other)
        first = np.delete(first, other)
    return merges


def _distances(rows: np.ndarray) -> np.ndarray:
    # not by BLAS: each text has a thread of its own, and to start others for so little would double the time of all
    products = np.asarray(numkong.cdist(rows, rows, "dot"), np.float32)
    squares = np.diagonal(products)
    apart: np.ndarray = squares[:, None] + squares[None] - 2 * products
    np.fill_diagonal(apart, np.inf)
    return apart


def _merged(apart: np.ndarray, size: np.ndarray, one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Merge pairs of clusters into the first of each; returns distances and sizes."""
    cost = apart[one, other][:, None]
    merged = size.copy()
    merged[one] += size[other]
    apart[one] = _joined(apart[one], apart[other], cost, size[one], size[other], size)
    apart = apart.T  # then the columns, of which some are of pairs by now
    apart[one] = _joined(apart[one], apart[other], cost, size[one], size[other], merged)
    left = np.delete(np.arange(len(size)), other)
    apart = np.ascontiguousarray(apart[np.ix_(left, left)])
    np.fill_diagonal(apart, np.inf)
    return apart, merged[left]


def _joined(
    one: np.ndarray, other: np.ndarray, cost: np.ndarray, size: np.ndarray, its: np.ndarray, theirs: np.ndarray
) -> np.ndarray:
    """Return the costs of merging pairs with each other cluster, given their members' (Lance & Williams 1967)."""
    mine, its = size[:, None], its[:, None]
    joined: np.ndarray = ((mine + theirs) * one + (its + theirs) * other - theirs * cost) / (mine + its + theirs)
    return joined
