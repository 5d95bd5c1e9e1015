"""Token vectors in few bytes: pooling, codes, and what late interaction makes of them."""

import numpy as np
import pytest

from rag_platform.embeddings.token_codes import BITS, best_matches, packed, pooled, unpacked, ward_clusters

RANDOM = np.random.default_rng(7)


def unit(*shape: int) -> np.ndarray:
    rows = RANDOM.normal(size=shape).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def near(centres: np.ndarray, each: int, spread: float) -> np.ndarray:
    rows = np.repeat(centres, each, axis=0) + spread * unit(len(centres) * each, centres.shape[1])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def one_after_the_other(rows: np.ndarray, count: int) -> set[frozenset[int]]:
    """Ward's definition: merge the two clusters that raise the sum of squares least, until so many are left."""
    clusters = [[row] for row in range(len(rows))]
    while len(clusters) > count:

        def cost(pair: tuple[int, int]) -> float:
            one, other = clusters[pair[0]], clusters[pair[1]]
            apart = rows[one].mean(axis=0) - rows[other].mean(axis=0)
            return len(one) * len(other) / (len(one) + len(other)) * float(apart @ apart)

        first, second = min(((a, b) for b in range(len(clusters)) for a in range(b)), key=cost)
        clusters[first] += clusters.pop(second)
    return {frozenset(cluster) for cluster in clusters}


def partition(owners: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(owners == owner).tolist()) for owner in set(owners.tolist())}


@pytest.mark.parametrize(("rows", "count"), [(1, 1), (2, 1), (9, 5), (24, 12), (24, 3), (24, 24)])
def test_clusters_are_those_of_ward_s_definition(rows, count) -> None:
    vectors = unit(rows, 16)
    assert partition(ward_clusters(vectors, count)) == one_after_the_other(vectors, count)


def test_rows_that_are_all_alike_make_clusters_too() -> None:
    owners = ward_clusters(np.ones((40, 8), np.float32), 20)
    assert len(set(owners.tolist())) == 20 and owners.max() == 19


def test_pooling_keeps_what_is_apart_and_joins_what_is_near() -> None:
    centres = unit(10, 64)
    rows, owners = pooled(near(centres, 2, 0.05))
    assert partition(owners) == {frozenset((row, row + 1)) for row in range(0, 20, 2)}
    assert rows.shape == (10, 64)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert (centres @ rows.T).max(axis=1).min() > 0.99


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("dimension", [384, 32, 30])
def test_a_passage_takes_half_its_tokens_times_bits(bits, dimension) -> None:
    assert len(packed(unit(181, dimension), bits)) == 91 * (-(-dimension // 8) * bits + 2) + 181
    assert packed(unit(181, dimension)[:0], bits) == b""


@pytest.mark.parametrize(("bits", "error"), [(2, 0.03), (1, 0.06)])
def test_matches_are_nearly_those_of_the_vectors_without_bias(bits, error) -> None:
    centres = unit(300, 384)
    passages = [near(centres[start : start + 10], 4, 0.2) for start in range(0, 300, 10)]
    question = near(centres[::17], 1, 0.8)
    found = np.stack(best_matches(question, [np.frombuffer(packed(one, bits), np.uint8) for one in passages], bits))
    exact = np.stack([(question @ pooled(one)[0].T).max(axis=1) for one in passages])
    own = exact > 0.4
    assert own.sum() == len(question)
    assert abs((found - exact)[own].mean()) < error / 2 and np.abs(found - exact)[own].max() < 2 * error
    assert found.dtype == np.float32 and found.shape == (30, 18)


@pytest.mark.parametrize("bits", BITS)
def test_a_match_does_not_depend_on_the_passages_beside_it(bits) -> None:
    passages = [np.frombuffer(packed(unit(count, 48), bits), np.uint8) for count in (5, 0, 1, 90, 32)]
    question = unit(7, 48)
    together = best_matches(question, passages, bits)
    for passage, best in zip(passages, together, strict=True):
        np.testing.assert_array_equal(best_matches(question, [passage], bits)[0], best)
    assert not together[1].any() and together[0].any()
    assert best_matches(question, [], bits) == [] and best_matches(question, passages[1:2], bits)[0].shape == (7,)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("count", [1, 2, 7, 180, 511, 512, 513, 700])
def test_each_token_finds_its_row_again(bits, count) -> None:
    tokens = near(unit(-(-count // 2), 40), 2, 0.02)[:count]
    passage = np.frombuffer(packed(tokens, bits), np.uint8)
    found = unpacked(passage, 40, bits)
    assert found.shape == tokens.shape and found.dtype == np.float32
    rows, owners = pooled(tokens)
    np.testing.assert_allclose((found * rows[owners]).sum(axis=1), 1, atol=2e-3)
    np.testing.assert_allclose(
        best_matches(tokens[:3], [passage], bits)[0], (tokens[:3] @ found.T).max(axis=1), atol=0.02
    )
