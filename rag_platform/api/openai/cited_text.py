"""An answer as a client shows it: its text, the sources under it, and where each is cited."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from rag_platform.core.answers import Answer, Citation
from rag_platform.core.hits import page_name

_SOURCES = "\n\nSources:\n"
_MARK = re.compile(r"\[(\d+)\]")
_MARKUP = re.compile(r"[\[\]<>`\s\x00-\x1f]")
_ACTIVE = re.compile(r"[\[\]<>`\\*_|\s]+")


@dataclass(frozen=True, slots=True)
class CitedText:
    """A text with its citations."""

    text: str
    annotations: list[dict[str, Any]]
    """For each mark ``[n]`` in the text: `start_index` and `end_index`, `url` and `title` of what it cites."""
    cut: bool = False
    """Whether it ends at a text at which it was to stop."""


def cited_text(answer: Answer, stop: tuple[str, ...] = ()) -> CitedText:
    """Return an answer's text up to the first of the texts at which to stop, with the sources that it cites."""
    ends = [place for one in stop if one and (place := answer.answer.find(one)) >= 0]
    text = answer.answer[: min(ends)] if ends else answer.answer
    cited = {one.n: one for one in reversed(answer.citations)}
    marks = [(found, cited[int(found[1])]) for found in _MARK.finditer(text) if int(found[1]) in cited]
    annotations = [
        {"start_index": found.start(), "end_index": found.end(), "url": one.uri, "title": one.title}
        for found, one in marks
    ]
    lines = [_line(one) for one in sorted({one.n: one for _, one in marks}.values(), key=lambda one: one.n)]
    return CitedText(text + (_SOURCES + "\n".join(lines) if lines else ""), annotations, bool(ends))


def without_sources(text: str) -> str:
    """Return the answer itself of a text that `cited_text` made."""
    place = text.rfind(f"{_SOURCES}[")
    return text if place < 0 else text[:place]


def _line(one: Citation) -> str:
    """Name a source; neither its title nor its address is Markdown, or another line."""
    page = page_name(one.page, one.page_label)
    address = _MARKUP.sub(lambda found: quote(found[0]), one.uri)
    title = _ACTIVE.sub(" ", one.title).strip()
    return f"[{one.n}] {title}{f', p. {page}' if page else ''}: {address}"
