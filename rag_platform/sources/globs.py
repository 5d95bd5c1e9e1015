"""Glob patterns over paths, as in .gitignore: ``*`` stays in one folder, ``**`` crosses them.

A pattern without a slash holds at any depth: ``*.md`` is ``**/*.md``. ``docs/`` is ``docs/**``: the folder and all
below it.
"""

import functools
import re
from collections.abc import Iterable

TOKENS = re.compile(r"(?P<folders>(?:^|(?<=/))\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[!?\]?[^\]]*\])")


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether a path with forward slashes matches one of the patterns."""
    return any(_compiled(pattern).fullmatch(path) for pattern in patterns)


@functools.lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.removeprefix("./")
    pattern = f"{pattern}**" if pattern.endswith("/") else pattern
    pattern = pattern.removeprefix("/") if "/" in pattern else f"**/{pattern}"
    body = pattern.removesuffix("/**")
    parts, end = [], 0
    for token in TOKENS.finditer(body):
        parts += [re.escape(body[end : token.start()]), _regex(token)]
        end = token.end()
    parts.append(re.escape(body[end:]))
    below = "" if body == pattern else "(?:/.*)?"
    try:
        return re.compile("".join(parts) + below, re.DOTALL)
    except re.error:  # such as a reversed range in [z-a]: taken literally
        return re.compile(re.escape(pattern))


def _regex(token: re.Match[str]) -> str:
    if token.lastgroup == "set":
        inner = token[0][1:-1].replace("\\", "\\\\")
        return f"(?!/)[^{inner[1:]}]" if inner.startswith("!") else f"(?!/)[{inner}]"
    return {"folders": "(?:.*/)?", "all": ".*", "some": "[^/]*", "one": "[^/]"}[token.lastgroup]
