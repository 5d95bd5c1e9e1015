"""What a repository's history tells of its files: when each came and last changed, who wrote it, how it was called.

What one commit did never changes, so it is asked of Git once and kept; only new commits cost anything. What is said of
the files is then computed of all commits anew, so it is the same whatever was known before.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_platform.sources.repositories.git_process import GitFailed, GitProcess
from rag_platform.storage.atomic import write_bytes

_HEADER = re.compile(r"\x01([0-9a-f]{40,64})\x02([^\x02]*)\x02(.*)", re.DOTALL)
_FORMAT = "--format=%x01%H%x02%aI%x02%an"

Commit = tuple[str, str, list[list[str]]]
"""Date (ISO 8601), author, and [status letter, path, new path of a rename] of each change."""


@dataclass(slots=True)
class About:
    """What history tells of a file."""

    updated_at: str | None = None
    published_at: str | None = None
    authors: list[str] = field(default_factory=list)
    """Of its commits, the newest first."""
    identity: str | None = None
    """The commit that brought the file, and its name then: the same after every renaming."""

    def note(self, date: str, author: str) -> None:
        """Take in an earlier commit."""
        self.updated_at = self.updated_at or date
        self.published_at = date
        self.authors.append(author)

    def facts(self) -> dict[str, Any]:
        """Return them as a source's metadata; the author is who changed the file most often, of several the first."""
        author = Counter(reversed(self.authors)).most_common(1)[0][0] if self.authors else None
        found = {"updated_at": self.updated_at, "published_at": self.published_at, "author": author}
        return {name: value for name, value in {**found, "identity": self.identity}.items() if value}


def history(git: GitProcess, tip: str, paths: Iterable[str], kept: Path, objects: Path) -> dict[str, About]:
    """Return what history tells of the files of a commit, by path.

    Args:
        git: the repository.
        tip: the commit.
        paths: of the files, in it.
        kept: the file in which commits are remembered.
        objects: where files go that Git has to compare.
    """
    known = _load(kept)
    if tip not in known:
        known |= _asked(git, tip, next(reversed(known), None), objects)
        write_bytes(kept, json.dumps(known).encode())
    order = git.run("rev-list", "--topo-order", tip).decode().split()
    return trace(((name, known[name]) for name in order if name in known), paths)


def trace(commits: Iterable[tuple[str, Commit]], paths: Iterable[str]) -> dict[str, About]:
    """Follow files back through commits with their names, the newest first; returns what was found, by path."""
    called = {path: path for path in paths}
    """What each file was called then -> what it is called now."""
    found = {path: About() for path in called}
    for name, (date, author, changes) in commits:
        earlier: dict[str, str] = {}
        for status, *then in changes:
            if (path := called.get(then[-1])) is None:
                continue
            found[path].note(date, author)
            if status == "A":
                found[path].identity = f"{name}:{then[-1]}"
                del called[then[-1]]
            elif status == "R":
                earlier[then[0]] = called.pop(then[-1])
        called = earlier | called
        if not called:
            break
    return found


def _asked(git: GitProcess, tip: str, last: str | None, objects: Path) -> dict[str, Commit]:
    """Ask for what the commits did that lead to `tip` and not to `last`, the oldest first: `tip` ends them."""
    command = ("log", "--reverse", "--topo-order", "--find-renames", "--name-status", "-z", _FORMAT, tip)
    try:
        printed = git.run(*command, *(("--not", last) if last else ()), objects=objects)
    except GitFailed:
        if last is None:
            raise
        printed = git.run(*command, objects=objects)  # the last tip is no longer there: history was rewritten
    return _parsed(printed)


def _parsed(printed: bytes) -> dict[str, Commit]:
    """Read what ``git log -z --name-status`` prints."""
    found: dict[str, Commit] = {}
    changes: list[list[str]] = []
    fields = iter(printed.decode("utf-8", "surrogateescape").split("\0"))
    for one in fields:
        if header := _HEADER.fullmatch(one):
            name, date, author = header.groups()
            changes = []
            found[name] = (date, author, changes)
        elif status := one.strip("\n"):
            changes.append([status[0], *(next(fields, "") for _ in range(1 + (status[0] == "R")))])
    return found


def _load(kept: Path) -> dict[str, Commit]:
    """Return what is remembered; nothing when the file is missing or damaged, for it only saves work."""
    try:
        found: Mapping[str, Commit] = json.loads(kept.read_bytes())
        return dict(found)
    except (OSError, ValueError):
        return {}
