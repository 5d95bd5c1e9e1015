"""The lexical part of a version: BM25 over analysed terms, exact for whoever asks, and phrases, by tantivy.

It knows keys and terms only. What may be seen by whom is the catalog's to say, and comes in as the allowed keys and as
the statistics of what is readable: no score, and no order, depends on any other chunk.
"""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from heapq import merge
from itertools import groupby
from pathlib import Path

import numpy as np

from rag_platform.index.joined_postings import JoinedPostings, SegmentPhrases, SegmentWords, WholePostings
from rag_platform.index.keys import among, union
from rag_platform.index.phrases import Phrases, PhrasesWriter
from rag_platform.index.postings import Postings, PostingsWriter
from rag_platform.index.question_words import QuestionWord, question_words
from rag_platform.index.segments import LivingRows
from rag_platform.index.statistics import NORMALISATION, SATURATION, SHORTEST, Statistics
from rag_platform.index.vocabulary import Vocabulary, VocabularyWriter
from rag_platform.text.analysis import exact_terms, index_terms, question_terms

POSTINGS = "postings"
"""The folder of the postings, beside that of the phrases."""
VOCABULARY = "vocabulary"
"""The folder of the words as they are written, beside it."""
_ONE_BY_ONE = 2_000
"""Up to this many chunks are looked up in the postings of each term; of more, all postings are gone through."""
_MANY = 50_000
"""Pairs of a word and a row in postings from which it is worth asking which rows can still be among the best."""
_ROUNDED = 1.0001
"""Spare for what sums lose in single precision."""
_PICKED = 3_000
"""Up to this many rows are named to the index of phrases, at a microsecond each."""
_FIRST = 500
"""Rows that hold something which are compared with the allowed before all of them are."""
_NOTHING = np.empty(0, np.uint64), np.empty(0, np.float32)


def build_lexical(folder: Path, rows: Iterable[tuple[int, str, str]]) -> None:
    """Write an index of (key, text, language) rows, which ascend by key; its postings and vocabulary beside it."""
    postings, vocabulary, phrases = PostingsWriter(), VocabularyWriter(), PhrasesWriter(folder)
    for key, text, language in rows:
        held = index_terms(text, language)
        phrases.add(key, held)
        postings.add(held)
        vocabulary.add(text)
    phrases.finish()
    postings.write(folder.with_name(POSTINGS))
    vocabulary.write(folder.with_name(VOCABULARY))


