"""What the adapters have to say of segments; everything above is one implementation for all of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rag_platform.core.ports import VersionTables
from rag_platform.index.stores.segment_content import Kind


class SegmentEngine(Protocol):
    """An engine that holds segments, each by its name. Safe to ask from many threads.

    Places are those of rows in a segment's table. What is not there any more raises `DamagedVersion`.
    """

    def arrays(self, segment: str) -> Mapping[str, bytes]:
        """Return what every reader holds in memory: `SegmentContent.arrays`."""
        ...

    def rows(self, segments: Sequence[str], kind: Kind, terms: Sequence[int]) -> dict[tuple[str, int], bytes]:
        """Return what is packed of these terms, by segment and hash; those that a segment has not are left out."""
        ...

    def passages(self, segment: str, places: Sequence[int]) -> list[dict[str, Any]]:
        """Return chunks with what is shown of their documents: each row has its `place`."""
        ...

    def nearest(
        self, segment: str, file: str, vector: np.ndarray, most: int, chosen: np.ndarray | None, *, exact: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return places (int64) of about the nearest vectors, with these vectors (float16), in any order.

        As many as asked for, where there are so many. `chosen`: the places among which, ascending; None: all. `exact`:
        by comparing all of them.
        """
        ...

    def vectors(self, segment: str, file: str, places: np.ndarray) -> np.ndarray:
        """Return the vectors (float16) at these places, of which there are some, in their order."""
        ...

    def tokens(self, segments: Sequence[str], model: str, keys: Sequence[int]) -> dict[int, bytes]:
        """Return the token vectors of passages that some segment has, by key."""
        ...

    def tables(self, version: str, segments: Sequence[str]) -> VersionTables:
        """Return the documents and chunks that live in a version."""
        ...

    def held(self, segment: str) -> Mapping[str, int]:
        """Count the rows that there are, as `SegmentContent.described` does."""
        ...

    def damaged(self, segment: str) -> list[str]:
        """Read what there is, and name what is not as it was written; nothing: that is the engine's own affair."""
        ...

    def bytes_of(self, segment: str) -> int:
        """Return what a segment takes."""
        ...
