"""The lexical part of a version: BM25 over analysed terms, in tantivy.

It knows keys and terms only. What may be seen by whom is the catalog's to say, and comes in as the allowed keys.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import tantivy
from tantivy import Document, Occur, Query

from rag_platform.index.keys import among
from rag_platform.index.reading import explaining_damage
from rag_platform.text.analysis import exact_terms, index_terms, query_terms, terms

_WIDEST = 20_000
"""Rows of the ranking that are looked through for the allowed; beyond, asking for these by name is quicker."""
_FEW = 20_000
"""Up to this many documents or keys are asked for by name, at 4 µs each."""
_ONE_BY_ONE = 1000
"""Up to this many are looked up one by one, at 1 to 3 µs each; a set of more is found in one walk through all names."""
_CACHED = 64
"""Questions whose terms are kept: each is asked twice, and again where filters are many."""
_LOOKS = 10
"""Rows that are looked through in the time in which one is asked for by name."""
_SATURATION = 1.2
"""k1 of tantivy's BM25."""
_RARER = 100
"""Times that a variant of a word may be rarer than the commonest."""
_FIRST = 500
"""Rows that hold a phrase that are looked at one by one before the allowed are asked for by name."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_unsigned_field("document", indexed=True)
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="position")
    return builder.build()


def build_lexical(folder: Path, rows: Iterable[tuple[int, int, str, str]]) -> None:
    """Write an index of (key, number of the document, text, language) rows, in their order.

    It is always written whole: that runs at tens of thousands of chunks a second, and removed rows would go on counting
    in BM25's statistics, so that an index made by difference would rank differently from one made from nothing.
    """
    folder.mkdir(parents=True)
    schema = _schema()
    index = tantivy.Index(schema, path=str(folder))
    writer = index.writer(heap_size=128_000_000, num_threads=1)  # one thread: equal input, equal order
    for key, document, text, language in rows:
        row = {"key": key, "document": document, "terms": " ".join(index_terms(text, language))}
        writer.add_document(Document.from_dict(row, schema))
    writer.commit()
    writer.wait_merging_threads()


class LexicalIndex:
    """An opened lexical index; safe to search from many threads."""

    def __init__(
        self,
        folder: Path,
        languages: Sequence[str],
        documents: Callable[[np.ndarray], np.ndarray | None] | None = None,
    ) -> None:
        """Open an index; `documents` numbers those of which keys are all the chunks; None where they are not."""
        self._folder, self._documents = folder, documents
        self._index = tantivy.Index.open(str(folder))
        self._index.config_reader(reload_policy="manual", num_warmers=0)  # it never changes; damage is not to be loaded
        self._searcher = self._index.searcher()
        self._languages = tuple(languages)
        self._query = lru_cache(_CACHED)(self._analysed)

    def __len__(self) -> int:
        return self._searcher.num_docs

    def search(self, question: str, depth: int, allowed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys (uint64) and BM25 scores (float32) of the best rows, at most `depth`, best first."""
        return self._best(self._query(question), depth, allowed)

    def stands(self, phrase: str, allowed: np.ndarray | None = None) -> bool:
        """Tell whether an allowed row holds the phrase's terms in a row, in any language."""
        query = self._phrase(phrase)
        if query is None or allowed is None or not len(allowed):
            return len(self._best(query, 1, allowed)[0]) > 0
        first = self._top(query, _FIRST)[0]
        found = bool(among(first, allowed).any())
        return found or (len(first) == _FIRST and len(self._best(query, 1, allowed)[0]) > 0)

    def _best(self, query: Query | None, depth: int, allowed: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        if query is None or (allowed is not None and not len(allowed)):
            return np.empty(0, np.uint64), np.empty(0, np.float32)
        if allowed is None:
            return self._top(query, depth)
        width = 2 * depth * -(-len(self) // len(allowed))
        if width <= min(_WIDEST, _LOOKS * len(allowed)) and (found := self._widened(query, depth, allowed, width)):
            return found
        return self._named(query, depth, allowed) or self._widening(query, depth, allowed)

    def keys(self) -> np.ndarray:
        """Return every row's key (uint64)."""
        return self._top(Query.all_query(), max(1, len(self)))[0]

    def document_frequency(self, word: str) -> int:
        """Return how many rows hold the word, in its most frequent variant."""
        variants = [term for variant in exact_terms(word, self._languages) for term in variant]
        return max((self._searcher.doc_freq("terms", term) for term in variants), default=0)

    def highest(self, question: str) -> float:
        """Return the BM25 score of a short row that repeats every word of the question endlessly."""
        idf = (self._idf(variants) for variants in query_terms(question, self._languages))
        return (1 + _SATURATION) * sum(idf)

    def _idf(self, variants: Sequence[str]) -> float:
        """Return BM25's idf of a word, in its most frequent variant."""
        return idf(max(self._searcher.doc_freq("terms", term) for term in variants), len(self))

    def document_frequencies(self, words: Sequence[str]) -> np.ndarray:
        """Return how many rows hold each word: int64, shape (len(words),); quick for hundreds of words."""
        most = np.zeros(len(words), np.int64)
        for language in self._languages or ("",):
            found = terms(" ".join(words), language)
            if len(found) != len(words):  # some are several terms, such as those of a script without spaces
                found = [" ".join(terms(word, language)) for word in words]
            counts = {term: self._searcher.doc_freq("terms", term) for term in set(found)}
            most = np.maximum(most, [counts[term] for term in found])
        return most

    def holding(self, phrase: str) -> np.ndarray:
        """Return the keys (uint64, ascending) of the rows that hold the phrase's terms in a row, in any language."""
        query = self._phrase(phrase)
        return np.sort(self._top(query, max(1, len(self)))[0]) if query else np.empty(0, np.uint64)

    def _phrase(self, phrase: str) -> Query | None:
        analysed = dict.fromkeys(tuple(terms(phrase, language)) for language in self._languages or ("",))
        choices = [(Occur.Should, self._in_a_row(found)) for found in analysed if found]
        return Query.const_score_query(Query.boolean_query(choices), 0.0) if choices else None

    def _in_a_row(self, found: Sequence[str]) -> Query:
        if len(found) == 1:
            return Query.term_query(self._index.schema, "terms", found[0])
        return Query.phrase_query(self._index.schema, "terms", list(found))

    def _usual(self, variants: Sequence[str]) -> list[str]:
        """Leave out variants that are far rarer than another: those of documents whose language was misread.

        They are few, so BM25 takes what they hold for rare words, and would put them above all others.
        """
        counts = [self._searcher.doc_freq("terms", term) for term in variants]
        return [term for term, count in zip(variants, counts, strict=True) if count * _RARER >= max(counts)]

    def _analysed(self, question: str) -> Query | None:
        schema = self._index.schema
        words = []
        for variants in query_terms(question, self._languages):
            choices = [Query.term_query(schema, "terms", term) for term in self._usual(variants)]
            words.append(choices[0] if len(choices) == 1 else Query.disjunction_max_query(choices))
        return Query.boolean_query([(Occur.Should, word) for word in words]) if words else None

    def _top(self, query: Query, depth: int) -> tuple[np.ndarray, np.ndarray]:
        with explaining_damage(self._folder):
            hits = self._searcher.search(query, depth, count=False).hits
            keys = np.array(self._searcher.fast_field_values("key", [address for _, address in hits]), dtype=np.uint64)
        return keys, np.array([score for score, _ in hits], dtype=np.float32)

    def _widened(
        self, query: Query, depth: int, allowed: np.ndarray, width: int
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """Look for the allowed among the first of the ranking; None when they are too few there."""
        keys, scores = self._top(query, min(width, len(self)))
        keep = among(keys, allowed)
        ended = len(keys) < width
        return (keys[keep][:depth], scores[keep][:depth]) if ended or keep.sum() >= depth else None

    def _named(self, query: Query, depth: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Ask for the allowed by name, of documents rather than of chunks; None when they are too many."""
        many = len(allowed) > _ONE_BY_ONE
        documents = self._documents(allowed) if many and self._documents else None
        field, names = ("key", allowed) if documents is None else ("document", documents)
        if len(names) > _FEW:
            return None
        named = Query.const_score_query(self._one_of(field, names.tolist()), 0.0)
        keys, scores = self._top(Query.boolean_query([(Occur.Must, query), (Occur.Must, named)]), depth)
        keep = among(keys, allowed)  # whatever the documents were said to be, nothing else is ever returned
        return keys[keep], scores[keep]

    def _one_of(self, field: str, names: list[int]) -> Query:
        schema = self._index.schema
        if len(names) > _ONE_BY_ONE:
            return Query.term_set_query(schema, field, names)
        return Query.boolean_query([(Occur.Should, Query.term_query(schema, field, name, "basic")) for name in names])

    def _widening(self, query: Query, depth: int, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Look further down the ranking until enough of the allowed are found or it ends."""
        width = _WIDEST
        while (found := self._widened(query, depth, allowed, width)) is None:
            width *= 4
        return found


def idf(frequency: int, rows: int) -> float:
    """Return BM25's weight of a word that so many of the rows hold: above 0."""
    return math.log(1 + (rows - frequency + 0.5) / (frequency + 0.5))
