"""A claim and the hits -> what supports or contradicts it: by its words, their meaning, and what must agree."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rag_platform.answering.checks.own_curve import OwnCurve
from rag_platform.answering.citations.alignment import SentenceReader, held, repeated
from rag_platform.answering.citations.fidelity import differences, lay_beside
from rag_platform.answering.citations.support_curve import ACCEPTED, MEASURED, Signs
from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.core.answers import State
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Embedder
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.sentences import split_sentences

VERBATIM = "verbatim"
_EDGE, _ANY = re.compile(r"(?!\B\w)"), re.compile("")
"""Where a quote begins and ends: not within a word; in a script without spaces anywhere."""
_BETWEEN_WORDS = r"(?:\s|\[\d{1,3}\]|[*_`>|])+"
_MOST_CANDIDATES = 12
"""Sentences of a hit looked at closely for one claim."""
_HALF = 0.5
"""Share of a claim's words that the source must exceed by itself: cosines alone tell noon from midnight badly."""
_RUN = 10
"""Telling words of a claim that are taken together."""
_LONGEST_PAIR = 600


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of a hit that may support a claim."""

    place: int
    """Of its hit, from 1."""
    start: int
    """In the hit's text."""
    end: int
    verbatim: bool
    """Whether it is the claim itself."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found of a claim."""

    state: State
    probability: float | None = None
    """Of being supported; None: not estimated."""
    check: str = MEASURED.version
    """What judged."""
    quotes: tuple[Quote, ...] = ()
    """What supports it, or, when it is contradicted, what denies it."""


class Compared(NamedTuple):
    """A claim beside a hit."""

    quote: Quote
    """The sentence, or two that follow each other, that holds most of the claim."""
    signs: Signs
    departs: bool
    """Whether half of its words are others than the source's, or others stand in the place of the quote's."""
    denied: bool
    """Whether the quote says otherwise of the same."""
    own: OwnCurve | None = None
    """What the workspace's own judged claims say of the probability."""

    @property
    def probability(self) -> float:
        """How probable it is that the hit supports the claim."""
        probability = MEASURED.probability(self.signs)
        return self.own.of(probability) if self.own else probability

    @property
    def supports(self) -> bool:
        """Whether it is probable enough."""
        return self.probability >= ACCEPTED and not self.departs


class QuoteFinder:
    """Finds the sentences of hits that support or contradict a claim."""

    def __init__(
        self, hits: Sequence[Hit], models: Sequence[Embedder], weight: TermWeight, own: OwnCurve | None = None
    ) -> None:
        """Judge the meaning of each hit with its own of `models`.

        `weight` is the rarity of a word, `own` the curve of the workspace.
        """
        self._own = own
        self._check = own.name if own else MEASURED.version
        self.hits = hits
        readers = {id(model): SentenceReader(model) for model in models}
        self._readers = [readers[id(model)] for model in models]
        self._weight = weight
        self._compared: dict[tuple[str, int], Compared | None] = {}

    def judge(self, claim: str, cited: Sequence[int]) -> Judged:
        """Return the state of a claim that cites these places; without a model that reads both.

        What it cites comes first; then a verbatim quote elsewhere, a likeness elsewhere, and what denies it.
        """
        others = [place for place in range(1, len(self.hits) + 1) if place not in cited]
        found = [quote for place in cited if (quote := self._verbatim(claim, place) or self._likeness(claim, place))]
        for finder in (self._verbatim, self._likeness):
            found = found or [quote for place in others if (quote := finder(claim, place))][:1]
        if any(quote.verbatim for quote in found):
            return Judged("quoted", 1.0, VERBATIM, tuple(found))
        compared = [one for place in (*cited, *others) if (one := self._beside(claim, place))]
        probability = max((one.probability for one in compared), default=0.0)
        if found:
            return Judged("supported", probability, self._check, tuple(found))
        against = next((one for one in compared if one.denied), None)
        if against:
            return Judged("contradicted", against.probability, self._check, (against.quote,))
        return Judged("unverified", probability, self._check)

    def nearest(self, claim: str, cited: Sequence[int]) -> Quote | None:
        """Return the quote that comes closest to a claim, of the cited hits, if any, else of all; None: none."""
        places = cited or range(1, len(self.hits) + 1)
        compared = [one for place in places if (one := self._beside(claim, place))]
        return max(compared, key=lambda one: one.probability).quote if compared else None

    def _verbatim(self, claim: str, place: int) -> Quote | None:
        said, text, edge = (
            claim.strip("*_` ").strip(),
            self.hits[place - 1].text,
            _ANY if has_unspaced(claim) else _EDGE,
        )
        start = text.find(said) if said else -1
        if start >= 0 and edge.match(text, start) and edge.match(text, start + len(said)):
            return Quote(place, start, start + len(said), verbatim=True)
        whole = f"{edge.pattern}{_BETWEEN_WORDS.join(map(re.escape, said.split()))}{edge.pattern}"
        found = re.search(whole, text) if said else None
        return Quote(place, *found.span(), verbatim=True) if found else None

    def _likeness(self, claim: str, place: int) -> Quote | None:
        compared = self._beside(claim, place)
        return compared.quote if compared and compared.supports else None

    def _beside(self, claim: str, place: int) -> Compared | None:
        """Return a claim beside a hit; None: the hit has no sentence."""
        if (claim, place) not in self._compared:
            hit = self.hits[place - 1]
            compared = compare(claim, hit, place, self._readers[place - 1], self._weight)
            self._compared[claim, place] = compared._replace(own=self._own) if compared else None
        return self._compared[claim, place]


