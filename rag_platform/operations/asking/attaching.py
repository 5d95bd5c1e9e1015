"""Attach a file to a chat: read in the cell like every document, kept as text, indexed in memory when it is asked."""

import hashlib
import threading
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache

from rag_platform.answering.attached.attached_index import ATTACHED, AttachedDocument, AttachedIndex
from rag_platform.answering.attached.beside import Attachments
from rag_platform.chunks import Chunker
from rag_platform.config.sections.sources import SourceSettings
from rag_platform.core.errors import TooLarge, UploadRefused
from rag_platform.core.ids import digest
from rag_platform.documents.document_rows import document_row
from rag_platform.documents.extracted import Part
from rag_platform.documents.reader_options import options_for, reading_limits
from rag_platform.documents.sandbox.pool import SANDBOX
from rag_platform.people.chat_files import Attachment
from rag_platform.text.cleaning import clean_line
from rag_platform.workspace import Workspace

MOST_BYTES = 20_000_000
"""Of one file."""
MOST_FILES = 10
"""Of one chat."""
MOST_CHARACTERS = 2_000_000
"""Of all texts of one chat."""
_KEPT = 16
"""Chats whose texts stay indexed in memory."""
_SETTINGS = SourceSettings.model_construct(kind="attached", id=ATTACHED)
_Key = tuple[str, tuple[str, ...]]
_LOCK, _INDEXES = threading.Lock(), LRUCache[_Key, AttachedIndex](_KEPT)


@dataclass(frozen=True, slots=True)
class Attached:
    """What came of attaching a file."""

    file: Attachment
    problems: tuple[str, ...] = ()
    """What in it could not be read."""


def attach(
    workspace: Workspace, chat: str, owner: str, name: str, content: bytes, content_type: str | None = None
) -> Attached:
    """Read a file and attach it to somebody's chat.

    Raises:
        NotFound: it is not this person's chat.
        TooLarge: the file, its text, or the number of files.
        UploadRefused: nothing of it could be read; says why.
    """
    workspace.chats.own(chat, owner)
    kept, name = workspace.attachments, clean_line(name)[-200:] or "file"
    before = kept.of(chat, owner)
    if len(before) >= MOST_FILES:
        raise TooLarge("this chat has too many files", f"at most {MOST_FILES}", "Take one away, or begin a new chat.")
    if len(content) > MOST_BYTES:
        raise TooLarge(
            f"{name} has {len(content):,} bytes", f"at most {MOST_BYTES:,}", "Put it into a collection instead."
        )
    parts = _read(workspace, chat, name, content, content_type)
    documents = _documents(chat, name, content, parts)
    problems = tuple(f"{name}{part.path}: {part.reason}" for part in parts if part.reason)
    if not documents:
        why = "; ".join(problems) or f"{name} holds no text"
        raise UploadRefused(why, "a file with text", "Attach another one.")
    if sum(one.characters for one in before) + sum(len(one.text) for one in documents) > MOST_CHARACTERS:
        raise TooLarge(
            f"with {name} the texts of this chat are too long",
            f"at most {MOST_CHARACTERS:,} characters",
            "Put it into a collection instead.",
        )
    added = kept.add(chat, name, documents, owner)
    return Attached(Attachment(added, name, len(documents), sum(len(one.text) for one in documents)), problems)


def attached_to(workspace: Workspace, chat: str, owner: str, *, alone: bool = False) -> Attachments | None:
    """Return the files of somebody's chat, to be searched; None: it has none."""
    documents = workspace.attachments.documents(chat, owner)
    if not documents:
        return None
    key = (chat, tuple(one.doc_id for one in documents))
    with _LOCK:
        found = _INDEXES.get(key)
    if found is None:
        found = AttachedIndex(documents, _chunker(workspace), workspace.embedder)
        let_go(chat)
        with _LOCK:
            _INDEXES[key] = found
    return Attachments(found, alone)


def let_go(chat: str) -> None:
    """Leave nothing of a chat's files in the memory of this process."""
    with _LOCK:
        for old in [one for one in _INDEXES if one[0] == chat]:
            del _INDEXES[old]


def _chunker(workspace: Workspace) -> Chunker:
    chunks, embedder = workspace.settings.chunks, workspace.embedder
    return Chunker(embedder.tokenizer, chunks.size, chunks.overlap, limit=embedder.limit, unit=chunks.unit)


def _read(workspace: Workspace, chat: str, name: str, content: bytes, content_type: str | None) -> list[Part]:
    return SANDBOX.read(
        content,
        boundary=(ATTACHED, chat),
        limits=reading_limits(workspace.settings),
        uri=name,
        content_type=content_type,
        options=options_for(workspace.settings, _SETTINGS),
    )


def _documents(chat: str, name: str, content: bytes, parts: list[Part]) -> list[AttachedDocument]:
    sha256 = hashlib.sha256(content).hexdigest()
    entry = {"uri": name, "sha256": sha256, "metadata": None}
    found = []
    for part in parts:
        row = document_row(entry, part, _SETTINGS, "")
        if part.read and row["text"].strip():
            names = ("title", "text", "language", "format", "raw_sha256", "revision")
            lists: dict[str, Any] = {one: tuple(row[one]) for one in ("pages", "page_labels")}
            doc_id = digest(ATTACHED, chat, row["uri"], sha256)
            found.append(AttachedDocument(doc_id, row["uri"], **{one: row[one] for one in names}, **lists))
    return found
