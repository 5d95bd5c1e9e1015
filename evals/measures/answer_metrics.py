"""Measures of answers that need no judge: gold answers, citations, abstention."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import polars as pl

from evals.questions.labels import Label
from evals.questions.question import Question
from rag_platform.core.answers import STATE_WORDS, Answer, count_states

ANSWERING = ("answered", "contains_gold", "gold_recall", "cited_verbatim", "cites_quote", "cites_document", "abstained")
"""`answered` … `cites_document` are of answerable questions, `abstained` of the others; null elsewhere."""
STATES = tuple(STATE_WORDS.values())
"""Of answers that say something: the share of its sentences that have this state; null where it has none to judge."""
ABSTENTION = ("abstention_precision", "abstention_recall")
"""Of the whole set: which abstentions were right, and which questions without an answer were abstained from."""

_MARK = re.compile(r"\s*\[(?:\d+(?:\s*,\s*\d+)*|[?!])\]")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


def answer_measures(
    question: Question, answer: Answer, labels: Sequence[Label], texts: Mapping[str, str]
) -> dict[str, float | None]:
    """Measure one answer; `texts` maps doc_id to the document's text."""
    values: dict[str, float | None] = dict.fromkeys(ANSWERING) | _states(answer)
    if not question.answerable:
        return values | {"abstained": float(answer.abstained)}
    values["answered"] = float(not answer.abstained)
    if question.answers:
        said = "" if answer.abstained else answer.answer
        values["contains_gold"] = float(any(contains(said, gold) for gold in question.answers))
        values["gold_recall"] = max(recall(said, gold) for gold in question.answers)
    if not answer.abstained:
        values["cited_verbatim"] = _verbatim(answer, texts)
        if labels:
            values["cites_quote"] = float(any(_cites(answer, label) for label in labels))
            documents = {span.doc_id for label in labels for span in label.spans}
            values["cites_document"] = float(any(citation.doc_id in documents for citation in answer.citations))
    return values


def _states(answer: Answer) -> dict[str, float | None]:
    counted, total = count_states(answer.claims), len(answer.claims)
    return {STATE_WORDS[state]: n / total if total else None for state, n in counted.items()}


def abstention(rows: pl.DataFrame) -> dict[str, float]:
    """Return precision and recall of abstaining, from rows of `answered` and `abstained`; absent: undefined."""
    unanswerable = rows["abstained"].drop_nulls()
    wrongly = int((rows["answered"].drop_nulls() == 0).sum())
    rightly = int(unanswerable.sum())
    values = {}
    if rightly + wrongly:
        values[ABSTENTION[0]] = rightly / (rightly + wrongly)
    if len(unanswerable):
        values[ABSTENTION[1]] = rightly / len(unanswerable)
    return values


def normalise(text: str) -> str:
    """Reduce a text to its words: no case, punctuation, English articles, citation marks or double spaces.

    As SQuAD's evaluation does (Rajpurkar et al., EMNLP 2016), for every script: marks stay with their letters.
    """
    folded = unicodedata.normalize("NFKC", unmarked(text)).casefold()
    words = "".join(" " if unicodedata.category(char)[0] in "PSZC" else char for char in folded)
    return " ".join(word for word in words.split() if word not in ("a", "an", "the"))


def unmarked(answer: str) -> str:
    """Return an answer without its citation marks ``[n]``, ``[?]`` and ``[!]``."""
    return _MARK.sub("", answer)


def contains(answer: str, gold: str) -> bool:
    """Return whether the gold answer's words stand in the answer, in a row; parts of words do not count."""
    said, wanted = normalise(answer), normalise(gold)
    if re.search(f"[{_UNSPACED}]", wanted):  # no spaces tell where its words end
        return wanted in said
    return bool(wanted) and f" {wanted} " in f" {said} "


def recall(answer: str, gold: str) -> float:
    """Return which share of the gold answer's words the answer has.

    The measure that agrees best with people on long answers (Adlakha et al., "Evaluating Correctness and Faithfulness
    of Instruction-Following Models for Question Answering", TACL 2024).
    """
    wanted = Counter(_TOKEN.findall(normalise(gold)))
    said = Counter(_TOKEN.findall(normalise(answer)))
    return sum((wanted & said).values()) / sum(wanted.values()) if wanted else 0.0


def _verbatim(answer: Answer, texts: Mapping[str, str]) -> float:
    """Return which share of the citations stand, word for word, where they say; 0 without any."""
    right = [texts.get(c.doc_id, "")[c.span[0] : c.span[1]] == c.quote != "" for c in answer.citations]
    return sum(right) / len(right) if right else 0.0


def _cites(answer: Answer, label: Label) -> bool:
    return any(
        citation.doc_id == span.doc_id and citation.span[0] < span.end and span.start < citation.span[1]
        for citation in answer.citations
        for span in label.spans
    )