def compare(claim: str, hit: Hit, place: int, reader: SentenceReader, weight: TermWeight) -> Compared | None:
    """Lay a claim beside the sentences of a hit; None: it has none.

    Args:
        claim: a sentence of an answer.
        hit: a source.
        place: of the hit, from 1.
        reader: knows the words of sentences.
        weight: the rarity of a word in the corpus, which tells the sentences to look at in a long hit.
    """
    spans = _candidates(claim, hit, weight)
    if not spans:
        return None
    said, *read = reader.read([claim, *(hit.text[slice(*span)] for span in spans)], hit.language)
    shares = dict(zip(spans, (held(said, one) for one in read), strict=True))
    for left, right in _pairs(hit, spans):
        shares[left[0], right[1]] = np.maximum(shares[left], shares[right])
    best = max(shares, key=lambda span: float(shares[span].mean()))
    titled = held(said, *reader.read([f"{hit.title}\n{hit.section}"], hit.language)) >= 1
    whole = np.max([*shares.values(), np.where(titled, 1.0, -1.0)], axis=0)
    signs = Signs(_least(whole), differences(claim, hit, best), repeated(said, read, _RUN))
    quote = Quote(place, *best, verbatim=False)
    beside = lay_beside(claim, hit, best)
    reworded = (whole >= 1).mean() <= _HALF or beside.departs
    return Compared(quote, signs, bool(reworded), beside.denies)


def _least(shares: np.ndarray) -> float:
    """Return the mean over that run of words whose mean is the least."""
    run = min(_RUN, len(shares))
    return float(np.convolve(shares, np.full(run, 1 / run), "valid").min()) if run else 0.0


def _sentences(hit: Hit) -> list[tuple[int, int]]:
    return [(start, end) for start, end, kind in split_sentences(hit.text) if kind != "heading"]


def _candidates(claim: str, hit: Hit, weight: TermWeight) -> list[tuple[int, int]]:
    """Return the sentences that have most of a claim's words, in the order of the text."""
    weights = term_weights(claim, hit.language, weight)
    every = _sentences(hit)
    if len(every) <= _MOST_CANDIDATES:
        return every
    return sorted(
        sorted(every, key=lambda span: -coverage(weights, hit.text[slice(*span)], hit.language))[:_MOST_CANDIDATES]
    )


def _pairs(hit: Hit, spans: Sequence[tuple[int, int]]) -> Iterable[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield two of the sentences that follow each other, if they are not too long together."""
    chosen = set(spans)
    for left, right in pairwise(_sentences(hit)):
        if {left, right} <= chosen and right[1] - left[0] <= _LONGEST_PAIR:
            yield left, right
