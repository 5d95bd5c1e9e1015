"""Two versions' hits on the same questions to what moved them: source, extractor, chunker, model or fusion.

The rule. Every hit of either version is looked up in the difference of the two, and gets the first cause that holds:

1. its document came, went, or has other bytes than before: **source**;
2. same bytes, other text: **extractor**;
3. same text, but the passage is not there in the other version: **chunker** (or **model**, when no parameter of the
   chunker differs and the model does: its word pieces decide where a text is cut; or **source**, when title or type
   went into the cut). A passage that still stands word for word in an edited document, while the chunker differs, was
   lost to the chunker also;
4. same passage, another model: **model**;
5. same passage, same model, other retrieval settings: **fusion**.

A question's own hits are those that show a labelled quote. If the passage of one of them changed, their causes decide,
weighed by the gain of their ranks (1 / log2(rank + 1), as nDCG does). If they did not, but model or settings differ,
those do; settings only when no rival's passage changed. Otherwise it is **competition**: the hits that came to stand
above (or went from above) its own decide, and if nothing about them changed either, what changed most in the
collection, since that shifts the weights of words. A question without own hits is decided by all hits that changed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import polars as pl

from evals.questions.question import Question
from evals.report.ranked_runs import EvaluatedVersion, Run, RunHit, rivals_of, weight, weights_of
from rag_platform.index.releases.version_diff import Difference

CAUSES = ("source", "extractor", "chunker", "model", "fusion")
Role = Literal["own", "sibling", "rival"]
_OWN, _RIVALS = 3, 2
"""Documents named per question: those that answer it, and those that stand above them in one version only."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A document whose place among the hits changed."""

    doc_id: str
    uri: str
    title: str
    before: int | None
    """Rank of its best hit concerned; None: not among the hits."""
    after: int | None
    role: Role
    """Passages that show a quote, others of such a document, or those of another document."""
    cause: str | None
    why: str
    """What happened to it, as half a sentence."""


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """How one question fares in two versions, and why."""

    id: str
    question: str
    before: float | None
    """The metric."""
    after: float | None
    rank_before: int | None
    """Of the first hit with which a quote has been shown; None: none of the hits."""
    rank_after: int | None
    churn: int
    """Hits that the other version did not have."""
    cause: str | None
    """One of `CAUSES`; None when nothing changed."""
    competition: bool
    """Its own passages are the same; `cause` is what changed the others."""
    evidence: tuple[Evidence, ...]

    @property
    def gain(self) -> float:
        """How much the metric rose."""
        return (self.after or 0.0) - (self.before or 0.0)


def attribute(
    questions: Iterable[Question],
    before: EvaluatedVersion,
    after: EvaluatedVersion,
    made: Difference,
    *,
    metric: str = "nDCG@10",
) -> list[QuestionChange]:
    """Return what changed for each question that both were scored on, from the greatest loss to the greatest gain."""
    questions = tuple(questions)
    sides = [Run(measured, questions, metric, after=later) for measured, later in ((before, False), (after, True))]
    fusion = dict(before.retrieval) != dict(after.retrieval)
    judge = _Judge(made, sides, fusion=fusion)
    both = [question for question in questions if all(question.id in side.hits for side in sides)]
    return sorted((judge.question(question) for question in both), key=lambda change: (change.gain, change.id))


