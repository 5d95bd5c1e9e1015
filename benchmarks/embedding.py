"""Tokens per second, peak memory and closeness to fp32 of the default embedder.

    python benchmarks/embedding.py corpus.jsonl [--texts 400] [--rounds 2]

Each line of the corpus is an object with "text" and perhaps "title". Each measurement is a process of its own; the
precisions take turns, so that a busy machine slows both.
"""

import argparse
import itertools
import json
import multiprocessing
import resource
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from rag_platform.embeddings import open_embedder
from rag_platform.settings import ModelSettings

PRECISIONS = ("fp32", "int8")


def read_texts(corpus: Path, limit: int) -> list[str]:
    """Read the first texts of a corpus, each with its title."""
    with corpus.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in itertools.islice(lines, limit)]
    return [f"{record.get('title', '')}\n{record['text']}".strip() for record in records]


def measure(precision: str, texts: Sequence[str]) -> tuple[float, float, np.ndarray]:
    """Return tokens per second, peak memory in MB, and the vectors."""
    embedder = open_embedder(ModelSettings(precision=precision))
    tokens = sum(min(count, embedder.max_tokens) for count in embedder.count_tokens(texts))
    embedder.embed_passages(texts[:8])
    start = time.perf_counter()
    vectors = embedder.embed_passages(texts)
    seconds = time.perf_counter() - start
    return tokens / seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, vectors


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    texts = read_texts(arguments.corpus, arguments.texts)
    for precision in PRECISIONS:
        open_embedder(ModelSettings(precision=precision))  # writes the graph, which is not measured
    rates = {precision: [] for precision in PRECISIONS}
    vectors = {}
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as processes:
        for _, precision in itertools.product(range(arguments.rounds), PRECISIONS):
            rate, peak, vectors[precision] = processes.submit(measure, precision, texts).result()
            rates[precision].append(rate)
            print(f"{precision}: {rate:8,.0f} tokens/s, peak memory {peak:5.0f} MB")
    cosine = (vectors["fp32"] * vectors["int8"]).sum(axis=1)
    ratio = statistics.mean(rates["int8"]) / statistics.mean(rates["fp32"])
    print(f"int8 / fp32: {ratio:.2f} times as fast; cosine mean {cosine.mean():.4f}, least {cosine.min():.4f}")


if __name__ == "__main__":
    main()
