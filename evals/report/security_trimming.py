"""What of an evaluation somebody may see: nothing about documents that they may not read.

Means are over all questions, as the gate takes them; what is told of single questions and documents is only what the
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
from evals.report.release_report import Findings
from rag_platform.core.principals import PUBLIC
from rag_platform.provenance.document_path import in_tables, reader
from rag_platform.provenance.inventory import catalogs
from rag_platform.workspace import Workspace

HIDDEN = "a document that you may not read"
WITHHELD = "One reason is about documents that you may not read."


@dataclass(frozen=True, slots=True)
class Hidden:
    """What somebody may not see."""

    questions: frozenset[str] = frozenset()
    """Ids of questions."""
    documents: frozenset[str] = frozenset()
    """doc_id of documents of any kept version."""
    words: tuple[str, ...] = ()
    """What sentences must not tell: those questions' ids, and the addresses and quotes of what they are about."""

    def told_by(self, text: str) -> bool:
        """Tell whether a text says something of it."""
        return any(word in text for word in self.words)


def hidden_from(workspace: Workspace, questions: Iterable[Question], principals: Sequence[str]) -> Hidden:
    """Find what these principals may not see: documents of any kept version, and the questions about them.

    A question is hidden when someone else has to ask it, or when one of the documents that its address may mean cannot
    be read.
    """
    documents = _closed_documents(workspace, principals)
    closed = dict(documents.select("uri", "doc_id").iter_rows())
    asked = tuple(questions)
    names = {label.uri for question in asked for label in question.relevant}
    shut = _meant(names, closed)
    shut |= _closed_in_tables(workspace, names - shut, principals)
    mine = {PUBLIC, *principals, None}
    hidden = [
        question
        for question in asked
        if question.principal not in mine or any(label.uri in shut for label in question.relevant)
    ]
    words = {word for question in hidden for word in (question.id, *(label.quote for label in question.relevant))}
    return Hidden(
        frozenset(question.id for question in hidden),
        frozenset(documents["doc_id"]),
        tuple(word for word in {*words, *closed} if word),
    )


def seen(findings: Findings, hidden: Hidden) -> Findings:
    """Return the findings without what is hidden."""
    if not (hidden.questions or hidden.documents):
        return findings
    made = findings.difference
    return replace(
        findings,
        candidate=_scores(findings.candidate, hidden),
        live=_scores(findings.live, hidden) if findings.live else None,
        verdict=_verdict(findings.verdict, hidden),
        difference=replace(made, documents=_unnamed(made.documents, hidden.documents)) if made else None,
        changes=[_change(one, hidden) for one in findings.changes if one.id not in hidden.questions],
        past=[entry | {"reasons": told(entry.get("reasons", ()), hidden)} for entry in findings.past],
    )


def told(reasons: Iterable[str], hidden: Hidden) -> list[str]:
    """Return sentences of the gate, cut where they begin to tell of what is hidden."""
    kept = []
    for reason in reasons:
        beginning = reason.partition(", first: ")[0]
        if not hidden.told_by(reason):
            kept.append(reason)
        elif beginning != reason and not hidden.told_by(beginning):
            kept.append(f"{beginning}.")
        elif WITHHELD not in kept:
            kept.append(WITHHELD)
    return kept


def _closed_documents(workspace: Workspace, principals: Sequence[str]) -> pl.DataFrame:
    """Return uri and doc_id of what some kept version does not let them read."""
    may = [PUBLIC, *principals]
    found = [
        catalog.addresses().filter(~pl.col("principals").list.eval(pl.element().is_in(may)).list.any())
        for _, catalog in catalogs(workspace)
    ]
    empty = pl.DataFrame(schema={"uri": pl.String, "doc_id": pl.String})
    return pl.concat([empty, *(frame.select("uri", "doc_id") for frame in found)]).unique()


def _closed_in_tables(workspace: Workspace, names: Collection[str], principals: Sequence[str]) -> set[str]:
    """Return the names that no version has for them, and the tables only for others: fetched, or gone meanwhile."""
    unknown = set(names)
    for _, catalog in catalogs(workspace):
        unknown -= _meant(unknown, catalog.addresses()["uri"]) if unknown else set()
    everyone, mine = (reader(principals, operator=operator) for operator in (True, False))
    return {
        name
        for name in unknown
        if in_tables(workspace, name, everyone).keys() - in_tables(workspace, name, mine).keys()
    }


def _meant(names: Collection[str], uris: Iterable[str]) -> set[str]:
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


def _scores(scores: Scores, hidden: Hidden) -> Scores:
    """Leave means and rows as they are: they tell numbers only, and ids are shown of nothing else."""

    def kept(entries: Iterable[str]) -> tuple[str, ...]:
        return tuple(entry for entry in entries if not hidden.told_by(entry))

    return replace(
        scores,
        unlocated=kept(scores.unlocated),
        failed=kept(scores.failed),
        leaks=kept(scores.leaks),
    )


def _verdict(verdict: Verdict, hidden: Hidden) -> Verdict:
    return replace(
        verdict,
        reasons=tuple(told(verdict.reasons, hidden)),
        comparison=_comparison(verdict.comparison, hidden) if verdict.comparison else None,
        secondary=tuple(_comparison(one, hidden) for one in verdict.secondary),
        void={key: why for key, why in verdict.void.items() if key not in hidden.questions and not hidden.told_by(why)},
    )


def _comparison(comparison: Comparison, hidden: Hidden) -> Comparison:
    better, worse = (
        tuple(key for key in ids if key not in hidden.questions) for ids in (comparison.better, comparison.worse)
    )
    return replace(comparison, better=better, worse=worse)


def _change(change: QuestionChange, hidden: Hidden) -> QuestionChange:
    return replace(change, evidence=tuple(one for one in change.evidence if one.doc_id not in hidden.documents))


def _unnamed(documents: pl.DataFrame, hidden: Collection[str]) -> pl.DataFrame:
    closed = pl.col("doc_id").is_in(list(hidden))
    return documents.with_columns(
        pl.when(closed).then(pl.lit(HIDDEN)).otherwise(pl.col(name)).alias(name) for name in ("uri", "title")
    )
