"""Markdown, with what its front matter says."""

import re
import tomllib
from datetime import date, datetime
from typing import Any

import yaml

from rag_platform.documents.extracted import Extracted, losses
from rag_platform.documents.formats.notes.wiki_links import has_wiki_links, plain_links, tags_in, without_comments
from rag_platform.documents.formats.plain_text import decode, newlines
from rag_platform.documents.times import parse_time
from rag_platform.text.markdown_blocks import first_heading

_YAML = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\A\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PANDOC = re.compile(r"\A%[ \t]*(\S.*)\n(?:%[ \t]*(.*)\n)?(?:%[ \t]*(.*)\n)?")
_MULTI = re.compile(r"\A(Title:[ \t]*\S.*\n(?:[A-Za-z][\w -]{0,30}:[ \t].*\n)*)(?=\n)")
"""How Pandoc and MultiMarkdown say what a text is called, by whom and of when it is."""
_LONGEST = 1 << 16
_PUBLISHED = ("published_at", "published", "date", "created", "created_at", "ms.date")
_UPDATED = ("updated_at", "updated", "modified", "lastmod", "last_updated", "last-updated")


def read_markdown(content: bytes, *, charset: str | None = None) -> Extracted:
    """Read Markdown; the front matter gives title, author and dates and leaves the text.

    Raises:
        ExtractionError: The bytes are no text.
    """
    text, flags = decode(content, charset)
    text = newlines(text)
    known, body, problem = _front_matter(text)
    is_note = has_wiki_links(body)
    stated = (*_tags(known.get("tags") or known.get("keywords")), *_tags(known.get("categories")))
    tags = (*stated, *(tags_in(body) if is_note or known else ()))
    body, comments = without_comments(body) if is_note or known else (body, 0)
    body = plain_links(body)
    aliases = _name(known.get("aliases"))
    return Extracted(
        text=f"Also called: {aliases}\n\n{body}" if aliases else body,
        type="markdown",
        title=_name(known.get("title")) or first_heading(body),
        author=_name(known.get("author") or known.get("authors")),
        language=_name(known.get("lang") or known.get("language")) or None,
        published_at=_date(known, _PUBLISHED),
        updated_at=_date(known, _UPDATED),
        kind=_name(known.get("type")),
        owner=_name(known.get("owner")),
        tags=tuple(dict.fromkeys(tags)),
        private=str(known.get("private") or "").strip().lower() in ("true", "yes", "on", "1"),
        flags=flags + problem,
        losses=losses({"comments": comments}),
    )


def _front_matter(text: str) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    """Split off the front matter: what it says, the body, a flag when it cannot be read."""
    for pattern, load in ((_YAML, _load_yaml), (_TOML, tomllib.loads)):
        found = pattern.match(text.removeprefix("\ufeff"))
        if not found or len(found[1]) > _LONGEST:
            continue
        try:
            known = load(found[1])
        except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
            return {}, text, (f"front matter not understood: {str(error).splitlines()[0]}",)
        if isinstance(known, dict):  # else the dashes were a rule, not front matter
            return {str(key).lower(): value for key, value in known.items()}, text[found.end() :], ()
    return *_title_block(text), ()


def _title_block(text: str) -> tuple[dict[str, Any], str]:
    """Split off what Pandoc or MultiMarkdown write above a text."""
    if found := _PANDOC.match(text):
        known: dict[str, Any] = dict(zip(("title", "author", "date"), found.groups(), strict=True))
    elif found := _MULTI.match(text):
        known = {
            key.strip().lower(): value for key, _, value in (line.partition(":") for line in found[1].splitlines())
        }
    else:
        return {}, text
    return {key: value.strip() for key, value in known.items() if value}, text[found.end() :]


def _load_yaml(text: str) -> object:
    """Read YAML with every value as text: a date that does not exist must not cost the title."""
    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 (it makes no objects)


def _tags(value: object) -> tuple[str, ...]:
    given = value if isinstance(value, list) else re.split(r"[,;]", value) if isinstance(value, str) else ()
    return tuple(dict.fromkeys(filter(None, (_name(tag).strip() for tag in given))))


def _name(value: object) -> str:
    """Return what names something: a string, a number, a list of names or a table with a name."""
    if isinstance(value, dict):
        return _name(value.get("name"))
    if isinstance(value, list):
        return ", ".join(filter(None, map(_name, value)))
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _date(known: dict[str, Any], keys: tuple[str, ...]) -> datetime | None:
    for key in keys:
        value = known.get(key)
        found = parse_time(value.isoformat() if isinstance(value, date) else value) if value else None
        if found:
            return found
    return None
