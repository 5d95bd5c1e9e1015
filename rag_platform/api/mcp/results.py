"""What the tools give back, as models: structured results, and the schemas that tell clients of them."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, Field

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.hits import Hit, page_name
from rag_platform.index.releases.document_history import DocumentState
from rag_platform.journal.answer_notes import answer_notes

DOCUMENTS = "rag://documents/"
"""Before the id of a document, in its address as a resource."""


def url_of(uri: str, doc_id: str) -> str:
    """Return where a document can be opened: at its own address on the web, else as a resource of this server."""
    return uri if uri.startswith(("http://", "https://")) else DOCUMENTS + doc_id


class FoundPassage(BaseModel):
    """A passage that was found."""

    id: str = Field(description="Of its document: for fetch and read_document.")
    title: str
    url: str
    text: str
    uri: str
    source: str
    collection: str
    section: str
    page: str = Field(description='What the page is called; "": it has none.')
    span: tuple[int, int] = Field(description="Its characters in the document's text.")
    published_at: datetime | None
    score: float

    @classmethod
    def of(cls, hit: Hit) -> "FoundPassage":
        """Return a hit as agents want it."""
        plain = {name: getattr(hit, name) for name in cls.model_fields if hasattr(hit, name)}
        page = page_name(hit.page, hit.page_label)
        return cls.model_validate(plain | {"id": hit.doc_id, "url": url_of(hit.uri, hit.doc_id), "page": page})


class SearchResults(BaseModel):
    """The passages that were found, best first."""

    results: list[FoundPassage]
    version: str = Field(description="Of the index, that was searched.")
    notes: list[str] = []


class FetchedDocument(BaseModel):
    """A document."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]


class DocumentPart(BaseModel):
    """A part of a document."""

    id: str
    title: str
    url: str
    text: str
    span: tuple[int, int] = Field(description="Its characters in the document's text.")
    characters: int = Field(description="Of the whole text.")
    metadata: dict[str, str]


class CitedPassage(BaseModel):
    """What supports a sentence of an answer, word for word."""

    n: int = Field(description="Its mark in the answer: [n].")
    id: str
    title: str
    url: str
    uri: str
    quote: str
    span: tuple[int, int]
    page: str

    @classmethod
    def of(cls, cited: Citation) -> "CitedPassage":
        """Return a citation as agents want it."""
        where = {"id": cited.doc_id, "url": url_of(cited.uri, cited.doc_id)}
        shown = {"title": cited.title or cited.uri, "page": page_name(cited.page, cited.page_label)}
        return cls(n=cited.n, uri=cited.uri, quote=cited.quote, span=cited.span, **where, **shown)


class WrittenAnswer(BaseModel):
    """An answer, every sentence cited."""

    answer: str
    abstained: bool = Field(description="The documents hold no answer.")
    citations: list[CitedPassage]
    notes: list[str]
    receipt_id: str
    version: str
    model: str

    @classmethod
    def of(cls, given: Answer) -> "WrittenAnswer":
        """Return an answer as agents want it."""
        cited = [CitedPassage.of(one) for one in given.citations]
        plain = {name: getattr(given, name) for name in ("answer", "abstained", "receipt_id", "version", "model")}
        return cls(**plain, citations=cited, notes=answer_notes(given))

    def in_words(self) -> str:
        """Return it as text with its list of sources."""
        sources = [f"[{one.n}] {one.title} ({one.url}): “{' '.join(one.quote.split())}”" for one in self.citations]
        listed = ["Sources:", *sources] if sources else []
        ended = [*(f"Note: {note}" for note in self.notes), f"Receipt: {self.receipt_id}"]
        return "\n".join([self.answer, "", *listed, *ended])


class WhyFound(BaseModel):
    """At which stage a document was lost for a question."""

    returned: bool
    rank: int | None
    stage: str
    reason: str
    remedy: str | None
    document: str | None = Field(description="Its address; null: nothing of that name is known to you.")
    version: str


class KnownCollection(BaseModel):
    """A collection."""

    id: str
    title: str
    documents: int


class KnownCollections(BaseModel):
    """What can be searched."""

    collections: list[KnownCollection]
    sources: dict[str, int] = Field(description="How many documents each has.")
    languages: dict[str, int]
    types: dict[str, int]


class Thanks(BaseModel):
    """That feedback was kept."""

    receipt_id: str
    good: bool


def about(found: DocumentState) -> dict[str, str]:
    """Return what is known of a document, as texts."""
    names = ("uri", "author", "source", "collection", "language", "type", "published_at", "updated_at", "revision")
    document = found.document
    state = {name: getattr(document, name) for name in names}
    state |= {"version": found.version, "tags": ", ".join(document.tags), "live": str(found.live).lower()}
    return {name: _as_text(value) for name, value in state.items() if value}


def _as_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
