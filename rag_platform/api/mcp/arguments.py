"""What the tools are given, as models: their JSON schemas and the checks are both made of them."""

from typing import Annotated

from pydantic import Field

from rag_platform.api.models.fields import Expected, Flag, Name, Question, RequestModel, Text
from rag_platform.api.models.searching import Where
from rag_platform.journal.answer_judgements import Reason

_LARGEST = 50_000
"""Characters that are read at a time, at most."""
Offset = Annotated[int, Field(ge=0), Expected("a number of characters, from 0")]
Most = Annotated[int, Field(ge=1, le=50), Expected("a number from 1 to 50")]


class Search(Where):
    """A search."""

    query: Question = Field(description="What is looked for: a question, or words.")
    limit: Most = 10


class Fetch(RequestModel):
    """A document to be fetched."""

    id: Name = Field(description="The id of a result of search, or a document's address.")


class Ask(Where):
    """A question to be answered."""

    question: Question


class ReadDocument(RequestModel):
    """A part of a document to be read."""

    document: Name = Field(description="Its id, its address, or the end of its address.")
    start: Offset = Field(0, description="The first character.")
    end: Offset | None = Field(None, description=f"After the last character; at most {_LARGEST} after the first.")

    def span(self, characters: int) -> tuple[int, int]:
        """Return what is read of a text of so many characters."""
        start = min(self.start, characters)
        end = self.start + _LARGEST if self.end is None else min(self.end, self.start + _LARGEST)
        return start, max(start, min(end, characters))


class Why(Where):
    """A question, and the document that should answer it."""

    question: Question
    document: Name = Field(description="Its address, the end of it, or its id.")
    limit: Most = 10


class ListCollections(RequestModel):
    """Nothing is needed."""


class Feedback(RequestModel):
    """What somebody thinks of an answer."""

    receipt_id: Text = Field(description="Of the answer, as ask gave it.")
    good: Flag
    reason: Annotated[Reason, Expected("one of: wrong, incomplete, outdated, source, unanswered, other")] | None = (
        Field(None, description="Why an answer is bad.")
    )
    comment: Text = ""
