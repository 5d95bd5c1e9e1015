"""The lexical part of a version: BM25 over analysed terms, exact for whoever asks, and phrases, by tantivy.

It knows keys and terms only. What may be seen by whom is the catalog's to say, and comes in as the allowed keys and as
the statistics of what is readable: no score, and no order, depends on any other chunk.
"""

import tempfile
import weakref
from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Document, Query

from rag_platform.index.keys import among
from rag_platform.index.postings import Postings, PostingsWriter
from rag_platform.index.question_words import QuestionWord, question_words
from rag_platform.index.reading import explaining_damage
from rag_platform.index.statistics import NORMALISATION, SATURATION, SHORTEST, Statistics
from rag_platform.index.vocabulary import Vocabulary, VocabularyWriter
from rag_platform.text.analysis import exact_terms, index_terms, terms

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
_FIRST = 500
"""Rows that hold something which are compared with the allowed before all of them are."""
_NOTHING = np.empty(0, np.uint64), np.empty(0, np.float32)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="position")
    return builder.build()


def build_lexical(folder: Path, rows: Iterable[tuple[int, str, str]]) -> None:
    """Write an index of (key, text, language) rows, which ascend by key; its postings and vocabulary beside it.

    It is always written whole: that runs at tens of thousands of chunks a second, and an index made by difference is
    equal to one made from nothing.
    """
    folder.mkdir(parents=True)
    schema, postings, vocabulary = _schema(), PostingsWriter(), VocabularyWriter()
    index = tantivy.Index(schema, path=str(folder))
    writer = index.writer(heap_size=128_000_000, num_threads=1)  # one thread: equal input, equal order
    for key, text, language in rows:
        held = index_terms(text, language)
        writer.add_document(Document.from_dict({"key": key, "terms": " ".join(held)}, schema))
        postings.add(held)
        vocabulary.add(text)
    writer.commit()
    writer.wait_merging_threads()
    postings.write(folder.with_name(POSTINGS))
    vocabulary.write(folder.with_name(VOCABULARY))


