"""A claim and the hits -> the quote that supports it, by words, by meaning, and by what its words say of whom."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rag_platform.answering.citations.fidelity import contradicts, is_faithful
from rag_platform.answering.coverage import TermWeight, coverage, term_weights
from rag_platform.core.answers import State
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Embedder
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.sentences import split_sentences

SUPPORT = 1.0
"""Cosine of claim and quote plus the share of the claim's words in the quote, from which the quote supports the claim.

Measured on the 646 sentences of CLAPnq's human answers: 99 % supported by their own passage, and 96 % not supported by
the most similar other passage.
"""
VERBATIM = "verbatim"
WORDS = "words 1"
"""The check without a model, with the version of its rules."""
_BETWEEN_WORDS = r"(?:\s|\[\d{1,3}\]|[*_`>|])+"
_MOST_CANDIDATES = 12
"""Sentences looked at closely for one claim."""
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
    check: str = WORDS
    """What judged."""
    quotes: tuple[Quote, ...] = ()
    """What supports it, or, when it is contradicted, what denies it."""


class QuoteFinder:
    """Finds the sentences of hits that support or contradict a claim."""

    def __init__(self, hits: Sequence[Hit], embedder: Embedder, weight: TermWeight) -> None:
        """Judge meaning with `embedder`; `weight` is the rarity of a word in the corpus."""
        self.hits = hits
        self._embedder = embedder
        self._weight = weight
        self._vectors: dict[str, np.ndarray] = {}

    def judge(self, claim: str, cited: Sequence[int]) -> Judged:
        """Return the state of a claim that cites these places; without a model that reads both."""
        found = tuple(self.support(claim, cited))
        if found:
            verbatim = any(quote.verbatim for quote in found)
            return Judged("quoted", 1.0, VERBATIM, found) if verbatim else Judged("supported", quotes=found)
        against = self._against(claim, cited)
        return Judged("contradicted", quotes=(against,)) if against else Judged("unverified")

    def support(self, claim: str, cited: Sequence[int]) -> list[Quote]:
        """Return the quote of each cited hit that supports the claim, else of the one other that does."""
        found = [quote for place in cited if (quote := self._verbatim(claim, place) or self._paraphrased(claim, place))]
        if found:
            return found
        others = [place for place in range(1, len(self.hits) + 1) if place not in cited]
        for finder in (self._verbatim, self._paraphrased):  # a verbatim quote anywhere beats a likeness
            for place in others:
                if quote := finder(claim, place):
                    return [quote]
        return []

    def _against(self, claim: str, cited: Sequence[int]) -> Quote | None:
        """Return the quote that says otherwise of the same; of the cited hits, if one does, else of another."""
        for place in sorted(range(1, len(self.hits) + 1), key=lambda place: place not in cited):
            for score, quote in self._ranked(claim, place)[:1]:
                if score >= SUPPORT and contradicts(claim, self.hits[place - 1], (quote.start, quote.end)):
                    return quote
        return None

    def nearest(self, claim: str, cited: Sequence[int]) -> Quote | None:
        """Return the quote that comes closest to a claim, of the cited hits, if any, else of all; None: none."""
        places = cited or range(1, len(self.hits) + 1)
        ranked = [(score, quote) for place in places for score, quote in self._ranked(claim, place)[:1]]
        return max(ranked, key=lambda pair: pair[0])[1] if ranked else None

    def text(self, quote: Quote) -> str:
        """Return the words of a quote."""
        return self.hits[quote.place - 1].text[quote.start : quote.end]

    def _verbatim(self, claim: str, place: int) -> Quote | None:
        parts = [re.escape(part) for part in claim.strip("*_` ").split()]
        edge = "" if has_unspaced(claim) else r"(?!\B\w)"  # no quote begins or ends within a word
        whole = f"{edge}{_BETWEEN_WORDS.join(parts)}{edge}"
        found = re.search(whole, self.hits[place - 1].text) if parts else None
        return Quote(place, *found.span(), verbatim=True) if found else None

    def _paraphrased(self, claim: str, place: int) -> Quote | None:
        ranked = self._ranked(claim, place)
        if not ranked or ranked[0][0] < SUPPORT:
            return None
        hit, quote = self.hits[place - 1], ranked[0][1]
        return quote if is_faithful(claim, hit, (quote.start, quote.end)) else None

    def _ranked(self, claim: str, place: int) -> list[tuple[float, Quote]]:
        """Return the sentences of a hit most like a claim, each with how like it is, best first."""
        hit = self.hits[place - 1]
        weights = term_weights(claim, hit.language, self._weight)
        shared = {span: coverage(weights, hit.text[slice(*span)], hit.language) for span in windows(hit)}
        close = sorted(shared, key=lambda span: -shared[span])[:_MOST_CANDIDATES]
        if not close:
            return []
        meant = self._embed([claim, *(hit.text[slice(*span)] for span in close)])
        scores = [shared[span] + float(similar) for span, similar in zip(close, meant[1:] @ meant[0], strict=True)]
        ranked = sorted(zip(scores, close, strict=True), key=lambda pair: -pair[0])
        return [(score, Quote(place, *span, verbatim=False)) for score, span in ranked]

    def _embed(self, texts: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors |= dict(zip(new, self._embedder.embed_passages(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])


def windows(hit: Hit) -> list[tuple[int, int]]:
    """List the quotes to choose from: single sentences, and two that follow each other."""
    alone = [(start, end) for start, end, kind in split_sentences(hit.text) if kind != "heading"]
    pairs = [(left[0], right[1]) for left, right in pairwise(alone)]
    return alone + [pair for pair in pairs if pair[1] - pair[0] <= _LONGEST_PAIR]
