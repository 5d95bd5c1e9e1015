"""Glob patterns over addresses."""

import fnmatch
from collections.abc import Sequence
from urllib.parse import urlsplit


def matches_address(url: str, patterns: Sequence[str]) -> bool:
    """Match the whole address or, for a pattern that starts with a slash, its path."""
    path = urlsplit(url).path
    return any(fnmatch.fnmatchcase(path if pattern.startswith("/") else url, pattern) for pattern in patterns)
