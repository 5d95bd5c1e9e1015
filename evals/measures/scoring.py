"""Questions and a version's search to its scores."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

import polars as pl

from evals.measures.answer_metrics import ANSWERING, STATES, abstention, answer_measures, unmarked
from evals.measures.evaluation_memo import EvaluationMemo
from evals.measures.intervals import mean
from evals.measures.kept_measures import KeptMeasures, Measures
from evals.measures.permission_leaks import MayRead, leaks, named_readers
from evals.measures.ragas_metrics import RAGAS, Sample, ragas_measures
from evals.measures.rank_metrics import RANKING, credit, latency, rank_measures
from evals.questions.labels import Label, locate
from evals.questions.question import Question, fingerprint
from rag_platform.config.settings import Mode
from rag_platform.core.answers import Answer
from rag_platform.core.hits import Duplicate, Hit
from rag_platform.core.ports import Progress, silent
from rag_platform.retrieval.results import SearchResult

Search = Callable[[Question], SearchResult]
Ask = Callable[[Question], Answer]
Texts = Callable[[Sequence[str]], Mapping[str, str]]

RETRIEVERS: dict[Mode, str] = {"lexical": "lexical_nDCG@10", "vector": "vector_nDCG@10"}
"""nDCG@10 of each way of searching alone: what one of them loses, the other may hide."""
MEASURES = (*RANKING, *RETRIEVERS.values(), *ANSWERING, *STATES, *RAGAS)
_Columns = dict[str, pl.DataType | type[pl.DataType]]
_PASSAGE: _Columns = {
    "chunk_id": pl.String,
    "doc_id": pl.String,
    "start": pl.Int64,
    "end": pl.Int64,
}
HIT = pl.Struct(_PASSAGE | {"score": pl.Float64, "duplicates": pl.List(pl.Struct(_PASSAGE))})
_QUESTIONS: _Columns = {
    "id": pl.String,
    "question": pl.String,
    "answerable": pl.Boolean,
    "split": pl.String,
    "tags": pl.List(pl.String),
    "language": pl.String,
    "ms": pl.Float64,
    "hits": pl.List(HIT),  # best first, so that two versions can be compared without searching them again
}
QUESTIONS = pl.Schema(_QUESTIONS | dict.fromkeys(MEASURES, pl.Float64))
"""One row per question; a measure that does not apply to it, or could not be taken, is null."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """How a version did on a question set."""

    version: str
    fingerprint: str
    """Of the question set."""
    questions: pl.DataFrame
    means: dict[str, float]
    """Of each measure over the questions it applies to; also `ms_p50`, `ms_p95`, `abstention_precision` …"""
    missing: dict[str, int] = field(default_factory=dict)
    """Measure -> questions for which it gave no number; they are not in its mean."""
    unlocated: tuple[str, ...] = ()
    """Quotes that are not in this version's documents; they count as not found."""
    failed: tuple[str, ...] = ()
    """Questions whose search or answer crashed; a search that crashed scores 0."""
    leaks: tuple[str, ...] = ()
    """Hits that their asker may not read."""
    stale: tuple[str, ...] = ()
    """Questions that rest on text which the sources have changed or removed; they are in no mean."""
    train: dict[str, float] = field(default_factory=dict)
    """Means over the questions that are for tuning; `means` is then over the others."""
    index: dict[str, float] = field(default_factory=dict)
    """What was measured of the index itself, without questions."""
    judged: dict[str, Any] | None = None
    """What a language model thought of a sample of answers; it decides nothing."""

    @property
    def deciding(self) -> pl.DataFrame:
        """The questions whose means decide: not those for tuning, not stale ones."""
        return self.questions.filter(pl.col("split").ne_missing("train"), ~pl.col("id").is_in(self.stale))

    def excluding(self, stale: Iterable[str] = ()) -> "Scores":
        """Return these scores with means over the questions that decide: not those for tuning, not stale ones."""
        scores = replace(self, stale=tuple(stale))
        tuning = self.questions.filter(pl.col("split").eq_missing("train"), ~pl.col("id").is_in(scores.stale))
        return replace(scores, means=_means(scores.deciding), train=_means(tuning))

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        rows = [
            {name: value for name, value in row.items() if value is not None}
            for row in self.questions.iter_rows(named=True)
        ]
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"questions": rows}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "Scores":
        """Return the scores that `to_dict` wrote."""
        stored = {field.name: content[field.name] for field in fields(cls) if field.name != "questions"}
        frozen: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
        }
        return cls(questions=pl.DataFrame([*content["questions"]], schema=QUESTIONS), **frozen)


