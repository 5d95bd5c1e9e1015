"""Files below an address of a WebDAV server: Nextcloud, ownCloud, Apache, SharePoint's old way, and others.

A file whose ETag (or, where there is none, whose time of change and size) is the same as at the last sync is not read
again. Where the server names files by an id, one that was moved stays the same thing.
"""

import base64
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Gone, Item, Listing, Validators
from rag_platform.sources.files.file_selection import TYPES, chosen
from rag_platform.sources.files.globs import matches
from rag_platform.sources.files.rules import item_of
from rag_platform.sources.http.fetcher import Fetcher
from rag_platform.sources.webdav.multistatus import PROPERTIES, Resource, resources
from rag_platform.sources.webdav.shares import SharedTree, ask_for_shares
from rag_platform.sources.webdav.webdav_settings import WebDavSource

_ONE_LEVEL = {"depth": "1", "content-type": "application/xml; charset=utf-8"}
MOST_FOLDERS = 100_000
Failed = list[tuple[str, str]]


class WebDav:
    """Lists the files below a folder, one folder at a time, and reads those that are fetched."""

    def __init__(self, settings: WebDavSource, context: Context) -> None:
        self._settings = settings
        parts = urlsplit(settings.url)
        self._server, self._root = f"{parts.scheme}://{parts.netloc}", unquote(parts.path).rstrip("/")
        most = max(settings.max_bytes, settings.fetch.max_bytes)  # a listing may be larger than a file
        fetch = settings.fetch.model_copy(update={"robots": False, "max_bytes": most})
        self._fetcher = Fetcher(fetch, authorization=self._authorization(context))
        self._files: dict[str, Resource] = {}
        self._marks: dict[str, str | None] = {}
        """Of what is the same file also where others may read it now."""

    def list(self) -> Listing:
        """Name the files; what is below a folder that cannot be listed is not missing."""
        failed: Failed = []
        shares = self._shares() if self._settings.readers == "shares" else None
        found = {one.path: one for one in self._walk(failed)}
        paths = [path for path in sorted(found) if chosen(path, self._settings)]
        items = [self._item(path, found[path], shares) for path in paths]
        self._files = {item.uri: found[path] for item, path in zip(items, paths, strict=True)}
        unlisted = [f"{folder}/" for folder, _ in failed]
        known = not failed or self._settings.uri is None  # else an address does not tell the folder
        return Listing(items, complete=known, failed=failed, unlisted=unlisted)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:
        """Read a file; None: only its readers have changed."""
        file, limit, mark = self._files[item.uri], self._settings.max_bytes, self._marks.get(item.uri)
        if mark is not None and validators.etag == mark:
            return None
        name = PurePosixPath(file.path).name
        content_type = TYPES.guess_type(name)[0] or file.content_type
        if file.size == 0:
            return Fetched(b"", content_type, mark)
        if (file.size or 0) > limit:
            raise FetchError(f"{item.uri} has {file.size} bytes, more than max_bytes = {limit}")
        read = self._fetcher.get(self._address(file.path))
        if len(read.content) > limit:
            raise FetchError(f"{item.uri} has more than max_bytes = {limit}")
        if file.size is not None and len(read.content) != file.size:
            raise FetchError(
                f"{item.uri} has {len(read.content)} bytes and was listed with {file.size}: it was written while it "
                "was read; the next sync reads it again"
            )
        return Fetched(read.content, content_type, mark)

    def _walk(self, failed: Failed) -> Iterator[Resource]:
        """Yield the files with their paths below the root; an error of the root itself is one of the source."""
        waiting, seen = [""], {""}
        while waiting:
            folder = waiting.pop()
            try:
                within = list(self._within(folder))
            except (FetchError, Gone, ValueError) as error:
                if not folder:
                    raise SourceError(
                        f"source {self._settings.id!r} cannot be listed: {error}; check `url`, `user` and `password`. "
                        "Nothing was deleted"
                    ) from error
                failed.append((self._address(folder), f"the folder cannot be listed: {error}"))
                continue
            failed += [(self._address(one.path), one.refused) for one in within if one.refused]
            yield from (one for one in within if not one.folder and not one.refused)
            folders = {one.path for one in within if one.folder and self._enters(one.path)} - seen
            if len(seen) + len(folders) > MOST_FOLDERS:
                raise SourceError(f"source {self._settings.id!r} has more than {MOST_FOLDERS} folders; narrow `url`")
            seen |= folders
            waiting += sorted(folders)

    def _within(self, folder: str) -> Iterator[Resource]:
        """Ask what lies in a folder; paths are those below the root, and what lies elsewhere is left out.

        Raises:
            ValueError: the answer is none, or does not speak of the folder.
        """
        url = f"{self._address(folder)}/"
        answer = self._fetcher.request("PROPFIND", url, PROPERTIES, _ONE_LEVEL)
        beginning = f"{self._root}/{folder}/" if folder else f"{self._root}/"
        told = {one.path: one for one in resources(answer.content)}
        itself = told.get(beginning.rstrip("/") or "/")
        if itself is None or not itself.folder:
            said = itself and (itself.refused or "it is a file")
            raise ValueError(said or f"the answer speaks of {', '.join([*told][:3]) or 'nothing'}, not of this folder")
        for one in told.values():
            if one.path.startswith(beginning) and "/" not in one.path[len(beginning) :]:
                inside = one.path[len(self._root) + 1 :]
                yield replace(one, path=inside)

    def _enters(self, folder: str) -> bool:
        hidden = folder.rpartition("/")[2].startswith(".")
        return not hidden and not matches(folder, self._settings.exclude)

    def _shares(self) -> SharedTree:
        """Ask who may read the files; without an answer nothing is listed, so that nobody reads more than before."""
        try:
            return ask_for_shares(self._fetcher, self._settings.url, self._settings.user or "")
        except (FetchError, Gone, ValueError) as error:
            raise SourceError(
                f"source {self._settings.id!r}: it is not known who may read its files: {error}. Nothing was changed; "
                'readers = "shares" needs a Nextcloud whose app for sharing files is on'
            ) from error

    def _item(self, path: str, file: Resource, shares: SharedTree | None) -> Item:
        mark = file.etag or (f"{file.modified} {file.size}" if file.modified else None)
        item = item_of(self._uri(path, file), mark, path, self._settings.rules)
        if file.file_id:
            item.metadata["identity"] = file.file_id
        if shares is None:
            return item
        readers = item.metadata.setdefault("principals", shares.readers(path, file.owner))
        self._marks[item.uri] = item.fingerprint
        return replace(item, fingerprint=item.fingerprint and f"{item.fingerprint}-{digest(*readers)}")

    def _uri(self, path: str, file: Resource) -> str:
        template = self._settings.uri
        if template is None or ("{id}" in template and not file.file_id):
            return self._address(path)
        return template.replace("{path}", quote(path)).replace("{id}", file.file_id or "")

    def _address(self, path: str) -> str:
        return f"{self._server}{quote(f'{self._root}/{path}'.rstrip('/'))}"

    def _authorization(self, context: Context) -> tuple[str, str] | None:
        given = self._settings
        if given.user is None:
            return None
        variables = Variables(context.environ or os.environ, context.secrets)
        password = variables.expand(given.password or "", f"sources[{given.id}].password")
        named = base64.b64encode(f"{given.user}:{password}".encode()).decode()
        return given.url, f"Basic {named}"
