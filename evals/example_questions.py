"""The questions that a version is introduced with: chosen when it was evaluated, and each checked by asking it.

First come people's own questions, which editors labelled or took over from feedback, then those that a language model
made, then those that headings and definitions ask. One is kept only if its passage is among the first hits, and its
answer is none that declines. Drawn words, which stand for questions where there is no model, are never shown.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from evals.measures.queries import query_filters
from evals.measures.scoring import Scores
from evals.questions.question import Question
from evals.questions.synthetic import TAG
from rag_platform.answering.answerer import Answerer
from rag_platform.answering.suggestions.examples import Candidate, Example, candidates
from rag_platform.answering.suggestions.natural_questions import reads_naturally
from rag_platform.core.hits import Hit
from rag_platform.core.ids import digest
from rag_platform.index.releases.open_version import OpenVersion

MOST = 12
"""Examples that are kept: not everybody may read what each rests on."""
_TRIED = 30
_FIRST = 3
"""Hits among which its passage must be."""
_BEST = "nDCG@10"


def choose_examples(
    answerer: Answerer, index: OpenVersion, scores: Scores, questions: Sequence[Question]
) -> list[dict[str, Any]]:
    """Return the examples of a version, each about another document, as its scores keep them.

    Args:
        answerer: of that version.
        index: the version.
        scores: of it: who scored best is tried first.
        questions: that it was scored on.
    """
    kept: dict[str, Example] = {}
    for found in islice(_asked(answerer, index, scores, questions), _TRIED):
        if found and found.documents[0] not in kept:
            kept[found.documents[0]] = found
        if len(kept) == MOST:
            break
    return [one.to_dict() for one in kept.values()]


def _asked(
    answerer: Answerer, index: OpenVersion, scores: Scores, questions: Sequence[Question]
) -> Iterator[Example | None]:
    """Ask one candidate after the other; None: it will not do."""
    for question in _best(scores, questions):
        answer = answerer.ask(question.question, filters=query_filters(question), now=question.as_of)
        hit = None if answer.abstained else next((one for one in answer.hits[:_FIRST] if _quoted(one, question)), None)
        documents = tuple(dict.fromkeys([hit.doc_id, *(one.doc_id for one in answer.citations)])) if hit else ()
        yield Example(question.question.strip(), documents, question.language or "") if hit else None
    for candidate in candidates(index, ()):
        answer = answerer.ask(candidate.question)
        cited = {one.doc_id for one in answer.citations}
        there = any(_holds(one, candidate) for one in answer.hits[:_FIRST]) and candidate.doc_id in cited
        documents = (candidate.doc_id, *(cited - {candidate.doc_id}))
        yield Example(candidate.question, documents, candidate.language) if there and not answer.abstained else None


def _best(scores: Scores, questions: Sequence[Question]) -> list[Question]:
    """Return the questions that read naturally and scored well, people's own first, in an order of chance."""
    found = dict(scores.questions.select("id", _BEST).iter_rows())
    fit = [
        one
        for one in questions
        if one.answerable
        and reads_naturally(one.question)
        and (found.get(one.id) or 0) > 0
        and one.id not in scores.stale
    ]
    return sorted(fit, key=lambda one: (TAG in one.tags, -round(found[one.id], 1), digest("examples", one.id)))


def _quoted(hit: Hit, question: Question) -> bool:
    """Tell whether a hit holds a passage that answers the question."""
    text = " ".join(hit.text.split()).casefold()
    return any(" ".join(one.quote.split()).casefold() in text for one in question.relevant if one.quote)


def _holds(hit: Hit, candidate: Candidate) -> bool:
    return hit.doc_id == candidate.doc_id and hit.span[0] < candidate.span[1] and candidate.span[0] < hit.span[1]
