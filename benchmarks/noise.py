"""How much do scores differ between versions that hold the same?

::

    PYTHONPATH=. python benchmarks/noise.py docs --questions evals/questions/handbook.jsonl
    PYTHONPATH=. python benchmarks/noise.py BEIR_FOLDER

The same chunks are indexed several times: in other orders of insertion, and derived from a version that lacked a part.
The vector search walks its graph, as it does in a large index. For each measure the command prints the mean, the
largest difference between any two of these versions, and how far the mean may be off for the choice of questions (half
of a 95 % bootstrap interval).
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

from evals.benchmark.beir import load_folder
from evals.commands.evaluation import CORPUS, _BeirWorkspace
from evals.measures.queries import run_query
from evals.measures.scoring import RETRIEVERS, Scores, score
from evals.questions.question import Question, load_questions
from rag_platform.config.settings import IndexSettings, Settings
from rag_platform.index.build.builder import build, gather
from rag_platform.index.build.corpus import Corpus
from rag_platform.pipeline.stages import Pipeline
from rag_platform.sources.files.folder import FolderSource
from rag_platform.workspace import Workspace

SHOWN = ("nDCG@10", "R@10", "Success@5", "MRR@10", "AP", *RETRIEVERS.values())


def main() -> None:
    """Build, score and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path, help="a question set, named like its source; default: BEIR layout")
    parser.add_argument("--runs", type=int, default=5, help="orders of insertion")
    parser.add_argument("--most", type=int, default=200, help="questions asked")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        workspace, questions = _prepared(Path(home), chosen.folder.resolve(), chosen.questions)
        questions = questions[:: -(-len(questions) // chosen.most) or 1]
        _print([_scored(workspace, version, questions) for version in _versions(workspace, chosen.runs)])


def _prepared(home: Path, folder: Path, path: Path | None) -> tuple[Workspace, Sequence[Question]]:
    source = FolderSource(id=path.stem if path else CORPUS, kind="folder", path=folder)
    settings = Settings(home=home, sources=(source,), index=IndexSettings(exact_below=0))
    workspace = Workspace(settings)
    questions: Sequence[Question] = load_questions([path]) if path else ()
    if path is None:
        beir = load_folder(folder)
        workspace = _BeirWorkspace(workspace, beir, home)
        questions = [beir.questions[key] for key in beir.qrels]
    Pipeline(workspace).sync_source(workspace.settings.sources[0].id)
    return workspace, [question for question in questions if question.answerable]


def _versions(workspace: Workspace, runs: int) -> list[str]:
    """Build the same corpus in several ways; the last one is derived from a version that lacked a tenth."""
    pipeline = Pipeline(workspace)
    source = workspace.settings.sources[0].id
    corpus = gather(workspace.store, [source], models=pipeline._models([source]), parameters={})
    size = corpus.chunks.height
    orders = [np.arange(size), *(np.random.default_rng(run).permutation(size) for run in range(1, runs))]
    made = [_built(workspace, _rows(corpus, order, run)) for run, order in enumerate(orders)]
    part = np.sort(np.random.default_rng(99).permutation(size)[: size * 9 // 10])
    workspace.versions.promote(_built(workspace, _rows(corpus, part, runs)), why="benchmark")
    return [*made, _built(workspace, _rows(corpus, np.arange(size), runs + 1))]


def _built(workspace: Workspace, corpus: Corpus) -> str:
    return build(corpus, workspace.versions, partitions={}).version


def _rows(corpus: Corpus, order: np.ndarray, run: int) -> Corpus:
    """Take rows in that order; the parameter keeps versions that hold the same from being one."""
    (space,) = corpus.spaces
    space = replace(space, keys=space.keys[order], vectors=space.vectors[order])
    return replace(corpus, chunks=corpus.chunks[order], spaces=(space,), parameters={"run": run})


def _scored(workspace: Workspace, version: str, questions: Sequence[Question]) -> Scores:
    retriever = workspace.retriever_of(version)
    retrievers = {mode: lambda question, mode=mode: run_query(retriever, question, mode) for mode in RETRIEVERS}
    documents = workspace.versions.open(version).documents()
    made = score(questions, lambda q: run_query(retriever, q), documents, version=version, retrievers=retrievers)
    segments = len(workspace.versions.manifest(version)["segments"])
    print(f"{version}: {segments} segments, nDCG@10 {made.means['nDCG@10']:.4f}", flush=True)
    return made


def _print(scores: Sequence[Scores]) -> None:
    print(f"\n{scores[0].questions.height} questions, {len(scores)} versions")
    print(f"{'measure':16}{'mean':>8}{'spread':>9}{'questions, ±':>14}")
    for name in SHOWN:
        means = [one.means[name] for one in scores]
        print(f"{name:16}{means[0]:8.4f}{max(means) - min(means):9.4f}{_bootstrap(scores[0].questions[name]):14.4f}")


def _bootstrap(values: pl.Series) -> float:
    known = values.drop_nulls().to_numpy()
    chance = np.random.default_rng(0)
    means = [chance.choice(known, len(known)).mean() for _ in range(2000)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(high - low) / 2


if __name__ == "__main__":
    main()
