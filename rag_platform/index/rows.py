"""Rows by their place: what is shown of a hit, in a file that is read only where the hit lies.

A columnar table has to open a block of each of its columns for one row, which took 2 ms a row of a million; a row of
this file takes 20 µs. Rows are JSON, in zstd frames of a few, so that a frame is quick to open and still packs well.
"""

import json
import mmap
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
import polars as pl
import zstandard

_FRAME = 16
"""Rows in a frame."""
_BATCH = 1024 * _FRAME
"""Rows that are turned to JSON at a time."""
_LEVEL = 3


def write_rows(path: Path, rows: pl.DataFrame) -> None:
    """Write rows in their order: frames, then where each begins, then the number of frames and of rows."""
    packer = zstandard.ZstdCompressor(level=_LEVEL)
    starts = [0]
    with path.open("wb") as file:
        for batch in rows.iter_slices(_BATCH):
            lines = _lines(batch)
            for first in range(0, len(lines), _FRAME):
                file.write(packer.compress(b"\n".join(lines[first : first + _FRAME])))
                starts.append(file.tell())
        file.write(np.array([*starts, len(starts) - 1, rows.height], "<u8").tobytes())


def _lines(rows: pl.DataFrame) -> list[bytes]:
    moments = pl.selectors.datetime().dt.convert_time_zone("UTC").dt.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00")
    return rows.with_columns(moments).write_ndjson().encode().split(b"\n")[:-1]


class Rows:
    """An opened file of rows, mapped into memory; safe to read from many threads."""

    def __init__(self, path: Path, moments: Sequence[str] = ()) -> None:
        """Open a file; `ValueError` when it is cut. `moments` names the columns that hold a moment."""
        self._moments = tuple(moments)
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        frames, self._count = (int(number) for number in np.frombuffer(self._bytes, "<u8", 2, len(self._bytes) - 16))
        begin = len(self._bytes) - 8 * (frames + 3)
        if begin < 0 or -(-self._count // _FRAME) != frames:
            raise ValueError(f"{path} is cut")
        self._starts = np.frombuffer(self._bytes, "<u8", frames + 1, begin)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: int) -> dict:
        """Return the row at a place, counted from 0."""
        frame, line = divmod(place, _FRAME)
        packed = self._bytes[int(self._starts[frame]) : int(self._starts[frame + 1])]
        row = json.loads(zstandard.ZstdDecompressor().decompress(packed).split(b"\n")[line])
        for name in self._moments:
            if row[name] is not None:
                row[name] = datetime.fromisoformat(row[name])
        return row
