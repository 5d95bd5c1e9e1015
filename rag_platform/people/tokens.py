"""Tokens with which programs ask the API: made once, shown once, kept as a hash."""

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, get_args

from rag_platform.core.errors import NotFound, SettingsError
from rag_platform.people.secret_keys import new_key, read_key
from rag_platform.storage.sqlite import SqliteFile

Role = Literal["reader", "editor"]
ROLES: tuple[Role, ...] = get_args(Role)
_NAME = re.compile(r"[\w.@-]{1,64}")


@dataclass(frozen=True, slots=True)
class Token:
    """Who asks with a token, and what they may do."""

    name: str
    role: Role
    """"reader" searches and asks; "editor" also changes collections and syncs."""
    principals: tuple[str, ...]
    """Whom it reads as."""
    created_at: datetime
    created_by: str


class Tokens:
    """The tokens of a workspace, in the journal's file."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    def create(self, name: str, role: str, principals: Sequence[str], *, who: str = "") -> str:
        """Make a token and return it: it can be shown this once only.

        Raises:
            SettingsError: the name or the role cannot be, or the name is taken.
        """
        if not _NAME.fullmatch(name):
            raise SettingsError(f"{name!r}: expected a name of at most 64 letters, digits, and . @ _ -")
        if role not in ROLES:
            raise SettingsError(f"--role {role!r}: expected one of {', '.join(ROLES)}")
        key = new_key("rag")
        row = (key.id, name, role, json.dumps([*principals]), key.hash, datetime.now(UTC).isoformat(), who)
        with self._file.writing() as connection:
            if connection.execute("select 1 from tokens where name = ?", (name,)).fetchone():
                raise SettingsError(f"there is a token {name!r} already; revoke it, or choose another name")
            connection.execute("insert into tokens values (?, ?, ?, ?, ?, ?, ?)", row)
        return key.text

    def list(self) -> Sequence[Token]:
        """Return all tokens by name."""
        with self._file.reading() as connection:
            return [_token(row) for row in connection.execute("select * from tokens order by name").fetchall()]

    def revoke(self, name: str) -> None:
        """Remove a token; whoever has it is refused from now on."""
        with self._file.writing() as connection:
            if not connection.execute("delete from tokens where name = ?", (name,)).rowcount:
                raise NotFound(f"there is no token {name!r}; `rag token list` names them")

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


def _token(row: sqlite3.Row) -> Token:
    created = datetime.fromisoformat(row["created_at"])
    return Token(row["name"], row["role"], tuple(json.loads(row["principals"])), created, row["created_by"])
