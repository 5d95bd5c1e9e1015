"""Ascending numbers and counts as few bytes: what an engine keeps of a term."""

import numpy as np
import zstandard

_SHORT = 64
"""Bytes up to which nothing is gained by packing."""
_PLACE = np.uint64(24)
"""Bits of a code that hold a place within a chunk; the others hold the chunk."""


def packed(numbers: np.ndarray, counts: np.ndarray | None = None) -> bytes:
    """Pack ascending numbers (uint32 or uint64) and, of each, a count (uint8)."""
    steps = np.diff(numbers, prepend=numbers.dtype.type(0))
    columns = steps.view(np.uint8).reshape(len(steps), -1).T  # the highest bytes of all, which are 0, lie together
    content = columns.tobytes() + (b"" if counts is None else counts.astype(np.uint8).tobytes())
    return b"\0" + content if len(content) <= _SHORT else b"\1" + zstandard.compress(content, 3)


def unpacked(content: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers (uint32) and counts (uint8) that were packed together."""
    columns = _opened(content).reshape(5, -1)
    return _summed(columns[:4], np.uint32), columns[4]


def unpacked_codes(content: bytes) -> np.ndarray:
    """Return numbers (uint64) that were packed alone."""
    return _summed(_opened(content).reshape(8, -1), np.uint64)


def codes(chunks: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return a number (uint64) for each place in a chunk: places in a row are numbers in a row."""
    return (chunks.astype(np.uint64) << _PLACE) | places.astype(np.uint64)


def chunks_of(found: np.ndarray) -> np.ndarray:
    """Return the chunks (uint32, ascending) of some codes, which ascend."""
    return np.unique(found >> _PLACE).astype(np.uint32)


def _opened(content: bytes) -> np.ndarray:
    return np.frombuffer(content[1:] if content[:1] == b"\0" else zstandard.decompress(content[1:]), np.uint8)


def _summed(columns: np.ndarray, kind: type[np.generic]) -> np.ndarray:
    return np.cumsum(np.ascontiguousarray(columns.T).view(kind)[:, 0], dtype=kind)
