"""The files that people attach to a chat of theirs, as texts in the journal's file: gone with the chat."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from rag_platform.answering.attached.attached_index import AttachedDocument
from rag_platform.core.errors import NotFound
from rag_platform.storage.relational.app_database import Database, Row


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a chat."""

    id: int
    name: str
    documents: int
    """1, or those of an archive that could be read."""
    characters: int


class ChatAttachments:
    """The attachments in a journal; each is its chat's owner's alone."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file."""
        self._journal = journal

    def add(self, chat_id: str, name: str, documents: Sequence[AttachedDocument], principal: str = "") -> int:
        """Attach what was read of a file, and return its id; `NotFound` when it is not this person's chat."""
        with self._journal.writing() as connection:
            own = connection.execute("select 1 from chats where id = ? and principal = ?", (chat_id, principal))
            if not own.fetchone():
                raise NotFound("there is no such chat of yours; it may have been deleted")
            sql = "insert into attachments (chat_id, name) values (?, ?) returning id"
            file = int(connection.execute(sql, (chat_id, name)).fetchone()["id"])
            connection.executemany(
                f"insert into attached_documents values ({', '.join('?' * 11)})",
                [(file, *_row(document)) for document in documents],
            )
        return file

    def of(self, chat_id: str, principal: str = "") -> list[Attachment]:
        """Return the files of somebody's chat, in the order in which they were attached."""
        sql = (
            "select attachments.id, attachments.name, count(*) as documents, sum(length(text)) as characters "
            f"from attachments join attached_documents on attachment_id = attachments.id {_OWN} "
            "group by attachments.id order by attachments.id"
        )
        with self._journal.reading() as connection:
            rows = connection.execute(sql, (chat_id, principal)).fetchall()
        return [Attachment(*row) for row in rows]

    def documents(self, chat_id: str, principal: str = "") -> list[AttachedDocument]:
        """Return the texts of somebody's chat."""
        sql = f"select attached_documents.* {_JOINED} {_OWN} order by attachment_id, attached_documents.rowid"
        with self._journal.reading() as connection:
            return [_document(row) for row in connection.execute(sql, (chat_id, principal))]

    def document(self, doc_id: str, principal: str = "") -> AttachedDocument | None:
        """Return a text of any of somebody's chats; None: there is none of that id, or it is somebody else's."""
        sql = (
            f"select attached_documents.* {_JOINED} join chats on chats.id = chat_id where doc_id = ? and principal = ?"
        )
        with self._journal.reading() as connection:
            row = connection.execute(sql, (doc_id, principal)).fetchone()
        return _document(row) if row else None

    def remove(self, chat_id: str, file: int, principal: str = "") -> list[AttachedDocument]:
        """Take a file from somebody's chat, and return its texts; `NotFound` when it has none of that id."""
        sql = (
            "delete from attachments where id = ? and chat_id in (select id from chats where id = ? and principal = ?)"
        )
        with self._journal.writing(erasing=True) as connection:
            held = connection.execute("select * from attached_documents where attachment_id = ?", (file,)).fetchall()
            if not connection.execute(sql, (file, chat_id, principal)).rowcount:
                raise NotFound("there is no such file in a chat of yours; it may have been taken away")
        return [_document(row) for row in held]


_JOINED = "from attached_documents join attachments on attachments.id = attachment_id"
_OWN = "join chats on chats.id = chat_id where chat_id = ? and principal = ?"


def _row(one: AttachedDocument) -> tuple[str, ...]:
    listed = (json.dumps(one.pages), json.dumps(one.page_labels))
    named = (one.doc_id, one.name, one.title, one.text, one.language, one.format)
    return (*named, *listed, one.raw_sha256, one.revision)


def _document(row: Row) -> AttachedDocument:
    values = {name: row[name] for name in AttachedDocument.__slots__}
    values |= {name: tuple(json.loads(values[name])) for name in ("pages", "page_labels")}
    return AttachedDocument(**values)
