"""Pages that stand in for a document: errors, log-ins, captchas, notices of maintenance or of cookies.

They are short and say one of few things, in whatever language; error_pages.toml has the wordings.
"""

import re
import tomllib
from functools import cache
from importlib import resources
from itertools import chain

from rag_platform.text.cleaning import UNSPACED

_LONGEST = 3_000
"""Characters; an error page is shorter."""
_BEGINNING = 400
"""Characters in which it says what it is."""
_SEVERAL = 3
"""Different wordings that together leave no doubt, wherever they stand."""
_CERTAIN = 240
"""Characters; a text as short as that with one wording at all is an error page."""


def stands_in(title: str, text: str) -> bool:
    """Return whether a text is an error, log-in, captcha, maintenance or cookie page in place of a document."""
    text = text.strip()
    if not text or len(text) > _LONGEST:
        return False
    found = _said(text)
    if found >= _SEVERAL or (found and len(text) <= _CERTAIN):
        return True
    beginning = text[:_BEGINNING] if len(text) <= 2 * _BEGINNING else text.partition("\n")[0]
    return bool(_said(f"{title} {beginning}"))


def _said(text: str) -> int:
    """Count the different wordings in a text."""
    folded = " ".join(text.casefold().split())
    phrases, status = _wordings()
    return sum(_begins_word(folded, phrase) for phrase in phrases if phrase in folded) + bool(status.search(folded))


def _begins_word(text: str, phrase: str) -> bool:
    """Return whether a phrase stands at the beginning of a word; without spaces between words, one begins anywhere."""
    spaceless = re.match(UNSPACED, phrase)
    return bool(spaceless or re.search(rf"(?<!\w){re.escape(phrase)}", text))


@cache
def _wordings() -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Read them when the first text is looked at."""
    content = tomllib.loads(resources.files(__package__).joinpath("error_pages.toml").read_text(encoding="utf-8"))
    phrases = {phrase.casefold() for phrase in chain.from_iterable(content["phrases"].values())}
    return tuple(sorted(phrases)), re.compile(content["status"])
