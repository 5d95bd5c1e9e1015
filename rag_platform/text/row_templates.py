"""A database row -> Markdown text: templates, and values as people read them."""

import functools
import itertools
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

HOLE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")


def columns(template: str) -> list[str]:
    """Name the columns that a template uses."""
    return [match[1].strip() for match in HOLE.finditer(template) if match[1]]


def fill(template: str, row: Mapping[str, Any]) -> str:
    """Replace each ``{column}`` by the row's value; ``{{`` and ``}}`` are braces."""
    return HOLE.sub(lambda match: readable(row[match[1].strip()]) if match[1] else match[0][0], template)


def filled_tags(templates: Iterable[str], row: Mapping[str, Any]) -> list[str]:
    """Fill templates of tags, each tag once; an empty value gives none, a list one for each of its values."""
    tags = [" ".join(tag.split()) for template in templates for tag in _filled(template, row)]
    return list(dict.fromkeys(filter(None, tags)))


def _filled(template: str, row: Mapping[str, Any]) -> list[str]:
    names = dict.fromkeys(columns(template))
    choices = itertools.product(*(_several(row[name]) for name in names))
    return [fill(template, dict(zip(names, values, strict=True))) for values in choices]


def normal(value: Any, names: Mapping[str, str]) -> Any:
    """Give a value, or each of a list, the name it has in `names`, whatever its case; others become lower case."""
    if value is None:
        return None
    folded = {given.strip().casefold(): name for given, name in names.items()}
    found = [folded.get(text.casefold(), text.lower()) for text in _several(value)]
    return found if isinstance(_parsed(value), list | tuple) else "".join(found)


def _several(value: Any) -> list[str]:
    parsed = _parsed(value)
    parts = parsed if isinstance(parsed, list | tuple) else [value]
    return [text for part in parts if (text := readable(part).strip())]


def _parsed(value: Any) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


@functools.singledispatch
def readable(value: Any) -> str:
    """Write a value for people: null is empty, JSON becomes words and lists."""
    return str(value)


@readable.register
def _(_: None) -> str:
    return ""


@readable.register
def _(value: bool) -> str:
    return "yes" if value else "no"


@readable.register
def _(value: datetime) -> str:
    return value.isoformat(" ")


@readable.register(bytes | bytearray | memoryview)
def _(value: bytes) -> str:
    try:
        return readable(bytes(value).decode("utf-8"))
    except UnicodeDecodeError:
        return f"({len(value)} bytes)"


@readable.register
def _(value: str) -> str:
    if value.strip()[:1] not in ("{", "["):
        return value
    try:
        return _structure(json.loads(value))
    except (ValueError, RecursionError):
        return value


@readable.register(dict | list | tuple)
def _(value: dict[str, Any] | list[Any]) -> str:
    return _structure(value)


def _structure(value: Any) -> str:
    """Write lists and objects of single values on one line, nested ones as a Markdown list."""
    if isinstance(value, dict):
        if all(_is_single(part) for part in value.values()):
            return "; ".join(f"{key}: {readable(part)}" for key, part in value.items())
        return "\n" + "\n".join(_bullets(value, 0))
    if all(_is_single(part) for part in value):
        return ", ".join(readable(part) for part in value)
    return "\n" + "\n".join(_bullets(value, 0))


def _bullets(value: Any, depth: int) -> list[str]:
    pairs = value.items() if isinstance(value, dict) else ((None, part) for part in value)
    lines = []
    for key, part in pairs:
        name = "" if key is None else f"{key}: "
        nested = not _is_single(part) and depth < 20 and not all(map(_is_single, _parts(part)))
        lines.append("  " * depth + f"- {name}{'' if nested else _inline(part)}".rstrip())
        lines += _bullets(part, depth + 1) if nested else []
    return lines


def _inline(value: Any) -> str:
    return readable(value) if _is_single(value) or all(map(_is_single, _parts(value))) else json.dumps(value)


def _parts(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _is_single(value: Any) -> bool:
    return not isinstance(value, dict | list | tuple)
