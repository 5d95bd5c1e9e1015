"""What is typed into the form of a new source -> its table in rag.toml, or what is wrong with each field."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.collecting.validation import VALIDATORS, lines_of
from app.texts import say
from rag_platform.config.sections.sources import PageText
from rag_platform.config.settings_errors import expected
from rag_platform.config.source_kinds import kind_of
from rag_platform.core.principals import PUBLIC
from rag_platform.people.identity import Person

Sort = Literal["text", "area", "secret", "number", "switch", "choice"]
Problems = dict[str, str]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form."""

    name: str
    sort: Sort = "text"
    needed: bool = False
    options: tuple[str, ...] = ()
    """Of a choice; the first is the default."""
    when: tuple[str, str] | None = None
    """Shown only while another field has this value."""
    more: bool = False
    """Shown among the further settings."""


SCHEDULES = {
    "": "",
    "quarter": "*/15 * * * *",
    "hour": "0 * * * *",
    "day": "0 6 * * *",
    "week": "0 6 * * 1",
    "own": "",
}
NEAR = Field("allow_private", "switch", more=True)
PAGE_TEXT = Field("page_text", "choice", options=get_args(PageText), more=True)
COMMENTS = Field("comments", "switch", more=True)
HERE_ONLY = {"folder", "sql", "allow_private"}
"""What opens this machine and its network, which an admin alone may let the platform read."""
COMMON = (
    Field("schedule", "choice", options=tuple(SCHEDULES)),
    Field("cron", needed=True, when=("schedule", "own")),
    Field("language", "choice", more=True),
    Field("half_life_days", "number", more=True),
    Field("fresh_within_hours", "number", more=True),
)
FORMS: dict[str, tuple[Field, ...]] = {
    "feed": (
        Field("address", needed=True),
        Field("others", "area", more=True),
        Field("articles", "switch", more=True),
        Field("max_age_days", "number", more=True),
        COMMENTS,
        NEAR,
    ),
    "web": (
        Field("way", "choice", options=("sitemap", "crawl", "urls")),
        Field("sitemap", needed=True, when=("way", "sitemap")),
        Field("crawl", needed=True, when=("way", "crawl")),
        Field("urls", "area", needed=True, when=("way", "urls")),
        Field("include", "area", more=True),
        Field("exclude", "area", more=True),
        Field("limit", "number", more=True),
        Field("javascript", "switch", more=True),
        COMMENTS,
        PAGE_TEXT,
        NEAR,
    ),
    "portal": (
        Field("url", needed=True),
        Field("profile", "choice", options=("generic", "sakai")),
        Field("user", needed=True),
        Field("password", "secret", needed=True),
        Field("logged_in", more=True),
        Field("depth", "number", more=True),
        Field("limit", "number", more=True),
        Field("javascript", "switch", more=True),
        PAGE_TEXT,
        NEAR,
    ),
    "folder": (
        Field("path", needed=True),
        Field("include", "area", more=True),
        Field("exclude", "area", more=True),
        PAGE_TEXT,
    ),
    "sql": (
        Field("url", needed=True),
        Field("password", "secret"),
        Field("query", "area", needed=True),
        Field("key", needed=True),
        Field("title"),
        Field("template", "area", needed=True),
        Field("uri", more=True),
        Field("cursor", more=True),
        Field("published_at", more=True),
        Field("updated_at", more=True),
    ),
}
NUMBERS = {"half_life_days", "fresh_within_hours", "max_age_days", "limit", "depth"}
ON = {"articles"}
"""Switches that are on by default."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What was typed, validated."""

    table: dict[str, Any]
    """As rag.toml would have it."""
    problems: Problems = field(default_factory=dict)
    """By the name of the field; "" is the whole."""


def kinds_for(person: Person) -> list[str]:
    """Return the kinds of source that somebody may add."""
    return [kind for kind in FORMS if person.may("admin") or kind not in HERE_ONLY]


def fields_of(kind: str, values: Mapping[str, Any], person: Person) -> list[Field]:
    """Return the fields of a kind, given the values typed so far."""
    fields = (Field("id", needed=True), *FORMS[kind], *COMMON)
    return [
        one
        for one in fields
        if (one.when is None or values.get(one.when[0]) == one.when[1])
        and (person.may("admin") or one.name not in HERE_ONLY)
    ]


