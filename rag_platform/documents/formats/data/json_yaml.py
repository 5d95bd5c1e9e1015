"""Structured data (JSON, JSON lines, YAML) as people read it: lists of like records as tables, others as sections."""

import json
from collections.abc import Iterable
from typing import Any

from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.data.mojibake import mended
from rag_platform.documents.formats.markdown_writer import code, heading, join, paragraph, table
from rag_platform.documents.formats.plain_text import decode
from rag_platform.text.row_templates import readable

MOST_RECORDS = 20_000
_LONG = 200
"""Characters; records with a longer value are sections, not rows of a table."""
_MOST_KEYS = 20
"""Columns of a table; records with more keys between them are sections."""
_RECORDS = 5
"""Lines by which records are known."""
_NAMES = ("title", "name", "label", "subject", "id", "key", "question")


def read_json(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read JSON, or a record in each line; text that is neither stays as it is and is flagged.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(mended(content), charset)
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        if _has_a_record_in_each_line(text):
            return _records(text, flags)
        return Extracted(text=code(text), type="json", flags=(*flags, f"not understood as JSON: {error}"))
    shown, cut = _shown(value)
    title = readable(value.get("title")) if isinstance(value, dict) and isinstance(value.get("title"), str) else ""
    flags += tuple(map(_cut, cut))
    lost = losses({"entries": sum(cut) - MOST_RECORDS * len(cut)})
    return Extracted(text=shown, type="json", title=title, flags=flags, losses=lost)


def read_jsonl(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read a record from each line; lines that are none are flagged.

    Raises:
        ExtractionError: The bytes are no text.
    """
    return _records(*decode(mended(content), charset))


def _records(text: str, flags: tuple[str, ...]) -> Extracted:
    records, bad = [], 0
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]  # a record may hold U+2028
    for line in lines[:MOST_RECORDS]:
        try:
            records.append(json.loads(line))
        except (ValueError, RecursionError):
            bad += 1
            records.append(line)
    flags += (f"{bad} lines not understood as JSON",) if bad else ()
    flags += (_cut(len(lines)),) if len(lines) > MOST_RECORDS else ()
    lost = losses({"entries": len(lines) - len(records)})
    return Extracted(text=_listed(records), type="jsonl", flags=flags, losses=lost)


def _has_a_record_in_each_line(text: str) -> bool:
    """Return whether the first lines are records: databases and logs write such files and call them JSON."""
    lines = [line for line in text.split("\n", _RECORDS)[:_RECORDS] if line.strip()]
    try:
        return len(lines) > 1 and all(isinstance(json.loads(line), dict | list) for line in lines)
    except (ValueError, RecursionError):
        return False


def read_yaml(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read YAML: people write it to be read, with comments, so it stays as it is.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    return Extracted(text=code(text, "yaml"), type="yaml", flags=flags)


def _shown(value: Any) -> tuple[str, tuple[int, ...]]:
    """Return a value as Markdown, and the length of each list that has more records than are shown."""
    if isinstance(value, list):
        return _listed(value[:MOST_RECORDS]), _cuts([value])
    if isinstance(value, dict):
        return _object(value, 2), _cuts(value.values())
    return paragraph(readable(value)), ()


def _cuts(values: Iterable[Any]) -> tuple[int, ...]:
    return tuple(len(one) for one in values if isinstance(one, list) and len(one) > MOST_RECORDS)


def _cut(count: int) -> str:
    return f"{count} records, the first {MOST_RECORDS} read"


def _object(value: dict[str, Any], level: int) -> str:
    """Return single values as a list; what is nested below a heading each."""
    single = {key: part for key, part in value.items() if not isinstance(part, dict | list)}
    lines = "\n".join(f"- {key}: {_line(part)}" for key, part in single.items())
    sections = []
    for key, part in value.items():
        if key in single or not part:
            continue
        inside = _listed(part[:MOST_RECORDS]) if isinstance(part, list) else readable(part).strip()
        if level == 2 and isinstance(part, dict) and any(isinstance(one, dict | list) for one in part.values()):
            inside = _object(part, 3)
        sections.append(join([heading(level, str(key)), inside]))
    return join([lines, *sections])


def _listed(values: list[Any]) -> str:
    """Return like records as a table, others as sections, single values as a list."""
    if all(isinstance(one, dict) for one in values) and values:
        keys = list(dict.fromkeys(key for one in values for key in one))
        shown = [[_line(one.get(key)) for key in keys] for one in values] if len(keys) <= _MOST_KEYS else []
        if shown and all(len(part) <= _LONG for row in shown for part in row):
            return table([list(map(str, keys)), *shown])
        return join(_record(one, place) for place, one in enumerate(values, 1))
    return "\n".join(f"- {_line(one)}" for one in values)


def _record(value: dict[str, Any], place: int) -> str:
    name = next((str(value[key]) for key in _NAMES if isinstance(value.get(key), str | int)), f"Record {place}")
    fields = []
    for key, part in value.items():
        shown = readable(part).strip("\n")
        fields.append(
            f"{key}:\n\n{paragraph(shown)}" if "\n" in shown or len(shown) > _LONG else f"{key}: {_line(part)}"
        )
    return join([heading(2, name[:100]), *fields])


def _line(value: Any) -> str:
    return " ".join(readable(value).split())
