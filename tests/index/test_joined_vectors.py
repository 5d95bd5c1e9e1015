"""The graphs of several segments are walked as one graph would be: each as far as its share of the nearest needs."""

import numpy as np
import pytest

from rag_platform.index.vectors.hnsw import VectorIndex, build_vectors
from rag_platform.index.vectors.joined import JoinedVectors

DEPTH, ROWS = 50, 1600


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """The rows lie on an arc, the question at its beginning: the nearer, the lower the row."""
    angles = np.linspace(0, 3, ROWS)
    drawn = np.random.default_rng(0).standard_normal((ROWS, 8)) * 0.01
    rows = np.column_stack([np.cos(angles), np.sin(angles), drawn])
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def joined(folder, vectors: np.ndarray, *parts: np.ndarray) -> JoinedVectors:
    opened = []
    for number, keys in enumerate(parts):
        build_vectors(folder / f"{number}.usearch", keys.astype(np.uint64), vectors[keys])
        opened.append(VectorIndex(folder / f"{number}.usearch", exact_below=0))
    return JoinedVectors(opened, vectors.shape[1], exact_below=0)


def asked(index: JoinedVectors, monkeypatch) -> list[int]:
    """Return, as they come, how many rows a graph is asked for."""
    widths: list[int] = []
    for part in index.parts:

        def noted(vector, width, proposed=part._proposed):
            widths.append(width)
            return proposed(vector, width)

        monkeypatch.setattr(part, "_proposed", noted)
    return widths


def nearest(vectors: np.ndarray) -> set[int]:
    return set(np.argsort(-(vectors @ vectors[0]))[:DEPTH].tolist())


def test_graphs_that_share_the_nearest_are_asked_for_their_shares(tmp_path, vectors, monkeypatch) -> None:
    rows = np.arange(ROWS)
    index = joined(tmp_path, vectors, rows[rows % 4 > 0], rows[rows % 4 == 0])
    widths = asked(index, monkeypatch)
    found = index.search(vectors[0], DEPTH)[0]
    assert len(nearest(vectors) & set(found.tolist())) >= 0.95 * DEPTH
    assert widths == [100, 48]  # of the smaller one, twice 1.25 times a quarter of 50, and eight more
    assert index.recall(vectors[0], DEPTH) >= 0.95


def test_a_graph_that_has_more_than_its_share_is_asked_again_for_all(tmp_path, vectors, monkeypatch) -> None:
    rows = np.arange(ROWS)
    index = joined(tmp_path, vectors, rows[ROWS // 4 :], rows[: ROWS // 4])
    widths = asked(index, monkeypatch)
    found = index.search(vectors[0], DEPTH)[0]
    assert len(nearest(vectors) & set(found.tolist())) >= 0.95 * DEPTH
    assert widths == [100, 48, 256]
    assert index.recall(vectors[0], DEPTH) >= 0.95
