"""The keys of a section of rag.toml as the fields of a form, from its own declaration: no list of keys beside it.

What is secret in a value is concealed before it is shown, and taken from the old value where it was left as shown.
"""

import ast
import inspect
import json
import re
import textwrap
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from rag_platform.config.placeholders import ALONE, PLACEHOLDER
from rag_platform.config.settings_errors import expected

Sort = Literal["text", "secret", "number", "whole", "switch", "choice", "lines", "json"]
HIDDEN = "***"
"""Stands for what is not shown."""
_SECRET = re.compile(r"auth|token|key|secret|cookie|password", re.IGNORECASE)
_AGAIN = f"{HIDDEN} stands for a secret; write it anew, best of all as ${{secret:NAME}}"
_IN_URL = re.compile(r"(://[^/@\s:]*:)((?!\$\{)[^@\s]+)(@)")
_PLAIN: Mapping[object, Sort] = {bool: "switch", int: "whole", float: "number", str: "text", Path: "text"}


@dataclass(frozen=True, slots=True)
class SettingField:
    """A key of a section."""

    name: str
    sort: Sort
    needed: bool
    default: Any
    """None: there is none, or it is none."""
    options: tuple[str, ...]
    """Of a choice."""
    optional: bool
    """It may be left out, which is not the same as any value."""
    about: str
    """What its declaration says, in English."""


@cache
def setting_fields(section: type[BaseModel]) -> tuple[SettingField, ...]:
    """Return the fields of a section, those first that are needed."""
    abouts: dict[str, str] = {}
    for one in reversed(section.__mro__):
        abouts |= _docstrings(one) if issubclass(one, BaseModel) and one is not BaseModel else {}
    found = [_field(name, info, abouts.get(name, "")) for name, info in section.model_fields.items()]
    return tuple(sorted(found, key=lambda one: not one.needed))


def _field(name: str, info: FieldInfo, about: str) -> SettingField:
    inner, optional = _without_none(info.annotation)
    sort: Sort
    options: tuple[str, ...] = ()
    origin = get_origin(inner)
    if name == "password" or any(getattr(one, "pattern", None) == ALONE for one in info.metadata):
        sort = "secret"
    elif origin is Literal and all(isinstance(one, str) for one in get_args(inner)):
        sort, options = "choice", get_args(inner)
    elif origin is tuple and (get_args(inner)[0] in (str, int) or get_origin(get_args(inner)[0]) is Literal):
        sort = "lines"
    else:
        sort = _PLAIN.get(inner, "json")
    default = None if info.is_required() else info.get_default(call_default_factory=True)
    return SettingField(name, sort, info.is_required(), default, options, optional, about)


