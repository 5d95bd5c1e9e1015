"""A chat as a tree: a question that is edited, and an answer that is written anew, stand beside the ones before.

Each message knows the one that it follows; a chat shows the branch that ends with its current message.
"""

from dataclasses import dataclass

from rag_platform.core.errors import NotFound
from rag_platform.storage.relational.app_database import Connection, Database, Row

_PATH = """
with recursive path (id, depth) as (
    select id, 1 from messages where id = ?
    union all
    select messages.parent_id, depth + 1 from messages join path on messages.id = path.id
    where messages.parent_id is not null and depth < ?
)
select messages.* from messages join path on path.id = messages.id order by depth desc
"""
_LENGTH = _PATH.partition("select messages.*")[0] + "select count(*) from path"
LONGEST = 100_000
"""Messages of a branch that are read."""


@dataclass(frozen=True, slots=True)
class Branching:
    """The messages of a chat by what they follow."""

    parents: dict[int, int | None]
    """Of each message, in the order in which they were said."""
    roles: dict[int, str]

    def beside(self, message: int) -> list[int]:
        """Return a message and those that were said in its place, in their order."""
        return self.after(self.parents[message], self.roles[message]) if message in self.parents else []

    def after(self, message: int | None, role: str = "assistant") -> list[int]:
        """Return all of a role that follow a message, in their order; None: that begin the chat."""
        return [one for one, parent in self.parents.items() if parent == message and self.roles[one] == role]

    def end_of(self, message: int) -> int:
        """Return the last message of the newest branch that goes through one."""
        newest = {parent: one for one, parent in self.parents.items()}
        while message in newest:
            message = newest[message]
        return message


class ChatBranches:
    """The branches of a journal's chats; each chat is its owner's alone."""

    def __init__(self, journal: Database) -> None:
        """Read and change them in the journal's file."""
        self._journal = journal

    def of(self, chat_id: str, principal: str = "") -> Branching:
        """Return how the messages of somebody's chat follow each other; of one that is not theirs, nothing."""
        with self._journal.reading() as connection:
            rows = connection.execute(
                "select messages.id, parent_id, role from messages join chats on chats.id = chat_id "
                "where chat_id = ? and principal = ? order by messages.id",
                (chat_id, principal),
            ).fetchall()
        return Branching({row["id"]: row["parent_id"] for row in rows}, {row["id"]: row["role"] for row in rows})

    def show(self, chat_id: str, message: int, principal: str = "") -> None:
        """Show the newest branch that goes through a message; `NotFound` when somebody's chat has no such message."""
        branching = self._with(chat_id, message, principal)
        self._set(chat_id, branching.end_of(message), principal)

    def turn_back(self, chat_id: str, message: int, principal: str = "") -> None:
        """Let what is said next stand in the place of a question, or follow it anew: what followed stays beside it.

        Args:
            chat_id: of the chat.
            message: a question: the next one stands beside it. An answer: the next one answers its question too.
            principal: whose chat it is.

        Raises:
            NotFound: it is not this person's chat, or has no such message.
        """
        self._set(chat_id, self._with(chat_id, message, principal).parents[message], principal)

    def _with(self, chat_id: str, message: int, principal: str) -> Branching:
        found = self.of(chat_id, principal)
        if message not in found.parents:
            raise NotFound(f"there is no message {message} in a chat of yours of that id; reading it lists them")
        return found

    def _set(self, chat_id: str, message: int | None, principal: str) -> None:
        with self._journal.writing() as connection:
            update = "update chats set current_id = ? where id = ? and principal = ?"
            connection.execute(update, (message, chat_id, principal))


def path_to(connection: Connection, message: int | None, most: int) -> list[Row]:
    """Return at most so many messages that lead to one, with it, the oldest first; None: nothing was said yet."""
    rows: list[Row] = connection.execute(_PATH, (message, most)).fetchall()
    return rows


def length_to(connection: Connection, message: int | None) -> int:
    """Return how many messages lead to one, with it; None: none."""
    return int(connection.execute(_LENGTH, (message, LONGEST)).fetchone()[0])


def end_of(connection: Connection, chat_id: str, principal: str) -> int | None:
    """Return the last message that is shown of somebody's chat; None: there is none, or it is not theirs."""
    row = connection.execute(
        "select current_id from chats where id = ? and principal = ?", (chat_id, principal)
    ).fetchone()
    found: int | None = row["current_id"] if row else None
    return found
