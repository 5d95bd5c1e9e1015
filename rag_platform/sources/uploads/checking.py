"""What may stand in a collection's entry."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from rag_platform.core.errors import UploadRefused
from rag_platform.sources.uploads.names import LONGEST_SLUG, slug
from rag_platform.text.cleaning import clean_line

_ID = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{LONGEST_SLUG - 1}}}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_LONGEST = {"title": 200, "description": 2000}
_MOST = 50
"""Tags or principals; more are a mistake."""


def checked_id(given: str | None, title: str) -> str:
    """Return a collection's id, made of its title when none is given."""
    found = slug(title) if given is None else given
    if not isinstance(found, str) or not _ID.fullmatch(found):
        raise UploadRefused(
            f"the id {found!r} of the collection {title!r} cannot be used",
            f"1 to {LONGEST_SLUG} lower-case letters, digits and hyphens, not a hyphen first",
            "Give another id; a title in another script needs one of its own.",
        )
    return found


def checked(**given: Any) -> dict[str, Any]:
    """Return the values of a collection as its row has them."""
    return {name: _CHECKS[name](value) for name, value in given.items()}


def checked_names(what: str, given: Iterable[str] | None) -> tuple[str, ...]:
    """Return tags or principals, each once and none empty."""
    listed = given is None or isinstance(given, list | tuple)
    if not listed or not all(isinstance(name, str) for name in given or ()):
        raise UploadRefused(f"{what} = {given!r}", "a list of words", "Give each as a text of its own.")
    names = tuple(dict.fromkeys(name for name in map(clean_line, given or ()) if name))
    if len(names) > _MOST or any(len(name) > 200 for name in names):
        raise UploadRefused(
            f"{len(names)} {what}", f"at most {_MOST}, each of at most 200 characters", "Leave some out."
        )
    return names


def _text(name: str) -> Any:
    def check(value: str) -> str:
        if not isinstance(value, str) or len(value) > _LONGEST[name]:
            raise UploadRefused(f"{name} = {value!r:.80}", f"at most {_LONGEST[name]} characters", "Shorten it.")
        text = clean_line(value)
        if name == "title" and not text:
            raise UploadRefused("the title is empty", "a few words", "Say what the collection is called.")
        return text

    return check


def _language(value: str | None) -> str | None:
    if value and not (isinstance(value, str) and _LANGUAGE.fullmatch(value)):
        raise UploadRefused(f"language = {value!r}", "an ISO 639 code such as 'en'", "Give the code, or none.")
    return value or None


def _principals(value: Sequence[str]) -> str:
    return json.dumps(checked_names("principals", value), ensure_ascii=False)


_CHECKS = {
    "title": _text("title"),
    "description": _text("description"),
    "language": _language,
    "principals": _principals,
}
