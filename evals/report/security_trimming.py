"""Security trimming of an evaluation: nothing is shown about documents that its reader may not read.

Means are over all questions, as the gate takes them; what is shown of single questions and documents is only what the
reader may read.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from evals.gate.comparison import Comparison
from evals.gate.verdict import Verdict
from evals.measures.scoring import Scores
from evals.questions.question import Question
from evals.report.attribution import QuestionChange
from evals.report.release_report import ReleaseReport
from rag_platform.core.ports import SourceJudgement
from rag_platform.index.releases.version_diff import Difference
from rag_platform.provenance.document_path import Reader, in_tables
from rag_platform.provenance.inventory import catalogs
from rag_platform.workspace import Workspace

HIDDEN = "a document that you may not read"
HIDDEN_SOURCE = "a source that you may not read"
WITHHELD = "One reason is about documents that you may not read."


@dataclass(frozen=True, slots=True)
class Restricted:
    """What a reader may not see."""

    questions: frozenset[str] = frozenset()
    """Ids of questions."""
    documents: frozenset[str] = frozenset()
    """doc_id of documents of any kept version."""
    words: tuple[str, ...] = ()
    """What sentences must not tell: those questions' ids, the addresses and quotes of what they are about, and those
    sources' names as sentences quote them."""
    sources: frozenset[str] = frozenset()
    """Ids of sources of which they may read no document of any kept version."""

    def mentioned_in(self, text: str) -> bool:
        """Return whether a text says something of it."""
        return any(word in text for word in self.words)


def restricted_for(workspace: Workspace, questions: Iterable[Question], principals: Sequence[str]) -> Restricted:
    """Find what these principals may not see: documents of any kept version, and the questions about them.

    A question is hidden when someone else has to ask it, or when one of the documents that its address may mean cannot
    be read.
    """
    documents = _unreadable_documents(workspace, principals)
    closed = dict(documents.select("uri", "doc_id").iter_rows())
    everything = tuple(questions)
    names = {label.uri for question in everything for label in question.relevant}
    shut = _matching(names, closed)
    shut |= _unreadable_in_tables(workspace, names - shut, principals)
    mine = {*workspace.access.asker(principals), None}
    hidden = [
        question
        for question in everything
        if question.principal not in mine or any(label.uri in shut for label in question.relevant)
    ]
    sources = _unreadable_sources(workspace, closed.values())
    words = {word for question in hidden for word in (question.id, *(label.quote for label in question.relevant))}
    words |= {quoted for source in sources for quoted in (f"`{source}`", repr(source))}
    return Restricted(
        frozenset(question.id for question in hidden),
        frozenset(documents["doc_id"]),
        tuple(word for word in {*words, *closed} if word),
        sources,
    )


def trim_report(report: ReleaseReport, hidden: Restricted) -> ReleaseReport:
    """Return the report without what is hidden."""
    if not (hidden.questions or hidden.documents):
        return report
    return replace(
        report,
        candidate=_scores(report.candidate, hidden),
        live=_scores(report.live, hidden) if report.live else None,
        verdict=_verdict(report.verdict, hidden),
        difference=_difference(report.difference, hidden) if report.difference else None,
        changes=[_change(one, hidden) for one in report.changes if one.id not in hidden.questions],
        past=[dict(entry) | {"reasons": trim_reasons(entry.get("reasons", ()), hidden)} for entry in report.past],
    )


def trim_reasons(reasons: Iterable[str], hidden: Restricted) -> list[str]:
    """Return sentences of the gate, cut where they begin to tell of what is hidden."""
    kept = []
    for reason in reasons:
        beginning = reason.partition(", first: ")[0]
        if not hidden.mentioned_in(reason):
            kept.append(reason)
        elif beginning != reason and not hidden.mentioned_in(beginning):
            kept.append(f"{beginning}.")
        elif WITHHELD not in kept:
            kept.append(WITHHELD)
    return kept


def _unreadable_documents(workspace: Workspace, principals: Sequence[str]) -> pl.DataFrame:
    """Return uri and doc_id of what some kept version does not let them read."""
    found = [
        catalog.addresses().filter(pl.col("doc_id").is_in(catalog.unreadable(principals)))
        for _, catalog in catalogs(workspace)
    ]
    empty = pl.DataFrame(schema={"uri": pl.String, "doc_id": pl.String})
    return pl.concat([empty, *(frame.select("uri", "doc_id") for frame in found)]).unique()


