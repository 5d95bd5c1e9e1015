"""Files of a Git repository at a branch, a tag or a commit.

Only commits and directories are kept between two syncs, and the bytes of the files that are read are fetched together;
a server that cannot leave the others out sends them all. What history tells of a file comes with it: when it came and
when it last changed, who wrote it, and that it was called otherwise.
"""

import json
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from pydantic import Field, field_validator

from rag_platform.config.sections.sources import FetchSettings
from rag_platform.config.source_kinds import Context, Kind
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.core.urls import shown
from rag_platform.sources.files.file_selection import TYPES, Selection, chosen, readable
from rag_platform.sources.files.rules import item_of
from rag_platform.sources.repositories.git_process import GitFailed, GitProcess
from rag_platform.sources.repositories.history import About, history
from rag_platform.sources.repositories.remotes import remote_configuration, scheme_of
from rag_platform.storage.locks import locked

_REF = r"^\w[\w./@+-]*$"
_LFS = b"version https://git-lfs.github.com/spec/"
_HERE = "refs/listed"
_FETCH = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none")
_FILES, _SUBMODULE = ("100644", "100755", "100664"), "160000"
"""Modes; a link is not read, because what it leads to in the repository is listed at its own place."""


class GitSource(Selection):
    """Files of a repository."""

    kind: Literal["git"]
    url: str
    """``https://…``, ``ssh://…``, ``user@host:path`` or a folder; ``${secret:NAME}`` is a stored secret."""
    ref: str | None = Field(None, pattern=_REF)
    """Branch, tag or commit; None: the branch that the repository itself names."""
    uri: str | None = None
    """Template of a file's address: {path}, or {page}, which is the path without its suffix; None: id and path."""
    history: bool = True
    """Read dates, authors and renames from history."""
    timeout: float = Field(600.0, gt=0)
    """Seconds that one command of Git may take."""
    fetch: FetchSettings = FetchSettings()

    @field_validator("url")
    @classmethod
    def _known_protocol(cls, url: str) -> str:
        if "${" not in url:
            scheme_of(url)
        if re.search(r"://[^/@:]*:(?!\$\{)[^/@]+@", url):
            raise ValueError("a password does not belong into the file; expected ${secret:NAME} in its place")
        return url

    @field_validator("uri")
    @classmethod
    def _one_place(cls, uri: str | None) -> str | None:
        if uri is not None and "{path}" not in uri and "{page}" not in uri:
            raise ValueError("expected {path} or {page} in it, such as https://example.org/repo/blob/main/{path}")
        return uri


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a directory of a commit holds."""

    mode: str
    oid: str
    path: str


class Git:
    """Lists the files of a commit, and reads those that are fetched."""

    def __init__(self, settings: GitSource, context: Context) -> None:
        self._settings = settings
        self._home = context.home
        self._variables = Variables(context.environ or os.environ, context.secrets)
        self._url = self._variables.expand(
            settings.url, f"sources[{settings.id}].url", lambda place: place < settings.url.rfind("@")
        )
        passing = Path(tempfile.mkdtemp(prefix="rag-git-"))
        weakref.finalize(self, shutil.rmtree, passing, ignore_errors=True)
        self._objects = passing / "objects"
        """Where bytes of files lie until they are read; they go with this object."""
        self._objects.mkdir()
        self._cache = context.cache or passing
        self._files: dict[str, _Entry] = {}
        self._process: GitProcess | None = None

    def list(self) -> Listing:
        """Name the files of the commit, after what is new was fetched."""
        with self._explaining(), locked(self._cache / "lock"):
            git = self._git()
            tip = self._fetched_tip(git)
            entries = list(_entries(git.run("ls-tree", "-r", "-z", "--full-tree", tip)))
            there = [one for one in entries if chosen(one.path, self._settings)]
            files = [one for one in there if one.mode in _FILES]
            about = self._history(git, tip, files) if self._settings.history else {}
        items = [self._item(one, about.get(one.path)) for one in files]
        pairs = list(zip(items, files, strict=True))
        self._files = {item.uri: one for item, one in reversed(pairs)}  # of two with one address the first is read
        why = "a submodule, which is a repository of its own; give it a source of its own, or name it in `exclude`"
        left = [(self._uri(one.path), why) for one in there if one.mode == _SUBMODULE]
        return Listing(items, complete=True, failed=left, expect=self._expect)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  the blob's id has decided
        """Read a file."""
        limit, file = self._settings.max_bytes, self._files[item.uri]
        content = self._git().blob(file.oid, limit, self._objects)
        if content is None:
            raise FetchError(f"{item.uri} could not be had from {shown(self._url)}; the next sync asks again")
        if len(content) > limit:
            raise FetchError(f"{item.uri} has more than max_bytes = {limit}")
        if content.startswith(_LFS):
            raise FetchError(
                f"{item.uri} is kept in Git LFS: the repository holds a pointer only, which is not followed"
            )
        return Fetched(content, TYPES.guess_type(PurePosixPath(file.path).name)[0])

    def _git(self) -> GitProcess:
        """Open the bare repository; a new one is empty."""
        if self._process is None:
            remote = remote_configuration(self._url, self._home, self._settings.fetch)
            partial = {"remote.origin.promisor": "true", "remote.origin.partialclonefilter": "blob:none"}
            self._process = GitProcess(self._cache / "clone.git", remote | partial, self._settings.timeout)
        if not (self._process.folder / "HEAD").exists():
            self._process.run("init", "--bare", "--quiet", "--template=")
        return self._process

    def _fetched_tip(self, git: GitProcess) -> str:
        """Fetch the commit with its history, and return its id."""
        for left in git.folder.rglob("*.lock"):  # by a process that was killed: we hold the lock of all this
            left.unlink()
        depth = () if self._settings.history else ("--depth=1",)
        whole = ("--unshallow",) if self._settings.history and (git.folder / "shallow").exists() else ()
        wanted = f"+{self._settings.ref or 'HEAD'}:{_HERE}"
        git.run(*_FETCH, *depth, *whole, "origin", wanted)
        return git.run("rev-parse", f"{_HERE}^{{commit}}").decode().strip()

    def _history(self, git: GitProcess, tip: str, files: Iterable[_Entry]) -> dict[str, About]:
        paths = [one.path for one in files]
        return history(git, tip, paths, self._cache / "history.json", self._objects)

    def _expect(self, items: Sequence[Item]) -> None:
        """Fetch the bytes of many files at once."""
        wanted = sorted({self._files[item.uri].oid for item in items})
        if wanted:
            with self._explaining():
                given = "".join(f"{oid}\n" for oid in wanted).encode()
                self._git().run(*_FETCH, "--stdin", "origin", given=given, objects=self._objects)

    def _item(self, file: _Entry, about: About | None) -> Item:
        item = item_of(self._uri(file.path), file.oid, file.path, self._settings.rules)
        facts = about.facts() if about else {}
        mark = f"{item.fingerprint} {digest(json.dumps(facts, sort_keys=True))}" if facts else item.fingerprint
        return replace(item, fingerprint=mark, metadata=facts | item.metadata)

    def _uri(self, path: str) -> str:
        if (template := self._settings.uri) is None:
            return f"{self._settings.id}/{readable(path)}"
        name = os.fsencode(path)
        page = os.fsencode(PurePosixPath(path).with_suffix(""))
        return template.replace("{path}", quote(name)).replace("{page}", quote(page))

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except GitFailed as error:
            reason = self._variables.without_secrets(str(error))
            raise SourceError(
                f"the repository {shown(self._url)} of source {self._settings.id!r} cannot be read: {reason}; check "
                "`url`, `ref` and the credentials in its settings. Nothing was deleted"
            ) from None


def _entries(printed: bytes) -> Iterator[_Entry]:
    """Read what ``git ls-tree -r -z`` prints."""
    for line in printed.decode("utf-8", "surrogateescape").split("\0"):
        about, tab, path = line.partition("\t")
        if tab:
            mode, _, oid = about.split(" ")
            yield _Entry(mode, oid, path)


EXAMPLE = """
[[sources]]
id = "handbook"
kind = "git"
url = "https://reader:${secret:git}@git.example.org/desk/handbook.git"
include = ["docs/**/*.md"]
"""
KIND = Kind(GitSource, Git, example=EXAMPLE)
