"""Chats: each person's questions and answers, in the journal's file, and the links by which they are shared."""

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice, pairwise

from rag_platform.answering.attached.attached_index import ATTACHED
from rag_platform.core.answers import Turn
from rag_platform.core.errors import NotFound
from rag_platform.journal.receipts import Receipt, receipts_by_id
from rag_platform.people.arranging.branches import LONGEST, end_of, length_to, path_to
from rag_platform.storage.relational.app_database import Connection, Database, Row
from rag_platform.storage.removed_rows import putting_back, remove_rows
from rag_platform.text.cleaning import clean_line

LONGEST_TITLE = 200
"""Characters."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a chat."""

    id: int
    """Later ones have higher ids, over all chats."""
    role: str
    """"user" or "assistant"."""
    content: str
    receipt_id: str | None
    created_at: datetime
    stopped: bool = False
    """Whether an answer was ended before it was whole."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat, without what was said in it."""

    id: str
    title: str
    """The beginning of its first question, or how it was named."""
    created_at: datetime
    used_at: datetime
    """When something was said in it last."""
    folder: str = ""
    """In which its owner keeps it; empty: in none."""
    pinned: bool = False
    assistant: str = ""
    """The id of whom it is with; empty: nobody but a generator."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A chat as others see it through its link: up to what was said when it was shared."""

    chat: Chat
    messages: list[Message]


