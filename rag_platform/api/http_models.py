"""What routes are sent and what they answer, as models: validation and the OpenAPI document are both made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import CoreSchema, custom_error_schema

from rag_platform.config.settings import Mode
from rag_platform.core.answers import Answer, Turn
from rag_platform.core.hits import Hit, Match
from rag_platform.documents.times import parse_time
from rag_platform.llm.availability import Health
from rag_platform.monitoring.progress import Running
from rag_platform.operations.status.release_status import Notice
from rag_platform.pipeline.review import Reviewed
from rag_platform.provenance.inventory import KnownDocument
from rag_platform.sources.uploads.records import Collection, File

UNKNOWN_KEY = "unknown_key"
"""Type of the error about a key that a request may not have."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Says in plain words what a value must be, in place of the validator's own message."""

    words: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Replace every error of the annotated type by these words."""
        return custom_error_schema(handler(source), custom_error_type="expected", custom_error_message=self.words)


def _number(value: Any) -> Any:
    if isinstance(value, bool | float):
        raise ValueError
    return value


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _moment(value: Any) -> datetime:
    found = parse_time(value) if isinstance(value, str) else None
    if found is None:
        raise ValueError
    return found


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError
    return value


_TEXT_OR_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_DATE = "a date such as 2026-05-31 or 2026-05-31T08:00"

Text = Annotated[str, Expected("a text")]
Texts = Annotated[list[str], Expected("a list of texts")]
TextOrTexts = Annotated[
    list[str], BeforeValidator(_listed), WithJsonSchema(_TEXT_OR_TEXTS), Expected("a text or a list of texts")
]
Question = Annotated[str, AfterValidator(_not_blank), Expected("a question")]
Name = Annotated[str, AfterValidator(_not_blank), Expected("a document's address, the end of one, or its id")]
Count = Annotated[int, Field(ge=1, le=1000), BeforeValidator(_number), Expected("a number from 1 to 1000")]
CountOrNone = Annotated[int, Field(ge=0, le=1000), BeforeValidator(_number), Expected("a number from 0 to 1000")]
Moment = Annotated[
    datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "description": _DATE}), Expected(_DATE)
]
SearchMode = Annotated[Mode, Expected("one of: lexical, vector, hybrid, rerank")]
MatchName = Annotated[Match, Expected("one of: any, all, exact, part")]
AsOf = Annotated[
    str,
    Field(min_length=1, description="What was live on a day or at a time, or a version, is asked instead."),
    Expected("a date such as 2026-05-31, or a version"),
]
Flag = Annotated[bool, Expected("true or false")]


class Request(BaseModel):
    """The keys of a request: those that are declared and no others."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, given: Any) -> Any:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        if isinstance(given, dict) and (unknown := sorted(given.keys() - set(known))):
            raise PydanticCustomError(UNKNOWN_KEY, "one of: {known}", {"known": ", ".join(known), "key": unknown[0]})
        return given


class Options(Request):
    """What every search, and the search behind an answer, may be told.

    What may be a text or a list has no default in the description: generated clients would send it as the text "[]".
    """

    k: Count | None = None
    mode: SearchMode | None = None
    match: MatchName | None = None
    since: Moment | None = None
    until: Moment | None = None
    collection: TextOrTexts = Field(default_factory=list)
    source: TextOrTexts = Field(default_factory=list)
    lang: TextOrTexts = Field(default_factory=list)
    type: TextOrTexts = Field(default_factory=list)
    tag: TextOrTexts = Field(default_factory=list)
    archived: Flag = Field(False, description="Search what is archived by its age, in place of the other documents.")
    as_: TextOrTexts | None = Field(None, alias="as", description="Principals to read as; of the local user only.")


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


class AuditRequest(Request):
    """The parameters of a look at the audit."""

    since: Moment | None = None
    until: Moment | None = None
    who: Text | None = None
    document: Text | None = None
    limit: Count = 50


class TurnRequest(Request):
    """A question of a chat and its answer."""

    question: Text
    answer: Text


class TurnsRequest(Request):
    """A request that says what was asked and answered before it in the same chat."""

    history: Annotated[
        list[TurnRequest], Expected('a list of {"question": "…", "answer": "…"}, oldest first')
    ] = []  # fmt: skip

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


class CollectionChanges(Request):
    """What can be changed of a collection."""

    title: Text = ""
    description: Text = ""
    language: Text | None = None
    principals: Texts = []


class NewCollection(CollectionChanges):
    """A collection to be made."""

    title: Text
    id: Text | None = None