def _unreadable_sources(workspace: Workspace, closed: Collection[str]) -> frozenset[str]:
    """Return the sources that have no document in any kept version but those that are closed, by doc_id."""
    rows = [catalog.addresses().select("source", "doc_id") for _, catalog in catalogs(workspace)]
    if not rows:
        return frozenset()
    shut = pl.col("doc_id").is_in(list(closed)).all().alias("shut")
    return frozenset(pl.concat(rows).group_by("source").agg(shut).filter("shut")["source"])


def _unreadable_in_tables(workspace: Workspace, names: Collection[str], principals: Sequence[str]) -> set[str]:
    """Return the names that no version has for them, and the tables only for others: fetched, or gone meanwhile."""
    unknown = set(names)
    for _, catalog in catalogs(workspace):
        unknown -= _matching(unknown, catalog.addresses()["uri"]) if unknown else set()
    everyone, mine = (Reader(principals, operator) for operator in (True, False))
    return {
        name
        for name in unknown
        if in_tables(workspace, name, everyone).keys() - in_tables(workspace, name, mine).keys()
    }


def _matching(names: Collection[str], uris: Iterable[str]) -> set[str]:
    """Return the names that are one of these addresses, or the end of one from a slash on."""
    by_end: dict[str, list[str]] = {}
    for name in names:
        by_end.setdefault(name.rsplit("/", 1)[-1], []).append(name)
    return {
        name
        for uri in uris
        for name in by_end.get(uri.rsplit("/", 1)[-1], ())
        if uri == name or uri.endswith("/" + name.lstrip("/"))
    }


def _scores(scores: Scores, hidden: Restricted) -> Scores:
    """Leave means and rows as they are: they tell numbers only, and ids are shown of nothing else."""

    def kept(entries: Iterable[str]) -> tuple[str, ...]:
        return tuple(entry for entry in entries if not hidden.mentioned_in(entry))

    return replace(
        scores,
        unlocated=kept(scores.unlocated),
        failed=kept(scores.failed),
        leaks=kept(scores.leaks),
    )


def _verdict(verdict: Verdict, hidden: Restricted) -> Verdict:
    return replace(
        verdict,
        reasons=tuple(trim_reasons(verdict.reasons, hidden)),
        comparison=_comparison(verdict.comparison, hidden) if verdict.comparison else None,
        secondary=tuple(_comparison(one, hidden) for one in verdict.secondary),
        stale={
            key: why
            for key, why in verdict.stale.items()
            if key not in hidden.questions and not hidden.mentioned_in(why)
        },
        sources={key: _source(one, hidden) for key, one in verdict.sources.items() if key not in hidden.sources},
        lost={
            key: tuple(dict.fromkeys(HIDDEN if hidden.mentioned_in(uri) else uri for uri in uris))
            for key, uris in verdict.lost.items()
            if key not in hidden.questions
        },
    )


def _source(judged: SourceJudgement, hidden: Restricted) -> SourceJudgement:
    lost = tuple(key for key in judged.lost if key not in hidden.questions)
    return replace(judged, reasons=tuple(trim_reasons(judged.reasons, hidden)), lost=lost)


def _comparison(comparison: Comparison, hidden: Restricted) -> Comparison:
    better, worse = (
        tuple(key for key in ids if key not in hidden.questions) for ids in (comparison.better, comparison.worse)
    )
    return replace(comparison, better=better, worse=worse)


def _change(change: QuestionChange, hidden: Restricted) -> QuestionChange:
    return replace(change, evidence=tuple(one for one in change.evidence if one.doc_id not in hidden.documents))


def _difference(made: Difference, hidden: Restricted) -> Difference:
    closed = pl.col("doc_id").is_in(list(hidden.documents))
    names = [pl.when(closed).then(pl.lit(HIDDEN)).otherwise(pl.col(name)).alias(name) for name in ("uri", "title")]
    shut = pl.col("source").is_in(list(hidden.sources))
    source = pl.when(shut).then(pl.lit(HIDDEN_SOURCE)).otherwise(pl.col("source")).alias("source")
    kept = {key: pair for key, pair in made.making.items() if key.removeprefix("model of ") not in hidden.sources}
    return replace(made, documents=made.documents.with_columns(*names, source), making=kept)
