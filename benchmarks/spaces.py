"""What it costs a search that its chunks lie in the spaces of two models, on folders in the layout of BEIR.

    PYTHONPATH=. python benchmarks/spaces.py FOLDER…

Half of the documents keep the vectors of the default model; those of the other half are turned into those of another
model: of the same quality on another scale, of a worse one, or both. Printed is nDCG@10 of the vector search: of either
model alone, their mean (what two halves can be expected to reach), of a version with two spaces as a search ranks it,
and as it would rank by the bare cosines, by each space's candidates scaled to their best, and by ranks.
"""

import argparse
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl

from evals.benchmark.beir import BeirFolder, load_folder
from rag_platform.config.settings import ModelSettings
from rag_platform.core.ids import digest
from rag_platform.embeddings.onnx_embedder import open_embedder
from rag_platform.index.vectors.hnsw import VectorIndex, build_vectors
from rag_platform.index.vectors.joined import JoinedVectors
from rag_platform.index.vectors.spaces import NEUTRAL, OpenSpace, Space, reference_of
from rag_platform.retrieval.search.fusion import min_max, reciprocal_ranks
from rag_platform.retrieval.search.similarity import Similarity

DEPTH = 100
Turn = Callable[[np.ndarray], np.ndarray]


def main() -> None:
    """Print a table for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    embedder = open_embedder(ModelSettings())
    for path in parser.parse_args().folders:
        beir = load_folder(path)
        ids, questions = list(beir.documents), list(beir.qrels)
        texts = [f"{row.title}\n{row.text}".strip() for row in beir.documents.values()]
        vectors = embedder.embed_passages(texts)
        asked = np.stack([embedder.embed_query(beir.questions[one].question) for one in questions])
        print(f"{beir.name}: {len(ids)} documents, {len(questions)} questions")
        print(f"{'other model':22}" + "".join(f"{name:>11}" for name in _COLUMNS))
        for name, turn in _models(vectors.shape[1]).items():
            print(f"{name:22}" + "".join(f"{v:11.4f}" for v in _row(beir, ids, vectors, asked, turn)))


_COLUMNS = ("default", "other", "mean", "two spaces", "cosines", "min-max", "ranks")


def _models(dimension: int) -> dict[str, Turn]:
    """Return what makes another model's vectors of the default model's."""
    random = np.random.default_rng(0)
    common = _unit(random.normal(size=dimension))
    fewer = random.normal(size=(dimension, dimension // 2)) / np.sqrt(dimension // 2)
    return {
        "another scale": lambda x: _unit(x + 1.5 * common),
        "worse": lambda x: _unit(x @ fewer),
        "worse, another scale": lambda x: _unit(_unit(x @ fewer) + 1.5 * common[: dimension // 2] * np.sqrt(2)),
    }


def _row(beir: BeirFolder, ids: list[str], vectors: np.ndarray, asked: np.ndarray, turn: Turn) -> list[float]:
    keys = np.array([int(digest(one), 16) for one in ids], np.uint64)
    other, moved = turn(vectors).astype(np.float32), keys % np.uint64(2) == 1
    turned = turn(asked).astype(np.float32)
    alone = [_ndcg(beir, ids, one @ each.T) for one, each in ((asked, vectors), (turned, other))]
    together = [asked @ vectors.T, turned @ other.T]
    ways: tuple[Turn, ...] = (lambda scores: scores, _best_scaled, _by_rank)
    plain = [_ndcg(beir, ids, _mixed(together, moved, way)) for way in ways]
    return [
        *alone,
        float(np.mean(alone)),
        _ndcg(beir, ids, _two_spaces(keys, moved, (vectors, other), (asked, turned))),
        *plain,
    ]


def _two_spaces(
    keys: np.ndarray, moved: np.ndarray, vectors: tuple[np.ndarray, ...], asked: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Score every document as a search does; -1 where it was not proposed."""
    order = np.argsort(keys)
    chunks = pl.DataFrame({"key": keys, "text_hash": [digest(str(key)) for key in keys], "source": "docs"})
    chunks = chunks.with_columns(text=pl.Series(range(len(keys))).cast(pl.String), header=pl.lit(None, pl.String))
    stored = [order[~moved[order]], order[moved[order]]]
    spaces = [
        Space(
            {"name": f"model {number}", "fingerprint": str(number), "dimension": each.shape[1]},
            (),
            keys[rows],
            each[rows],
        )
        for number, (rows, each) in enumerate(zip(stored, vectors, strict=True))
    ]
    embedders = [
        SimpleNamespace(embed_passages=lambda texts, each=each: each[[int(t) if t.isdigit() else 0 for t in texts]])
        for each in vectors
    ]
    reference = reference_of(chunks, spaces, lambda model: embedders[int(model["fingerprint"])])
    scores = np.full((len(asked[0]), len(keys)), -1.0, np.float32)
    with tempfile.TemporaryDirectory() as folder:
        opened = [_open(space, Path(folder)) for space in spaces]
        known = reference.filter(~pl.col("text_hash").is_in(list(NEUTRAL))).drop("text_hash")
        references = {name: known[name].to_numpy() for name in known.columns}
        catalog = SimpleNamespace(keys=keys[order])
        for row in range(len(scores)):
            models = [SimpleNamespace(embed_query=lambda _, q=each[row]: q) for each in asked]
            view = SimpleNamespace(references=references, sample=lambda _: ())
            version = SimpleNamespace(id="benchmark", spaces=opened, catalog=catalog, view=lambda _, view=view: view)
            found, near = Similarity(version, "", lambda model, m=models: m[int(model["fingerprint"])]).nearest(DEPTH)
            scores[row, order[np.searchsorted(keys[order], found)]] = near
    return scores


def _open(space: Space, folder: Path) -> OpenSpace:
    path = folder / space.model["fingerprint"]
    build_vectors(path, space.keys, space.vectors)
    index = VectorIndex(path, exact_below=10**9)
    return OpenSpace(space.model, JoinedVectors([index], space.vectors.shape[1], exact_below=10**9))


def _mixed(scores: list[np.ndarray], moved: np.ndarray, way: Turn) -> np.ndarray:
    mixed = np.empty_like(scores[0])
    mixed[:, ~moved], mixed[:, moved] = way(scores[0][:, ~moved]), way(scores[1][:, moved])
    return mixed


def _best_scaled(scores: np.ndarray) -> np.ndarray:
    """Scale the candidates of each question to their best."""
    least = -np.partition(-scores, DEPTH, axis=1)[:, DEPTH - 1 : DEPTH]
    return np.stack([min_max(row) for row in np.where(scores >= least, scores, np.nan)])


def _by_rank(scores: np.ndarray) -> np.ndarray:
    return np.stack([reciprocal_ranks(row) for row in scores])


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def _ndcg(beir: BeirFolder, ids: list[str], scores: np.ndarray) -> float:
    return float(np.mean([_gain(grades, ids, row) for grades, row in zip(beir.qrels.values(), scores, strict=True)]))


def _gain(grades: Mapping[str, int], ids: list[str], scores: np.ndarray) -> float:
    """Return nDCG@10 of one question."""
    discounts = 1 / np.log2(np.arange(2, 12))
    found = [max(0, grades.get(ids[place], 0)) for place in np.argsort(-scores, kind="stable")[:10]]
    ideal = sorted((max(0, grade) for grade in grades.values()), reverse=True)[:10]
    best = float(np.dot(ideal, discounts[: len(ideal)]))
    return float(np.dot(found, discounts[: len(found)])) / best if best else 0.0


if __name__ == "__main__":
    main()
