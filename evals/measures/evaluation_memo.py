"""What earlier evaluations computed, by a hash of all that it depends on: only what can have changed is computed again.

One file below `data/evals`. It holds numbers and hashes and no text, and may be removed at any time: then everything is
computed again, to the same results. What other code computed is not read.
"""

import hashlib
import io
import platform
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
import polars as pl

import evals
import rag_platform
from rag_platform.core.ids import digest
from rag_platform.storage.atomic import write_bytes

_COMPUTED_BY = (rag_platform, evals)
"""The packages whose results are kept."""
_AND_BY = ("numpy", "onnxruntime", "polars", "rapidfuzz", "tokenizers")
_KEPT = 20
"""Evaluations that a result outlives without being asked for."""
_MOST = 200_000
"""Results that are kept, some hundred bytes each: those of about 6,000 questions."""
_HASH = 64
"""Digits before the content: damage must not become a score."""
_COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "key": pl.String,
    "result": pl.Binary,
    "type": pl.String,
    "shape": pl.List(pl.Int64),
    "ms": pl.Float64,
    "unused": pl.Int64,
}


@dataclass(slots=True)
class _Result:
    array: np.ndarray
    ms: float
    """What it took to compute."""
    unused: int
    """Evaluations since it was asked for."""


class EvaluationMemo:
    """Results by key, kept from one evaluation to the next; fulfils `ports.Memo`."""

    def __init__(self, path: Path) -> None:
        """Read what is known; a file that is absent, damaged or of other code counts as empty."""
        self._path = path
        self._version = _code_version()
        self._results = _read(path, self._version)
        self.saved_ms = 0.0
        """What it took to compute everything that was returned."""

    def get(self, key: str) -> np.ndarray | None:
        """Return what was put under the key, not to be written to; None: nothing is known."""
        found = self._results.get(key)
        if found is None:
            return None
        found.unused = 0
        self.saved_ms += found.ms
        return found.array

    def put(self, key: str, result: np.ndarray, took_ms: float) -> None:
        """Keep a result, with the milliseconds that it took to compute."""
        self._results[key] = _Result(result, took_ms, 0)

    def save(self) -> None:
        """Write what is known for the next evaluation, without what none has asked for in a while."""
        kept = sorted(self._results.items(), key=lambda one: one[1].unused)[:_MOST]
        rows = [
            (key, one.array.tobytes(), one.array.dtype.str, list(one.array.shape), one.ms, one.unused + 1)
            for key, one in kept
            if one.unused < _KEPT
        ]
        content = io.BytesIO()
        pl.DataFrame(rows, schema=_COLUMNS, orient="row").write_parquet(content)
        write_bytes(self._path, _hash(self._version, content.getvalue()) + content.getvalue())


def _read(path: Path, version: str) -> dict[str, _Result]:
    try:
        stored = path.read_bytes()
    except OSError:
        return {}
    content = stored[_HASH:]
    if stored[:_HASH] != _hash(version, content):
        return {}
    return {
        key: _Result(np.frombuffer(result, kind).reshape(shape), ms, unused)
        for key, result, kind, shape, ms, unused in pl.read_parquet(io.BytesIO(content)).iter_rows()
    }


def _hash(version: str, content: bytes) -> bytes:
    return hashlib.sha256(version.encode() + content).hexdigest().encode()


@cache
def _code_version() -> str:
    """Hash the code that computes what is kept, and the versions of the libraries that it calls; once in a process."""
    libraries = [f"{name} {_installed(name)}" for name in _AND_BY]
    folders = [Path(folder) for package in _COMPUTED_BY for folder in package.__path__]
    sources = [path.read_bytes() for folder in folders for path in sorted(folder.rglob("*.py"))]
    return digest(platform.machine(), *libraries, *sources, length=32)


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:  # an extra
        return None
