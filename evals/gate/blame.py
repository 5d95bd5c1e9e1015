"""Questions that got worse to the source that each loss is laid to, and to the documents that took the answer's place.

In this order: what answered is no longer there, so its own source took it away; new documents stand before it, so
theirs did; it stands in a document that was edited, so its own did; edited documents stand before it, so theirs did.
Where nothing of that holds (other chunks, another model, other settings), the loss is laid to nobody.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from evals.measures.scoring import Scores
from evals.questions.labels import named_documents
from evals.questions.question import Question

DESCRIBED = ("revision", "title", "language", "type", "principals", "published_at", "updated_at")
"""What makes a document another one than before."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Origins:
    """Which source each document is of, and what changed between two versions."""

    sources: Mapping[str, str]
    """doc_id -> source, of the documents of either version."""
    uris: Mapping[str, str]
    new: frozenset[str]
    """Documents that only the later version has."""
    changed: frozenset[str]
    """Documents that are new, gone or not as they were."""
    homes: Mapping[str, frozenset[str]]
    """Question -> the documents that its labels name."""
    same_models: bool = True
    """Whether equal texts have equal vectors in both."""

    def home_of(self, question: str) -> str | None:
        """Return the source that a question rests on; None: it rests on no document."""
        named = Counter(self.sources[key] for key in sorted(self.homes.get(question, ())))
        return named.most_common(1)[0][0] if named else None


def origins(
    before: pl.DataFrame, now: pl.DataFrame, questions: Sequence[Question], *, same_models: bool = True
) -> Origins:
    """Compare the documents of two versions: doc_id, source, uri and `DESCRIBED`."""
    both = pl.concat([before.select("doc_id", "source", "uri"), now.select("doc_id", "source", "uri")])
    then, later = ({row[0]: row[1:] for row in rows.select("doc_id", *DESCRIBED).iter_rows()} for rows in (before, now))
    return Origins(
        sources=dict(both.select("doc_id", "source").iter_rows()),
        uris=dict(both.select("doc_id", "uri").iter_rows()),
        new=frozenset(later.keys() - then.keys()),
        changed=frozenset(key for key in then.keys() | later.keys() if then.get(key) != later.get(key)),
        homes=named_documents(questions, both.unique("doc_id", keep="first", maintain_order=True)),
        same_models=same_models,
    )


@dataclass(frozen=True, slots=True)
class Loss:
    """A question that got worse, and why."""

    question: str
    source: str | None
    """To which it is laid; None: to nobody."""
    home: str | None
    """The source that the question rests on."""
    documents: tuple[str, ...]
    """Addresses of what took the answer's place, or no longer holds it; at most three."""
    answer: bool
    """Whether the answer itself was lost: it is no longer among the first five, or its text is gone."""


def lay_losses(
    candidate: Scores, live: Scores, gone: Collection[str], origins: Origins, metrics: Sequence[str]
) -> list[Loss]:
    """Return the questions that got worse in any of these measures or whose text is `gone`, each with its loss."""
    found = [_lay(key, (), origins, there=False, answer=True) for key in gone]
    missing = {problem.split("#", 1)[0] for problem in candidate.unlocated}
    before, now = ({row["id"]: row for row in one.deciding.iter_rows(named=True)} for one in (live, candidate))
    for key, row in before.items():
        later = now.get(key, {})
        if any(_fell(row, later, metric, alone=metric == metrics[0]) for metric in metrics):
            lost = _answers(row, metrics[0]) and not _answers(later, metrics[0])
            found.append(_lay(key, later.get("hits") or (), origins, there=key not in missing, answer=lost))
    return found


def _fell(before: Mapping[str, Any], now: Mapping[str, Any], metric: str, *, alone: bool) -> bool:
    """Return whether a measure fell; `alone`: also where the later version has none."""
    value, later = before[metric], now.get(metric)
    return value is not None and (alone or later is not None) and (later or 0.0) < value


def _answers(row: Mapping[str, Any], metric: str) -> bool:
    """Return whether what answers a question is among the first five hits; by the metric where nobody looked."""
    seen = row.get("Success@5")
    return bool((row.get(metric) if seen is None else seen) or 0.0)


def _lay(key: str, hits: Sequence[Mapping[str, Any]], origins: Origins, *, there: bool, answer: bool) -> Loss:
    home = origins.homes.get(key, frozenset())
    edited = dict.fromkeys(sorted(home & origins.changed), 1.0)
    rivals = dict(_rivals(hits, home, origins))
    fresh = {doc_id: weight for doc_id, weight in rivals.items() if doc_id in origins.new}
    order = (fresh, edited, rivals) if there else (edited, fresh, rivals)
    blamed = next((some for some in order if some), {})
    votes: Counter[str] = Counter()
    for doc_id, weight in blamed.items():
        votes[origins.sources[doc_id]] += weight  # type: ignore[assignment]  # Counter adds any number
    source = max(votes, key=lambda name: votes[name], default=None)
    named = [origins.uris[doc_id] for doc_id in blamed if origins.sources[doc_id] == source]
    return Loss(key, source, origins.home_of(key), tuple(named[:_NAMED]), answer)


def _rivals(hits: Sequence[Mapping[str, Any]], home: frozenset[str], origins: Origins) -> Iterator[tuple[str, float]]:
    """Yield the changed documents that stand before a question's own, with what their rank is worth."""
    seen = set()
    for rank, hit in enumerate(hits, start=1):
        if not home.isdisjoint([hit["doc_id"], *(one["doc_id"] for one in hit["duplicates"] or ())]):
            return
        if hit["doc_id"] in origins.changed and hit["doc_id"] not in seen:
            seen.add(hit["doc_id"])
            yield hit["doc_id"], 1 / math.log2(rank + 1)
