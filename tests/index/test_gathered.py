"""Vectors that are read when they are asked for are those of the matrix that holds all of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_platform.index.vectors.gathered import GatheredRows


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_any_rows_of_parts_in_any_order(sizes: list[int], drawn) -> None:
    matrix = np.arange(3 * sum(sizes), dtype=np.float32).reshape(-1, 3)
    order = np.array(drawn.sample(range(len(matrix)), len(matrix)), np.int64)
    rows = GatheredRows(np.split(matrix, np.cumsum(sizes)[:-1]), order, 3)
    chosen = np.array([drawn.random() < 0.5 for _ in order], bool)
    assert len(rows) == len(matrix)
    assert np.array_equal(rows, matrix[order])
    assert np.array_equal(rows[chosen], matrix[order][chosen])
    assert np.array_equal(rows[np.flatnonzero(chosen)[::-1]], matrix[order][np.flatnonzero(chosen)[::-1]])
    assert np.array_equal(rows[1:3], matrix[order][1:3])


def test_nothing_is_read_of_a_part_that_nobody_asks_for() -> None:
    asked = []

    class Part:
        def __len__(self) -> int:
            return 4

        def __getitem__(self, rows):
            asked.append(len(rows))
            return np.zeros((len(rows), 2), np.float32)

    rows = GatheredRows([Part(), np.ones((3, 2), np.float32)], np.arange(7), 2)
    assert rows[4:].tolist() == [[1, 1]] * 3 and not asked
    assert rows[np.array([0, 6])].tolist() == [[0, 0], [1, 1]] and asked == [1]