def _without_none(annotation: Any) -> tuple[Any, bool]:
    """Return a type without None and what annotates it, and whether None was part of it."""
    if get_origin(annotation) is Annotated:
        return _without_none(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [one for one in get_args(annotation) if one is not type(None)]
        optional = len(inner) < len(get_args(annotation))
        return (_without_none(inner[0])[0] if len(inner) == 1 else annotation), optional
    return annotation, False


def _docstrings(section: type) -> dict[str, str]:
    """Return what stands below each field of a class; nothing where its source is not there."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(section))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    found: dict[str, str] = {}
    last: list[str] = []
    for node in body.body if isinstance(body, ast.ClassDef) else []:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found |= dict.fromkeys(last, " ".join(node.value.value.split()).replace("``", "`"))
        target = node.target if isinstance(node, ast.AnnAssign) else None
        last = [target.id] if isinstance(target, ast.Name) else []
    return found


def as_shown(one: SettingField, value: Any) -> Any:
    """Return a value of the settings as a form shows it: lines and JSON as text, and nothing that is secret."""
    match one.sort:
        case "secret":
            return ""
        case "lines":
            return "\n".join(str(concealed(str(line))) for line in value or ())
        case "json":
            plain = value.model_dump(mode="json", exclude_unset=True) if isinstance(value, BaseModel) else value
            return json.dumps(concealed(plain), ensure_ascii=False, indent=1) if plain else ""
        case "text":
            return "" if value is None else concealed(str(value))
    return one.default if value is None else value


def as_given(one: SettingField, typed: Any, old: Any) -> Any:
    """Return what was typed as a value of the settings; None: the default is meant. `old` is the value before.

    Raises:
        ValueError: it cannot be read, or stars stand for a secret that is not as it was.
    """
    typed = typed.strip() if isinstance(typed, str) else typed
    if typed == as_shown(one, old):
        return old
    if typed is None or typed == "":
        return None
    if one.sort == "json":
        try:
            return _restored(json.loads(typed), old)
        except json.JSONDecodeError as error:
            raise ValueError(f"this is no JSON: {error.msg} in line {error.lineno}") from error
    if HIDDEN in str(typed):
        raise ValueError(_AGAIN)
    if one.sort == "lines":
        lines = [line.strip() for line in typed.splitlines() if line.strip()]
        numbers = bool(one.default) and isinstance(one.default[0], int)
        return [int(line) for line in lines] if numbers else lines
    return typed


@dataclass(frozen=True, slots=True)
class Given:
    """What somebody typed into the form of a section."""

    changes: Mapping[str, Any]
    """What is another one than before; None: the key goes, and its default counts."""
    problems: Mapping[str, str]
    """What is wrong, by field; "" is the whole."""
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    """To be kept, by name, before the changes are written: these name them."""


def read_form(
    section: type[BaseModel], typed: Mapping[str, Any], old: Mapping[str, Any], secret: str = "", missing: str = ""
) -> Given:
    """Read what was typed into the form of a section, and let the section itself say what is wrong.

    Args:
        section: whose fields these are.
        typed: by field; those that are absent stay as they are.
        old: what rag.toml says now, as plain values.
        secret: the name under which a password will be kept.
        missing: what is said where something is needed and not there.
    """
    changes: dict[str, Any] = {}
    problems: dict[str, str] = {}
    secrets: dict[str, str] = {}
    for one in (one for one in setting_fields(section) if one.name in typed):
        before = old.get(one.name)
        try:
            value = as_given(one, typed[one.name], before)
        except ValueError as error:
            problems[one.name] = str(error)
            continue
        if one.sort == "secret" and value and not PLACEHOLDER.fullmatch(value):
            secrets[secret] = value
            value = f"${{secret:{secret}}}"
        if one.needed and value is None:
            problems[one.name] = missing or "this is needed"
        elif value != before:
            changes[one.name] = value
    whole = {key: value for key, value in {**old, **changes}.items() if value is not None}
    return Given(changes, problems | _wrong(section, whole, problems), secrets)


def _wrong(section: type[BaseModel], whole: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, str]:
    try:
        section.model_validate(whole)
    except ValidationError as error:
        found: dict[str, str] = {}
        for one in error.errors():
            name = str(one["loc"][0]) if one["loc"] else ""
            if name not in known and not (name == "" and known):
                where = ".".join(map(str, one["loc"][1:]))
                found.setdefault(name, f"{where}: {expected(one)}" if where else expected(one))
        return found
    return {}


def concealed(value: Any, name: str = "") -> Any:
    """Return a value without passwords of addresses, and without what its name calls a secret."""
    if isinstance(value, dict):
        return {key: concealed(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [concealed(inner, name) for inner in value]
    if not isinstance(value, str):
        return value
    if _SECRET.search(name) and not PLACEHOLDER.search(value):
        return HIDDEN
    return _IN_URL.sub(rf"\1{HIDDEN}\3", value)


def _restored(value: Any, old: Any) -> Any:
    """Return a value with what was concealed, where it is as it was."""
    if old is not None and value == concealed(old):
        return old
    if isinstance(value, dict):
        before = old if isinstance(old, dict) else {}
        return {
            key: before[key] if key in before and inner == concealed(before[key], key) else _restored(inner, None)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_restored(inner, None) for inner in value]
    if isinstance(value, str) and HIDDEN in value:
        raise ValueError(_AGAIN)
    return value
