"""Speed, memory and faithfulness of our embedder, beside other libraries and models and beside fp32.

::

    python -m benchmarks.embedding CORPUS.jsonl [--texts 400] [--rounds 5] [--peers PYTHON] [--beside MODEL ...]
    python -m benchmarks.embedding --quality FOLDER ... [--model MODEL]

Each line of the corpus is an object with "text" and perhaps "title"; the default chunker cuts it, and the first chunks
are embedded. PYTHON is an interpreter that has sentence-transformers (on torch for processors) and fastembed:

::

    python -m venv peers; peers/bin/pip install torch==2.13.0   # the build for processors
    peers/bin/pip install sentence-transformers fastembed onnx

Each contender is a process of its own that has embedded the texts once. They take turns, so that a busy machine slows
all; medians of the rounds are compared, of seconds by the clock and of processor seconds. FOLDER is in BEIR's layout:
the nDCG@10 of vector search alone with each precision (a document counts where its best chunk stands). MODEL is a name
that `rag models list` knows.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from evals.benchmark.beir import load_folder
from rag_platform.chunks import Chunker
from rag_platform.config.settings import ChunkSettings, IndexSettings, ModelSettings
from rag_platform.core.ids import embedding_text
from rag_platform.embeddings.onnx_embedder import OnnxEmbedder, open_embedder
from rag_platform.models.weights import locate

PRECISIONS = ("int8", "fp32")
PEERS = ("sentence-transformers", "fastembed")


def passages(embedder: OnnxEmbedder, title: str, text: str) -> list[str]:
    """Return what the default chunker lets embed of a text."""
    chosen = ChunkSettings()
    chunker = Chunker(embedder.tokenizer, chosen.size, chosen.overlap, limit=embedder.max_tokens)
    return [embedding_text(piece.header, piece.text) for piece in chunker.split(text, title=title, headings=False)]


def read_passages(corpus: Path, limit: int) -> list[str]:
    """Return the first chunks of a corpus."""
    embedder, found = open_embedder(ModelSettings()), []
    with corpus.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            found += passages(embedder, record.get("title", ""), record["text"])
            if len(found) >= limit:
                break
    return found[:limit]


# --- speed ------------------------------------------------------------------------------------------


class Contender:
    """A process that embeds the texts once for each line that it is sent."""

    def __init__(self, name: str, tokens: int, command: Sequence[str]) -> None:
        self.name = name
        self.tokens = tokens
        self.rounds: list[tuple[float, float]] = []
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.vectors = np.array(json.loads(self._process.stdout.readline()))

    def turn(self) -> None:
        """Measure once: seconds by the clock and of the processor."""
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        seconds, spent = self._process.stdout.readline().split()[:2]
        self.rounds.append((float(seconds), float(spent)))

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()

    @property
    def medians(self) -> tuple[float, float]:
        """Seconds by the clock and of the processor."""
        return tuple(statistics.median(column) for column in zip(*self.rounds, strict=True))


def serve(model: str, precision: str, bits: int, path: Path) -> None:
    """Be a contender: our embedder, which packs the vectors of tokens in so many bits a dimension; 0: it does not."""
    embedder = open_embedder(ModelSettings(name=model, precision=precision))
    texts = json.loads(path.read_text(encoding="utf-8"))
    embed = (lambda: embedder.embed_with_tokens(texts, bits)[0]) if bits else lambda: embedder.embed_passages(texts)
    print(json.dumps(embed()[:8].tolist()), flush=True)
    for _ in sys.stdin:
        start, spent = time.perf_counter(), time.process_time()
        embed()
        print(time.perf_counter() - start, time.process_time() - spent, flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{model}, {precision}: peak memory {peak:.0f} MB", file=sys.stderr)


def contenders(path: Path, peers: str | None, models: Sequence[str]) -> Iterator[Contender]:
    """Open ours in each precision, other models, and the other libraries where their interpreter is named."""
    default, texts = ModelSettings(), json.loads(path.read_text(encoding="utf-8"))
    tokens = 0
    for settings, bits in (
        *((ModelSettings(precision=precision), 0) for precision in PRECISIONS),
        (default, IndexSettings().token_bits),
        *((ModelSettings(name=name), 0) for name in models),
    ):
        embedder = open_embedder(settings)  # writes the graph, which is not measured
        counted = sum(embedder.count_tokens(texts))
        tokens = tokens or counted
        how = f"{settings.precision}, with the vectors of tokens" if bits else settings.precision
        shown = f"ours, {how}" if settings.name == default.name else settings.name
        served = [settings.name, settings.precision, str(bits), str(path)]
        command = [sys.executable, "-m", __spec__.name, "--serve", *served]
        yield Contender(shown, counted, command)
    model, script = locate(default), Path(__file__).with_name("embedding_peers.py")
    for library in PEERS if peers else ():
        yield Contender(library, tokens, [peers, str(script), library, str(model), str(path)])


def compare_speed(texts: Sequence[str], rounds: int, peers: str | None, models: Sequence[str]) -> None:
    """Let the contenders take turns, and print their medians and the ratios to the first."""
    with tempfile.TemporaryDirectory(prefix="embedding-") as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        runners = list(contenders(path, peers, models))
        for _ in range(rounds):
            for runner in runners:
                runner.turn()
        for runner in runners:
            runner.close()
    print(f"{len(texts)} chunks, {rounds} rounds, {len(os.sched_getaffinity(0))} cores; medians")
    print(
        "| | chunks/s | tokens a processor second | ms a chunk | ours is faster by | by processor time | least cosine |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    first = runners[0]
    for runner in runners:
        seconds, spent = runner.medians
        faster, cheaper = (one / other for one, other in zip(runner.medians, first.medians, strict=True))
        cosine = "" if runner.name in models else f"{(runner.vectors * first.vectors).sum(axis=1).min():.4f}"
        speed = (f"{len(texts) / seconds:.0f}", f"{runner.tokens / spent:,.0f}", f"{1000 * spent / len(texts):.1f}")
        print("| " + " | ".join([runner.name, *speed, f"{faster:.2f}", f"{cheaper:.2f}", cosine]) + " |")


def query_latency(texts: Sequence[str], model: str) -> None:
    """Print how long a question takes to embed: a text's first twelve words."""
    embedder, took = open_embedder(ModelSettings(name=model)), []
    for text in texts:
        start = time.perf_counter()
        embedder.embed_query(" ".join(text.split()[:12]))
        took.append(1000 * (time.perf_counter() - start))
    print(f"a question, {model}: p50 {np.percentile(took, 50):.1f} ms, p95 {np.percentile(took, 95):.1f} ms")


