"""When to answer: the threshold of [answer], fitted to questions of which it is known whether they have an answer.

A question that has one is asked twice: as it is, and with the documents that answer it taken out of what was found.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evals.measures.queries import query_filters
from evals.questions.labels import named_documents
from evals.questions.question import Question
from rag_platform.answering.generators.extractive import Extractive
from rag_platform.core.errors import QuestionSetError
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Progress, silent
from rag_platform.workspace import Workspace

LEAST = 20
"""Questions with an answer from which on a threshold is fitted: of fewer, one more or less moves it too far."""
ANSWERED = 0.85
"""Share of them that must be answered: to hide a right passage does more harm than to show one beside the point."""
_MORE = 10
"""Further hits that are searched for, from which those that answer are taken out."""


class Probabilities(NamedTuple):
    """How probable an answer is held to be, by kind of question; each of shape (questions,)."""

    answerable: np.ndarray
    taken_out: np.ndarray
    """The same questions, of what is found beside the documents that answer them."""
    unanswerable: np.ndarray


class Shares(NamedTuple):
    """What a threshold does."""

    threshold: float
    answered: float
    """Of the questions that have an answer."""
    declined: float
    """Of the others; both kinds of them count the same."""


def answer_probabilities(
    workspace: Workspace, version: str, questions: Sequence[Question], progress: Progress = silent
) -> Probabilities:
    """Ask a version whether it holds an answer to each question.

    Raises:
        QuestionSetError: there are too few questions that have an answer.
    """
    if (known := sum(question.answerable for question in questions)) < LEAST:
        raise QuestionSetError(
            f"{known} questions with an answer are too few to fit a threshold to; expected at least {LEAST}. Write "
            "more of them (docs/evaluation.md)"
        )
    judge = _Judge(workspace, version)
    documents = named_documents(questions, workspace.versions.open(version).catalog.documents("doc_id", "uri"))
    own, taken_out, others = list[float](), list[float](), list[float]()
    for done, question in enumerate(questions, start=1):
        found = judge.found(question)
        (own if question.answerable else others).append(judge.probability(question, found))
        if question.answerable:
            left = [hit for hit in found if hit.doc_id not in documents[question.id]]
            taken_out.append(judge.probability(question, left))
        progress(done, len(questions))
    return Probabilities(np.array(own), np.array(taken_out), np.array(others))


class _Judge:
    """Asks one version."""

    def __init__(self, workspace: Workspace, version: str) -> None:
        self._opened, self._read = workspace.versions.open(version), workspace.settings.answer.sources
        self._retriever = workspace.retriever_of(version)
        self._extractive = Extractive.as_set(workspace.embedder, workspace.settings.answer)

    def found(self, question: Question) -> Sequence[Hit]:
        """Return more hits than are read; none, where nothing is relevant."""
        filters = query_filters(question)
        found = self._retriever.search(question.question, k=self._read + _MORE, filters=filters, now=question.as_of)
        return () if found.nothing_relevant else found.hits

    def probability(self, question: Question, found: Sequence[Hit]) -> float:
        """Return how probable it is that those of the hits that are read hold an answer."""
        view, hits = self._opened.view(query_filters(question).principals), found[: self._read]
        judge = self._extractive.over(view, self._retriever.embedder_of)
        return judge.answerability(judge.evidence(question.question, hits)) if hits else 0.0


def shares_at(threshold: float, told: Probabilities) -> Shares:
    """Return what a threshold does."""
    kinds = [kind for kind in (told.taken_out, told.unanswerable) if len(kind)]
    declined = float(np.mean([(kind < threshold).mean() for kind in kinds])) if kinds else 0.0
    return Shares(threshold, float((told.answerable >= threshold).mean()), declined)


def fit_threshold(told: Probabilities) -> Shares:
    """Return the threshold at which most are answered and declined rightly, of those that answer `ANSWERED`.

    It has two digits.
    """
    tried = [shares_at(step / 100, told) for step in range(100)]
    allowed = [one for one in tried if one.answered >= ANSWERED] or tried[:1]
    return max(allowed, key=lambda one: (round(one.answered + one.declined, 6), one.threshold))
