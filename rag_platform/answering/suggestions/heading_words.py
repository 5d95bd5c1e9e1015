"""The headings of documents as plain words."""

import re

_NUMBER = re.compile(r"^(?:[\dIVXLC]++[.):]?|[a-z][.)]|§++\s*+\d++\w*+)[\d.]*+\s+", re.IGNORECASE)


def plain(heading: str) -> str:
    """Return a heading without the marks of Markdown."""
    return " ".join(re.sub(r"\[([^\]]{0,300})\]\([^)]{0,2000}\)|[*`]|\\(?=[^\w\s])", r"\1", heading).split())


def number_removed(heading: str) -> str:
    """Return a heading without the number that it begins with."""
    return _NUMBER.sub("", heading).strip() or heading


def last_heading(section: str) -> str:
    """Return the innermost heading of a path of headings."""
    return section.rpartition(" > ")[2].strip()