@dataclass(slots=True)
class _QueryResult:
    """What came of asking one question."""

    question: Question
    labels: list[Label]
    hits: Sequence[Hit] = ()
    ms: float | None = None
    answer: Answer | None = None
    retrievers: dict[str, Sequence[Hit]] = field(default_factory=dict)
    problem: str | None = None
    key: str = ""
    """What its measures are kept by."""
    known: Measures | None = None
    """What it measured in an earlier evaluation; None: it is answered."""


def score(
    questions: Iterable[Question],
    search: Search,
    documents: pl.DataFrame,
    *,
    version: str,
    may_read: MayRead | None = None,
    ask: Ask | None = None,
    retrievers: Mapping[str, Search] = MappingProxyType({}),
    memo: EvaluationMemo | None = None,
    kept: KeptMeasures | None = None,
    texts: Texts | None = None,
    progress: Progress = silent,
) -> Scores:
    """Ask a version every question and measure what it finds and, with `ask`, what it answers.

    Args:
        questions: The set; none gives scores without means.
        search: Searches the version; at least ten hits, so that all measures can be taken.
        documents: The version's, at least those that labels may name: doc_id, uri, text; with `principals`, hits are
            checked for leaks.
        may_read: Given a document's id and who asks: may they read it now? None: as `principals` say.
        version: Its id.
        ask: Answers from the version.
        retrievers: Searches the version one way only, by the names of `RETRIEVERS`.
        memo: Of what `search` and `ask` remember too; a search takes as long as if nothing were remembered.
        kept: Measures of earlier evaluations: a question whose hits stayed is not answered again.
        texts: Reads the texts of documents by id, which answers cite; None: they are among `documents`.
        progress: Called after each question.

    Raises:
        MissingExtra: The extra `eval` is not installed, and there are questions.
    """
    questions = tuple(questions)
    results = _run_all(questions, search, ask, retrievers, locate(questions, documents), memo, kept, progress)
    cited = {citation.doc_id for one in results if one.answer for citation in one.answer.citations}
    found = texts(sorted(cited)) if texts else dict(documents.select("doc_id", "text").iter_rows())
    rows, missing = _rows(results, found, kept)
    return Scores(
        version=version,
        fingerprint=fingerprint(questions),
        questions=rows,
        means=_means(rows),
        missing=missing,
        unlocated=tuple(label.problem for one in results for label in one.labels if label.problem),
        failed=tuple(one.problem for one in results if one.problem),
        leaks=tuple(leaks([(one.question, one.hits) for one in results], may_read or named_readers(documents))),
    )


def _means(rows: pl.DataFrame) -> dict[str, float]:
    means = {name: value for name in MEASURES if (value := mean(rows[name])) is not None}
    return means | abstention(rows) | latency(rows["ms"].drop_nulls().to_list())


