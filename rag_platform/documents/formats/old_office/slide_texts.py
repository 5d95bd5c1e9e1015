"""Texts and comments on slides of old PowerPoint, with the links in them: [MS-PPT] 2.9, 2.10."""

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rag_platform.documents.formats.markdown_writer import comment, link
from rag_platform.documents.formats.old_office.slide_tables import records

STRING, COMMENT = 4026, 12000
_ABOUT_COMMENT, _AUTHOR, _WORDS = 12001, 0, 1
BLOCK = -2
"""The kind of a text that is Markdown already: a table, a comment."""
_ENDS = re.compile(r"[\r\x0b]")


@dataclass(slots=True)
class Text:
    """A text of a slide."""

    kind: int
    words: str
    links: list[tuple[int, int, int]] = field(default_factory=list)
    """Of each: where it begins and ends among the words, the number of its address."""

    def shown(self, addresses: Mapping[int, str]) -> str:
        """Return its paragraphs, with the links whose addresses are known."""
        if self.kind == BLOCK:
            return self.words
        parts, done = [], 0
        for begin, end, number in sorted(self.links):
            if done <= begin < end:
                parts += [self.words[done:begin], _linked(self.words[begin:end], addresses.get(number, ""))]
                done = end
        return "\n\n".join(_lines("".join((*parts, self.words[done:]))))


def _linked(words: str, address: str) -> str:
    core = words.strip()
    return words if not core or _ENDS.search(core) else words.replace(core, link(core, address), 1)


def _lines(text: str) -> Iterator[str]:
    yield from filter(None, (" ".join(line.split()) for line in _ENDS.split(text)))


def slide_comment(content: bytes) -> str:
    """Return what a reviewer wrote, from a record of such a comment."""
    said, time = {_AUTHOR: "", _WORDS: ""}, ""
    for kind, instance, data in records(content):
        if kind == STRING:
            said[instance] = data.decode("utf-16-le", "replace")
        elif kind == _ABOUT_COMMENT and len(data) >= 20:
            year, month, _, day, hour, minute, second, _ = struct.unpack_from("<8H", data, 4)
            time = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}" if year else ""
    return comment(said[_AUTHOR], time, said[_WORDS])
