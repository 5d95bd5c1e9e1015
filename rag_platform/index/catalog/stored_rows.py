"""Rows by their place: what is shown of a hit, in a file that is read only where the hit lies.

A columnar table has to open a block of each of its columns for one row, which took 2 ms a row of a million; a row of
this file takes 20 µs. Each row is JSON in a zstd frame of its own. What rows have in common is in a dictionary that is
trained on them, which packs as well as frames of 16 rows do without one, and opens 5 times as fast.
"""

import json
import mmap
import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import zstandard

from rag_platform.index.reading import explaining_damage

_BATCH = 16_384
"""Rows that are turned to JSON at a time."""
_LEVEL = 3
_DICTIONARY = 16_384
"""Bytes of a dictionary."""
_SAMPLES = 1000
"""Rows, spread evenly, that it is trained on."""
_FEWEST = 100
"""Rows from which on a dictionary is worth its bytes."""


def write_rows(path: Path, rows: pl.DataFrame) -> None:
    """Write rows in their order: dictionary, frames, then where each begins, and the number of frames and of rows."""
    dictionary = _trained(rows)
    packer = zstandard.ZstdCompressor(level=_LEVEL, dict_data=dictionary)
    with path.open("wb") as file:
        file.write(dictionary.as_bytes() if dictionary else b"")
        starts = [file.tell()]
        for batch in rows.iter_slices(_BATCH):
            for line in _lines(batch):
                starts.append(starts[-1] + file.write(packer.compress(line)))
        file.write(np.array([*starts, rows.height, rows.height], "<u8").tobytes())


def _trained(rows: pl.DataFrame) -> zstandard.ZstdCompressionDict | None:
    if rows.height < _FEWEST:
        return None
    samples = _lines(rows.gather_every(-(-rows.height // _SAMPLES)))
    try:
        dictionary = zstandard.train_dictionary(_DICTIONARY, [*samples])
    except zstandard.ZstdError:  # they have too little in common, or too few bytes
        return None
    dictionary.precompute_compress(level=_LEVEL)
    return dictionary


def _lines(rows: pl.DataFrame) -> list[bytes]:
    moments = pl.selectors.datetime().dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00")
    return rows.with_columns(moments).write_ndjson().encode().split(b"\n")[:-1]


class Rows:
    """An opened file of rows, mapped into memory; safe to read from many threads."""

    def __init__(self, path: Path, moments: Sequence[str] = ()) -> None:
        """Open a file; `ValueError` when it is cut. `moments` names the columns that hold a moment."""
        self._path, self._moments = path, tuple(moments)
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        frames, self._count = (int(number) for number in np.frombuffer(self._bytes, "<u8", 2, len(self._bytes) - 16))
        begin = len(self._bytes) - 8 * (frames + 3)
        if begin < 0 or frames != self._count:
            raise ValueError(f"{path} is cut")
        self._starts = np.frombuffer(self._bytes, "<u8", frames + 1, begin)
        dictionary = self._bytes[: int(self._starts[0])]
        self._dictionary = zstandard.ZstdCompressionDict(dictionary) if dictionary else None
        self._own = threading.local()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> dict[str, Any]:
        """Return the row at a place, counted from 0."""
        start, end = self._starts[place : place + 2].tolist()
        with explaining_damage(self._path):
            # a text, for bytes would have their encoding guessed
            row: dict[str, Any] = json.loads(self._unpacker.decompress(self._bytes[start:end]).decode())
        for name in self._moments:
            if row[name] is not None:
                row[name] = datetime.fromisoformat(row[name])
        return row

    @property
    def _unpacker(self) -> zstandard.ZstdDecompressor:
        """The thread's own: one must not be used by two threads at once."""
        try:
            unpacker: zstandard.ZstdDecompressor = self._own.unpacker
        except AttributeError:
            unpacker = self._own.unpacker = zstandard.ZstdDecompressor(dict_data=self._dictionary)
        return unpacker