def _run_all(
    questions: Sequence[Question],
    search: Search,
    ask: Ask | None,
    retrievers: Mapping[str, Search],
    labels: Sequence[Label],
    memo: EvaluationMemo | None,
    kept: KeptMeasures | None,
    progress: Progress,
) -> list[_QueryResult]:
    results = {question.id: _QueryResult(question, []) for question in questions}
    for label in labels:
        results[label.question_id].labels.append(label)
    for done, one in enumerate(results.values(), start=1):
        try:
            start, saved = time.perf_counter(), memo.saved_ms if memo else 0.0
            one.hits = search(one.question).hits
            one.ms = (time.perf_counter() - start) * 1000 + (memo.saved_ms - saved if memo else 0.0)
            if kept and ask:
                one.key = kept.key(one.question, one.labels, one.hits)
                one.known = kept.get(one.key)
            one.answer = ask(one.question) if ask and one.known is None else None
            if one.labels:
                one.retrievers = {name: only(one.question).hits for name, only in retrievers.items()}
        except Exception as error:  # noqa: BLE001  a crash is reported and fails the gate
            one.problem = f"{one.question.id}: {type(error).__name__}: {error}"
        progress(done, len(questions))
    return list(results.values())


def _rows(
    results: Sequence[_QueryResult], texts: Mapping[str, str], kept: KeptMeasures | None
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return one row per question, and how often each measure gave NaN."""
    ranked = [one for one in results if one.labels]
    rankings = {one.question.id: credit(one.hits, one.labels) for one in ranked}
    rows = {one.question.id: _query_columns(one) for one in results}
    for key, measured in _ranking_measures(ranked, rankings):
        rows[key] |= measured
    for one in ranked:
        if one.known is None:
            rows[one.question.id] |= ragas_measures(_sample(one, rankings[one.question.id]))
    for one in results:
        if one.answer:
            rows[one.question.id] |= answer_measures(one.question, one.answer, one.labels, texts)
        if one.known is not None:
            rows[one.question.id] |= one.known
        elif kept and one.key and not one.problem:
            kept.put(one.key, rows[one.question.id])
    frame = pl.DataFrame(list(rows.values()), schema=QUESTIONS)
    nan = {name: int(frame[name].is_nan().sum()) for name in MEASURES}
    return frame.with_columns(pl.col(MEASURES).fill_nan(None)), {name: count for name, count in nan.items() if count}


def _ranking_measures(
    ranked: Sequence[_QueryResult], rankings: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield question ids with what their rankings, and those of each retriever alone, measure."""
    relevant = {one.question.id: {label.id: 1 for label in one.labels} for one in ranked}
    alone = {
        column: {
            one.question.id: credit(one.retrievers[retriever], one.labels)
            for one in ranked
            if retriever in one.retrievers
        }
        for retriever, column in RETRIEVERS.items()
    }
    measured = [(rankings, RANKING), *((found, {column: RANKING["nDCG@10"]}) for column, found in alone.items())]
    for found, names in measured:
        judged = {key: relevant[key] for key in found}
        for row in rank_measures(judged, found, names).iter_rows(named=True) if judged else ():
            yield row["id"], row


def _query_columns(one: _QueryResult) -> dict[str, Any]:
    question = one.question
    return {
        "id": question.id,
        "question": question.question,
        "answerable": question.answerable,
        "split": question.split,
        "tags": list(question.tags),
        "language": question.language,
        "ms": one.ms,
        "hits": [_hit_row(hit) for hit in one.hits],
    }


def _hit_row(hit: Hit) -> dict[str, Any]:
    return _passage_row(hit) | {"score": hit.score, "duplicates": [_passage_row(other) for other in hit.duplicates]}


def _passage_row(hit: Hit | Duplicate) -> dict[str, Any]:
    return {"chunk_id": hit.chunk_id, "doc_id": hit.doc_id, "start": hit.span[0], "end": hit.span[1]}


def _sample(one: _QueryResult, ranking: Sequence[str]) -> Sample:
    answer = one.answer if one.answer and not one.answer.abstained else None
    quotes = [label.relevant.quote for label in one.labels if label.relevant.quote]
    return Sample(
        retrieved_ids=ranking[:10],
        relevant_ids=[label.id for label in one.labels],
        cited=[citation.quote for citation in answer.citations] if answer and quotes else None,
        relevant=quotes,
        answer=unmarked(answer.answer) if answer else None,
        gold=one.question.answers[0] if one.question.answers else None,
    )
