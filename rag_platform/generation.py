"""Hits -> the text of an answer, in pieces: sentences of the hits themselves, without any language model.

A generator is a generator function: it yields text and returns an `Outcome`. Every sentence carries marks ``[n]``, n
being a 1-based place among the hits; `citations.verify` checks them afterwards, whoever wrote them.
"""

import math
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rag_platform.ports import Embedder
from rag_platform.records import Hit
from rag_platform.sentences import Weight, coverage, split

ABSTENTION = "The sources do not contain an answer to this question."
"""What a generator says, word for word, when the sources do not hold the answer."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a generator tells besides its text."""

    model: str
    prompt_hash: str = ""
    """Of everything the model was given; empty when there was no prompt."""
    reasoning: str = ""
    """What the model thought aloud; never part of the answer."""
    warnings: tuple[str, ...] = ()
    retracted: int = 0
    """Characters at the start of the text that turned out to be reasoning."""


Writing = Generator[str, None, Outcome]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence of a hit that may become part of an answer."""

    place: int
    """Of its hit, from 1."""
    start: int
    end: int
    text: str
    similarity: float
    """Cosine of sentence and question."""
    coverage: float
    """Share of the question's words that the sentence has, weighted by their rarity."""
    standing: float
    """Score of its hit against the best hit's, in [0, 1]."""
    vector: np.ndarray = field(repr=False, compare=False)

    @property
    def relevance(self) -> float:
        """How well the sentence answers; the weights were chosen on questions with known answers."""
        return 0.55 * self.similarity + 0.3 * self.coverage + 0.15 * self.standing


class Extractive:
    """Answers with the best supported sentences of the hits, or abstains."""

    name = "extractive"

    def __init__(self, embedder: Embedder, weight: Weight = lambda word: 1.0, sentences: int = 3) -> None:
        """Choose with `embedder`; `weight` is the rarity of a word in the corpus."""
        self.embedder = embedder
        self.weight = weight
        self.sentences = sentences

    def stream(self, question: str, hits: Sequence[Hit]) -> Writing:
        """Yield each chosen sentence with its mark, or `ABSTENTION`."""
        candidates = self.candidates(question, hits)
        if answerability(candidates) < THRESHOLD:
            yield ABSTENTION
            return Outcome(self.name)
        space = ""
        for chosen in sorted(choose(candidates, self.sentences), key=lambda candidate: (candidate.place, candidate.start)):
            yield f"{space}{readable(chosen.text)} [{chosen.place}]"
            space = " "
        return Outcome(self.name)

    def candidates(self, question: str, hits: Sequence[Hit]) -> list[Candidate]:
        """Measure every sentence of the hits against the question, best first."""
        places = _sentences(hits)
        if not places:
            return []
        texts = [hits[place].text[start:end] for place, start, end in places]
        question_vector = self.embedder.embed_query(question)
        vectors = self.embedder.embed_passages([" ".join(text.split()) for text in texts])
        best = max(abs(hit.score) for hit in hits) or 1.0
        found = [
            Candidate(
                place + 1, start, end, text,
                similarity=float(vector @ question_vector),
                coverage=coverage(question, text, self.weight),
                standing=max(0.0, hits[place].score / best),
                vector=vector,
            )
            for (place, start, end), text, vector in zip(places, texts, vectors, strict=True)
        ]  # fmt: skip
        return sorted(found, key=lambda candidate: -candidate.relevance)


def _sentences(hits: Sequence[Hit]) -> list[tuple[int, int, int]]:
    """List the sentences worth quoting, as (place from 0, start, end); overlapping hits give each only once."""
    found, seen = [], set()
    for place, hit in enumerate(hits):
        for start, end, kind in split(hit.text, hit.language):
            text = hit.text[start:end]
            key = " ".join(text.split()).lower()
            if kind != "heading" and key not in seen and _MIN_LETTERS <= len(key):
                seen.add(key)
                found.append((place, start, end))
    return found[:_MOST_SENTENCES]
