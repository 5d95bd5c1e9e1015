"""Glob patterns over paths, as in .gitignore: ``*`` stays in one folder, ``**`` crosses them.

A pattern without a slash holds at any depth: ``*.md`` is ``**/*.md``. ``docs/`` is every
folder of that name with all below it, ``docs/**`` the one at the top.
"""

import functools
import re
from collections.abc import Iterable

TOKENS = re.compile(r"(?P<folders>(?:^|(?<=/))\*\*/)|(?P<all>\*\*)|(?P<some>\*)|(?P<one>\?)|(?P<set>\[!?\]?[^\]]*\])")


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Return whether a path with forward slashes matches one of the patterns."""
    return any(_compiled(pattern).fullmatch(path) for pattern in patterns)


@functools.lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.removeprefix("./")
    body = pattern.removesuffix("**").rstrip("/") if pattern.endswith(("/", "/**")) else pattern
    whole = body != pattern  # a folder with all below it
    body = body.removeprefix("/") if "/" in body or pattern.endswith("/**") else f"**/{body}"
    parts, end = [], 0
    for token in TOKENS.finditer(body):
        parts += [re.escape(body[end : token.start()]), _regex(token)]
        end = token.end()
    parts.append(re.escape(body[end:]))
    below = "(?:/.*)?" if whole else ""
    try:
        return re.compile("".join(parts) + below, re.DOTALL)
    except re.error:  # such as a reversed range in [z-a]: taken literally
        return re.compile(re.escape(pattern))


def _regex(token: re.Match[str]) -> str:
    if token.lastgroup == "set":
        inner = token[0][1:-1].replace("\\", "\\\\")
        return f"(?!/)[^{inner[1:]}]" if inner.startswith("!") else f"(?!/)[{inner}]"
    return {"folders": "(?:.*/)?", "all": ".*", "some": "[^/]*", "one": "[^/]"}[token.lastgroup or ""]
