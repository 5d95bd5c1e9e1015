"""Tokenizer and session of a model that runs in ONNX Runtime."""

import os
from pathlib import Path

import onnxruntime as ort
from tokenizers import Tokenizer

LONGEST_TOKEN = 64
"""Characters: of a text no more are looked at than so many for each token that a model reads."""


def cores() -> int:
    """Count the cores that this process may use; macOS and Windows tell only how many there are."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def open_session(graph: Path) -> ort.InferenceSession:
    """Open a graph to be run by one thread at a time each on one core: the texts are shared out, not one's work."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.x64quantprecision", "1")  # AVX2's sums of bytes saturate, without VNNI
    unfused = ["SkipLayerNormFusion"]  # the fused operator is not vectorised
    return ort.InferenceSession(graph, options, providers=["CPUExecutionProvider"], disabled_optimizers=unfused)


def open_tokenizer(folder: Path, max_tokens: int | None, strategy: str = "longest_first") -> Tokenizer:
    """Open a model's tokenizer, which pads nothing; `max_tokens` None: it cuts nothing either."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    if max_tokens is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(max_tokens, strategy=strategy)
    return tokenizer


def encodable(text: str) -> str:
    """Replace lone surrogates, which tokenizers and servers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")
