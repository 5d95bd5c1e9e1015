"""Question and hits -> what each sentence of the hits says about it, word by word.

Each passage is read once, as a whole: the vector of a token knows the sentences around it, so that "It was founded in
1889" is near to a question about the society that the sentence before names. A sentence is measured by its own tokens:
by their mean (as in Günther et al., "Late Chunking", 2024), and by the best match of each word of the question among
them (MaxSim: Khattab and Zaharia, "ColBERT", 2020). Each hit is read by the model of its own vector space.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rag_platform.answering.citations.wording import tokenize
from rag_platform.answering.coverage import TermWeight, coverage, is_question_word, term_weights
from rag_platform.answering.generators.hit_readers import WORDS, HitReader, everyday
from rag_platform.answering.generators.passage_reading import PassageToRead, Reading, read_passages, towards
from rag_platform.core.generation import QuotedSpan
from rag_platform.core.hits import Hit, Passage
from rag_platform.core.ids import embedding_text
from rag_platform.core.ports import Memo
from rag_platform.embeddings.embedding_model import TokenVectors
from rag_platform.text.analysis.texts import has_unspaced
from rag_platform.text.instructions.injection import find
from rag_platform.text.language import UNDETERMINED, may_be
from rag_platform.text.sentences import Sentence, split_sentences

_MOST_SENTENCES = 80
_LEAST = 1e-3
"""Least distance of a level from 1."""
_ASKING = 0.5
"""What a word that only asks counts, such as "who" or "how": a name is near to "who", a number to "how many"."""
_EXAMPLE = 0.9
"""What a line of code, or of what a program printed, counts: it is rather an example of what is asked."""


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of a question, as a model reads them; in a script without spaces each of its pieces is one."""

    tokens: np.ndarray
    """float32, shape (tokens, dimension): vectors of their pieces."""
    owners: np.ndarray
    """int64, shape (tokens,): the word that each token is a piece of, from 0."""
    telling: np.ndarray
    """bool, shape (words,): not only there to ask."""

    @property
    def shares(self) -> np.ndarray:
        """What each word counts, whatever its rarity: float32, shape (words,), which sum to 1."""
        counts = np.where(self.telling, 1.0, _ASKING).astype(np.float32)
        shares: np.ndarray = counts / counts.sum()
        return shares

    def matches(self, tokens: np.ndarray) -> np.ndarray:
        """Return how near each word is to each token: float32, shape (words, tokens)."""
        near = self.tokens @ tokens.T
        return np.stack([near[self.owners == word].mean(axis=0) for word in range(len(self.telling))])


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A sentence of a hit that may become part of an answer."""

    place: int
    """Of its hit, from 1."""
    start: int
    end: int
    text: str
    meaning: float
    """How near the sentence, in its passage, is to the question: 0 as everyday sentences are, at most 1."""
    words: float
    """How near the question's words are to words of the sentence, in the mean, likewise."""
    coverage: float
    """Share of the question's words that the sentence or its title has, weighted by their rarity."""
    standing: float
    """Score of its hit against the best hit's, in [0, 1]."""
    relevance: float
    """How well the sentence answers."""

    @property
    def quoted(self) -> QuotedSpan:
        """The sentence as it stands in its hit."""
        return QuotedSpan(self.place, (self.start, self.end))


@dataclass(frozen=True, slots=True)
class PassageEvidence:
    """What a passage, with its title and section, holds of a question."""

    coverage: float
    """Share of the question's words, weighted by their rarity."""
    lacking: int
    """Names and numbers of the question that it does not hold: other words can be said otherwise."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the hits hold on a question."""

    candidates: tuple[Candidate, ...]
    """Sentences, most relevant first."""
    passages: tuple[PassageEvidence, ...]
    relevance: float | None
    """The probability that the most relevant hit is relevant; None: nothing tells."""
    understood: bool
    """Whether a model read the best hit; else only the letters of its words counted."""
    unspaced: bool
    """Whether the question is written without spaces between words."""


class _Asked(NamedTuple):
    """A question as somebody reads it."""

    reader: HitReader
    words: QuestionWords
    vector: np.ndarray
    """float32, shape (dimension,)."""
    levels: np.ndarray
    """How near question and words are to sentences about everyday things, in the mean: float32, shape (1 + words,)."""

    def near(self, cosines: np.ndarray) -> np.ndarray:
        """Return cosines, of the shape of `levels`, as nearness: 0 at those levels and 1 at 1, whatever the model."""
        nearness: np.ndarray = (cosines - self.levels) / np.maximum(1 - self.levels, _LEAST)
        return nearness


class _Read(NamedTuple):
    """A passage, who read it, and what it says."""

    place: int
    """Of its hit, from 0."""
    passage: Passage
    text: str
    sentences: Sequence[Sentence]
    """In the hit's text."""
    asked: _Asked
    reading: Reading


