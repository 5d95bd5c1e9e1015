"""The questions that a version is introduced with: chosen when it was evaluated, and each checked by asking it.

First come people's own questions, which editors labelled or took over from feedback, then those that a language model
made, then those that headings and definitions ask. One is kept only if its passage is among the first hits, and its
answer is none that declines. Drawn words, which stand for questions where there is no model, are never shown.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from evals.measures.kept_measures import KeptMeasures
from evals.measures.queries import query_filters, run_query
from evals.measures.scoring import Scores
from evals.questions.question import Question
from evals.questions.synthetic import TAG
from rag_platform.answering.answerer import Answerer
from rag_platform.answering.suggestions.examples import EXAMPLES, Candidate, Example, candidates
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
    answerer: Answerer, index: OpenVersion, scores: Scores, questions: Sequence[Question], kept: KeptMeasures
) -> list[dict[str, Any]]:
    """Return the examples of a version, each about another document, as its scores keep them.

    Args:
        answerer: of that version.
        index: the version.
        scores: of it: who scored best is tried first.
        questions: that it was scored on.
        kept: what an earlier evaluation asked is not answered again while its hits stay.
    """
    chosen: dict[str, Example] = {}
    for found in islice(_asked(answerer, index, scores, questions, kept), _TRIED):
        if found and found.documents[0] not in chosen:
            chosen[found.documents[0]] = found
        if len(chosen) == MOST:
            break
    return [one.to_dict() for one in chosen.values()]


def _asked(
    answerer: Answerer, index: OpenVersion, scores: Scores, questions: Sequence[Question], kept: KeptMeasures
) -> Iterator[Example | None]:
    """Ask one candidate after the other; None: it will not do."""
    for question in _best(scores, questions):
        hits, cited = _answered(answerer, question, kept)
        hit = next((one for one in hits[:_FIRST] if _quoted(one, question)), None) if cited else None
        documents = tuple(dict.fromkeys([hit.doc_id, *cited])) if hit else ()
        yield Example(question.question.strip(), documents, question.language or "") if hit else None
    for candidate in candidates(index, ()):
        hits, cited = _answered(answerer, Question(EXAMPLES, candidate.question), kept)
        there = candidate.doc_id in cited and any(_holds(one, candidate) for one in hits[:_FIRST])
        documents = tuple(dict.fromkeys([candidate.doc_id, *cited]))
        yield Example(candidate.question, documents, candidate.language) if there else None


def _answered(answerer: Answerer, question: Question, kept: KeptMeasures) -> tuple[Sequence[Hit], list[str]]:
    """Return the first hits of a question, and the documents that its answer cites: none where it declines."""
    hits = run_query(answerer.retriever, question).hits
    key = digest(EXAMPLES, kept.key(question, (), hits))
    if (known := kept.memo.get(key)) is not None:
        return hits, [hits[place].doc_id for place in known.tolist()]
    answer = answerer.ask(question.question, filters=query_filters(question), now=question.as_of)
    cited = [] if answer.abstained else [*dict.fromkeys(one.doc_id for one in answer.citations)]
    places = {hit.doc_id: place for place, hit in reversed([*enumerate(hits)])}
    if all(doc_id in places for doc_id in cited):
        kept.memo.put(key, np.array([places[doc_id] for doc_id in cited], np.int64), 0.0)
    return hits, cited


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
