"""Folders and pins: where somebody finds a chat again."""

from rag_platform.core.errors import NotFound
from rag_platform.storage.relational.app_database import Database
from rag_platform.text.cleaning import clean_line

LONGEST_FOLDER = 60
"""Characters of a folder's name."""


class ChatFolders:
    """The folders of a journal's chats. A folder is there while a chat is in it."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file, each with its chats."""
        self._journal = journal

    def of(self, principal: str = "") -> list[str]:
        """Return the names of somebody's folders, sorted."""
        sql = "select distinct folder from chats where principal = ? and folder <> ''"
        with self._journal.reading() as connection:
            return sorted((folder for (folder,) in connection.execute(sql, (principal,))), key=str.casefold)

    def move(self, chat_id: str, folder: str, principal: str = "") -> None:
        """Put somebody's chat into a folder, empty: into none; `NotFound` when it is not theirs."""
        self._change("folder", clean_line(folder)[:LONGEST_FOLDER].strip(), chat_id, principal)

    def pin(self, chat_id: str, principal: str = "", *, pinned: bool) -> None:
        """List somebody's chat before all others, or no longer; `NotFound` when it is not theirs."""
        self._change("pinned", pinned, chat_id, principal)

    def _change(self, column: str, value: str | bool, chat_id: str, principal: str) -> None:
        sql = f"update chats set {column} = ? where id = ? and principal = ?"
        with self._journal.writing() as connection:
            if not connection.execute(sql, (value, chat_id, principal)).rowcount:
                raise NotFound("there is no such chat of yours; it may have been deleted")
