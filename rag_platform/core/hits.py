"""What a search is asked for and what it finds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from rag_platform.core.trust import NORMAL, Trust

Match = Literal["any", "all", "exact", "part"]
"""What a passage must hold of a question: some of its words or its meaning; all of its words, in any form; its text as
it is written; the same, also within words."""
MATCHES: tuple[Match, ...] = get_args(Match)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the asker wants to see, and who asks. Empty means no restriction, except `principals`."""

    collections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    """All of them: a document must carry each."""
    documents: tuple[str, ...] = ()
    """Only these documents (doc_id)."""
    since: datetime | None = None
    """Only documents published (else updated) at or after this moment."""
    until: datetime | None = None
    """Only documents published (else updated) before this moment."""
    match: Match | None = None
    """What a passage must hold of the question; None: as set."""
    archived: bool = False
    """The documents that are archived by their age, in place of the others."""
    principals: tuple[str, ...] = ()
    """Who asks: a user and its groups. Everyone is also `PUBLIC`; nobody else's documents are seen."""


@dataclass(frozen=True, slots=True)
class Scores:
    """How a hit came to its place; None where a stage did not take part."""

    lexical: float | None = None
    """BM25."""
    vector: float | None = None
    """Cosine similarity."""
    feedback: float | None = None
    """Similarity to the question after it was moved towards the best candidates; it stands for `vector` in `fused`."""
    fused: float | None = None
    """Normalised, weighted sum of the legs, in [0, 1]."""
    recency: float | None = None
    """In [0, 1]: 1 for a document of today, 0.5 for one as old as its source's half-life."""
    rerank: float | None = None
    """The reranker's score."""
    trust: float | None = None
    """Factor for how far its source is trusted."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A passage of another document that says nearly the same as a better hit, and was collapsed into it."""

    chunk_id: str
    doc_id: str
    uri: str
    title: str
    source: str
    span: tuple[int, int]


def page_name(page: int | None, label: str | None) -> str:
    """Return what a page is called: as its document does, else its number; "" for none."""
    return label or (str(page) if page else "")


@dataclass(frozen=True, slots=True)
class PageStart:
    """Where a page of a document begins."""

    start: int
    """In characters of the document's text."""
    page: int
    page_label: str | None = None
    """What the document calls it; None: by its number."""


def page_starts(first: int | None, starts: Sequence[int], labels: Sequence[str] | None = None) -> tuple[PageStart, ...]:
    """Return the pages after page `first`, which begin at `starts`; `labels` are those of all pages, if there are."""
    pages = enumerate(starts, start=(first or 0) + 1)
    return tuple(PageStart(at, page, labels[page - 1] if labels and page <= len(labels) else None)
                 for page, at in pages)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that became part of a hit."""

    chunk_id: str
    span: tuple[int, int]
    page: int | None
    section: str
    score: float
    """Its own, before it was merged."""
    page_label: str | None = None
    """What its document calls the page, such as "iv"; None: by its number."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers a question, or neighbours that do, with everything needed to show and cite it."""

    rank: int
    """From 1."""
    score: float
    chunk_id: str
    doc_id: str
    uri: str
    title: str
    source: str
    collection: str
    language: str
    type: str
    published_at: datetime | None
    section: str
    text: str
    span: tuple[int, int]
    """Characters of the document's text: ``document.text[start:end] == text``."""
    page: int | None
    revision: str
    raw_sha256: str
    run_id: str | None
    snippet: str
    """The part of the text that best matches the question."""
    scores: Scores = field(default_factory=Scores)
    tags: tuple[str, ...] = ()
    duplicates: tuple[Duplicate, ...] = ()
    """What the asker may read elsewhere in nearly the same words; best first."""
    instructs: tuple[str, ...] = ()
    """How its document tries to instruct a language model: the flags that say so."""
    merged: tuple[Passage, ...] = ()
    """The neighbouring chunks that it was made of, in the order of the text; empty: it is one chunk, `chunk_id`."""
    completed: tuple[int, int] = (0, 0)
    """How many characters at the beginning and at the end of `text` are its neighbours', which it needs to be
    understood: they are of the same document, and were not what was found."""
    relevance: float | None = None
    """The estimated probability that it is relevant, which unlike `score` is absolute; None: nothing tells."""

    trust: Trust = NORMAL
    """How far its source, or its collection there, is trusted."""
    page_label: str | None = None
    """What its document calls `page`, such as "iv"; None: by its number."""
    further_pages: tuple[PageStart, ...] = ()
    """The pages that begin within it, after `page`, on which it begins."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The chunks that it was made of, in the order of the text: one, if nothing was merged."""
        if self.merged:
            return self.merged
        own = self.span[0] + self.completed[0], self.span[1] - self.completed[1]
        return (Passage(self.chunk_id, own, self.page, self.section, self.score, self.page_label),)

    def at(self, offset: int) -> Passage:
        """Return the chunk that holds a character of the document's text, or the nearest one, by its offset there."""
        return next((one for one in reversed(self.passages) if one.span[0] <= offset), self.passages[0])

    def page_of(self, offset: int) -> tuple[int | None, str | None]:
        """Return the page that holds a character of the document's text, and what the document calls it."""
        begun = [one for one in self.further_pages if one.start <= offset]
        holder = begun[-1] if begun else self.at(offset)
        return holder.page, holder.page_label

    @property
    def snippet_page(self) -> str:
        """What the page is called on which the middle of `snippet` stands; "" for none."""
        shown = self.snippet.removeprefix("… ").removesuffix(" …")
        middle = max(self.text.find(shown), 0) + len(shown) // 2
        return page_name(*self.page_of(self.span[0] + middle))

    def text_of(self, passage: Passage) -> str:
        """Return the text of one of its chunks."""
        return self.text[passage.span[0] - self.span[0] : passage.span[1] - self.span[0]]

    @property
    def also_in(self) -> dict[str, str]:
        """The documents of `duplicates`: uri to title."""
        return {duplicate.uri: duplicate.title for duplicate in self.duplicates}
