"""The segments of a version: folders of immutable files, of which each version shares most with its parent.

A segment holds some documents with their chunks, in all parts of an index. A version lists its segments, and which of
their documents do not live any more: another segment holds them as they are now, or they went. Rows are the chunks of
all segments, numbered on from one segment to the next; what is known of a row that does not live is never asked.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rag_platform.storage.atomic import link_or_copy

SEGMENTS = "segments"
"""The folder of a version's segments."""
LIST = "segments.json"
"""Their names in the order of their rows, and which of their documents do not live."""
CATALOG = "catalog.duckdb"
LEXICAL = "lexical"
_NOTHING = np.empty(0, np.uint32)


@dataclass(frozen=True, slots=True)
class Listed:
    """A segment as a version lists it."""

    folder: Path
    gone: np.ndarray
    """The places of its documents that do not live in the version: int64, ascending."""


def write_list(folder: Path, gone: Sequence[tuple[str, np.ndarray]]) -> None:
    """List the segments of a version: their names, with the places of the documents that do not live."""
    rows = [{"name": name, "gone": places.tolist()} for name, places in gone]
    (folder / LIST).write_text(json.dumps(rows) + "\n", encoding="utf-8")


def listed(folder: Path) -> list[Listed]:
    """Return the segments of the version in a folder."""
    rows = json.loads((folder / LIST).read_text(encoding="utf-8"))
    return [Listed(folder / SEGMENTS / row["name"], np.array(row["gone"], np.int64)) for row in rows]


def shared_segments(manifest: Mapping[str, Any]) -> list[str]:
    """Name the folders of segments that a version has from the one that it was made from."""
    return [f"{SEGMENTS}/{one['name']}" for one in manifest["segments"] if one["shared"]]


def link(segment: Path, target: Path) -> None:
    """Share the files of a segment; where the disk knows no hard links, copy them."""
    for path in sorted(segment.rglob("*")):
        there = target / path.relative_to(segment)
        if path.is_dir():
            there.mkdir(parents=True, exist_ok=True)
        elif path.suffix not in (".lock", ".new"):
            there.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(path, there)


class LivingRows:
    """Which rows of some segments live, by their keys."""

    def __init__(
        self, keys: Sequence[np.ndarray], documents: Sequence[np.ndarray], living: Sequence[np.ndarray]
    ) -> None:
        """Number the rows on.

        Args:
            keys: of each segment's chunks: uint64, ascending.
            documents: of each chunk, its document's place in the segment: uint32.
            living: of each segment's documents: bool.
        """
        self.starts = np.cumsum([0, *map(len, keys)])
        """The row of each segment's first chunk, then the number of rows: int64."""
        self.document_starts = np.cumsum([0, *map(len, living)])
        self.row_keys = keys[0] if len(keys) == 1 else np.concatenate([np.empty(0, np.uint64), *keys])
        """The key of each row: uint64."""
        self._living = np.concatenate([np.empty(0, bool), *living])
        self._segment_keys = keys
        if len(keys) == 1 and self._living.all():
            self.keys, self.documents = keys[0], documents[0]
            self.alive: np.ndarray | None = None
            self._rows: np.ndarray | None = None
            return
        rows = np.concatenate(
            [_NOTHING, *(one + np.uint32(start) for one, start in zip(documents, self.document_starts, strict=False))]
        )
        alive = self._living[rows]
        lasting = np.flatnonzero(alive)
        self._rows = lasting[np.argsort(self.row_keys[lasting], kind="stable")].astype(np.uint32)
        self.keys = self.row_keys[self._rows]
        """The keys of those that live: uint64, ascending."""
        self.documents = self.numbers(rows[self._rows])
        """The document of each of these, by its number among those that live: uint32."""
        self.alive = None if alive.all() else alive
        """Of each row, whether it lives: bool; None: all do."""

    @classmethod
    def of(cls, keys: np.ndarray) -> "LivingRows":
        """Return the rows of one segment, all of which live, each a document of its own."""
        return cls([keys], [np.arange(len(keys), dtype=np.uint32)], [np.ones(len(keys), bool)])

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def dead(self) -> np.ndarray:
        """The rows that do not live: int64, ascending."""
        return np.empty(0, np.int64) if self.alive is None else np.flatnonzero(~self.alive)

    @cached_property
    def _ranks(self) -> np.ndarray:
        return (np.cumsum(self._living) - 1).astype(np.uint32)

    def numbers(self, documents: np.ndarray) -> np.ndarray:
        """Return the numbers among the living documents of some that live, counted through all segments: uint32."""
        numbers: np.ndarray = self._ranks[documents]
        return numbers

    def rows(self, keys: np.ndarray) -> np.ndarray:
        """Return the rows of keys that live."""
        places = np.searchsorted(self.keys, keys)
        return places if self._rows is None else self._rows[places]

    def mask(self, chosen: np.ndarray) -> np.ndarray:
        """Return of each row whether it is one of those chosen of the living (bool, in the order of `keys`)."""
        if self._rows is None:
            return chosen
        mask = np.zeros(len(self.row_keys), bool)
        mask[self._rows[chosen]] = True
        return mask

    def keys_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the keys (uint64, ascending) of those of these rows, each given once, that live."""
        if self.alive is not None:
            rows = rows[self.alive[rows]]
        keys = self.row_keys[rows]
        return keys if len(self._segment_keys) == 1 else np.sort(keys)

    def place(self, row: int) -> tuple[int, int]:
        """Return the segment of a row, and its place there."""
        segment = int(np.searchsorted(self.starts, row, side="right")) - 1
        return segment, row - int(self.starts[segment])

    def living_keys(self, segment: int) -> np.ndarray | None:
        """Return the keys (uint64, ascending) of a segment that live; None: all of them."""
        if self.alive is None:
            return None
        alive = self.alive[self.starts[segment] : self.starts[segment + 1]]
        return None if alive.all() else self._segment_keys[segment][alive]
