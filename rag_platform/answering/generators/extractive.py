"""Hits -> an answer of quotes, without any language model.

`evidence` measures the sentences, `answerability` tells whether to answer at all; here the sentences are chosen, and
`quotes` makes of them what is shown.
"""

from collections.abc import Sequence
from copy import copy
from functools import partial

from rag_platform.answering.coverage import TermWeight, uniform_weight
from rag_platform.answering.generators.answerability import THRESHOLD, answerability
from rag_platform.answering.generators.evidence import Candidate, Evidence, gather_evidence
from rag_platform.answering.generators.hit_readers import EmbedderOf, HitReader, ReadersOf, reader_of, readers_in
from rag_platform.answering.generators.one_language import of_one_language
from rag_platform.answering.generators.voices import NEAR_BEST, weigh_voices
from rag_platform.answering.quotes.quoted_answer import quotes_markdown
from rag_platform.answering.quotes.short_answers import with_short_answer
from rag_platform.answering.quotes.spans import to_quotes
from rag_platform.answering.quotes.verdicts import verdict_of
from rag_platform.config.settings import AnswerSettings
from rag_platform.core.generation import AnswerStream, Outcome
from rag_platform.core.hits import Hit
from rag_platform.core.ports import Memo
from rag_platform.embeddings.embedding_model import EmbeddingModel
from rag_platform.index.releases.view import View
from rag_platform.text.abstention import abstention
from rag_platform.text.analysis import terms

_REPETITION = 0.3  # weight of what was said already
_SAME = 0.8  # share of common words from which two sentences say the same


class Extractive:
    """Answers with the best supported sentences of the hits, or abstains."""

    name = "extractive"

    def __init__(
        self,
        embedder: EmbeddingModel,
        weight: TermWeight = uniform_weight,
        sentences: int = 3,
        threshold: float | None = None,
    ) -> None:
        """Choose with `embedder`.

        Args:
            embedder: reads question and hits.
            weight: the rarity of a word in the corpus.
            sentences: most of an answer.
            threshold: answerability from which to answer; None: `THRESHOLD`.
        """
        self.embedder = embedder
        self.weight = weight
        self.sentences = sentences
        self.threshold = THRESHOLD if threshold is None else threshold
        self.readers: ReadersOf = self._alone
        self.memo: Memo | None = None

    @classmethod
    def as_set(cls, embedder: EmbeddingModel, settings: AnswerSettings) -> "Extractive":
        """Answer as the settings say."""
        return cls(embedder, sentences=settings.sentences, threshold=settings.threshold)

    def over(self, view: View, embedder_of: EmbedderOf) -> "Extractive":
        """Return the one that weighs words by what an asker may read, and reads each hit with its space's model."""
        other = copy(self)
        other.weight, other.readers = view.word_weight, partial(readers_in, view, embedder_of, other=self.embedder)
        return other

    def remembering(self, memo: Memo) -> "Extractive":
        """Return the one that asks the memo what a passage says to a question before it reads it."""
        other = copy(self)
        other.memo = memo
        return other

    def stream(self, question: str, hits: Sequence[Hit]) -> AnswerStream:
        """Yield each quote with its mark, or that there is no answer."""
        evidence = self.evidence(question, hits)
        if self.answerability(evidence) < self.threshold:
            yield abstention(question)
            return Outcome(self.name)
        candidates = weigh_voices(question, evidence.candidates, hits, self.weight)
        spoken, others = of_one_language(question, candidates, hits)
        best, *_ = chosen = [one.quoted for one in select_sentences(spoken, self.sentences)]
        first, *further = to_quotes(chosen, hits)
        hit = hits[best.place - 1]
        quotes = [with_short_answer(question, first, best.span, hit, self.weight), *further]
        yield from quotes_markdown(quotes, hits)
        also = tuple(to_quotes([one.quoted], hits)[0] for one in others)
        verdict = verdict_of(question, first, hit, self.weight)
        return Outcome(self.name, quotes=tuple(quotes), also=also, verdict=verdict)

    def evidence(self, question: str, hits: Sequence[Hit]) -> Evidence:
        """Measure the sentences of the hits."""
        return gather_evidence(question, hits, self.readers(question, hits), self.weight, self.memo)

    def answerability(self, evidence: Evidence) -> float:
        """Return the probability that the hits hold an answer."""
        return answerability(evidence)

    def _alone(self, question: str, hits: Sequence[Hit]) -> list[HitReader]:
        return [reader_of(self.embedder, question, hit) for hit in hits]


def select_sentences(candidates: Sequence[Candidate], count: int) -> list[Candidate]:
    """Choose the most relevant sentences that do not repeat each other, best first.

    Maximal marginal relevance: Carbonell and Goldstein, "The use of MMR …", SIGIR 1998.
    """
    left = [candidate for candidate in candidates if candidate.relevance >= NEAR_BEST * candidates[0].relevance]
    said = {candidate: frozenset(terms(candidate.text, "und")) for candidate in left}
    chosen: list[Candidate] = []
    while left and len(chosen) < count:
        repeats = {one: max((_shared(said[one], said[other]) for other in chosen), default=0.0) for one in left}
        left = [one for one in left if repeats[one] < _SAME]
        if not left:
            break
        best = max(left, key=lambda one: one.relevance - _REPETITION * repeats[one])
        chosen.append(best)
        left.remove(best)
    return chosen


def _shared(words: frozenset[str], others: frozenset[str]) -> float:
    return len(words & others) / max(1, len(words | others))
