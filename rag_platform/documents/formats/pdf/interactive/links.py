"""The links and the comments of a page, put to the words that they are about."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rag_platform.documents.formats.markdown_writer import comment
from rag_platform.documents.formats.page_layout.boxes import Box, Comment, Line, Link, Page, Word
from rag_platform.documents.formats.pdf.information import date_of
from rag_platform.text.cleaning import clean_line

_ADDRESS = re.compile(r"(?:https?|ftp)://[^\s<>\"]{1,2000}|mailto:[^\s<>\"]{1,400}", re.IGNORECASE)
_SHOWN = re.compile(r"://|www\.|\w@\w")
"""Words that are an address themselves."""
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
"""Noncharacters around the words of a link while the page is put in order, so that addresses take no part in it."""
_FIRST = 0xF0000
"""The number of a link is written as a character from here on."""
_LINKED = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}([\U000f0000-\U000fffff])")
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}\U000f0000-\U000fffff]")


def mark_links(page: Page) -> list[str]:
    """Mark the words that lead to an address; return the addresses for `write_links`."""
    addresses: list[str] = []
    for link in page.links:
        if not _ADDRESS.fullmatch(link.address):
            continue
        for line, words in _linked(page, link):
            text = " ".join(word.text for word in words)
            if _OPEN not in text and not _SHOWN.search(text):
                words[0].text = _OPEN + words[0].text
                words[-1].text += _CLOSE + chr(_FIRST + len(addresses))
                line.changed()
                addresses.append(link.address)
    return addresses


def write_links(text: str, addresses: Sequence[str]) -> str:
    """Write the marked words as links in Markdown."""

    def written(found: re.Match[str]) -> str:
        address = addresses[ord(found[2]) - _FIRST]
        return f"[{found[1].replace('[', '(').replace(']', ')')}]({address.replace('(', '%28').replace(')', '%29')})"

    return _MARKS.sub("", _LINKED.sub(written, text)) if addresses else text


def _linked(page: Page, link: Link) -> Iterator[tuple[Line, list[Word]]]:
    """Yield each line with words that lie in the link's areas, and these."""
    for line in page.lines:
        near = [area for area in link.areas if line.top < area[3] and line.bottom > area[1] and area[0] < line.x1]
        if near and (words := [word for word in line.words if _within(word, near)]):
            yield line, words


def _within(word: Word, areas: Iterable[Box]) -> bool:
    centre = (word.x0 + word.x1) / 2
    return any(area[0] <= centre <= area[2] and area[1] <= word.middle <= area[3] for area in areas)


def comments_of(page: Page) -> list[str]:
    """Return a page's comments, each with its author, its time and the words that it is about."""
    return [_remark(page, one) for one in page.comments]


def _remark(page: Page, one: Comment) -> str:
    quoted = " ".join(word.text for line in page.lines for word in line.words if _within(word, one.areas))
    quoted = _MARKS.sub("", quoted)
    time = date_of(one.time)
    said = f"on “{clean_line(quoted)}”: {one.text}" if quoted else one.text
    return comment(clean_line(one.author), time.isoformat() if time else "", clean_line(said))
