"""Conversations of a mailbox, which IMAP serves.

A conversation is a document, made of its messages in all folders that are read, each once; so a message that is moved
to another folder changes nothing, and one that is deleted, or marked as deleted, is gone. Headers are kept between two
syncs, by the folder's UIDVALIDITY, so only those of new messages are asked for.
"""

import json
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError
from pydantic import Field, field_validator

from rag_platform.config.placeholders import ALONE
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.config.source_kinds import Context, Kind
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.files.globs import matches
from rag_platform.sources.mailboxes.folder_readers import shared_readers, who_reads, widely
from rag_platform.sources.mailboxes.imap_server import PORTS, Folder, connected, folders, messages_in, remembered
from rag_platform.sources.mailboxes.mail_threads import Message, mbox, threads
from rag_platform.storage.atomic import write_bytes

BROKEN = (IMAPClientAbortError, OSError)
"""What the client raises when the connection is of no more use (ssl.SSLError is an OSError)."""


Messages = list[Message]
Failed = list[tuple[str, str]]


class ImapSource(SourceSettings):
    """A mailbox."""

    kind: Literal["imap"]
    url: str
    """``imaps://host``, or ``imap://host`` with STARTTLS."""
    user: str
    password: str = Field(pattern=ALONE)
    """``${secret:NAME}`` or ``${NAME}``."""
    include: tuple[str, ...] = ("**/*",)
    """Glob patterns of the folders to read."""
    exclude: tuple[str, ...] = ()
    readers: Literal["source", "acl"] = "source"
    """Who may read: the source's `principals`, or those whom the server's ACL of the folders names."""
    max_bytes: int = Field(100_000_000, gt=0)
    """A longer conversation is not read."""
    timeout: float = Field(60.0, gt=0)
    """Seconds that the server may be silent."""

    @field_validator("url")
    @classmethod
    def _a_server(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in PORTS or not parts.hostname or "@" in parts.netloc or parts.path.strip("/"):
            raise ValueError("expected imaps://host or imap://host; user, password and folders are keys of their own")
        return url


class Imap:
    """Lists the conversations of a mailbox, and reads those that are fetched."""

    def __init__(self, settings: ImapSource, context: Context) -> None:
        self._settings = settings
        self._variables = Variables(context.environ or os.environ, context.secrets)
        self._password = self._variables.expand(settings.password, f"sources[{settings.id}].password")
        self._kept = context.cache / "headers.json" if context.cache else None
        self._threads: dict[str, list[Message]] = {}
        self._client: IMAPClient | None = None
        self._refused: Exception | None = None
        self._lock = threading.Lock()

    def list(self) -> Listing:
        """Name the conversations; what cannot be asked of one folder is among `failed`, and then nothing is missing."""
        with self._lock, self._explaining(SourceError):
            client = self._open()
            wanted = self._chosen(folders(client))
            messages, failed = self._messages(client, wanted)
            readers = {}
            if self._settings.readers == "acl":
                readers = {folder.name: who_reads(client, folder.name) for folder in wanted}
                messages.sort(key=lambda one: widely(readers[one.folder]))
        paths = {folder.name: folder.path for folder in wanted}
        self._threads = {self._uri(root): found for root, found in threads(messages).items()}
        where = _folders_of(chain(*self._threads.values()) if readers else messages)
        items = [self._item(uri, found, where, paths, readers) for uri, found in sorted(self._threads.items())]
        return Listing(items, complete=not failed, failed=failed)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  the messages' ids decided
        """Read a conversation: a file of its messages, the oldest first."""
        messages = self._threads[item.uri]
        if (size := sum(message.size for message in messages)) > self._settings.max_bytes:
            raise FetchError(f"{item.uri} has {size} bytes, more than max_bytes = {self._settings.max_bytes}")
        with self._lock, self._explaining(FetchError):
            read = self._read(messages)
        if len(read) < len(messages):
            raise FetchError(f"{item.uri} changed while it was read; the next sync reads it again")
        return Fetched(mbox([read[message] for message in messages]), "application/x-mail-thread")

    def _messages(self, client: IMAPClient, wanted: Iterable[Folder]) -> tuple[Messages, Failed]:
        known = self._remembered()
        found: Messages = []
        failed: Failed = []
        for folder in wanted:
            before = {int(validity): said for validity, said in known.get(folder.name, {}).items()}
            try:
                found += messages_in(client, folder.name, before)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                failed.append((f"{self._settings.id}/{folder.path}", f"the folder cannot be read: {error}"))
        if self._kept:
            write_bytes(self._kept, json.dumps(remembered(found)).encode())
        return found, failed

    def _read(self, messages: Iterable[Message]) -> dict[Message, bytes]:
        client = self._open()
        found: dict[Message, bytes] = {}
        for message in messages:
            at = client.select_folder(message.folder, readonly=True)
            if int(at[b"UIDVALIDITY"]) == message.validity:
                answer = client.fetch([message.uid], ["BODY.PEEK[]"]).get(message.uid, {})
                found |= {message: answer[b"BODY[]"]} if b"BODY[]" in answer else {}
        return found

    def _item(
        self,
        uri: str,
        messages: Iterable[Message],
        where: Mapping[str, set[str]],
        paths: Mapping[str, str],
        readers: Mapping[str, frozenset[str]],
    ) -> Item:
        """Return a conversation as an item; its mark changes with its messages, their folders and who may read them."""
        held = [where[message.id] for message in messages]
        about: dict[str, Any] = {"tags": sorted({f"folder:{paths[name]}" for names in held for name in names})}
        if readers:
            about["principals"] = shared_readers([readers[message.folder] for message in messages])
        seen = (f"{message.id} {message.size}" for message in messages)  # a draft keeps its id when it is edited
        return Item(uri, digest(*seen, json.dumps(about, sort_keys=True)), about)

    def _uri(self, root: str) -> str:
        return f"{self._settings.id}/{quote(root, safe='@!$&+,;=~')}"

    def _chosen(self, there: Sequence[Folder]) -> Sequence[Folder]:
        """Return the folders to read; that there are none is no mailbox without mail."""
        wanted = [folder for folder in there if self._wanted(folder)]
        if not wanted:
            raise SourceError(
                f"source {self._settings.id!r}: no folder fits `include` and `exclude`; the mailbox has "
                f"{', '.join(folder.path for folder in there) or 'none'}. Nothing was deleted"
            )
        return wanted

    def _wanted(self, folder: Folder) -> bool:
        """Return whether a folder is read; one that the server keeps for junk and the like has to be named."""
        named = folder.path in self._settings.include
        chosen = matches(folder.path, self._settings.include) and not matches(folder.path, self._settings.exclude)
        return chosen and (named or not folder.aside)

    def _remembered(self) -> dict[str, dict[str, Any]]:
        """Return what is remembered; nothing when the file is missing or damaged, for it only saves work."""
        try:
            found: dict[str, dict[str, Any]] = json.loads(self._kept.read_bytes()) if self._kept else {}
        except (OSError, ValueError):
            return {}
        return found

    def _open(self) -> IMAPClient:
        if self._refused is not None:
            raise self._refused  # once is enough: a wrong password sent for each conversation would lock the account
        if self._client is None:
            given = self._settings
            try:
                self._client = connected(given.url, given.user, self._password, given.timeout)
                weakref.finalize(self, _hang_up, self._client)
            except (IMAPClientError, OSError, SourceError) as error:
                self._refused = error
                raise
        return self._client

    @contextmanager
    def _explaining(self, kind: type[SourceError]) -> Iterator[None]:
        try:
            yield
        except (IMAPClientError, OSError) as error:
            if isinstance(error, BROKEN):
                self._client = None  # the next one connects anew
            reason = self._variables.without_secrets(str(error)) or type(error).__name__
            raise kind(
                f"the mailbox of source {self._settings.id!r} at {self._settings.url} cannot be read: {reason}; check "
                "`url`, `user` and `password`. Nothing was deleted"
            ) from None


def _hang_up(client: IMAPClient) -> None:
    with suppress(IMAPClientError, OSError):
        client.shutdown()


def _folders_of(messages: Iterable[Message]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for message in messages:
        found.setdefault(message.id, set()).add(message.folder)
    return found


EXAMPLE = """
[[sources]]
id = "support"
kind = "imap"
url = "imaps://mail.example.org"
user = "support@example.org"
password = "${secret:support}"
include = ["INBOX"]
principals = ["group:support"]
"""
KIND = Kind(ImapSource, Imap, example=EXAMPLE)