class _Judge:
    """Looks hits up in the difference."""

    def __init__(self, made: Difference, sides: Sequence[Run], *, fusion: bool) -> None:
        self._made = made
        self._before, self._after = sides
        self._fusion = fusion
        self._sizes_differ = any(key.startswith("chunks.") for key in made.making)
        chunks = {hit.chunk_id for side in sides for hits in side.hits.values() for hit in hits}
        documents = {hit.doc_id for side in sides for hits in side.hits.values() for hit in hits}
        found = made.chunks.filter(pl.col("chunk_id").is_in(chunks))
        self._chunks = dict(found.select("chunk_id", "change").iter_rows())
        rows = made.documents.filter(pl.col("doc_id").is_in(documents)).iter_rows(named=True)
        self._documents = {row["doc_id"]: row for row in rows}

    def question(self, question: Question) -> QuestionChange:
        """Return what changed for a question."""
        then, now = self._before.hits[question.id], self._after.hits[question.id]
        ranks = (self._before.rank(question.id), self._after.rank(question.id))
        moved = [hit.chunk_id for hit in then] != [hit.chunk_id for hit in now]
        own = self._before.own(question.id) | self._after.own(question.id)
        cause, competition, concerned = self._cause(then, now, own, ranks) if moved else (None, False, set())
        return QuestionChange(
            id=question.id,
            question=question.question,
            before=self._before.values[question.id],
            after=self._after.values[question.id],
            rank_before=ranks[0],
            rank_after=ranks[1],
            churn=len({hit.chunk_id for hit in now} - {hit.chunk_id for hit in then}),
            cause=cause,
            competition=competition,
            evidence=self._evidence(then, now, own, concerned),
        )

    def _cause(
        self, then: Sequence[RunHit], now: Sequence[RunHit], own: set[str], ranks: tuple[int | None, int | None]
    ) -> tuple[str | None, bool, set[str]]:
        """Return the main cause, whether it is competition, and the hits that it was found by."""
        weights = weights_of(then, now)
        hits = {hit.chunk_id: hit for hit in (*then, *now)}
        mine = {key: self.of(hits[key])[0] for key in own}
        touched = {key: cause for key, cause in mine.items() if self._changed(key)}
        rivals = rivals_of(then, now, own, ranks) if own else hits.keys()
        theirs = {key: self.of(hits[key])[0] for key in rivals if key in weights}
        if touched:
            return _heaviest(touched, weights), False, own | set(theirs)
        if any(self._moved(hits[key]) for key in own):
            return "model", False, own | set(theirs)
        if not own:
            return _heaviest(theirs, weights) or self._most(), False, set(theirs)
        others = {key: cause for key, cause in theirs.items() if self._changed(key) or self._moved(hits[key])}
        if self._fusion and not others:
            return "fusion", False, own | set(theirs)
        return _heaviest(others, weights) or self._most(), True, own | set(theirs)

    def of(self, hit: RunHit) -> tuple[str | None, str]:
        """Return the cause that a hit's inputs give it, and what happened to it."""
        document, chunk = self._documents[hit.doc_id], self._chunks[hit.chunk_id]
        if document["change"] == "added":
            return "source", "the document is new"
        if document["change"] == "removed":
            return "source", "the document is no longer there"
        if chunk != "kept":
            return self._of_changed(hit, document, reheaded=chunk == "reheaded")
        if self._moved(hit):
            return "model", "the same passage, compared by another model"
        if self._fusion:
            return "fusion", "the same passage, ranked with other settings"
        return None, "the same passage"

    def _of_changed(self, hit: RunHit, document: Mapping[str, Any], *, reheaded: bool) -> tuple[str, str]:
        """Return why a passage of a document that both versions have is in one of them only."""
        if document["same_text"]:
            if document["recut"] == "description" or (reheaded and "title" in document["fields"]):
                return "source", "its title or type is another"
            if self._moved(hit) and not self._sizes_differ:
                return "model", "the same text, cut elsewhere by the model's word pieces"
            return "chunker", "the same text, cut in another way"
        if self._made.chunker_differs and self._stands_in_both(hit):
            return "chunker", "the document changed, not these words; they were cut in another way"
        if document["change"] == "extractor":
            return "extractor", "the same bytes gave another text"
        return "source", "the document was edited"

    def _stands_in_both(self, hit: RunHit) -> bool:
        """Return whether the words of a hit stand in the document's text of the other version also."""
        here, other = (self._after, self._before) if hit.after else (self._before, self._after)
        return here.text(hit.doc_id)[slice(*hit.span)] in other.text(hit.doc_id)

    def _changed(self, chunk: str) -> bool:
        return bool(self._chunks[chunk] != "kept")

    def _moved(self, hit: RunHit) -> bool:
        """Return whether the source of a hit has another model."""
        source: str = self._documents[hit.doc_id]["source"]
        return source in self._made.moved

    def _most(self) -> str | None:
        """Return what changed most passages of the collection."""
        changed = self._made.chunks.filter(pl.col("change") != "kept").select("doc_id")
        counts = changed.join(self._made.documents, on="doc_id").group_by("change", "recut").len()
        causes: Counter[str] = Counter()
        for change, recut, count in counts.iter_rows():
            chunker = recut == "chunker"
            causes["chunker" if chunker else "extractor" if change == "extractor" else "source"] += count
        return max(causes, key=lambda cause: causes[cause]) if causes else None

    def _evidence(
        self, then: Sequence[RunHit], now: Sequence[RunHit], own: set[str], concerned: set[str]
    ) -> tuple[Evidence, ...]:
        """Name the documents concerned, own ones first, then by how much they moved."""
        hits = [hit for hit in (*then, *now) if hit.chunk_id in concerned]
        groups: dict[tuple[bool, str], list[RunHit]] = {}
        for hit in hits:
            groups.setdefault((hit.chunk_id in own, hit.doc_id), []).append(hit)
        answering = {hit.doc_id for hit in hits if hit.chunk_id in own}
        roles: dict[tuple[bool, str], Role] = {
            key: "own" if key[0] else "sibling" if key[1] in answering else "rival" for key in groups
        }
        made = [self._of_document(group, roles[key]) for key, group in groups.items()]
        made.sort(key=lambda one: -abs(weight(one.before) - weight(one.after)))
        mine, rivals = ([one for one in made if (one.role == "own") is own] for own in (True, False))
        return (*mine[:_OWN], *rivals[:_RIVALS])

    def _of_document(self, hits: Sequence[RunHit], role: Role) -> Evidence:
        before, after = ([hit.rank for hit in hits if hit.after is side] for side in (False, True))
        decisive = next((hit for hit in hits if self._changed(hit.chunk_id)), hits[0])
        cause, why = self.of(decisive)
        document = self._documents[decisive.doc_id]
        return Evidence(
            doc_id=decisive.doc_id,
            uri=document["uri"],
            title=document["title"],
            before=min(before, default=None),
            after=min(after, default=None),
            role=role,
            cause=cause,
            why=why,
        )


def _heaviest(causes: Mapping[str, str | None], weights: Mapping[str, float]) -> str | None:
    """Return the cause with the greatest weight; between equals the earliest stage."""
    votes: defaultdict[str, float] = defaultdict(float)
    for key, cause in causes.items():
        if cause:
            votes[cause] += weights.get(key, 0.0)
    return max(votes, key=lambda cause: (votes[cause], -CAUSES.index(cause)), default=None)