class LexicalIndex:
    """An opened lexical index; safe to search from many threads."""

    def __init__(self, folder: Path, keys: np.ndarray) -> None:
        """Open an index of the chunks of these keys (uint64, ascending)."""
        self.postings = Postings(folder.with_name(POSTINGS))
        self.vocabulary = Vocabulary(folder.with_name(VOCABULARY))
        self._folder, self._keys = folder, keys
        self._last: tuple[weakref.ref[np.ndarray], np.ndarray] | None = None
        for name, held in ((POSTINGS, len(self.postings)), (VOCABULARY, len(self.vocabulary.postings))):
            if held != len(keys):
                raise ValueError(f"{folder.with_name(name)} holds {held} chunks, not {len(keys)}")
        self._index = _opened(folder)
        self._searcher = self._index.searcher()

    def __len__(self) -> int:
        return self._searcher.num_docs

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
        best = _best(scores, depth)
        return self._keys[best if places is None else places[best]], scores[best]

    def _scored(
        self, words: Sequence[QuestionWord], depth: int, statistics: Statistics, allowed: np.ndarray | None
    ) -> tuple[np.ndarray | None, np.ndarray]:
        """Return places of rows (None: all) with their scores; 0: it has no word, or it is not allowed.

        The words come by their weight, the rarest first. Once a row that lacks all of them so far cannot be among the
        best any more, only the others are looked up in the longer postings of the words that are left: Turtle and
        Flood, "Query Evaluation: Strategies and Optimizations", IPM 1995.
        """
        places, kept = (None, None) if allowed is None else self._allowed(allowed)
        scores = np.zeros(len(self._keys) if places is None else len(places), np.float32)
        for at, word in enumerate(words):
            if places is None and self._pairs(words[at:]) > _MANY:
                most = _ROUNDED * sum(left.most for left in words[at:])
                places = _contenders(scores if kept is None else scores * kept, depth, most)
                scores = scores if places is None else scores[places]
            self._add(scores, word, statistics, places)
        if places is None and kept is not None:
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

    def _pairs(self, words: Sequence[QuestionWord]) -> int:
        return sum(self.postings.count(term) for word in words for term in word.variants)

    def _passing(self, allowed: np.ndarray | None) -> np.ndarray | None:
        return None if allowed is None else among(self._keys, allowed)

    def _allowed(self, allowed: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return where the allowed keys are: their places, or of many, for each row, whether it is one (bool).

        The array that was given last is known by itself.
        """
        if len(allowed) <= _ONE_BY_ONE:
            return np.searchsorted(self._keys, allowed), None
        known = self._last
        if known is None or known[0]() is not allowed:
            known = self._last = weakref.ref(allowed), among(self._keys, allowed)
        return None, known[1]

    def _gains(self, term: str, statistics: Statistics, places: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows, of those at these places (None: of all), hold a term, and what it adds to their score."""
        chunks, frequencies = self.postings.of(term)
        rows = chunks
        if places is not None:
            rows = np.flatnonzero(among(places, chunks))
            at = np.searchsorted(chunks, places[rows])
            chunks, frequencies = chunks[at], frequencies[at]
        per_term = np.float32(SATURATION * NORMALISATION / statistics.average_length)
        lengths = np.maximum(self.postings.lengths[chunks], np.float32(SHORTEST * statistics.average_length))
        norms = lengths * per_term + np.float32(SATURATION * (1 - NORMALISATION))
        often = frequencies.astype(np.float32)
        weight = np.float32((1 + SATURATION) * statistics.idf(term))
        return rows, weight * often / (often + norms)

    def word_weight(self, word: str, statistics: Statistics) -> float:
        """Return how much a word tells: its idf (as in BM25), 0 < weight."""
        variants = exact_terms(word, statistics.languages)
        return statistics.idf(*(term for one in variants for term in one))

    def document_frequencies(self, words: Sequence[str], statistics: Statistics) -> np.ndarray:
        """Return how many readable rows hold each word: int64, shape (len(words),); quick for hundreds of words."""
        most = np.zeros(len(words), np.int64)
        for language in statistics.languages or ("",):
            found = terms(" ".join(words), language)
            if len(found) != len(words):  # some are several terms, such as those of a script without spaces
                found = [" ".join(terms(word, language)) for word in words]
            most = np.maximum(most, statistics.frequencies(found))
        return most

    def written(self, words: Iterable[str]) -> np.ndarray:
        """Return the keys (uint64, ascending) of the rows that hold any of these words of the vocabulary."""
        keys: np.ndarray = self._keys[self.vocabulary.chunks([*words])]
        return keys

    def commonest(self, words: Iterable[str], allowed: np.ndarray | None) -> str | None:
        """Return which of these words of the vocabulary most of the allowed rows (None: all) hold; None: none do."""
        every = [*words]
        held, passing = self.vocabulary.postings.holders(every), self._passing(allowed)
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
        held = (np.unique(np.concatenate(self.postings.holders(word.variants))) for word in words)
        keys: np.ndarray = self._keys[reduce(np.intersect1d, held)]
        return keys

    def stands(self, phrase: str, statistics: Statistics, allowed: np.ndarray | None = None) -> bool:
        """Tell whether an allowed row holds the phrase's terms in a row, in any language."""
        held = self.holding(phrase, statistics)
        parts = (held[:_FIRST], held[_FIRST:])
        return len(held) > 0 if allowed is None else any(among(part, allowed).any() for part in parts)

    def holding(self, phrase: str, statistics: Statistics) -> np.ndarray:
        """Return the keys (uint64, ascending) of the rows that hold the phrase's terms in a row, in any language.

        A phrase with a term that no readable row holds is not looked for: whether another row has it takes no time.
        """
        analysed = dict.fromkeys(tuple(terms(phrase, language)) for language in statistics.languages or ("",))
        readable = [found for found in analysed if found and all(map(statistics.frequency, found))]
        held = [self._keys[self.postings.of(found[0])[0]] for found in readable if len(found) == 1]
        held += [self._in_a_row(found) for found in readable if len(found) > 1]
        return np.unique(np.concatenate([np.empty(0, np.uint64), *held]))

    def _in_a_row(self, found: Sequence[str]) -> np.ndarray:
        query = Query.phrase_query(self._index.schema, "terms", list(found))
        return self._all(Query.const_score_query(query, 0.0))

    def _all(self, query: Query) -> np.ndarray:
        with explaining_damage(self._folder):
            hits = self._searcher.search(query, max(1, len(self)), count=False).hits
            return np.array(self._searcher.fast_field_values("key", [address for _, address in hits]), dtype=np.uint64)

    def keys(self) -> np.ndarray:
        """Return the key (uint64) of every row of the phrases, in any order."""
        return self._all(Query.all_query())

    def doc_freq(self, term: str) -> int:
        """Return how many rows of the phrases hold a term."""
        return self._searcher.doc_freq("terms", term)


def _contenders(scores: np.ndarray, depth: int, most: float) -> np.ndarray | None:
    """Return the places of rows that can still be among the best, if no row without a score can; else None.

    `most` is what rows may gain yet.
    """
    found = np.flatnonzero(scores > 0)
    if len(found) < depth:
        return None
    least = np.partition(scores[found], len(found) - depth)[len(found) - depth]
    return found[scores[found] + most >= least] if least >= most else None


def _best(scores: np.ndarray, depth: int) -> np.ndarray:
    """Return the places of the best scores above 0, at most `depth`, best first; of equal ones the first."""
    found = np.flatnonzero(scores > 0)
    if len(found) > depth:
        least = np.partition(scores[found], len(found) - depth)[len(found) - depth]
        found = found[scores[found] >= least]
    best: np.ndarray = found[np.lexsort((found, -scores[found]))[:depth]]
    return best


def _opened(folder: Path) -> tantivy.Index:
    """Open an index; tantivy writes a lock beside it, so one that can only be read is opened by links to it."""
    try:
        return _unwatched(folder)
    except ValueError as error:
        if "Lockfile" not in str(error):
            raise
    with tempfile.TemporaryDirectory(prefix="rag-lexical-") as links:
        for path in folder.iterdir():
            if not path.name.endswith(".lock"):
                (Path(links) / path.name).symlink_to(path.absolute())
        return _unwatched(Path(links))


def _unwatched(folder: Path) -> tantivy.Index:
    index = tantivy.Index.open(str(folder))
    index.config_reader(reload_policy="manual", num_warmers=0)  # it never changes; damage is not to be loaded
    return index
