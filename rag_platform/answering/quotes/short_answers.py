"""A question and the sentence that answers it -> the time, number or name in it that is the short answer, if one is.

Of the values that a sentence gives and the question does not, the only one is the answer, or the one that stands
closest to the question's words; a number, the only one of what the question counts; a name, the one behind "by". In
doubt none is: a mark on the wrong year is worse than none. Limits were chosen on one half of XQuAD's and JaQuAD's
questions; benchmarks/short_answers.py tells how often a mark is right on the other.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.answering.quotes.asked_for import AskedFor, asked_for
from rag_platform.answering.quotes.values import Span, values
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit
from rag_platform.text.analysis import terms
from rag_platform.text.analysis.texts import UNSPACED

_LEAST: dict[AskedFor, tuple[float, float]] = {
    "time": (0.2, 0.4),
    "year": (0.2, 0.4),
    "number": (0.4, 0.4),
    "person": (0.5, 0.5),
}
"""Share of the question's words, by rarity, that the sentence has to have: with one value, and with several."""
_CLEARLY = 2.0
"""How much closer to the question's words a value has to be than the next."""
_BORDER = 4.0
"""Words that a comma or a bracket counts for: what stands beyond it is of another statement."""
_NEAR = 2.0
"""Words that are added to every distance, so that the next word does not decide alone."""
_BEHIND = 3
"""Words behind a number among which is what it counts."""
_BORDERS = re.compile(r"[,;:()—–，；：（）、।](?!\d)")
_WORD = re.compile(rf"[{UNSPACED}]|\d+|[^\W\d{UNSPACED}]+(?:[\u0900-\u0903\u093a-\u094f]+\w*)*")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_BY = frozenset(["by", "por", "par", "da", "dal", "dalla", "pelo", "pela", "door", "af", "av", "von", "durch"])
"""What names who did a thing. Other names are not marked: of those closest to the question's words half are wrong."""
_CAPITALISED = frozenset(["de", "lb"])
"""Languages in which a capital alone does not tell a name."""


class _Word(NamedTuple):
    start: int
    end: int
    terms: Sequence[str]


def with_short_answer(question: str, quote: QuotedSpan, sentence: Span, hit: Hit, weight: TermWeight) -> QuotedSpan:
    """Return a quote with the short answer that the best of its sentences gives; both count in the hit's text."""
    found = short_answer(question, hit.text[slice(*sentence)], hit.language, weight)
    return replace(quote, highlight=(sentence[0] + found[0], sentence[0] + found[1])) if found else quote


def short_answer(question: str, sentence: str, language: str, weight: TermWeight) -> Span | None:
    """Return where the short answer stands in a sentence; None: the question asks for none, or it is not sure.

    Args:
        question: what is asked.
        sentence: what answers it.
        language: of the sentence.
        weight: the rarity of a word in the corpus.
    """
    asked = asked_for(question)
    if asked is None:
        return None
    kind, behind = asked
    weights = term_weights(question, language, weight)
    found = [span for span in _told(sentence, kind, language) if not _known(sentence[slice(*span)], question)]
    if not found or coverage(weights, sentence, language) < _LEAST[kind][len(found) > 1]:
        return None
    words = list(_words(sentence, language))
    if kind == "number":
        return _number(
            found, words, [word for word in _words(behind, language) if weights.keys() & set(word.terms)][:2]
        )
    if kind == "person":
        found = [span for span in found if _by(span, sentence, words, weights)]
    if len(found) < 2:
        return found[0] if found else None
    near = {span: _nearness(span, sentence, words, weights) for span in found}
    first, second, *_ = sorted(found, key=lambda span: -near[span])
    return first if near[first] > _CLEARLY * near[second] else None


def _told(sentence: str, kind: AskedFor, language: str) -> Iterator[Span]:
    """Yield the values of a kind; a year is no number, and a month no name."""
    times = values(sentence, "time", language) if kind in ("number", "person") else []
    for start, end in values(sentence, kind, language):
        within = any(start < until and since < end for since, until in times)
        noun = kind == "person" and language in _CAPITALISED and " " not in sentence[start:end]
        if not noun and not within:
            yield start, end


def _known(value: str, question: str) -> bool:
    """Tell whether the question says a value itself."""
    numbers = re.findall(r"\d+", value)
    if numbers:
        return set(numbers) <= set(re.findall(r"\d+", question))
    return value.casefold() in question.casefold()


def _words(text: str, language: str) -> Iterator[_Word]:
    """Yield the words of a text, or, where no blanks part them, each pair of characters that follow each other."""
    for match in _WORD.finditer(text):
        start, end = match.span()
        if _UNSPACED.match(text, start):
            yield _Word(start, end, terms(text[start : start + 2], language)[:1])
        else:
            yield _Word(start, end, terms(match[0], language))


def _number(found: Sequence[Span], words: Sequence[_Word], counted: Sequence[_Word]) -> Span | None:
    """Return the only number, or the only one of what is counted, with the name of that where it comes next."""
    names = {term for word in counted for term in word.terms}
    behind = {span: [word for word in words if word.start >= span[1]][:_BEHIND] for span in found}
    of = [span for span in found if any(names & set(word.terms) for word in behind[span])]
    if len(found) > 1 and len(of) != 1:
        return None
    (start, end), *_ = of or found
    following = behind[start, end][:1]
    return start, following[0].end if of and names & set(following[0].terms) else end


def _by(span: Span, sentence: str, words: Sequence[_Word], weights: dict[str, float]) -> bool:
    """Tell whether a name stands behind "by", and that close behind a word of the question."""
    before = [word for word in words if word.end <= span[0]][::-1][: 1 + _BEHIND]
    by = before and sentence[before[0].start : before[0].end].lower() in _BY
    return bool(by and any(weights.keys() & set(word.terms) for word in before[1:]))


def _nearness(span: Span, sentence: str, words: Sequence[_Word], weights: dict[str, float]) -> float:
    """Return how close the question's words stand to a value: the sum of their weights, each by its distance."""
    before = [word for word in words if word.end <= span[0]][::-1]
    behind = [word for word in words if word.start >= span[1]]
    best: dict[str, float] = {}
    for side in (before, behind):
        for distance, word in enumerate(side, 1):
            between = sentence[word.end : span[0]] if side is before else sentence[span[1] : word.start]
            far = _NEAR + distance + _BORDER * len(_BORDERS.findall(between))
            for term in weights.keys() & set(word.terms):
                best[term] = max(best.get(term, 0.0), weights[term] / far)
    return sum(best.values())