class SyncRequest(Request):
    """The sources to be synced; none: the upload source."""

    sources: Annotated[list[str], Expected("a list of the ids of sources")] = []


# --- answers ---------------------------------------------------------------------------------------------


class ProblemDocument(BaseModel):
    """What went wrong, as RFC 9457 has it, what was expected, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    expected: str
    do: str


def _model(name: str, about: str, *parts: Any, without: Sequence[str] = (), **more: Any) -> type[BaseModel]:
    """Make a model of records' fields and others, all of which are always there."""
    fields = {key: hint for part in parts for key, hint in get_type_hints(part, include_extras=True).items()} | more
    declared: dict[str, Any] = {key: (hint, ...) for key, hint in fields.items() if key not in without}
    return create_model(name, __doc__=about, **declared)


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


AnswerDocument = _model(
    "AnswerDocument",
    "An answer, every sentence cited, with the state of each.",
    Answer,
    without=("hits", "searched"),
    notes=Annotated[list[str], Field(description="What is to be known beside the text, in sentences.")],
    missing=Annotated[MissingDocument | None, Field(description="null: it was answered.")],
)
FileDocument = _model(
    "FileDocument", "A file, and how far it has come.", File, state=str, reason=str | None, chunks=int
)


class GeneratorsDocument(BaseModel):
    """Who may write an answer."""

    generators: list[Health]
    default: str


class CollectionsDocument(BaseModel):
    """Collections."""

    collections: list[Collection]


class FilesDocument(BaseModel):
    """The files of a collection."""

    states: dict[str, int]
    files: list[FileDocument]  # type: ignore[valid-type]  # made of the record's fields


class RefusedFile(ProblemDocument):
    """A file that was not taken."""

    name: str


class UploadDocument(BaseModel):
    """What became of each file of a form."""

    added: list[File]
    refused: list[RefusedFile]


class StartedDocument(BaseModel):
    """A sync that was started."""

    started: list[str]
    look: str


class SyncDocument(BaseModel):
    """What is running, and how the last sync that was started here ended."""

    running: bool
    doing: list[Running]
    last: dict[str, Any] | None


ReleaseNotice = _model("ReleaseNotice", "One thing that is not live, or not fresh, with its reasons.", Notice, key=str)


class ReleaseDocument(BaseModel):
    """What is live, what is kept out of it and why."""

    live: str | None
    candidate: str | None
    said: str
    notices: list[ReleaseNotice]  # type: ignore[valid-type]  # made of the record's fields


class QuarantineDocument(BaseModel):
    """Documents that are held for review, and those that try to instruct a language model."""

    held: list[Reviewed]
    flagged: list[Reviewed]


class SourceDecision(Request):
    """What is decided about a source."""

    source: Annotated[Text, Expected("the id of a source")]
    decision: Annotated[Literal["hold", "release"], Expected("hold or release")]
    why: Text = Field("", description="For the history.")


class SourceDecided(BaseModel):
    """A source that is held, or is no longer."""

    source: str
    held: bool


class Review(Request):
    """What is decided about documents that are held."""

    documents: Annotated[list[str], Field(min_length=1), Expected("a list of ids of documents, at least one")]
    decision: Annotated[Literal["accept", "reject"], Expected("accept or reject")]
    why: Text = Field("", description="For the log.")


class ReviewedDocument(BaseModel):
    """How many documents were decided about."""

    reviewed: int


TrialKind = Literal["shadow", "canary"]


class TrialRequest(Request):
    """A version to be tried beside the live one."""

    kind: Annotated[TrialKind, Expected("shadow or canary")]
    version: Text
    share: Annotated[float, Field(ge=0, le=1), Expected("a share of the sessions from 0 to 1")] = 0.05


class TrialsDocument(BaseModel):
    """The versions on trial and those that were, newest first."""

    trials: list[dict[str, Any]]


class LeaveRequest(Request):
    """Whether the caller's questions may be kept."""

    leave: Flag


class LeaveDocument(BaseModel):
    """Whether the caller's questions may be kept, and whether any are here."""

    leave: bool
    sampled: bool


class AuditEvent(BaseModel):
    """Something that was shown to somebody, or refused."""

    seq: int
    at: str
    kind: str
    refused: bool
    version: str
    receipt: str
    who: dict[str, Any] | None
    question: str | None
    shown: dict[str, Any] | None
    erased: list[str]


class AuditDocument(BaseModel):
    """Events, the newest first."""

    events: list[AuditEvent]


class HealthDocument(BaseModel):
    """The server runs."""

    ok: bool
