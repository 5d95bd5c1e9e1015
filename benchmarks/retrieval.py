"""Ranking quality (nDCG@10) of every way of searching, with one set of defaults, on several collections.

    python -m benchmarks.retrieval FOLDER... [--split test] [--home DIRECTORY]

Each folder is BEIR-like: corpus.jsonl, queries.jsonl, qrels/<split>.tsv. Beside our modes stands the plain hybrid that
most systems offer: the same two retrievers, joined by reciprocal ranks. Ratios are to the better of the two. What is
indexed in the directory is used again by the next run.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from evals.commands.evaluation import evaluate_path
from rag_platform.config.settings import MODES, RetrievalSettings, load_settings
from rag_platform.core.ports import Progress, silent
from rag_platform.workspace import Workspace

PLAIN = RetrievalSettings(fusion="rrf", feedback=0)
NDCG = "nDCG@10"


def said(folder: Path) -> Progress:
    """Say what is being worked on, on standard error."""
    print(f"{folder.name} …", file=sys.stderr, flush=True)
    return silent


def measure(folder: Path, split: str, home: Path) -> dict[str, float]:
    """Return nDCG@10 of each mode and of the plain hybrid, and milliseconds of the mode `rerank`."""
    settings = load_settings(home)
    said(folder)
    ours = evaluate_path(Workspace(settings), folder, modes=MODES, split=split, reporter=lambda _: silent)["modes"]
    plain = Workspace(settings.model_copy(update={"retrieval": PLAIN}))
    theirs = evaluate_path(plain, folder, modes=("hybrid",), split=split, reporter=lambda _: silent)["modes"]
    scores = {mode: ours[mode][NDCG] for mode in MODES} | {"plain": theirs["hybrid"][NDCG]}
    return scores | {"ms": ours["rerank"]["ms_p50"]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--split", default="test")
    parser.add_argument("--home", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        home = arguments.home or Path(temporary)
        rows = {folder: measure(folder, arguments.split, home) for folder in arguments.folders}
    print(
        f"{'collection':24s} {'words':>7s} {'meaning':>7s} {'RRF':>7s} {'hybrid':>7s} {'rerank':>7s}  of better     p50"
    )
    for folder, row in rows.items():
        figures = (row[name] for name in ("lexical", "vector", "plain", "hybrid", "rerank"))
        ratio = row["rerank"] / max(row["lexical"], row["vector"])
        print(f"{folder.name:24s} {' '.join(f'{figure:7.4f}' for figure in figures)}  {ratio:9.3f} {row['ms']:4.0f} ms")
    means = {name: sum(row[name] for row in rows.values()) / len(rows) for name in ("lexical", "vector", "rerank")}
    better = sum(max(row["lexical"], row["vector"]) for row in rows.values()) / len(rows)
    print(
        f"mean of rerank {means['rerank']:.4f}, of each collection's better retriever {better:.4f}: "
        f"{means['rerank'] / better:.3f}"
    )


if __name__ == "__main__":
    main()
