"""What pydantic finds wrong with rag.toml, in words that name file, key, value and what was expected."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import SettingsError as UnreadableVariable

from rag_platform.config.sections.sources import ID_FORM, LANGUAGE_FORM
from rag_platform.config.source_kinds import kind_of
from rag_platform.core.did_you_mean import did_you_mean
from rag_platform.core.urls import shown

_EXPECTED = {
    "missing": "this key is required",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number that is not infinite",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "path_type": "a path, as text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a table",
    "mapping_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
    "literal_error": "{expected}",
}
"""What was expected, by pydantic's name of the error."""
_FORMS = {
    ID_FORM: "1 to 63 lower-case letters, digits, hyphens and underscores, a letter or digit first",
    LANGUAGE_FORM: "an ISO 639 code such as 'en'",
}
_SECRET = ("password", "secret", "api_key", "headers", "options", "token")
"""A key that has one of these in its name is told without its value."""


def describe(error: ValidationError, root: type[BaseModel], path: Path, content: Mapping[str, Any]) -> str:
    """Return one line for each problem.

    Args:
        error: what pydantic found.
        root: the model of the whole file.
        path: the file.
        content: what stands in it.
    """
    return "\n".join(_line(problem, root, path, content) for problem in error.errors())


def describe_variable(error: UnreadableVariable) -> str:
    """Return what is wrong with a variable that stands for a whole table and is no JSON."""
    field = next(iter(re.findall(r'field "(\w+)"', str(error))), "")
    return (
        f"the variable RAG_{field.upper()}: expected the value of {field} in JSON; one key of a table is set as "
        f"RAG_{field.upper()}__KEY"
    )


def expected(problem: ErrorDetails) -> str:
    """Return what was expected of a value, without pydantic's own terms."""
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "missing":
        return _EXPECTED[kind]
    if kind == "string_pattern_mismatch":
        return f"expected {_FORMS.get(context['pattern'], 'text that matches ' + context['pattern'])}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind].format(**context)}"
    return problem["msg"].removeprefix("Value error, ").replace("Input should be", "expected")


def _line(problem: ErrorDetails, root: type[BaseModel], path: Path, content: Mapping[str, Any]) -> str:
    location = problem["loc"]
    variable = "RAG_" + "__".join(str(part) for part in location).upper()
    where = f"the variable {variable}" if variable in os.environ else str(path)
    if not location:
        return f"{where}: {expected(problem)}"
    if problem["type"] == "extra_forbidden":
        return f"{where}: {_key(location, content)}: {_no_such_key(location, root, content)}"
    return f"{where}: {_key(location, content)}{_given(problem)}: {expected(problem)}"


def _given(problem: ErrorDetails) -> str:
    """Return the value, where it says something and is no secret."""
    location, value = problem["loc"], problem["input"]
    says_nothing = problem["type"] == "missing" or isinstance(value, dict | BaseModel) or location == ("sources",)
    secret = any(word in str(part).lower() for part in location for word in _SECRET)
    return "" if says_nothing or secret else f" = {shown(repr(value))}"


def _no_such_key(location: Sequence[int | str], root: type[BaseModel], content: Mapping[str, Any]) -> str:
    known = _known_keys(location[:-1], root, content)
    hint = did_you_mean(str(location[-1]), known)
    return f"there is no such key; {hint or 'see docs/settings.md for all of them'}"


def _known_keys(location: Sequence[int | str], root: type[BaseModel], content: Mapping[str, Any]) -> Iterable[str]:
    """Name the keys of the table at a place."""
    model, rest = root, list(location)
    if len(rest) > 1 and rest[0] == "sources" and isinstance(rest[1], int):
        model, rest = kind_of(content["sources"][rest[1]]["kind"]).settings, rest[2:]
    for part in rest:
        field = model.model_fields.get(str(part))
        inner = _model_in(field.annotation) if field else None
        model = inner or model  # the name of a table in a dict, such as [models.NAME], is no step
    return model.model_fields


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, get_args(annotation))), None)


def _key(location: Sequence[int | str], content: Mapping[str, Any]) -> str:
    """Name a key as the file does: ``sources[handbook].path``."""
    parts: list[str] = []
    for index, part in enumerate(location):
        if location[0] == "sources" and index == 1 and isinstance(part, int):
            sources = content.get("sources", [])
            source = sources[part] if part < len(sources) and isinstance(sources[part], dict) else {}
            parts[-1] += f"[{source.get('id', part)}]"
        else:
            parts.append(str(part))
    return ".".join(parts)