class Chats:
    """The chats of a journal. Each belongs to one person, and is nothing to others."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file."""
        self._journal = journal

    def begin(self, title: str, principal: str = "", assistant: str = "") -> str:
        """Begin a chat, with an assistant or without, and return its id, which cannot be guessed."""
        chat_id, now = secrets.token_urlsafe(12), _now()
        with self._journal.writing() as connection:
            connection.execute(
                "insert into chats (id, principal, title, created_at, used_at, assistant) values (?, ?, ?, ?, ?, ?)",
                (chat_id, principal, _title(title), now, now, assistant),
            )
        return chat_id

    def say(
        self,
        chat_id: str,
        role: str,
        content: str,
        receipt_id: str | None = None,
        *,
        stopped: bool = False,
        after: int | None = None,
    ) -> int:
        """Add a message to a chat, after that one, else at the end of what is shown; returns the message's id."""
        now = _now()
        with self._journal.writing() as connection:
            chat = connection.execute("select current_id from chats where id = ?", (chat_id,)).fetchone()
            if chat is None:
                raise NotFound(_NOT_YOURS)
            shown = chat["current_id"]
            parent = shown if after is None else after
            added = connection.execute(
                "insert into messages (chat_id, role, content, receipt_id, created_at, stopped, parent_id) "
                "values (?, ?, ?, ?, ?, ?, ?) returning id",
                (chat_id, role, content, receipt_id or None, now, stopped, parent),
            ).fetchone()
            if role == "assistant":  # what was asked before this was written comes after it
                after_it = "update messages set parent_id = ? where parent_id = ? and role = 'user'"
                connection.execute(after_it, (added["id"], parent))
            shown = added["id"] if parent == shown else shown  # whoever looks at another branch meanwhile stays there
            connection.execute("update chats set used_at = ?, current_id = ? where id = ?", (now, shown, chat_id))
            return int(added["id"])

    def find(self, chat_id: str, principal: str = "") -> Chat | None:
        """Return somebody's chat; None when there is none of that id, or it is somebody else's."""
        with self._journal.reading() as connection:
            row = connection.execute(f"{_OWN} and id = ?", (principal, chat_id)).fetchone()
        return _chat(row) if row else None

    def own(self, chat_id: str, principal: str = "") -> Chat:
        """Return somebody's chat; `NotFound` when there is none of that id, or it is somebody else's."""
        if (found := self.find(chat_id, principal)) is None:
            raise NotFound(_NOT_YOURS)
        return found

    def of(self, principal: str = "", words: str = "", limit: int = 100, *, arranged: bool | None = None) -> list[Chat]:
        """Return a person's chats, the last used first: those whose title or messages contain each of the words.

        `arranged`: only those that are pinned or in a folder; False: only the others.
        """
        terms = words.casefold().split()
        sql = _OWN if arranged is None else f"{_OWN} and (pinned or folder <> '') = {str(arranged).lower()}"
        with self._journal.reading() as connection:
            rows: Iterable[Row] = connection.execute(f"{sql} order by used_at desc, rowid desc", (principal,))
            if terms:
                matching = _with_message(connection, principal, terms)
                rows = (row for row in rows if _contains(row["title"], terms) or row["id"] in matching)
            return [_chat(row) for row in islice(rows, limit)]

    def rename(self, chat_id: str, title: str, principal: str = "") -> None:
        """Give a chat another title; `NotFound` when it is not this person's, or the title is empty."""
        if not title.strip():
            raise NotFound("a chat needs a title; write what it is about")
        self._change("update chats set title = ? where", (_title(title),), chat_id, principal)

    def delete(self, chat_id: str, principal: str = "") -> None:
        """Remove a chat with its link and its files; `NotFound` when it is not this person's.

        The receipts stay, but for those of answers from the chat's files.
        """
        self.own(chat_id, principal)
        with self._journal.writing(erasing=True) as connection:
            connection.execute(_RECEIPTS_OF_FILES, (chat_id, ATTACHED))
        self._change("delete from chats where", (), chat_id, principal)

    # --- messages --------------------------------------------------------------------------------------

    def messages(self, chat_id: str, principal: str = "", *, last: int | None = None) -> list[Message]:
        """Return what is shown of a chat, oldest first; only so many of the last; none of somebody else's chat."""
        with self._journal.reading() as connection:
            rows = path_to(connection, end_of(connection, chat_id, principal), LONGEST if last is None else last)
        return list(map(_message, rows))

    def said(self, chat_id: str, ids: Collection[int], principal: str = "") -> list[Message]:
        """Return these messages of somebody's chat, oldest first, shown or not."""
        with self._journal.reading() as connection:
            rows = connection.execute(
                "select messages.* from messages join chats on chats.id = chat_id "
                "where chat_id = ? and principal = ? order by messages.id",
                (chat_id, principal),
            )
            return [_message(row) for row in rows if row["id"] in ids]

    def count(self, chat_id: str, principal: str = "") -> int:
        """Return how many messages of a chat are shown."""
        with self._journal.reading() as connection:
            return length_to(connection, end_of(connection, chat_id, principal))

    def receipts(self, messages: Iterable[Message]) -> dict[str, Receipt]:
        """Return the receipts of messages, by id."""
        return receipts_by_id(self._journal, [message.receipt_id for message in messages if message.receipt_id])

    def of_answers(self, receipt_ids: Collection[str], principal: str = "") -> dict[str, str]:
        """Return the chats of somebody in which these answers were given, by receipt."""
        sql = (
            "select receipt_id, chat_id from messages join chats on chats.id = chat_id "
            "where principal = ? and receipt_id in (select value from json_each(?))"
        )
        with self._journal.reading() as connection:
            rows = connection.execute(sql, (principal, json.dumps([*receipt_ids])))
            return {row["receipt_id"]: row["chat_id"] for row in rows}

    # --- sharing ---------------------------------------------------------------------------------------

    def share(self, chat_id: str, principal: str = "", readers: Sequence[str] | None = None) -> str:
        """Let whoever has the link read a chat as it is now, and return the link's token; one chat has one link.

        Args:
            chat_id: of the chat.
            principal: whose it is.
            readers: people and groups who alone may open the link; empty: everybody who may ask here; None: as before.

        Raises:
            NotFound: it is not this person's chat.
        """
        if self.find(chat_id, principal) is None:
            raise NotFound(_NOT_YOURS)
        named = None if readers is None else json.dumps(sorted({one.strip() for one in readers if one.strip()}))
        with self._journal.writing() as connection:
            last = connection.execute("select current_id from chats where id = ?", (chat_id,)).fetchone()[0]
            row = connection.execute(
                "insert into shares (token, chat_id, last_message, created_at, readers) "
                "values (?, ?, ?, ?, coalesce(?, '[]')) on conflict (chat_id) do update "
                "set last_message = excluded.last_message, readers = coalesce(?, shares.readers) returning token",
                (secrets.token_urlsafe(24), chat_id, last or 0, _now(), named, named),
            ).fetchone()
        return str(row["token"])

    def shared_as(self, chat_id: str, principal: str = "") -> str | None:
        """Return the token under which somebody shares a chat; None: they do not."""
        share = self._share(chat_id, principal)
        return share["token"] if share else None

    def shared_with(self, chat_id: str, principal: str = "") -> list[str]:
        """Return the people and groups who alone may open a chat's link; none: everybody who may ask here."""
        share = self._share(chat_id, principal)
        return list(json.loads(share["readers"])) if share else []

    def _share(self, chat_id: str, principal: str) -> Row | None:
        with self._journal.reading() as connection:
            row: Row | None = connection.execute(
                "select token, readers from shares join chats on chats.id = chat_id "
                "where chat_id = ? and principal = ?",
                (chat_id, principal),
            ).fetchone()
        return row

    def unshare(self, chat_id: str, principal: str = "") -> Callable[[], None]:
        """Take a chat's link back, and return what restores it. `NotFound` when it is not this person's chat."""
        self.own(chat_id, principal)
        return putting_back(self._journal, "shares", remove_rows(self._journal, "shares", "chat_id = ?", (chat_id,)))

    def opened(self, token: str, asker: Collection[str] = ()) -> Shared | None:
        """Return what a link leads to for these principals, groups included; None: nothing, or nothing any more."""
        with self._journal.reading() as connection:
            tokens, given = [one for (one,) in connection.execute("select token from shares")], _hash(token)
            row = connection.execute(  # hashes are compared, so that no time tells how much of a token is right
                "select chats.*, last_message, readers from shares join chats on chats.id = chat_id where token = ?",
                (next((one for one in tokens if _hash(one) == given), None),),
            ).fetchone()
            if row is None or not _may_open(row, asker):
                return None
            said = path_to(connection, row["last_message"], LONGEST)
        return Shared(_chat(row), [_message(one) for one in said])

    def _change(self, sql: str, values: tuple[str, ...], chat_id: str, principal: str) -> None:
        with self._journal.writing() as connection:
            if not connection.execute(f"{sql} id = ? and principal = ?", (*values, chat_id, principal)).rowcount:
                raise NotFound(_NOT_YOURS)


