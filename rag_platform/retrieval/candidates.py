"""The chunks retrieved for a question, with every score; the best of them become hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from rag_platform.core.hits import Duplicate, Hit, PageStart, Passage, Scores, page_starts
from rag_platform.core.trust import Trust, trust_of
from rag_platform.index.releases.open_version import OpenVersion
from rag_platform.index.releases.view import View
from rag_platform.retrieval.result_grouping import HitGroup
from rag_platform.retrieval.trace import Drop, StageRanking, Trace
from rag_platform.text.instructions.injection import INSTRUCTS
from rag_platform.text.snippets import snippet

_ARRAYS = ("keys", "lexical", "vector", "feedback", "fused", "recency", "trust", "rerank", "rerank_scaled",
           "score", "relevance", "foreign", "rerank_weight", "evidence")  # fmt: skip
Row = Mapping[str, Any]
"""The columns of a chunk and of its document, without the document's text."""


@dataclass(slots=True)
class Candidates:
    """The chunks that the retrievers returned, as parallel arrays, best first once `order` has been applied."""

    keys: np.ndarray
    lexical: np.ndarray
    """BM25; NaN where the chunk has no word of the question, or there was no lexical search."""
    vector: np.ndarray
    """Similarity to the question."""
    feedback: np.ndarray
    """Similarity to the question moved towards the best candidates; NaN before that."""
    fused: np.ndarray
    """Lexical and vector score together, in [0, 1]."""
    recency: np.ndarray
    """In [0, 1], 1 for what is of today; NaN where age does not matter."""
    trust: np.ndarray
    """Factor for how far the source is trusted; NaN where it is not more or less than usual."""
    rerank: np.ndarray
    """What the reranker gave; NaN: nothing."""
    rerank_scaled: np.ndarray
    """The same, as it is added to `fused`."""
    score: np.ndarray
    relevance: np.ndarray
    """The probability that it is relevant; NaN: not known."""
    foreign: np.ndarray
    """bool: in another language than the question's, so that words tell little."""
    rerank_weight: np.ndarray
    """Of `rerank_scaled` beside `fused`; NaN: nothing was reranked."""
    evidence: np.ndarray
    """Similarity as the relevance curves of its space's model take it: a cosine, or a z-score."""
    nothing_relevant: bool = False
    rows: Mapping[int, Row] = field(default_factory=dict)
    """The columns of each by its key, read when they are first asked for: most candidates are only ranked."""
    warnings: list[str] = field(default_factory=list)
    trace: Trace = field(default_factory=Trace)

    @classmethod
    def none(cls) -> "Candidates":
        """Return those of no question."""
        nothing = np.empty(0, np.float32)
        return cls.retrieved(np.empty(0, np.uint64), nothing, nothing, Trace())

    @classmethod
    def retrieved(cls, keys: np.ndarray, lexical: np.ndarray, vector: np.ndarray, trace: Trace) -> "Candidates":
        """Return what the retrievers gave, before anything else is known."""
        unset = {name: np.full(len(keys), np.nan, np.float32) for name in _ARRAYS[3:]}
        return cls(keys, lexical, vector, **unset, trace=trace)  # type: ignore[arg-type]  # each is an array

    def order(self, stage: str | None = None) -> None:
        """Sort by score, then by key, so that equal scores have one order; record the ranking after `stage`."""
        self._take(np.lexsort((self.keys, -self.score)))
        if stage:
            self.trace.stages[stage] = StageRanking(self.keys, self.score.copy())

    def drop(self, gone: np.ndarray, stage: str, limit: float | None = None, measure: str = "score") -> None:
        """Take candidates (bool, by place) out of the list, and record why.

        `limit` is the score, or what else `measure` names, that they would have needed; None: that is not the reason.
        """
        values = getattr(self, measure)
        for place in np.flatnonzero(gone):
            key, score = int(self.keys[place]), float(self.score[place])
            self.trace.dropped[key] = Drop(stage, score, limit, measure, float(values[place]))
        self._take(np.flatnonzero(~gone))

    def _take(self, places: np.ndarray) -> None:
        for name in _ARRAYS:
            setattr(self, name, getattr(self, name)[places])

    def scores(self, place: int) -> Scores:
        """Return how the candidate at that place came to it."""
        values = {name: float(getattr(self, name)[place]) for name in Scores.__slots__}
        return Scores(**{name: None if np.isnan(value) else round(value, 6) for name, value in values.items()})

    def row(self, place: int) -> Row:
        """Return the columns of the candidate at that place."""
        return self.rows[int(self.keys[place])]


