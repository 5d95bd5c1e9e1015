"""Where the ONNX graph of a model lies, written once."""

import os
import subprocess
import sys
from pathlib import Path

from rag_platform.core.errors import ModelError
from rag_platform.models.cards import WEIGHTS
from rag_platform.models.packed_model import packed_file
from rag_platform.storage.locks import locked
from rag_platform.storage.user_cache import name_by_content, undamaged

LARGE = 200_000_000
"""Bytes of weights from which on their graph is written by a process of its own."""
GRAPH_VERSION = "2"
"""Changes when the same weights would give other vectors."""


def cached_graph(folder: Path, weights_sha256: str, pooling: str, precision: str, cache: Path) -> Path:
    """Return the graph of the model in `folder`, written into `cache` if it is not there or is damaged.

    Its name and that of its weights carry what they were made from and, as the last part, their hash, which is checked.
    """
    stem = f"{weights_sha256[:16]}-{pooling}-{precision}-{GRAPH_VERSION}-mapped"
    if path := _written(cache, stem):
        return path
    with locked(cache / f".{stem}.lock"):  # workers that start at once find that one of them has written it
        return _written(cache, stem) or _write(folder, pooling, precision, cache / f"{stem}.onnx")


def _written(cache: Path, stem: str) -> Path | None:
    path = undamaged(cache, stem, ".onnx")
    return path if path and undamaged(cache, stem, ".weights") else None


def _write(folder: Path, pooling: str, precision: str, new: Path) -> Path:
    if packed_file(folder) or (folder / WEIGHTS).stat().st_size > LARGE:
        _write_apart(folder, pooling, precision, new)
    else:
        from rag_platform.models.onnx_graph import write_graph  # brings onnx and protobuf, for what is done once

        write_graph(folder, pooling, precision, new)
    return name_by_content(new)


def _write_apart(folder: Path, pooling: str, precision: str, path: Path) -> None:
    """Write a graph in a process of its own: what that takes, several times the weights, ends with it."""
    done = subprocess.run(  # noqa: S603 - the module is ours
        [sys.executable, "-P", "-m", "rag_platform.models.onnx_graph", folder, pooling, precision, path],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    if done.returncode:
        raise ModelError(done.stderr.strip().rpartition("\n")[2] or f"writing the graph ended with {done.returncode}")