def gather_evidence(
    question: str,
    hits: Sequence[Hit],
    readers: Sequence[HitReader],
    weight: TermWeight,
    memo: Memo | None = None,
) -> Evidence:
    """Measure every sentence of the hits.

    Args:
        question: what is asked.
        hits: where an answer may be, best first.
        readers: who reads each of them.
        weight: the rarity of a word in the corpus.
        memo: knows what passages said to the question that were read before.
    """
    best = max((hit.score for hit in hits), default=0.0)
    candidates: list[Candidate] = []
    passages: list[PassageEvidence] = []
    for one in _read_all(question, hits, readers, memo):
        hit, terms = hits[one.place], term_weights(question, hits[one.place].language, weight)
        title = f"{hit.title} {one.passage.section}"
        held = coverage(terms, f"{title} {one.text}", hit.language)
        passages.append(PassageEvidence(held, _lacking(question, f"{title} {one.text}", hit.language)))
        standing = max(0.0, one.passage.score / best) if best > 0 else 1.0
        for sentence, measured in zip(one.sentences, one.reading.values[1:], strict=True):
            if not np.isnan(measured[0]):
                held = coverage(terms, f"{title} {hit.text[sentence.start : sentence.end]}", hit.language)
                candidates.append(_of_sentence(one, sentence, hit, measured, held, standing))
    ordered = tuple(sorted(candidates, key=lambda candidate: -candidate.relevance))
    understood = any(reader != WORDS for reader in readers[:1])
    likely = max((hit.relevance for hit in hits if hit.relevance is not None), default=None)
    return Evidence(ordered, tuple(passages), likely, understood, has_unspaced(question))


def _lacking(question: str, text: str, language: str) -> int:
    """Count the names and numbers of a question that a text lacks; a name may be written otherwise in its language."""
    kinds = {"name", "number"} if language == UNDETERMINED or may_be(question, (language,)) else {"number"}
    wanted = {token.key for token in tokenize(question, language) if token.kind in kinds}
    return len(wanted - {token.key for token in tokenize(text, language)}) if wanted else 0


def _of_sentence(
    one: _Read, sentence: Sentence, hit: Hit, measured: np.ndarray, held: float, standing: float
) -> Candidate:
    meaning, *near = one.asked.near(measured).tolist()
    words = float(one.asked.words.shares @ near)
    relevance = (meaning + words + 0.5 * held + 0.5 * standing) * (_EXAMPLE if sentence.kind == "code" else 1.0)
    start, end, _ = sentence
    return Candidate(one.place + 1, start, end, hit.text[start:end], meaning, words, held, standing, relevance)


def _read_all(question: str, hits: Sequence[Hit], readers: Sequence[HitReader], memo: Memo | None) -> Iterator[_Read]:
    """Yield each passage with what it says; each reader reads all of its own at once."""
    quoted = _sentences(hits)
    for reader in dict.fromkeys(readers):
        asked = _ask(question, reader)
        own = [place for place, other in enumerate(readers) if other == reader]
        wanted = [
            (place, passage, *_to_read(hits[place], passage, quoted[place], reader))
            for place in own
            for passage in hits[place].passages
        ]
        readings = read_passages(
            question, asked.words.matches, asked.vector, [one for *_, one in wanted], reader.tokens, memo
        )
        for (place, passage, sentences, one), reading in zip(wanted, readings, strict=True):
            yield _Read(place, passage, one.text, sentences, asked, reading)


def _to_read(
    hit: Hit, passage: Passage, quoted: Sequence[Sentence], reader: HitReader
) -> tuple[list[Sentence], PassageToRead]:
    """Return the sentences that begin in a passage, and the passage as it is read."""
    header, text = _as_read(hit, passage)
    offset = passage.span[0] - hit.span[0]
    own = [one for one in quoted if 0 <= one.start - offset < len(text)]
    inside = [(one.start - offset, one.end - offset) for one in own]
    return own, PassageToRead(reader.passage_prefix + header, text, inside)


def _ask(question: str, reader: HitReader) -> _Asked:
    tokens = reader.tokens.embed_tokens([reader.query_prefix + question])[0].after(reader.query_prefix)
    words, vector = _words(question, tokens), reader.tokens.embed_query(question)
    levels = np.array([[towards(vector, one), *words.matches(one).max(axis=1)] for one in everyday(reader)], np.float32)
    return _Asked(reader, words, vector, levels.mean(axis=0))


def _as_read(hit: Hit, passage: Passage) -> tuple[str, str]:
    """Return what goes before a passage's text, and the text: as its chunk was embedded, which is not done twice."""
    text, names = hit.text_of(passage), passage.section.split(" > ") if passage.section else []
    if hit.title and (not names or names[0].casefold() != hit.title.casefold()):
        names.insert(0, hit.title)
    return embedding_text(" > ".join(names), text).removesuffix(text), text


def _words(question: str, tokens: TokenVectors) -> QuestionWords:
    """Put the pieces of each word together; without any word, the whole question is one."""
    spoken = tokens.spoken(question)
    kept = np.flatnonzero(spoken) if spoken.any() else np.arange(len(tokens.words))
    words = np.arange(len(spoken)) if has_unspaced(question) else tokens.words  # some take a whole clause for a word
    _, owners = np.unique(words[kept], return_inverse=True)
    spans = [tokens.spans[kept][owners == word] for word in range(int(owners.max(initial=-1)) + 1)]
    said = [question[span[:, 0].min() : span[:, 1].max()] for span in spans]
    telling = np.array([not is_question_word(word) for word in said], bool)
    if not telling.any():
        telling[:] = True
    return QuestionWords(tokens.vectors[kept], owners, telling)


def _sentences(hits: Sequence[Hit]) -> list[list[Sentence]]:
    """List the sentences of each hit that are worth quoting; overlapping hits give each only once.

    None that tries to instruct a language model is an answer: whoever reads this one next may be such a model.
    """
    found: list[list[Sentence]] = []
    seen: set[str] = set()
    for hit in hits:
        orders, own = list(find(hit.text)), []
        for sentence in split_sentences(hit.text):
            start, end, kind = sentence
            key = " ".join(hit.text[start:end].split()).lower()
            ordering = any(start < until and since < end for since, until in orders)
            if kind != "heading" and key not in seen and not ordering and len(seen) < _MOST_SENTENCES:
                seen.add(key)
                own.append(sentence)
        found.append(own)
    return found
