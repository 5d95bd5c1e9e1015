"""What each chat is answered from, as whoever it belongs to chose: collections and documents of what is published."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rag_platform.core.errors import NotFound
from rag_platform.core.hits import Filters
from rag_platform.retrieval.query.scope import narrowed
from rag_platform.storage.relational.app_database import Database

MOST = 100
"""Collections, or documents, that a chat may be about."""


@dataclass(frozen=True, slots=True)
class ChatScope:
    """What a chat is answered from; nothing: from everything that its owner may read."""

    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    """By doc_id."""
    attached_only: bool = False
    """From the chat's files alone; while it has none, that says nothing."""

    def within(self, filters: Filters) -> Filters:
        """Return filters, narrowed."""
        chosen = {name: (getattr(filters, name), getattr(self, name)) for name in ("collections", "documents")}
        return replace(filters, **{name: narrowed(*both) for name, both in chosen.items() if both[1]})


class ChatScopes:
    """The scopes of a journal's chats."""

    def __init__(self, journal: Database) -> None:
        """Store them in the journal's file, each with its chat."""
        self._journal = journal

    def of(self, chat_id: str, principal: str = "") -> ChatScope:
        """Return what somebody's chat is about; of a chat that is not theirs, everything."""
        with self._journal.reading() as connection:
            sql = "select scope from chats where id = ? and principal = ?"
            row = connection.execute(sql, (chat_id, principal)).fetchone()
        stored = json.loads(row["scope"]) if row else {}
        alone = bool(stored.pop("attached_only", False))
        return ChatScope(**{name: tuple(chosen) for name, chosen in stored.items()}, attached_only=alone)

    def set(self, chat_id: str, scope: ChatScope, principal: str = "") -> None:
        """Say what a chat is about.

        Raises:
            NotFound: it is not this person's chat.
        """
        kept: dict[str, Any] = {"collections": _some(scope.collections), "documents": _some(scope.documents)}
        kept |= {"attached_only": scope.attached_only}
        with self._journal.writing() as connection:
            sql = "update chats set scope = ? where id = ? and principal = ?"
            if not connection.execute(sql, (json.dumps(kept), chat_id, principal)).rowcount:
                raise NotFound("there is no such chat of yours; it may have been deleted")


def _some(chosen: Sequence[str]) -> list[str]:
    return [*dict.fromkeys(chosen)][:MOST]
