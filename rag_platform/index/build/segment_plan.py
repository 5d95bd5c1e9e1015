"""Which segments of its parent a version goes on with, and what it writes anew.

A document is shared while its row, its chunks' rows and the spaces of these are what a segment holds. All others go
into one new segment. That takes in what is left of the smallest old ones as long as it is as large as they are: so each
row is written anew as often as the index has doubled since it came, and segments are as many as there are doublings
(the logarithmic method: Bentley and Saxe, "Decomposable Searching Problems", 1980).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from rag_platform.core.ids import digest
from rag_platform.index.vectors.spaces import Space

SMALL = 2_000
"""Chunks up to which a segment is always taken in: they are written in a tenth of a second."""
MEMBERS = "members.npy"
"""What each document of a segment is: `fingerprints`, in the order of its documents."""
_NOT_SEEN = ("text", "signature")
"""Columns of a document that follow from others."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A segment that may be shared."""

    folder: Path
    members: np.ndarray
    """`fingerprints` of its documents."""
    chunks: np.ndarray
    """How many chunks each has: int64."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a version is made of."""

    shared: tuple[tuple[Candidate, np.ndarray], ...]
    """Segments that stay, each with the places of its documents that do not live any more: int64, ascending."""
    new: np.ndarray
    """Which of the version's documents are written anew: bool."""


def fingerprints(documents: pl.DataFrame, chunks: pl.DataFrame, spaces: Sequence[Space]) -> np.ndarray:
    """Return what each document is, with its chunks and the spaces that they are in: uint64.

    They are compared within one workspace only: another release of polars may hash otherwise, and then all is written
    anew once.
    """
    own = chunks.drop("text").hash_rows().to_numpy().copy()
    keys = chunks["key"].to_numpy()
    for space in spaces:
        name = digest(space.model["fingerprint"], str(space.cross))
        own[np.searchsorted(keys, space.keys)] += np.uint64(int(name[:16], 16))  # wraps
    mixed = pl.DataFrame({"doc_id": chunks["doc_id"], "own": pl.Series(own).hash()})
    sums = mixed.group_by("doc_id").agg(pl.col("own").sum())  # wraps, too
    rows = documents.select("doc_id", row=documents.drop(_NOT_SEEN).hash_rows())
    both = rows.join(sums, on="doc_id", how="left", maintain_order="left").select("row", "own")
    return both.hash_rows().to_numpy()


def planned(members: np.ndarray, chunks: np.ndarray, candidates: Iterable[Candidate]) -> Plan:
    """Decide what of the candidates goes on living in a version of documents with these `members` and `chunks`."""
    left = _Left(members)
    found = [(candidate, left.take(candidate.members)) for candidate in candidates]
    kept = sorted((_Held(one, taken) for one, taken in found), key=lambda held: held.living)
    new, size = left.untaken, int(chunks[left.untaken].sum())
    shared = []
    for held in kept:
        if held.living and (held.worn or held.living <= max(SMALL, size)):
            new[left.places(held)] = True
            size += held.living
        elif held.living:
            shared.append((held.candidate, held.gone))
    return Plan(tuple(reversed(shared)), new)


class _Held:
    """A candidate, and which of its documents live."""

    def __init__(self, candidate: Candidate, places: np.ndarray) -> None:
        self.candidate, self.places = candidate, places
        """Of each of its documents, the place among the version's; -1: it does not live."""
        self.living = int(candidate.chunks[places >= 0].sum())

    @property
    def worn(self) -> bool:
        """Whether more than a third of its chunks do not live, so that what is left had better be written anew."""
        return 3 * self.living < 2 * int(self.candidate.chunks.sum())

    @property
    def gone(self) -> np.ndarray:
        return np.flatnonzero(self.places < 0)


class _Left:
    """The version's documents that no candidate has held yet."""

    def __init__(self, members: np.ndarray) -> None:
        self._order = np.argsort(members, kind="stable")
        self._sorted = members[self._order]
        self.untaken = np.ones(len(members), bool)

    def take(self, members: np.ndarray) -> np.ndarray:
        """Return the places of these members among the version's documents, each of which is taken once; else -1."""
        places = np.full(len(members), -1, np.int64)
        if not len(self._sorted):
            return places
        at = np.minimum(np.searchsorted(self._sorted, members), len(self._sorted) - 1)
        own = self._order[at]
        fits = (self._sorted[at] == members) & self.untaken[own]
        places[fits] = own[fits]
        self.untaken[own[fits]] = False
        return places

    def places(self, held: _Held) -> np.ndarray:
        """Return the places of what lives of a candidate."""
        return held.places[held.places >= 0]
