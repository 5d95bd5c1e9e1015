"""Questions, and their answers."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from rag_platform.api.models.fields import AsOf, Expected, Flag, Question, RequestModel, Text, model_of
from rag_platform.api.models.searching import Options
from rag_platform.core.answers import Answer, Turn
from rag_platform.llm.availability import Health


class TurnRequest(RequestModel):
    """A question of a chat and its answer."""

    question: Text
    answer: Text


class TurnsRequest(RequestModel):
    """A request that says what was asked and answered before it in the same chat."""

    history: Annotated[list[TurnRequest], Expected('a list of {"question": "…", "answer": "…"}, oldest first')] = Field(
        []
    )

    def turns(self) -> list[Turn]:
        """Return the chat before the question."""
        return [Turn(one.question, one.answer) for one in self.history]


class ChatQuestion(Options):
    """A question in a chat."""

    question: Question
    generator: Text | None = None
    prompt: Text | None = Field(None, description="The name of a saved prompt of rag.toml.")
    search: Flag = Field(True, description="false: a language model answers by itself, and nothing of it is checked.")
    session: Text = Field("", description="Keeps the questions of one person at one version while one is on trial.")


class AskRequest(ChatQuestion, TurnsRequest):
    """A question to be answered."""

    as_of: AsOf | None = None


class NearPassage(BaseModel):
    """The best passage of a document that comes close to a question."""

    title: str
    uri: str
    doc_id: str
    chunk_id: str
    section: str
    page: int | None
    page_label: str | None = Field(None, description="What the document calls the page, where that is no number.")
    span: tuple[int, int]
    published_at: datetime | None
    snippet: str


class MissingDocument(BaseModel):
    """What is offered where the sources hold no answer."""

    searched: int | None = Field(description="How many documents could have answered.")
    nearest: list[NearPassage]
    add: str = Field(description="How to add the document that is missing.")


AnswerDocument = model_of(
    "AnswerDocument",
    "An answer, every sentence cited, with the state of each.",
    Answer,
    without=("hits", "searched"),
    notes=Annotated[list[str], Field(description="What is to be known beside the text, in sentences.")],
    missing=Annotated[MissingDocument | None, Field(description="null: it was answered.")],
)


class GeneratorsDocument(BaseModel):
    """Who may write an answer."""

    generators: list[Health]
    default: str