class GroupingRow:
    """A candidate as grouping sees it: what it asks of all of them is here, the rest is read from the row."""

    __slots__ = ("_found", "_known", "_place")

    def __init__(self, found: Candidates, place: int, document: int, near: int, ordinal: int) -> None:
        self._found, self._place = found, place
        self._known = {"doc_id": document, "near": None if near < 0 else str(near), "ordinal": ordinal}

    def __getitem__(self, name: str) -> Any:
        return self._known[name] if name in self._known else self._found.row(self._place)[name]


def grouping_rows(found: Candidates, index: OpenVersion, view: View, count: int | None = None) -> list[GroupingRow]:
    """Return the first candidates (None: all) to group; documents and near-duplicate groups go by numbers."""
    keys = found.keys[:count]
    documents, ordinals = index.catalog.documents_of(keys), index.catalog.ordinals_of(keys)
    known = zip(documents.tolist(), view.near[documents].tolist(), ordinals.tolist(), strict=True)
    return [GroupingRow(found, place, *numbers) for place, numbers in enumerate(known)]


def hits_of(
    found: Candidates,
    question: str,
    groups: Mapping[int, HitGroup],
    trust: Mapping[str, Trust] = MappingProxyType({}),
    *,
    complete: bool = True,
) -> tuple[Hit, ...]:
    """Return a hit for each group, with what was collapsed and merged into it.

    Args:
        found: the candidates, in their final order.
        question: whose words the snippets show.
        groups: the candidates of each hit, by the place of the best.
        trust: levels of sources, as in `core.trust`.
        complete: whether each is shown with the sentences of its neighbours that it needs.
    """
    hits = []
    for rank, (place, group) in enumerate(groups.items(), start=1):
        row = found.row(place)
        places = sorted((place, *group.merged), key=lambda other: found.row(other)["start"])
        parts = [found.row(other) for other in places]
        before, after = (parts[0]["before"], parts[-1]["after"]) if complete else ("", "")
        text, (start, end) = _joined(parts)
        hits.append(
            Hit(
                rank=rank,
                score=round(float(found.score[place]), 6),
                text=before + text + after,
                span=(start - len(before), end + len(after)),
                completed=(len(before), len(after)),
                page=parts[0]["page"],
                page_label=parts[0].get("page_label"),
                further_pages=_further_pages(parts),
                snippet=snippet(row["text"], question),
                merged=tuple(_passage(found, other) for other in places) if group.merged else (),
                scores=found.scores(place),
                relevance=_known(found.relevance[place]),
                trust=trust_of(trust, row["source"], row["collection"]),
                tags=tuple(row["tags"] or ()),
                instructs=tuple(flag for flag in row["flags"] if flag.startswith(INSTRUCTS)),
                duplicates=tuple(_duplicate(found.row(other)) for other in group.collapsed),
                **{name: row[name] for name in _HIT_COLUMNS},
            )
        )
    return tuple(hits)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)


def _joined(parts: Sequence[Row]) -> tuple[str, tuple[int, int]]:
    """Return the text that neighbouring chunks, in their order, have together, and its span."""
    start, end, text = parts[0]["start"], parts[0]["end"], parts[0]["text"]
    for part in parts[1:]:
        if part["start"] > end:
            text += part["blanks"] + part["text"]  # blanks are in no chunk
        else:
            text += part["text"][end - part["start"] :]
        end = max(end, part["end"])
    return text, (start, end)


def _further_pages(parts: Sequence[Row]) -> tuple[PageStart, ...]:
    """Return the pages that begin within neighbouring chunks; those of one may be shown with the next, too."""
    starts: dict[int, PageStart] = {}
    for part in parts:
        if within := part.get("page_starts"):  # a version of before has none
            starts |= {one.page: one for one in page_starts(part["page"], within, part["page_labels"])}
    return tuple(starts.values())


def _passage(found: Candidates, place: int) -> Passage:
    row, score = found.row(place), round(float(found.score[place]), 6)
    span = row["start"], row["end"]
    return Passage(row["chunk_id"], span, row["page"], row["section"], score, row.get("page_label"))


def _duplicate(row: Row) -> Duplicate:
    names = (name for name in Duplicate.__slots__ if name != "span")
    return Duplicate(**{name: row[name] for name in names}, span=(row["start"], row["end"]))


_MADE = ("rank", "score", "text", "span", "page", "page_label", "snippet", "scores", "tags", "instructs", "duplicates",
         "merged", "relevance", "trust", "completed", "further_pages")  # fmt: skip
_HIT_COLUMNS = tuple(name for name in Hit.__dataclass_fields__ if name not in _MADE)
