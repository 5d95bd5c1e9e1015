"""What frames the pages of a site, above and below their own text: left out of all but one of them.

A template is what many pages of a site share (Bar-Yossef and Rajagopalan 2002, "Template Detection via Data Mining and
its Applications", WWW). A line that they share may also be a step of every recipe, so only the lines before the first
and after the last that are a page's own are taken for the frame. Nothing goes: each line stays on one page at least.
"""

import re
from collections.abc import Iterable

from rag_platform.core.ids import digest
from rag_platform.documents.document_rows import Row
from rag_platform.text.boilerplate import repeated_lines, sites
from rag_platform.text.cleaning import clean, count_words

FLAG = "site frame left out: "
_MOST = 0.5
"""Share of a page's letters; where the frame would be more, the pages are alike, and all of them stay whole."""
_LEADS = re.compile(r"#|.*:$")
"""A heading, or a line that announces the next one: it belongs to what follows."""


def whole(row: Row) -> Row:
    """Return a row with the text that was read, as if no other page were there."""
    flags = [flag for flag in row["flags"] if not flag.startswith(FLAG)]
    text = row.get("whole_text")
    kept = {} if text is None else {"text": text, "revision": digest("text", text)}
    return row | kept | {"whole_text": None, "flags": flags}


def leave_out_frames(rows: Iterable[Row]) -> None:
    """Shorten the texts of pages by what frames the pages of their site.

    Args:
        rows: Documents of one source, `whole`. Those that are changed keep what was read in the column `whole_text`.
    """
    for pages in sites(rows):
        repeated = repeated_lines(pages)
        framed = {page["uri"]: _framed(page["text"].split("\n"), repeated) for page in pages}
        kept = {line for page in pages for line in _others(page, framed[page["uri"]])}
        for page in sorted(pages, key=lambda page: (len(page["uri"]), page["uri"])):
            lines = page["text"].split("\n")
            out = {at for at in framed[page["uri"]] if lines[at].strip() in kept}
            kept |= {lines[at].strip() for at in framed[page["uri"]]}
            _shorten(page, out)


def _framed(lines: list[str], repeated: frozenset[str]) -> frozenset[int]:
    """Return which lines of a page stand around its own text; none where little else is there."""
    shared = [not line.strip() or line.strip() in repeated for line in lines]
    if all(shared):
        return frozenset()
    first, last = shared.index(False), len(shared) - 1 - shared[::-1].index(False)
    while first and (not lines[first - 1].strip() or _LEADS.match(lines[first - 1])):
        first -= 1
    around = frozenset(at for at in (*range(first), *range(last + 1, len(lines))) if lines[at].strip())
    total = sum(map(len, lines))
    return around if sum(len(lines[at]) for at in around) <= _MOST * total else frozenset()


def _others(page: Row, framed: frozenset[int]) -> list[str]:
    return [line.strip() for at, line in enumerate(page["text"].split("\n")) if at not in framed]


def _shorten(page: Row, out: set[int]) -> None:
    """Leave lines out of a page, and say how many words they are."""
    if not out:
        return
    lines = page["text"].split("\n")
    text = clean("\n".join(line for at, line in enumerate(lines) if at not in out))
    words = count_words("\n".join(lines[at] for at in out))
    page["flags"] = [*page["flags"], f"{FLAG}{words:g} words"]
    page |= {"whole_text": page["text"], "text": text, "revision": digest("text", text)}