# --- quality ----------------------------------------------------------------------------------------


def ndcg(order: Sequence[str], grades: Mapping[str, int]) -> float:
    """Return nDCG@10 with linear gain (Järvelin and Kekäläinen, 2002)."""
    weights = 1 / np.log2(np.arange(2, 12))
    gains = np.array([max(0, grades.get(name, 0)) for name in order[:10]])
    best = np.array(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:10])
    return float(gains @ weights[: len(gains)] / (best @ weights[: len(best)])) if len(best) else 0.0


def quality(folder: Path, model: str, precision: str) -> float:
    """Return the mean nDCG@10 of vector search over a folder's test questions."""
    beir, embedder = load_folder(folder), open_embedder(ModelSettings(name=model, precision=precision))
    rows = [
        (name, text)
        for name, document in beir.documents.items()
        for text in passages(embedder, document.title, document.text if document.text.strip() else document.title)
    ]
    vectors, names = embedder.embed_passages([text for _, text in rows]), np.array([name for name, _ in rows])
    scores = []
    for question, grades in beir.qrels.items():
        similarity = vectors @ embedder.embed_query(beir.questions[question].question)
        order = list(dict.fromkeys(names[np.argsort(-similarity, kind="stable")[:200]].tolist()))
        scores.append(ndcg(order, grades))
    return float(np.mean(scores))


def compare_quality(folders: Sequence[Path], model: str) -> None:
    """Print nDCG@10 of each folder and precision, and int8's share of fp32's mean."""
    means = {precision: [quality(folder, model, precision) for folder in folders] for precision in PRECISIONS}
    for number, folder in enumerate(folders):
        print(folder.name, *(f"{precision} {means[precision][number]:.4f}" for precision in PRECISIONS))
    print(f"int8 / fp32: {np.mean(means['int8']) / np.mean(means['fp32']):.4f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--texts", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", metavar="PYTHON", help="interpreter that has the other libraries")
    parser.add_argument("--quality", type=Path, nargs="+", metavar="FOLDER", default=())
    parser.add_argument("--model", default=ModelSettings().name, help="of the quality")
    parser.add_argument("--beside", nargs="+", metavar="MODEL", default=(), help="other models to be timed")
    parser.add_argument("--device", choices=("cpu", "cuda"), help="tokens/s there, beside torch and vLLM, and no more")
    parser.add_argument("--serve", nargs=4, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        model, precision, bits, path = chosen.serve
        serve(model, precision, int(bits), Path(path))
    if chosen.corpus and chosen.device:
        from benchmarks.embedding_devices import compare

        compare(read_passages(chosen.corpus, chosen.texts), chosen.rounds, chosen.peers, chosen.device)
    elif chosen.corpus:
        texts = read_passages(chosen.corpus, chosen.texts)
        compare_speed(texts, chosen.rounds, chosen.peers, chosen.beside)
        for model in (ModelSettings().name, *chosen.beside):
            query_latency(texts, model)
    if chosen.quality:
        compare_quality(chosen.quality, chosen.model)


if __name__ == "__main__":
    main()
