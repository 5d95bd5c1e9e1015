"""Compare embedding on a device: tokens a second of ours, sentence-transformers and vLLM, in one run.

    python -m benchmarks.embedding CORPUS --device cuda [--peers PYTHON] [--texts 4000] [--rounds 5]

Of ours there are the runtime for processors in both precisions and, on a card, `cuda` and `tensorrt`; where one of
these falls back to the processor, it says so. On `--device cpu` the code for cards runs too, on the processor. A peer
that PYTHON does not have is named as not installed.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.embedding import Contender
from rag_platform.config.settings import ModelSettings
from rag_platform.embeddings.runtimes import open_model
from rag_platform.models.weights import locate

OURS = {"cpu": ("onnx int8", "onnx fp32", "cuda"), "cuda": ("onnx int8", "onnx fp32", "cuda", "tensorrt")}
PEERS = {"sentence-transformers": "sentence_transformers", "vllm": "vllm"}


def compare(texts: Sequence[str], rounds: int, peers: str | None, device: str) -> None:
    """Let the contenders take turns, and print their tokens a second and the ratio to the first."""
    tokens = sum(open_model(ModelSettings()).count_tokens(texts))
    with tempfile.TemporaryDirectory(prefix="embedding-") as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        runners = list(_contenders(path, tokens, peers, device))
        for _ in range(rounds):
            for runner in runners:
                runner.turn()
        for runner in runners:
            runner.close()
    print(f"{len(texts)} chunks, {tokens:,} tokens, {rounds} rounds, device {device}; medians")
    print("| | tokens/s | ratio to the first | least cosine to it |\n|---|--:|--:|--:|")
    first = runners[0]
    for runner in runners:
        seconds = statistics.median(clock for clock, _ in runner.rounds)
        ratio = statistics.median(a[0] / b[0] for a, b in zip(first.rounds, runner.rounds, strict=True))
        cosine = (runner.vectors * first.vectors).sum(axis=1).min()
        print(f"| {runner.name} | {tokens / seconds:,.0f} | {ratio:.2f} | {cosine:.4f} |", flush=True)


def _contenders(path: Path, tokens: int, peers: str | None, device: str) -> Iterator[Contender]:
    for runtime in OURS[device]:
        yield Contender(f"ours, {runtime}", tokens, [sys.executable, "-m", __spec__.name, runtime, str(path)])
    model, script = locate(ModelSettings()), Path(__file__).with_name("embedding_peers.py")
    for name, module in PEERS.items():
        if peers and not subprocess.run([peers, "-c", f"import {module}"], capture_output=True, check=False).returncode:
            yield Contender(name, tokens, [peers, str(script), name, str(model), str(path), device])
        else:
            print(f"{name}: not installed" + (f" for {peers}" if peers else "; name an interpreter with --peers"))


def main() -> None:
    """Be a contender: ours, by one of its runtimes."""
    runtime, _, precision = sys.argv[1].partition(" ")
    model = open_model(ModelSettings(runtime=runtime, **({"precision": precision} if precision else {})))
    texts = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    print(json.dumps(np.asarray(model.embed_passages(texts)[:8]).tolist()), flush=True)
    for _ in sys.stdin:
        start, spent = time.perf_counter(), time.process_time()
        model.embed_passages(texts)
        print(time.perf_counter() - start, time.process_time() - spent, flush=True)


if __name__ == "__main__":
    main()