def turns_of(messages: Iterable[Message]) -> list[Turn]:
    """Return the questions among messages that have an answer, with it."""
    return [
        Turn(asked.content, answer.content)
        for asked, answer in pairwise(messages)
        if (asked.role, answer.role) == ("user", "assistant")
    ]


_OWN = "select * from chats where principal = ?"
_RECEIPTS_OF_FILES = """
delete from receipts where id in (select receipt_id from messages where chat_id = ?)
and exists (select 1 from json_each(hits) where json_extract(value, '$.source') = ?)
"""
_NOT_YOURS = "there is no such chat of yours; it may have been deleted"


def _with_message(connection: Connection, principal: str, terms: list[str]) -> set[str]:
    """Return the chats with a message that contains each term; databases by themselves fold the case of ASCII alone."""
    said = "select chat_id, content from messages join chats on chats.id = chat_id where principal = ?"
    if not all(map(str.isascii, terms)):
        return {chat for chat, content in connection.execute(said, (principal,)) if _contains(content, terms)}
    contains = " and instr(lower(content), ?) > 0" * len(terms)
    return {chat for chat, _ in connection.execute(f"{said}{contains}", (principal, *terms))}


def _contains(text: str, terms: list[str]) -> bool:
    folded = text.casefold()
    return all(term in folded for term in terms)


def _may_open(row: Row, asker: Collection[str]) -> bool:
    """Return whether a share is for everybody, or names one of these principals; its owner may always open it."""
    readers = json.loads(row["readers"])
    return not readers or not {row["principal"], *readers}.isdisjoint(asker)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _title(text: str) -> str:
    return clean_line(text)[:LONGEST_TITLE]


def _chat(row: Row) -> Chat:
    made, used = (datetime.fromisoformat(row[name]) for name in ("created_at", "used_at"))
    return Chat(row["id"], row["title"], made, used, row["folder"], bool(row["pinned"]), row["assistant"])


def _message(row: Row) -> Message:
    made = datetime.fromisoformat(row["created_at"])
    return Message(row["id"], row["role"], row["content"], row["receipt_id"], made, bool(row["stopped"]))


def _now() -> str:
    return datetime.now(UTC).isoformat()
