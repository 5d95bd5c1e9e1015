"""The chunks proposed for a question, with every score; those that are kept become hits."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rag_platform.documents.instructions import INSTRUCTS
from rag_platform.records import Duplicate, Hit, Scores
from rag_platform.snippets import snippet


@dataclass(slots=True)
class Candidates:
    """The chunks proposed by the legs, as parallel arrays, best first once `order` has been applied."""

    keys: np.ndarray
    lexical: np.ndarray
    """BM25; NaN where the leg did not propose the chunk."""
    vector: np.ndarray
    fused: np.ndarray
    decay: np.ndarray
    rerank: np.ndarray
    score: np.ndarray
    rows: Mapping[int, dict] = field(default_factory=dict)
    """The columns of each by its key, read when they are first asked for: most candidates are only ranked."""

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, place: int) -> dict:
        """Return the columns of the candidate at that place."""
        return self.rows[int(self.keys[place])]

    def order(self) -> None:
        """Sort by score, then by key, so that equal scores have one order."""
        order = np.lexsort((self.keys, -self.score))
        for name in ("keys", "lexical", "vector", "fused", "decay", "rerank", "score"):
            setattr(self, name, getattr(self, name)[order])

    def scores(self, place: int) -> Scores:
        """Return how the candidate at that place came to it."""
        values = {name: float(getattr(self, name)[place]) for name in Scores.__slots__}
        return Scores(**{name: None if np.isnan(value) else round(value, 6) for name, value in values.items()})


def hits_of(found: Candidates, question: str, kept: Mapping[int, list[int]]) -> tuple[Hit, ...]:
    """Return what is kept as hits, with what was folded into each."""
    hits = []
    for rank, (place, folded) in enumerate(kept.items(), start=1):
        row = found[place]
        hits.append(
            Hit(
                rank=rank,
                score=round(float(found.score[place]), 6),
                span=(row["start"], row["end"]),
                snippet=snippet(row["text"], question),
                scores=found.scores(place),
                tags=tuple(row.get("tags") or ()),  # versions built by an older release have none
                instructs=tuple(flag for flag in row["flags"] if flag.startswith(INSTRUCTS)),
                duplicates=tuple(_duplicate(found[other]) for other in folded),
                **{name: row[name] for name in _HIT_COLUMNS},
            )
        )
    return tuple(hits)


def _duplicate(row: dict) -> Duplicate:
    names = (name for name in Duplicate.__slots__ if name != "span")
    return Duplicate(**{name: row[name] for name in names}, span=(row["start"], row["end"]))


_MADE = ("rank", "score", "span", "snippet", "scores", "tags", "instructs", "duplicates")
_HIT_COLUMNS = tuple(name for name in Hit.__dataclass_fields__ if name not in _MADE)