def check(
    kind: str, values: Mapping[str, Any], person: Person, *, home: Path, ids: Collection[str], secret: str
) -> Checked:
    """Validate what was typed.

    Args:
        kind: of the source.
        values: by field, as typed.
        person: who adds it: what opens this machine or its network is taken from an admin alone.
        home: the workspace's folder, where relative paths begin.
        ids: of the sources that there are.
        secret: the name under which the password will be stored.
    """
    fields = fields_of(kind, values, person)
    given = {one.name: _plain(values.get(one.name)) for one in fields}
    problems = {one.name: say("collections-wrong-missing") for one in fields if one.needed and not given[one.name]}
    for name, validator in VALIDATORS.items():
        if given.get(name) and name not in problems and (wrong := validator(kind, given[name])):
            problems[name] = wrong
    if kind == "sql" and given.get("password") and "@" not in given["url"]:
        problems.setdefault("url", say("collections-wrong-user"))
    if given["id"] in ids:
        problems["id"] = say("collections-wrong-taken", id=given["id"])
    if kind == "folder" and given["path"] and not (home / Path(given["path"]).expanduser()).is_dir():
        problems["path"] = say("collections-wrong-folder")
    if kind not in kinds_for(person):
        problems[""] = say("collections-wrong-kind")
    table = table_of(kind, given, values.get("principals") or (), secret)
    return Checked(table, problems | _wrong_for_settings(kind, table, given, problems))


def table_of(kind: str, given: Mapping[str, Any], principals: Sequence[str], secret: str) -> dict[str, Any]:
    """Return a source's table of what was typed; what is empty is left to the defaults."""
    table: dict[str, Any] = {"id": given["id"], "kind": kind, **_own(kind, given, secret)}
    table["collection"] = given["id"]
    schedule = given.get("cron") if given.get("schedule") == "own" else SCHEDULES.get(given.get("schedule") or "")
    table |= {"schedule": schedule} if schedule else {}
    table |= {name: given[name] for name in ("language", "comments", *sorted(NUMBERS)) if given.get(name)}
    if given.get("page_text") not in (None, PAGE_TEXT.options[0]):
        table["page_text"] = given["page_text"]
    if principals and PUBLIC not in principals:
        table["principals"] = list(principals)
    if given.get("allow_private"):
        table["fetch"] = {"allow_private": True}
    return table


def _own(kind: str, given: Mapping[str, Any], secret: str) -> dict[str, Any]:
    named = f"${{secret:{secret}}}"
    lists = {name: lines_of(given[name]) for name in ("include", "exclude") if given.get(name)}
    switches = {"javascript": True} if given.get("javascript") else {}
    own: dict[str, Any]
    if kind == "feed":
        own = {"urls": [*lines_of(given["address"]), *lines_of(given.get("others") or "")]}
        return own | ({"articles": False} if given.get("articles") is False else {})
    if kind == "web":
        way = given.get("way") or "sitemap"
        said = given.get(way) or ""
        return {way: said if way == "sitemap" else lines_of(said)} | lists | switches
    if kind == "portal":
        own = {name: given[name] for name in ("url", "profile", "user") if given.get(name)}
        own |= {"password": named} if given.get("password") else {}
        return own | ({"logged_in": given["logged_in"]} if given.get("logged_in") else {}) | switches
    if kind == "folder":
        return {"path": given["path"]} | lists
    own = {"url": _with_password(given["url"], named) if given.get("password") else given["url"]}
    names = ("query", "key", "title", "template", "uri", "cursor", "published_at", "updated_at")
    return own | {name: given[name] for name in names if given.get(name)}


def _with_password(url: str, named: str) -> str:
    before, at, after = url.partition("@")
    return f"{before}:{named}@{after}" if at else url


def _wrong_for_settings(kind: str, table: Mapping[str, Any], given: Mapping[str, Any], known: Problems) -> Problems:
    """Ask the kind's own settings; what they say of a key goes to the field that it was typed into."""
    try:
        kind_of(kind).settings.model_validate(dict(table))
    except ValidationError as error:
        found: Problems = {}
        for problem in error.errors():
            name = _field_of(str(problem["loc"][0]) if problem["loc"] else "", given)
            if name not in known and not (name == "" and known):
                found.setdefault(name, _plain_words(problem))
        return found
    return {}


def _field_of(key: str, given: Mapping[str, Any]) -> str:
    if key in given:
        return key
    return {"urls": "address", "schedule": "cron"}.get(key, "")


def _plain_words(problem: ErrorDetails) -> str:
    if problem["type"] == "missing":
        return say("collections-wrong-missing")
    if problem["type"] in ("greater_than", "greater_than_equal", "float_parsing", "int_parsing", "int_from_float"):
        return say("collections-wrong-number")
    return expected(problem)


def _plain(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value
