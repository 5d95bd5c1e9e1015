"""What models are made of: values that say in plain words what they must be, keys that are known, records' fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, get_type_hints

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
from rag_platform.core.hits import Match
from rag_platform.documents.times import parse_time

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


class RequestModel(BaseModel):
    """The keys of a request: those that are declared and no others."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, given: Any) -> Any:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        if isinstance(given, dict) and (unknown := sorted(given.keys() - set(known))):
            raise PydanticCustomError(UNKNOWN_KEY, "one of: {known}", {"known": ", ".join(known), "key": unknown[0]})
        return given


def model_of(name: str, about: str, *parts: Any, without: Sequence[str] = (), **more: Any) -> type[BaseModel]:
    """Make a model of records' fields and others, all of which are always there."""
    fields = {key: hint for part in parts for key, hint in get_type_hints(part, include_extras=True).items()} | more
    declared: dict[str, Any] = {key: (hint, ...) for key, hint in fields.items() if key not in without}
    return create_model(name, __doc__=about, **declared)
