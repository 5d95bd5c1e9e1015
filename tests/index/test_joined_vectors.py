"""The graphs of several segments are walked as one graph would be: each as far as its share of the nearest needs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_platform.index.vectors import hnsw
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


# --- what the exact nearest are, noted ----------------------------------------------------------------------


@pytest.fixture
def noting(monkeypatch) -> None:
    monkeypatch.setattr(hnsw, "_NOTED", 0)


@pytest.fixture(scope="module")
def segment(tmp_path_factory, vectors):
    path = tmp_path_factory.mktemp("segment") / "vectors.usearch"
    build_vectors(path, np.arange(300, dtype=np.uint64), vectors[:300])
    return path


_stretch = st.builds(lambda start, end: {*range(start, end)}, st.integers(0, 60), st.integers(0, 300))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.one_of(st.sets(st.integers(0, 299)), _stretch), min_size=2, max_size=3), st.integers(0, 40))
def test_what_is_noted_is_what_comparing_all_finds_whatever_lives(noting, segment, vectors, histories, first):
    """Rows may live again in a later version."""
    segment.with_suffix(".nearest").unlink(missing_ok=True)
    for gone in histories:
        living = np.array(sorted({*range(300)} - gone), np.uint64) if gone else None
        index = VectorIndex(segment, exact_below=0, living=living)
        asked = vectors[first : first + 20 : 7]
        for found, vector in zip(index.nearest(asked, 10), asked, strict=True):
            expected = index.exact(vector, 10)
            assert found[0].tolist() == expected[0].tolist() and found[1].tolist() == expected[1].tolist()


def test_what_is_noted_is_not_compared_again_and_what_is_damaged_is(noting, segment, vectors, monkeypatch):
    note, compared = segment.with_suffix(".nearest"), []
    note.unlink(missing_ok=True)
    all_nearest = VectorIndex._all_nearest
    monkeypatch.setattr(
        VectorIndex,
        "_all_nearest",
        lambda self, vector, depth: compared.append(depth) or all_nearest(self, vector, depth),
    )

    def ask(*rows: int) -> list[list[int]]:
        compared.clear()
        return [keys.tolist() for keys, _ in VectorIndex(segment, exact_below=0).nearest(vectors[[*rows]], 10)]

    first = ask(0, 50)
    assert len(compared) == 2
    assert ask(0, 50) == first and not compared
    assert ask(50, 90)[0] == first[1] and len(compared) == 1
    note.write_bytes(note.read_bytes().replace(b"1", b"2", 1))
    assert ask(0, 50) == first and len(compared) == 2


def test_recall_is_that_of_each_vector_against_all(noting, tmp_path, vectors):
    rows = np.arange(ROWS)
    index = joined(tmp_path, vectors, rows[rows % 4 > 0], rows[rows % 4 == 0])
    for _ in range(2):
        assert index.recalls(20, 10) == [index.recall(index.vector(key), 10) for key in range(20)]
    for part in index.parts:
        part._proposed = lambda *_: np.arange(1000, 1004, dtype=np.uint64)  # a graph that finds others
    assert max(index.recalls(20, 10)) < 0.5
