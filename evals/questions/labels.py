"""Where the quotes of a question set stand in the documents of one version.

Labels are found anew in each version. A quote that is no longer there scores as missing and is reported: a parser
that loses text and an author who rewrites it look the same from here, and both deserve a look.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import polars as pl

from evals.questions.question import Question, Relevant
from rag_platform.index.releases.open_version import OpenVersion


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a document's text."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Label:
    """A quote and every place where it stands: any of them will do."""

    id: str
    """``<question id>#<place in its list>``."""
    question_id: str
    relevant: Relevant
    spans: tuple[Span, ...]
    """Empty: not found in this version's documents."""
    problem: str | None = None
    """Why it was not found."""


def locate(questions: Iterable[Question], documents: pl.DataFrame) -> tuple[Label, ...]:
    """Find every quote in the documents (doc_id, uri, text), whatever its white space and case."""
    library = _Library(documents)
    return tuple(
        _label(f"{question.id}#{place}", question.id, relevant, library)
        for question in questions
        for place, relevant in enumerate(question.relevant, start=1)
    )


def asked_documents(questions: Iterable[Question], version: OpenVersion, *columns: str) -> pl.DataFrame:
    """Return those documents of a version that the labels may name: doc_id, uri, text and these columns.

    `locate` finds in them what it finds in all; the texts of the others are not read.
    """
    names = {_name(label.uri) for question in questions for label in question.relevant}
    known = version.catalog.documents("doc_id", "uri", *columns)
    asked = known.filter(pl.col("uri").str.split("/").list.last().is_in(list(names)))
    texts = version.catalog.texts(asked["doc_id"].to_list())
    return asked.with_columns(text=pl.Series([texts.get(doc_id) for doc_id in asked["doc_id"]], dtype=pl.String))


def named_documents(questions: Iterable[Question], documents: pl.DataFrame) -> dict[str, frozenset[str]]:
    """Return the documents (of doc_id, uri) that each question's labels name, by its id; their text is not read."""
    library = _Library(documents.with_columns(text=pl.lit("")))
    return {
        question.id: frozenset(doc_id for label in question.relevant for doc_id, _ in library.of(label.uri))
        for question in questions
    }


class _Library:
    """Documents (doc_id, uri, text) by uri or the end of one."""

    def __init__(self, documents: pl.DataFrame) -> None:
        self._by_name: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for row in documents.select("uri", "doc_id", "text").iter_rows():
            self._by_name[_name(row[0])].append(row)

    def of(self, uri: str) -> list[tuple[str, str]]:
        """Return (doc_id, text) of the documents with that uri; else of those whose uri ends with it."""
        named = self._by_name.get(_name(uri), [])
        exact = [row for row in named if row[0] == uri]
        ending = "/" + uri.lstrip("/")
        return [(doc_id, text or "") for found, doc_id, text in exact or named if exact or found.endswith(ending)]


def _name(uri: str) -> str:
    return uri.rsplit("/", 1)[-1]


def _label(label_id: str, question_id: str, relevant: Relevant, library: _Library) -> Label:
    documents = library.of(relevant.uri)
    spans = tuple(
        Span(doc_id, start, end) for doc_id, text in documents for start, end in _occurrences(relevant.quote, text)
    )
    problem = None
    if not documents:
        problem = f"{label_id}: no document has the uri {relevant.uri!r}"
    elif not spans:
        problem = f"{label_id}: {relevant.uri!r} does not hold the words {relevant.quote!r}"
    return Label(label_id, question_id, relevant, spans, problem)


def _occurrences(quote: str, text: str) -> Sequence[tuple[int, int]]:
    if not quote:
        return [(0, len(text))]
    for form in dict.fromkeys((quote, unicodedata.normalize("NFC", quote), unicodedata.normalize("NFD", quote))):
        words = r"\s+".join(re.escape(word) for word in form.split())
        found = [match.span() for match in re.finditer(words, text, re.IGNORECASE)]
        if found:
            return found
    return []
