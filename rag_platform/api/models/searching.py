"""Searches: what they are told, and what they find."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from rag_platform.api.models.fields import (
    AsOf,
    Count,
    CountOrNone,
    Flag,
    MatchName,
    Moment,
    Name,
    Question,
    RequestModel,
    SearchMode,
    TextOrTexts,
)
from rag_platform.core.hits import Filters, Hit
from rag_platform.provenance.inventory import KnownDocument


class Where(RequestModel):
    """In which documents something is looked for.

    What may be a text or a list has no default in the description: generated clients would send it as the text "[]".
    """

    collection: TextOrTexts = Field(default_factory=list, description="Only these collections.")
    source: TextOrTexts = Field(default_factory=list, description="Only these sources.")
    lang: TextOrTexts = Field(default_factory=list, description="Only documents in these languages, as ISO 639-1: en.")
    type: TextOrTexts = Field(default_factory=list, description="Only documents of these types, such as pdf.")
    tag: TextOrTexts = Field(default_factory=list, description="Only documents that carry all of these tags.")
    since: Moment | None = Field(None, description="Only documents published at or after this date.")
    until: Moment | None = Field(None, description="Only documents published before this date.")
    archived: Flag = Field(False, description="What is archived by its age, in place of the other documents.")

    def filters(self, principals: Sequence[str]) -> Filters:
        """Return them as a search takes them, for who asks."""
        return Filters(
            collections=tuple(self.collection),
            sources=tuple(self.source),
            languages=tuple(self.lang),
            types=tuple(self.type),
            tags=tuple(self.tag),
            since=self.since,
            until=self.until,
            archived=self.archived,
            principals=tuple(principals),
        )


class Options(Where):
    """What every search, and the search behind an answer, may be told."""

    k: Count | None = None
    mode: SearchMode | None = None
    match: MatchName | None = None
    document: TextOrTexts = Field(default_factory=list, description="Only these documents, by their ids.")
    as_: TextOrTexts | None = Field(None, alias="as", description="Principals to read as; of the local user only.")

    def filters(self, principals: Sequence[str]) -> Filters:
        """Return them as a search takes them, for who asks."""
        return replace(super().filters(principals), documents=tuple(self.document))


class SearchRequest(Options):
    """The parameters of a search."""

    q: Question
    per_document: CountOrNone | None = None
    explain: Flag = False
    as_of: AsOf | None = None


class WhyRequest(Options):
    """The parameters of the question where a document was lost."""

    q: Question
    uri: Name
    per_document: CountOrNone | None = None
    as_of: AsOf | None = None


class SearchDocument(BaseModel):
    """The hits of a search."""

    question: str
    version: str
    mode: str
    k: int = Field(description="How many hits were asked for.")
    filters: dict[str, Any] = Field(description="What was searched, also by what the question says of it.")
    took_ms: dict[str, int] = Field(description="Milliseconds of each stage, and of all as `total`.")
    hits: list[Hit]
    nothing_relevant: bool
    warnings: list[str]
    understood: dict[str, Any] = Field({}, description="What the question was taken to mean, where not its words.")
    explanation: list[dict[str, Any]] = Field([], description="With `explain`: an entry for each candidate.")


class WhyDocument(BaseModel):
    """Where a document ended on its way to the hits of a question, and what would bring it back."""

    question: str
    version: str
    mode: str
    k: int
    document: KnownDocument | None
    returned: bool
    rank: int | None
    stage: str
    reason: str
    remedy: str | None
    chunks: list[dict[str, Any]] = Field(description="The outcomes of its chunks, the one that came furthest first.")
