"""Tokens with which programs ask the API: made once, shown once, kept as a hash."""

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.core.principals import WITHIN, limits, within
from rag_platform.people.secret_keys import new_key, read_key
from rag_platform.storage.relational.app_database import Database, Row
from rag_platform.storage.removed_rows import putting_back, remove_rows

Scope = Literal["read", "ask", "edit", "widget", "metrics", "admin"]
"""What somebody may do: search and read; also have answers written; also change collections and start syncs; ask
through the widget, and nothing else; look at /metrics, and nothing else; all that whoever runs the workspace may."""
SCOPES: tuple[Scope, ...] = get_args(Scope)
USUAL: tuple[Scope, ...] = ("read", "ask")
_NAME = re.compile(r"[\w.@-]{1,64}")


@dataclass(frozen=True, slots=True)
class Token:
    """Who asks with a token, and what they may do."""

    name: str
    scopes: tuple[Scope, ...]
    principals: tuple[str, ...]
    """Whom it reads as."""
    collections: tuple[str, ...]
    """All that it reads; none: it is not limited to any."""
    created_at: datetime
    created_by: str

    @property
    def id(self) -> str:
        """Owner of receipts and chats, key of rate limits: a token that reads as a person is theirs."""
        return next((one for one in self.principals if one.startswith("user:")), f"token:{self.name}")

    @property
    def readers(self) -> tuple[str, ...]:
        """Return the principals with which it reads, its owner first."""
        return (*dict.fromkeys((self.id, *self.principals)), *within(self.collections))


def with_implied(scopes: Collection[Scope]) -> frozenset[Scope]:
    """Return the scopes with those that they hold: "admin" all of them, "ask" and "edit" "read"."""
    reads: tuple[Scope, ...] = () if {"ask", "edit"}.isdisjoint(scopes) else ("read",)
    return frozenset(SCOPES) if "admin" in scopes else frozenset({*scopes, *reads})


class Tokens:
    """The tokens of a workspace, in the journal's file."""

    def __init__(self, file: Database) -> None:
        self._file = file

    def create(
        self,
        name: str,
        scopes: Sequence[str] = USUAL,
        principals: Sequence[str] = (),
        *,
        collections: Sequence[str] = (),
        who: str = "",
    ) -> str:
        """Make a token and return it: it can be shown this once only.

        Raises:
            SettingsError: the name, a scope or what it is limited to cannot be, or the name is taken.
        """
        if not _NAME.fullmatch(name):
            raise SettingsError(f"{name!r}: expected a name of at most 64 letters, digits, and . @ _ -")
        _refuse_senseless(scopes, principals, collections)
        key = new_key("rag")
        lists = (json.dumps([*given]) for given in (scopes, principals, collections))
        row = (key.id, name, *lists, key.hash, datetime.now(UTC).isoformat(), who)
        with self._file.writing() as connection:
            if connection.execute("select 1 from tokens where name = ?", (name,)).fetchone():
                raise SettingsError(f"there is a token {name!r} already; revoke it, or choose another name")
            connection.execute("insert into tokens values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return key.text

    def list(self) -> Sequence[Token]:
        """Return all tokens by name."""
        with self._file.reading() as connection:
            return [_token(row) for row in connection.execute("select * from tokens order by name").fetchall()]

    def revoke(self, name: str) -> Callable[[], None]:
        """Remove a token, and return what restores it; whoever has it is refused from now on."""
        rows = remove_rows(self._file, "tokens", "name = ?", (name,))
        if not rows:
            raise NotFound(f"there is no token {name!r}; `rag token list` names them")
        return putting_back(self._file, "tokens", rows)

    def holder(self, given: str) -> Token | None:
        """Return whose token this is; None when it is nobody's. The secret is compared in constant time."""
        key = read_key("rag", given)
        if key is None:
            return None
        with self._file.reading() as connection:
            row = connection.execute("select * from tokens where id = ?", (key.id,)).fetchone()
        return _token(row) if key.matches(row["hash"] if row else None) else None

    def any(self) -> bool:
        """Tell whether there is a token at all."""
        with self._file.reading() as connection:
            return connection.execute("select 1 from tokens limit 1").fetchone() is not None


def _token(row: Row) -> Token:
    created = datetime.fromisoformat(row["created_at"])
    scopes, principals, collections = (
        tuple(json.loads(row[column])) for column in ("scopes", "principals", "collections")
    )
    return Token(row["name"], scopes, principals, collections, created, row["created_by"])


def _refuse_senseless(scopes: Sequence[str], principals: Sequence[str], collections: Sequence[str]) -> None:
    if not scopes or (unknown := [one for one in scopes if one not in SCOPES]):
        raise SettingsError(f"--scope {', '.join(unknown) if scopes else 'is missing'}: expected {', '.join(SCOPES)}")
    if "widget" in scopes and len({*scopes}) > 1:
        raise SettingsError("--scope widget: such a token stands in public pages; expected no other scope beside it")
    if "admin" in scopes and collections:
        raise SettingsError("--collection: a token with the scope admin manages the whole workspace; leave one of both")
    if limits(principals):
        raise SettingsError(f"--as {WITHIN}…: expected users and groups; name collections with --collection")
