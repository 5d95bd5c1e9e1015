"""Rows of a database query, one document each.

Without a cursor column, the whole query is read at every sync. With one, a sync reads the key and the cursor of every
row, which finds what is new, changed and gone, and then the rest of only those rows that are new or changed.
"""

import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.types import NullType

from rag_platform.config.secrets import Secrets
from rag_platform.config.source_kinds import Context
from rag_platform.config.variables import Variables
from rag_platform.core.errors import FetchError, SourceError
from rag_platform.core.ids import digest
from rag_platform.core.ports import Fetched, Item, Listing, Validators
from rag_platform.sources.databases.connections import FAILURES, columns_there, open_engine, parse
from rag_platform.sources.databases.cursors import Waiting, shown, still_moving
from rag_platform.sources.databases.roles import warnings
from rag_platform.sources.databases.row_documents import Row, RowDocuments, key_text
from rag_platform.sources.databases.sql_settings import SqlSource
from rag_platform.sources.databases.timed_reading import BATCH, reading

EXPLAINING = 10.0
"""Seconds for looking what tables there are, for the message of an error."""
T = TypeVar("T")
CONTENT_TYPE = "text/markdown; charset=utf-8"


class Sql:
    """Lists the rows of a query, and reads the text of those that are fetched."""

    def __init__(
        self,
        settings: SqlSource,
        home: Path,
        environ: Mapping[str, str] | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self._settings = settings
        self._home = home
        self._variables = Variables(os.environ if environ is None else environ, secrets)
        self._url = self._expand(settings.url)
        self._query = re.sub(r"(?<![:\w\\]):(?=\w)", r"\\:", settings.query).strip().rstrip("; \n")  # no parameters
        self._documents = RowDocuments(settings)
        self._waiting = Waiting()
        self._lost: str | None = None

    def list(self) -> Listing:
        """Run the query; rows without a key, or with another row's, are among `failed`."""
        addresses = _Addresses(self._settings, self._documents)
        if self._settings.cursor is None:
            rows = self._asked(lambda connection: self._rows(connection, self._query, self._documents.needed()))
            items = list(self._within_limits(self._whole(row, uri) for row in rows if (uri := addresses.of(row))))
            return Listing(items, complete=True, failed=addresses.failed)
        keys, cursors = {}, {}
        for row in self._asked(self._keys_and_cursors):
            if uri := addresses.of(row):
                keys[uri], cursors[uri] = row[self._settings.key], row[self._settings.cursor]
        self._waiting = Waiting(keys)
        return Listing(self._marked(cursors), complete=True, failed=addresses.failed, expect=self._waiting.expect)

    def warnings(self) -> Sequence[str]:
        """Say what the role of the address may do beside reading."""
        return list(self._asked(warnings))

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  a row has no validators
        """Return the row's text: what the listing has brought, or what a query for many rows brings now."""
        if item.content is not None:
            return Fetched(item.content, CONTENT_TYPE)
        outcome = self._waiting.take(item.uri, self._read)
        if isinstance(outcome, str):
            raise FetchError(outcome)
        return outcome

    def _whole(self, row: Row, uri: str) -> Item:
        content, metadata = self._documents.content(row), self._documents.metadata(row)
        mark = digest(content.decode(), json.dumps(metadata, sort_keys=True, ensure_ascii=False))
        return Item(uri, mark, metadata, content)

    def _marked(self, cursors: Mapping[str, Any]) -> Sequence[Item]:
        """Mark each row with its cursor; one that may still change without its cursor moving has no mark."""
        moving = still_moving(cursors.values(), self._settings.overlap)
        version = digest(self._documents.version, self._settings.url, self._query)
        return [
            Item(uri, None if moving(cursor) else f"{version[:16]} {shown(cursor)}") for uri, cursor in cursors.items()
        ]

    def _read(self, wanted: Mapping[str, Any]) -> dict[str, Fetched | str]:
        """Read rows by their keys; for each, what it is or why it could not be read."""
        if self._lost:
            return dict.fromkeys(wanted, self._lost)
        try:
            rows = self._asked(lambda connection: self._with_keys(connection, list(wanted.values())))
            found = {self._documents.key(row): self._fetched(row) for row in rows}
        except SourceError as error:
            return self._read_apart(wanted, str(error))
        gone = "the row went while the source was read"
        return {uri: found.get(key_text(key), gone) for uri, key in wanted.items()}

    def _read_apart(self, wanted: Mapping[str, Any], why: str) -> dict[str, Fetched | str]:
        """Find the rows that spoil the query for the others, unless nothing can be read any more."""
        if len(wanted) == 1 or self._lost_now(why):
            return dict.fromkeys(wanted, why)
        pairs = list(wanted.items())
        half = len(pairs) // 2
        return self._read(dict(pairs[:half])) | self._read(dict(pairs[half:]))

    def _lost_now(self, why: str) -> bool:
        try:
            list(self._asked(self._no_rows))
        except SourceError:
            self._lost = why
        return self._lost is not None

    def _fetched(self, row: Row) -> Fetched:
        return Fetched(self._documents.content(row), CONTENT_TYPE, metadata=self._documents.metadata(row))

    def _within_limits(self, items: Iterable[Item]) -> Iterator[Item]:
        most, size = self._settings.max_bytes, 0
        for item in items:
            size += len(item.content or b"")
            if size > most:
                raise SourceError(
                    f"the rows of source {self._settings.id!r} have more than max_bytes = {most}. Nothing was changed"
                )
            yield item

    # --- what is asked, each in the thread that reads -------------------------------------------------

    def _keys_and_cursors(self, connection: Connection) -> Generator[Row]:
        yield from self._no_rows(connection)
        columns = sorted(self._documents.identifying() | {self._settings.cursor or ""})
        yield from self._rows(connection, self._part(connection, columns))

    def _with_keys(self, connection: Connection, keys: Sequence[Any]) -> Generator[Row]:
        statement = self._part(connection, where=f"{self._quoted(connection, self._settings.key)} in :keys")
        yield from self._rows(connection, statement, self._needed(), keys)

    def _no_rows(self, connection: Connection) -> Generator[Row]:
        """Ask for nothing, which shows whether the columns are there."""
        yield from self._rows(connection, self._part(connection, where="1 = 0"), self._needed())

    def _needed(self) -> set[str]:
        cursor = self._settings.cursor
        return self._documents.needed() | ({cursor} if cursor else set())

    def _part(self, connection: Connection, columns: Sequence[str] = (), where: str = "") -> str:
        """Write a query for some columns and rows of the query."""
        names = ", ".join(self._quoted(connection, name) for name in columns) or "*"
        return f"select {names} from (\n{self._query}\n) as listed" + (f" where {where}" if where else "")

    def _quoted(self, connection: Connection, name: str) -> str:
        return connection.dialect.identifier_preparer.quote_identifier(name)

    def _rows(
        self, connection: Connection, query: str, needed: Iterable[str] = (), keys: Sequence[Any] | None = None
    ) -> Generator[Row]:
        """Run a query that gives these columns, and yield its rows as they come."""
        statement = sqlalchemy.text(query)
        if keys is not None:
            untyped = NullType()  # SQLAlchemy would cast text to VARCHAR, which is no ENUM
            statement = statement.bindparams(sqlalchemy.bindparam("keys", keys, untyped, expanding=True))
        with closing(connection.execution_options(yield_per=BATCH).execute(statement)) as result:
            if not result.returns_rows:
                raise SourceError(f"the query of source {self._settings.id!r} returns no rows; expected a SELECT")
            known = list(result.keys())
            if unknown := sorted(set(needed) - set(known)):
                raise SourceError(
                    f"the query of source {self._settings.id!r} has no column {', '.join(unknown)}; it has: "
                    f"{', '.join(known)}. Nothing was changed"
                )
            for number, row in enumerate(result.mappings(), start=1):
                if number > self._settings.max_rows:
                    raise SourceError(
                        f"the query of source {self._settings.id!r} gives more than max_rows = "
                        f"{self._settings.max_rows}. Nothing was changed"
                    )
                yield dict(row)

    def _asked(self, work: Callable[[Connection], Generator[T]]) -> Iterator[T]:
        engine = self._engine()
        try:
            yield from reading(engine, self._settings.timeout, work)
        except FAILURES as error:
            raise SourceError(self._explain(error, engine)) from None  # the original's text may hold secrets
        finally:
            engine.dispose()

    def _engine(self) -> Engine:
        try:
            url = parse(self._url)
            self._variables.hide(url.password)
            return open_engine(url, self._home)
        except ImportError as error:
            raise SourceError(f"source {self._settings.id!r} needs a driver: {error}; install that package") from error
        except (*FAILURES, ValueError) as error:
            raise SourceError(self._explain(error)) from None

    def _expand(self, template: str) -> str:
        """Put variables into the address; inside ``user:password@`` they are escaped."""
        where = f"sources[{self._settings.id}].url"
        return self._variables.expand(template, where, lambda place: place < template.rfind("@"))

    def _explain(self, error: Exception, engine: Engine | None = None) -> str:
        text = self._variables.without_secrets(str(getattr(error, "orig", None) or error))
        text = text.replace("not authorized", "not authorized: a source only reads")  # as SQLite says it
        there = self._columns_there(engine) if engine and getattr(error, "statement", None) else ""
        return (
            f"source {self._settings.id!r} could not be read: {text}{there}; check `url` and `query` in its settings. "
            "Nothing was changed"
        )

    def _columns_there(self, engine: Engine) -> str:
        try:
            return "; " + "".join(
                reading(engine, EXPLAINING, lambda connection: columns_there(connection, self._query))
            )
        except (*FAILURES, SourceError):
            return ""


@dataclass(slots=True)
class _Addresses:
    """The addresses of a listing's rows, each used once."""

    settings: SqlSource
    documents: RowDocuments
    failed: list[tuple[str, str]] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    seen: int = 0

    def of(self, row: Row) -> str | None:
        """Return the row's address; None, and the reason among `failed`, when it cannot be a document."""
        self.seen += 1
        name = self.settings.key
        if not self.documents.key(row):
            self.failed.append((f"sql://{self.settings.id}/row {self.seen}", f"{name} is null"))
            return None
        uri = self.documents.uri(row)
        if uri in self.used:
            self.failed.append((uri, f"row {self.seen} has the same {name} or uri as one before it"))
            return None
        self.used.add(uri)
        return uri


def opened(settings: SqlSource, context: Context) -> Sql:
    """Open a source of this kind."""
    return Sql(settings, context.home, secrets=context.secrets)