class LexicalIndex:
    """The opened lexical indexes of a version's segments; safe to search from many threads."""

    def __init__(
        self,
        postings: Sequence[WholePostings],
        vocabularies: Sequence[SegmentWords],
        phrases: SegmentPhrases,
        living: LivingRows,
    ) -> None:
        """Search these parts of each segment, whose chunks are the rows of `living`."""
        self._parts, self._vocabularies, self._phrases = postings, vocabularies, phrases
        self.postings = JoinedPostings(postings)
        self.written_postings = JoinedPostings([vocabulary.postings for vocabulary in vocabularies])
        self._living = living
        self._last: tuple[weakref.ref[np.ndarray], np.ndarray] | None = None
        for name, joined in ((POSTINGS, self.postings), (VOCABULARY, self.written_postings)):
            if joined.starts != living.starts.tolist():
                held = np.diff(joined.starts).tolist()
                raise ValueError(f"{name} hold {held} chunks, not {np.diff(living.starts).tolist()}")

    @classmethod
    def of_folders(cls, folders: Sequence[Path], living: LivingRows) -> "LexicalIndex":
        """Open the index of each segment from its files."""
        vocabularies = [Vocabulary(folder.with_name(VOCABULARY)) for folder in folders]
        return cls(
            [Postings(folder.with_name(POSTINGS)) for folder in folders], vocabularies, Phrases(folders, living), living
        )

    def __len__(self) -> int:
        return len(self._living)

    def counts(
        self, readable: np.ndarray, searched: np.ndarray, languages: Sequence[str], *, everything: bool
    ) -> Statistics:
        """Count words as `ports.VersionWords` says."""
        rows, whole = self._living.mask(readable), (self.postings, self.written_postings)
        postings, written = whole if everything else self._readable(self._living.mask(searched))
        return Statistics(postings, rows, languages, written)

    def _readable(self, rows: np.ndarray) -> tuple[JoinedPostings, JoinedPostings]:
        """Return the postings of terms, and of words, as somebody sees them who may read these rows: bool, for each."""
        written = [vocabulary.postings for vocabulary in self._vocabularies]
        return JoinedPostings.readable(self._parts, rows), JoinedPostings.readable(written, rows)

    def search(
        self, question: str, depth: int, statistics: Statistics, allowed: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys (uint64) and BM25 scores (float32) of the best rows, at most `depth`, best first.

        Args:
            question: whose words are looked for.
            depth: how many rows are returned at most.
            statistics: of the chunks that the asker may read.
            allowed: the keys (ascending) that may be found; None: all.
        """
        words = question_words(question, statistics)
        if not words or (allowed is not None and not len(allowed)):
            return _NOTHING
        words.sort(key=lambda word: -word.most)
        places, scores = self._scored(words, depth, statistics, allowed)
        best = _best(scores, depth, self._living.row_keys, places)
        return self._living.row_keys[best if places is None else places[best]], scores[best]

    def _scored(
        self, words: Sequence[QuestionWord], depth: int, statistics: Statistics, allowed: np.ndarray | None
    ) -> tuple[np.ndarray | None, np.ndarray]:
        """Return rows (ascending; None: all) with their scores; 0: it has no word, is not allowed, or does not live.

        The words come by their weight, the rarest first. Once a row that lacks all of them so far cannot be among the
        best any more, only the others are looked up in the longer postings of the words that are left: Turtle and
        Flood, "Query Evaluation: Strategies and Optimizations", IPM 1995.
        """
        places, kept = (None, None) if allowed is None else self._allowed(allowed)
        scores = np.zeros(len(self._living.row_keys) if places is None else len(places), np.float32)
        for at, word in enumerate(words):
            if places is None and _pairs(words[at:], statistics) > _MANY:
                scores[self._living.dead] = 0
                most = _ROUNDED * sum(left.most for left in words[at:])
                places = _contenders(scores if kept is None else scores * kept, depth, most)
                scores = scores if places is None else scores[places]
            self._add(scores, word, statistics, places)
        if places is None:
            scores[self._living.dead] = 0
            if kept is not None:
                scores *= kept
        return places, scores

    def _add(self, scores: np.ndarray, word: QuestionWord, statistics: Statistics, places: np.ndarray | None) -> None:
        """Add what a word is worth to the scores of the rows that hold it."""
        times = np.float32(word.times)
        if len(word.variants) == 1:
            rows, gains = self._gains(word.variants[0], statistics, places)
            scores[rows] += times * gains
            return
        best = np.zeros_like(scores)  # a word counts once, in whichever language it was meant
        for term in word.variants:
            rows, gains = self._gains(term, statistics, places)
            best[rows] = np.maximum(best[rows], gains)
        scores += times * best

    def _allowed(self, allowed: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return where the allowed keys are: their rows, or of many, for each row, whether it is one (bool).

        The array that was given last is known by itself.
        """
        if len(allowed) <= _ONE_BY_ONE:
            return np.sort(self._living.rows(allowed)), None
        known = self._last
        if known is None or known[0]() is not allowed:
            known = self._last = weakref.ref(allowed), self._passing(allowed)
        return None, known[1]

    def _passing(self, allowed: np.ndarray) -> np.ndarray:
        return self._living.mask(among(self._living.keys, allowed))

    def _gains(self, term: str, statistics: Statistics, places: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows, of those at these places (None: of all), hold a term, and what it adds to their scores."""
        per_term = np.float32(SATURATION * NORMALISATION / statistics.average_length)
        shortest = np.float32(SHORTEST * statistics.average_length)
        weight = np.float32((1 + SATURATION) * statistics.idf(term))
        holding, counts = statistics.postings.of(term, superset=places is not None)
        rows = holding
        if places is not None and len(holding):
            at = np.minimum(np.searchsorted(holding, places), len(holding) - 1)
            rows = np.flatnonzero(holding[at] == places)
            holding, counts = holding[at[rows]], counts[at[rows]]
        lengths = np.maximum(self.postings.lengths[holding], shortest)
        norms = lengths * per_term + np.float32(SATURATION * (1 - NORMALISATION))
        times = counts.astype(np.float32)
        return rows, weight * times / (times + norms)

    def word_weight(self, word: str, statistics: Statistics) -> float:
        """Return how much a word tells: its idf (as in BM25), 0 < weight."""
        variants = exact_terms(word, statistics.languages)
        return statistics.idf(*(term for one in variants for term in one))

    def document_frequencies(self, words: Sequence[str], statistics: Statistics) -> np.ndarray:
        """Return how many readable rows hold each word: int64, shape (len(words),); quick for hundreds of words."""
        most = np.zeros(len(words), np.int64)
        for language in statistics.languages or ("",):
            found = question_terms(" ".join(words), language)
            if len(found) != len(words):  # some are several terms, such as those of a script without spaces
                found = [" ".join(question_terms(word, language)) for word in words]
            most = np.maximum(most, statistics.frequencies(found))
        return most

    def words(self, part: str, statistics: Statistics, *, begins: bool = False, ends: bool = False) -> Iterator[str]:
        """Yield the words of the vocabulary that hold a part and stand in readable rows, as `Vocabulary.words` does."""
        each = zip(self._vocabularies, statistics.written.parts, strict=True)
        found = merge(*(vocabulary.words(part, own, begins=begins, ends=ends) for vocabulary, own in each))
        return (word for word, _ in groupby(found))

    def written(self, words: Iterable[str], statistics: Statistics) -> np.ndarray:
        """Return the keys (uint64, ascending) of the readable rows that hold any of these words of the vocabulary."""
        held = np.zeros(len(statistics.written), bool)
        for rows in statistics.written.holders([*words]):
            held[rows] = True
        return self._living.keys_of(np.flatnonzero(held))

    def commonest(self, words: Iterable[str], statistics: Statistics, allowed: np.ndarray | None) -> str | None:
        """Return which of these words of the vocabulary most of the allowed rows (None: all) hold; None: none do."""
        every = [*words]
        held = statistics.written.holders(every)
        passing = self._living.alive if allowed is None else self._passing(allowed)
        counts = [len(rows) if passing is None else int(passing[rows].sum()) for rows in held]
        best = int(np.argmax(counts)) if counts else 0
        return every[best] if counts and counts[best] else None

    def holding_all(self, question: str, statistics: Statistics) -> np.ndarray | None:
        """Return the keys (uint64, ascending) of the rows that hold every word of a question, each in any form.

        None: it has no word that is looked for.
        """
        words = question_words(question, statistics)
        if not words:
            return None
        held = (union(statistics.postings.holders(word.variants)) for word in words)
        return self._living.keys_of(reduce(np.intersect1d, held))

    def stands(self, phrase: str, statistics: Statistics, allowed: np.ndarray | None = None) -> bool:
        """Tell whether an allowed row holds the phrase's terms in a row, in any language."""
        held = self.holding(phrase, statistics)
        parts = (held[:_FIRST], held[_FIRST:])
        return len(held) > 0 if allowed is None else any(among(part, allowed).any() for part in parts)

    def holding(self, phrase: str, statistics: Statistics) -> np.ndarray:
        """Return the keys (uint64, ascending) of the rows that hold the phrase's terms in a row, in any language.

        It is looked for in the readable rows that hold all its terms: what other rows hold takes no time. Where they
        are many, it is looked for in all.
        """
        analysed = dict.fromkeys(tuple(question_terms(phrase, language)) for language in statistics.languages or ("",))
        statistics.expect([term for found in analysed for term in found])
        held = []
        for found in filter(None, analysed):
            keys = self._living.keys_of(reduce(np.intersect1d, statistics.postings.holders(found)))
            if len(found) > 1 and len(keys):
                among_them = statistics.postings is not self.postings and len(keys) <= _PICKED
                keys = np.intersect1d(keys, self._phrases.keys(found, keys if among_them else None))
            held.append(keys)
        return union(held) if held else np.empty(0, np.uint64)

    def keys(self) -> np.ndarray:
        """Return the key (uint64) of every living row of the phrases, in any order."""
        return self._phrases.keys()

    def problems(self, expected: Iterable[tuple[int, Sequence[str], Sequence[str]]]) -> Iterator[str]:
        """Yield how the files differ from the terms, and the distinct words, that the chunks of these keys have."""
        for key, held, written in expected:
            segment, place = self._living.place(int(self._living.rows(np.array([key], np.uint64))[0]))
            frequencies = {term: self._phrases.count(segment, term) for term in held}
            yield from self._parts[segment].problems([(place, held)], frequencies)
            yield from self._vocabularies[segment].postings.problems([(place, written)], {})


def _pairs(words: Sequence[QuestionWord], statistics: Statistics) -> int:
    """Return of how many readable rows it is told that they hold one of these words."""
    return sum(statistics.frequency(term) for word in words for term in word.variants)


def _contenders(scores: np.ndarray, depth: int, most: float) -> np.ndarray | None:
    """Return the places of rows that can still be among the best, if no row without a score can; else None.

    `most` is what rows may gain yet.
    """
    found = np.flatnonzero(scores > 0)
    if len(found) < depth:
        return None
    least = np.partition(scores[found], len(found) - depth)[len(found) - depth]
    return found[scores[found] + most >= least] if least >= most else None


def _best(scores: np.ndarray, depth: int, keys: np.ndarray, places: np.ndarray | None) -> np.ndarray:
    """Return the places of the best scores above 0, at most `depth`, best first; of equal ones the lowest keys first.

    `keys` are those of all rows, `places` the rows that have the scores (None: all).
    """
    found = np.flatnonzero(scores > 0)
    if len(found) > depth:
        least = np.partition(scores[found], len(found) - depth)[len(found) - depth]
        found = found[scores[found] >= least]
    own = keys[found if places is None else places[found]]
    best: np.ndarray = found[np.lexsort((own, -scores[found]))[:depth]]
    return best
