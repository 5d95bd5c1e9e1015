"""Text that tries to instruct a language model which reads it: found by its wording, in the languages that are served.

What is looked for is what such texts need and others rarely have: an order to ignore earlier orders, a new role, the
marks of a chat's turns, an address to the machine, and demands about its answer (Greshake et al., "Not what you've
signed up for", AISec 2023; Yi et al., "Benchmarking and Defending Against Indirect Prompt Injection Attacks on Large
Language Models", KDD 2025). A plain request ("Translate this into French") reads like any other sentence and is not
found: that no source is obeyed does not rest on this, it only warns people and the model. The wordings are in
wordings.toml.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain
from typing import Any

from rag_platform.text.instructions.disguises import apart, forms

INSTRUCTS = "instructs the reader: "
"""How the flag of a document begins that tries to."""
VERSION = "2"
"""Raise it when the wordings change."""
_AROUND = 250
"""Characters before and after a hint that are looked at."""
_SHOWN = 120
_MOST = 5


@dataclass(frozen=True, slots=True)
class Wording:
    """A way in which texts instruct."""

    hints: tuple[str, ...]
    """Words of which one, in lower case, is in whatever the pattern matches: only what is near them is looked at."""
    pattern: re.Pattern[str]


def _content() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("wordings.toml").read_text(encoding="utf-8"))


@cache
def _squeezed() -> re.Pattern[str]:
    """Compile what is looked for in letters that were set apart, where no spaces are left."""
    return re.compile(_content()["apart"].replace("\n", ""), re.IGNORECASE)


@cache
def wordings() -> tuple[Wording, ...]:
    """Read and compile them when the first text is looked at: most commands look at none."""
    content = _content()
    words = {f"%{name}%": pattern for name, pattern in content["words"].items()}
    return tuple(
        Wording(tuple(wording["hints"]), _pattern(wording["pattern"], words)) for wording in content["wordings"]
    )


def _pattern(written: str, words: dict[str, str]) -> re.Pattern[str]:
    for name, pattern in words.items():
        written = written.replace(name, pattern)
    return re.compile(written.replace("\n", "").replace(" ", r"(?:\s{1,9})"), re.IGNORECASE)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text that instruct, each once: as it is written, then as it can be read (disguises.py)."""
    seen = set()
    for span in chain(_written(text), _read(text)):
        if span not in seen:
            seen.add(span)
            yield span


def _read(text: str) -> Iterator[tuple[int, int]]:
    for form, places in forms(text):
        for start, end in _written(form):
            first, last = sorted((places[start], places[end - 1]))
            yield first, last + 1
    for form, places in apart(text):
        if _squeezed().search(form.replace(" ", "")) or next(_written(form), None):
            yield places[0], places[-1] + 1


def _written(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans by wording, then by place."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose small form is two: places would differ
        lowered = text
    for wording in wordings():
        for start, end in _near(wording.hints, lowered):
            yield from (match.span() for match in wording.pattern.finditer(text, start, end))


def _near(hints: Iterable[str], lowered: str) -> Iterator[tuple[int, int]]:
    """Yield what is near a hint, each place once."""
    start = end = 0
    for place in sorted(place for hint in hints if hint in lowered for place in _places(hint, lowered)):
        if place - _AROUND > end:
            if end:
                yield start, end
            start = place - _AROUND
        end = place + _AROUND
    if end:
        yield start, end


def _places(hint: str, text: str) -> Iterator[int]:
    place = text.find(hint)
    while place >= 0:
        yield place
        place = text.find(hint, place + 1)


def instructs(text: str) -> bool:
    """Return whether a text tries to instruct a language model."""
    return next(find(text), None) is not None


def flags_of(text: str, concealed: Iterable[tuple[str, str]] = ()) -> tuple[str, ...]:
    """Return the flags of a document: what it says openly, then what it says (how, what) where people do not see it."""
    openly = (f"{INSTRUCTS}“{_quote(text[start:], end - start)}”" for start, end in sorted(find(text)))
    hidden = (f"{INSTRUCTS}{how}: “{_quote(what)}”" for how, what in concealed)
    return tuple(dict.fromkeys([*openly, *hidden]))[:_MOST]


def _quote(text: str, length: int = 0) -> str:
    """Return the beginning of a text, on one line, to the end of a sentence if that is near."""
    shown = text[: max(length, _SHOWN)]
    end = re.search(r"[.!?。！？।؟\n]", shown[length:])
    quoted = shown[: length + end.start()] if end else shown
    return " ".join(quoted.split()).strip("*#\"'“.:;!? ") + ("" if end or len(text) <= len(quoted) else " …")
