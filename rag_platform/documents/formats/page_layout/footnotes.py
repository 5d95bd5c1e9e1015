"""Footnotes of a PDF: small lines that begin with a number which is raised behind a word of the same page."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rag_platform.documents.formats.page_layout.headings import Item
from rag_platform.documents.formats.page_layout.reading_order import TextLine

_SMALLER = 0.95
"""Times the size of the body's letters."""
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = frozenset(_RAISED)
_PLAIN = str.maketrans(_RAISED, "0123456789")
_UNIT = r"(?<!(?<![^\W\d_])(?:mm|cm|dm|km|nm|µm|μm|ft|yd|mi|in)(?=[²³]))"
_CALL = re.compile(rf"(?<=[^\W\d_]{{2}}|.[.,;:!?)\]’”\"»]){_UNIT}([{_RAISED}]{{1,3}})⁾?(?![{_RAISED}⁻⁺])")
"""Behind a word of several letters or a sign: behind a figure, a letter or a unit of length it is an exponent."""
_NOTE = re.compile(rf"(?:([{_RAISED}]{{1,3}})⁾?\s?|(\d{{1,3}})[.)]?\s)(?=\S)")


def mark_footnotes(pages: Sequence[list[Item]]) -> None:
    """Write the footnotes as Markdown does: ``[^1]`` behind the word, and ``[^1]: …`` before the note.

    A number that an earlier page has too is told apart by its page: ``[^1-7]``.
    """
    body = _body(pages)
    taken: set[str] = set()
    for number, page in enumerate(pages, start=1):
        starts = dict(_starts(page, body))
        called = {call for item in page if isinstance(item, TextLine) for call in _calls(item.text)}
        labels = {note: note if note not in taken else f"{note}-{number}" for note in starts.values() if note in called}
        taken |= set(labels)
        if labels:
            page[:] = _marked(page, starts, labels)


def _body(pages: Sequence[Sequence[Item]]) -> float:
    """Return the size of most letters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for item in page:
            if isinstance(item, TextLine):
                sizes[item.size] += len(item.text)
    return max(sizes, key=sizes.__getitem__, default=0.0)


def _calls(text: str) -> list[str]:
    if text.isascii() or _DIGITS.isdisjoint(text):
        return []
    return [found.translate(_PLAIN) for found in _CALL.findall(text)]


def _starts(page: Sequence[Item], body: float) -> list[tuple[int, str]]:
    """Return the places of the lines that can begin a note, each number once, and their numbers."""
    found: dict[str, int] = {}
    for place, item in enumerate(page):
        if isinstance(item, TextLine) and 0 < item.size < _SMALLER * body and (mark := _NOTE.match(item.text)):
            found[(mark[1] or mark[2]).translate(_PLAIN)] = place  # the last one: notes are at the foot
    return [(place, note) for note, place in found.items()]


def _marked(page: Sequence[Item], starts: dict[int, str], labels: dict[str, str]) -> list[Item]:
    """Write the calls and the beginnings of the notes; what follows in larger letters is a paragraph of its own."""
    marked: list[Item] = []
    size = 0.0
    for place, item in enumerate(page):
        if not isinstance(item, TextLine):
            marked.append(item)
            continue
        label = labels.get(starts.get(place, ""))
        ends = size > 0 and item.size > size / _SMALLER
        size = item.size if label else 0.0 if ends else size
        text = _NOTE.sub(f"[^{label}]: ", item.text, count=1) if label else _called(item.text, labels)
        marked.append(replace(item, text=text, gap=item.gap or bool(label) or ends))
    return marked


def _called(text: str, labels: dict[str, str]) -> str:
    def written(found: re.Match[str]) -> str:
        label = labels.get(found[1].translate(_PLAIN))
        return f"[^{label}]" if label else found[0]

    return _CALL.sub(written, text)
