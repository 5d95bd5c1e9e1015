"""The page's words, in one place: a folder for each language, a file of Fluent messages for each view.

Fluent (https://projectfluent.org) knows each language's plurals and numbers. A language is a folder beside `en`; what
it lacks is said in English. Which one a visitor reads follows from their browser. The days of each are Babel's.
"""

import re
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st
from babel.dates import format_date
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.errors import FluentFormatError
from streamlit.runtime.scriptrunner import get_script_run_ctx

FOLDER = Path(__file__).resolve().parent
ENGLISH = "en"
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Signs that let what follows be read in another order than it is written."""
UNREAD = "frame-machine-made"
"""A language has this text until somebody who speaks it has read all others."""


def upright(text: str) -> str:
    """Return a text without the signs that would reverse what follows them."""
    return _TURNING.sub("", text)


def say(key: str, **values: Any) -> str:
    """Return a text, with these values in its places; none of them reverses what follows it.

    Raises:
        KeyError: there is no such text, or a value that it needs was not given.
    """
    if not values:
        return _plain(spoken(), key)
    return _say(spoken(), key, {name: upright(one) if isinstance(one, str) else one for name, one in values.items()})


@cache
def _plain(language: str, key: str) -> str:
    """Return a text without values, which a list of results has hundreds of times."""
    return _say(language, key, {})


def _say(language: str, key: str, values: dict[str, Any]) -> str:
    for bundle in (_bundle(language), _bundle(ENGLISH)):
        pattern = bundle.get_message(key).value if bundle.has_message(key) else None
        if pattern is not None:
            text, errors = bundle.format_pattern(pattern, values)
            if errors:
                raise KeyError(f"{key}: {errors[0]}") from _cause(errors)
            return str(text)
    raise KeyError(f"there is no text {key!r} in {FOLDER / ENGLISH}")


def say_html(key: str, **values: Any) -> str:
    """Return a text that may hold tags of its own, with these values escaped."""
    return say(key, **{name: escape(value) if isinstance(value, str) else value for name, value in values.items()})


def say_day(moment: datetime) -> str:
    """Return a day with the month's name."""
    return format_date(moment, "long", locale=_calendar())


def say_moment(moment: datetime) -> str:
    """Return a day and its hour and minute."""
    return f"{say_day(moment)}, {moment:%H:%M}"


def _calendar() -> str:
    language = spoken()
    return "en_GB" if language == ENGLISH else language  # the day before the month, as all others have it


def unread() -> str:
    """Return what says that a machine wrote this language and no speaker has read it yet; nothing where one has."""
    language = spoken()
    return _say(language, UNREAD, {}) if _bundle(language).has_message(UNREAD) else ""


def _cause(errors: list[Exception]) -> Exception | None:
    return errors[0] if isinstance(errors[0], FluentFormatError) else None


def spoken() -> str:
    """Return the best language that there is for this visitor's browser."""
    wanted = (st.context.locale or ENGLISH) if get_script_run_ctx(suppress_warning=True) else ENGLISH
    for name in (wanted, wanted.partition("-")[0]):
        if name in _languages():
            return name
    return ENGLISH


@cache
def _languages() -> frozenset[str]:
    return frozenset(path.name for path in FOLDER.iterdir() if any(path.glob("*.ftl")))


@cache
def _bundle(language: str) -> FluentBundle:
    bundle = FluentBundle([language], use_isolating=False)
    for path in sorted((FOLDER / language).glob("*.ftl")):
        bundle.add_resource(FluentResource(path.read_text(encoding="utf-8")))
    return bundle
