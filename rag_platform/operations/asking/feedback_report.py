"""What people thought of answers: how many a day, by collection, and the questions whose answers they found bad."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from rag_platform.core.errors import NothingPublished, RagError
from rag_platform.core.principals import limits
from rag_platform.journal.answer_judgements import Judged
from rag_platform.journal.receipts import Receipt
from rag_platform.journal.unanswered import AskedQuestion, Group, singletons
from rag_platform.operations.asking.answer_feedback import readable_receipts
from rag_platform.workspace import Workspace

MOST = 5000
"""Judgements that are looked at, the newest."""


@dataclass(frozen=True, slots=True)
class Rated:
    """How many judgements were good and bad of what has a name."""

    name: str
    good: int
    bad: int


@dataclass(frozen=True, slots=True)
class FeedbackReport:
    """What people thought of answers in some days, as far as somebody may know of them."""

    days: tuple[Rated, ...]
    """Every day (ISO 8601, UTC), the oldest first, those without a judgement too."""
    collections: tuple[Rated, ...]
    """That the judged answers cite, the one with most bad judgements first; an answer counts for each it cites."""
    generators: tuple[Rated, ...]
    """That wrote the answers."""
    assistants: tuple[Rated, ...]
    """That were asked, by their ids."""
    preferred: tuple[Rated, ...]
    """Who wrote which of two answers beside each other: how often theirs was found the better one, and the worse."""
    reasons: tuple[tuple[str, int], ...]
    """Why answers were found bad, the most frequent first; empty: nobody said."""
    worst: tuple[Group, ...]
    """Questions with bad answers that are about the same, those with most bad judgements first."""
    hidden: bool
    """Whether there are judgements of answers that rest on what this person may not read; they are counted nowhere."""


def feedback_report(
    workspace: Workspace, days: int, principals: Sequence[str] | None, now: datetime | None = None
) -> FeedbackReport:
    """Return what people thought of answers in the last so many days; `principals` None: of who may read everything."""
    now = now or datetime.now(UTC)
    judged = workspace.feedback.since(now - timedelta(days=days - 1), MOST)
    pairs = workspace.preferred.since(now - timedelta(days=days - 1), MOST)
    seen = _seen(workspace, [*(one.receipt for one in judged), *chain(*pairs)], principals)
    shown = [one for one in judged if one.receipt.id in seen]
    compared = [pair for pair in pairs if all(one.id in seen for one in pair)]
    named = _collections(workspace)
    bad = [one for one in shown if not one.good]
    return FeedbackReport(
        days=_by_day(shown, days, now.date()),
        collections=_rated(
            (name, one.good)
            for one in shown
            for name in {named[doc.doc_id] for doc in one.receipt.citations if doc.doc_id in named}
        ),
        generators=_rated((one.receipt.model, one.good) for one in shown),
        assistants=_rated((name, one.good) for one in shown if (name := one.receipt.settings.get("assistant"))),
        preferred=_rated((one.model, one is better) for better, worse in compared for one in (better, worse)),
        reasons=tuple(Counter(one.reason for one in bad).most_common()),
        worst=tuple(_grouped(workspace, bad)),
        hidden=len(shown) < len(judged) or len(compared) < len(pairs),
    )


def _seen(workspace: Workspace, receipts: Sequence[Receipt], principals: Sequence[str] | None) -> set[str]:
    """Return the receipts of which somebody may know."""
    seen = {one.id for one in readable_receipts(workspace, receipts, principals)}
    if principals and (within := limits(principals)):  # an answer without sources tells nothing of these collections
        seen &= {one.id for one in receipts if within.intersection(one.filters.get("collections", ())) or one.documents}
    return seen


def _collections(workspace: Workspace) -> dict[str, str]:
    """Return the collection of each document of the live version."""
    try:
        return dict(workspace.versions.live().documents().select("doc_id", "collection").iter_rows())
    except NothingPublished:
        return {}


def _by_day(judged: Sequence[Judged], days: int, today: date) -> tuple[Rated, ...]:
    counts = Counter((one.given_at.date(), one.good) for one in judged)
    every = (today - timedelta(days=back) for back in reversed(range(days)))
    return tuple(Rated(day.isoformat(), counts[day, True], counts[day, False]) for day in every)


def _rated(said: Iterable[tuple[str, bool]]) -> tuple[Rated, ...]:
    counts = Counter(said)
    names = {name for name, _ in counts}
    rated = (Rated(name, counts[name, True], counts[name, False]) for name in names)
    return tuple(sorted(rated, key=lambda one: (-one.bad, -one.good, one.name)))


def _grouped(workspace: Workspace, bad: Sequence[Judged]) -> list[Group]:
    """Group questions by meaning, or leave each alone where there is no model."""
    asked: dict[str, AskedQuestion] = {}
    for one in bad:  # the newest first: its receipt stands for the question
        question = one.receipt.standalone or one.receipt.question
        before = asked.get(question)
        times = before.times + 1 if before else 1
        first = before or AskedQuestion(question, 1, one.given_at, one.receipt.id)
        asked[question] = AskedQuestion(first.question, times, first.last, first.receipt_id)
    questions = sorted(asked.values(), key=lambda one: (-one.times, -one.last.timestamp()))
    try:
        return workspace.unanswered.groups(questions)
    except RagError:
        return singletons(questions)
