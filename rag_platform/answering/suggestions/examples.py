"""Questions to begin with: those that were chosen and checked when a version was evaluated, and what else may be asked.

A version keeps its examples with its scores, each with the documents on which its answer rests: somebody is offered
those of which they may read every document.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, zip_longest
from typing import Any

from rag_platform.answering.suggestions.heading_words import number_removed, plain
from rag_platform.answering.suggestions.natural_questions import is_general, questions_of
from rag_platform.index.releases.open_version import OpenVersion

EXAMPLES = "examples"
"""Where a version's scores have them."""
_SAMPLED = 60
"""Documents whose beginnings are read."""
_SEED = "examples"
"""Of the choice of documents: that of a version's id would tell that documents changed which the asker may not read."""
_BEGINNING = 15_000
_HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A question that the documents answer well."""

    question: str
    documents: tuple[str, ...]
    """On which its answer rests (doc_id)."""
    language: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that a place of a document should answer."""

    question: str
    doc_id: str
    span: tuple[int, int]
    language: str


def stored_examples(index: OpenVersion, scores: Mapping[str, Any], principals: Sequence[str], count: int) -> list[str]:
    """Return examples that were kept with a version's scores, each about another document, that these may read."""
    kept = [Example(one["question"], tuple(one["documents"]), one["language"]) for one in scores.get(EXAMPLES, ())]
    readable = (
        index.catalog.readable({doc_id for one in kept for doc_id in one.documents}, principals) if kept else set()
    )
    chosen: dict[str, str] = {}
    for one in kept:
        if one.documents and readable.issuperset(one.documents):
            chosen.setdefault(one.documents[0], one.question)
    return [*chosen.values()][:count]


def candidates(index: OpenVersion, principals: Sequence[str]) -> Iterator[Candidate]:
    """Yield what could be asked of some documents that these principals may read, of each source in its turn."""
    common = index.view(principals).common_headings
    queues: dict[str, list[list[Candidate]]] = defaultdict(list)
    rows = index.catalog.headings(principals, _SAMPLED, _SEED)
    beginnings = index.catalog.texts([row["doc_id"] for row in rows], _BEGINNING)
    for row in rows:
        if found := sorted(_of_document(row, beginnings[row["doc_id"]], common), key=_rank):
            queues[row["source"]].append(found)
    in_turn = [one for turn in zip_longest(*queues.values()) for one in turn if one]
    best_first = sorted(in_turn, key=lambda found: _rank(found[0]))
    yield from (one for turn in zip_longest(*best_first) for one in turn if one)


def _rank(candidate: Candidate) -> bool:
    """Order candidates: what is only said about something comes last."""
    return is_general(candidate.question, candidate.language)


def _of_document(row: dict[str, Any], text: str, common: frozenset[str]) -> Iterator[Candidate]:
    heads = [(found.start(), found.end(), plain(found[1])) for found in _HEADING.finditer(text)]
    begins = heads[0][1] if heads and heads[0][2].casefold() == row["title"].casefold() else 0
    parts = [(0, begins, row["title"]), *heads, (len(text), len(text), "")]
    for (start, body, heading), (end, *_) in pairwise(parts):
        if heading.lower() in common:
            continue
        below = text[body : max(end, body)] if start else text[begins:_BEGINNING]
        for question in questions_of(number_removed(heading), below.lstrip(), row["language"]):
            yield Candidate(question, row["doc_id"], (start, max(end, body)), row["language"])
