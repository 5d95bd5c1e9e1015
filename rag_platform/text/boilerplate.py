"""Lines that a site repeats on page after page: menus, notices, invitations to subscribe.

A line that many pages share may also be a step of every recipe or a row of every table, and only a reader can tell; so
amid a page's own text they stay, and each document says how much of it is repeated.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

FLAG = "boilerplate: "
_FEWEST = 5
"""Pages that must share a line."""
_SHARE = 0.2
"""Share of the site's pages that must share it."""


def mark_boilerplate(rows: list[dict[str, Any]]) -> None:
    """Give each page the flag ``boilerplate: 27 %``: so much of its text is on many pages of its site.

    Args:
        rows: Documents of one source. Pages alone are looked at, each host by itself, and those of other readers by
            themselves: nobody is told what a page has in common with others that they may not read. What is not indexed
            counts for nothing, and an earlier flag is replaced.
    """
    for row in rows:
        row["flags"] = [flag for flag in row["flags"] if not flag.startswith(FLAG)]
    for pages in sites(rows):
        _mark(pages)


def sites(rows: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the pages that are indexed, those of each host, collection and circle of readers by themselves."""
    found: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if row["format"] == "html" and row["status"] == "ok":
            site = (urlsplit(row["uri"]).netloc, row["collection"], *sorted(row["principals"]))
            found.setdefault(site, []).append(row)
    return list(found.values())


def repeated_lines(pages: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the lines, stripped, that many pages of a site share."""
    counts = Counter(line for page in pages for line in set(_lines(page["text"])))
    return frozenset(line for line, count in counts.items() if count >= max(_FEWEST, _SHARE * len(pages)))


def boilerplate_share(flags: Iterable[str]) -> float:
    """Return the share, 0 to 1, that a document's flags state."""
    return next((int(re.sub(r"\D", "", flag)) / 100 for flag in flags if flag.startswith(FLAG)), 0.0)


def _mark(pages: list[dict[str, Any]]) -> None:
    repeated = repeated_lines(pages)
    for page in pages:
        letters = sum(len(line) for line in _lines(page["text"]) if line in repeated)
        if letters:
            share = letters / sum(map(len, _lines(page["text"])))
            page["flags"].append(f"{FLAG}{max(1, round(100 * share))} %")


def _lines(text: str) -> list[str]:
    """Return the lines that may be boilerplate: not rows of tables, which manuals repeat, nor mere marks."""
    return [line for line in map(str.strip, text.split("\n")) if not line.startswith("|") and len(line) > 3]
