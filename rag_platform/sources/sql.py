"""Rows of a database query, one document each.

The database is only read: SQLite is opened read-only (a missing file is an error, not created), PostgreSQL and MySQL
run the query in a read-only transaction, and nothing is ever committed.
"""

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote

import sqlalchemy
from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rag_platform.credentials import Secrets
from rag_platform.errors import FetchError, MissingExtra, SecretError, SettingsError, SourceError
from rag_platform.placeholders import expand
from rag_platform.ports import Fetched, Item, Listing, Validators
from rag_platform.records import digest
from rag_platform.sources.dates import iso_utc
from rag_platform.sources.kinds import Kind
from rag_platform.sources.rows import columns, fill, readable
from rag_platform.sources.settings import SourceSettings

BATCH = 1000
CONNECT_SECONDS = 10
READ_ONLY = {"mysql": "set transaction read only", "mariadb": "set transaction read only"}
CONTENT_TYPE = "text/markdown; charset=utf-8"


class SqlSource(SourceSettings):
    """Rows of a query, one document each."""

    kind: Literal["sql"]
    url: str
    """SQLAlchemy address; ``${secret:NAME}`` is a kept secret, ``${NAME}`` a variable of the environment."""
    query: str
    key: str
    """Column that identifies a row."""
    template: str
    """The document's Markdown text; ``{column}`` is replaced by the row's value."""
    title: str | None = None
    """Template of the title."""
    uri: str | None = None
    """Template of the address shown with a citation; default ``sql://<id>/<key>``."""
    published_at: str | None = None
    """Column of the date."""
    updated_at: str | None = None
    """Column of the last change."""


class Sql:
    """Lists the rows of a query with their text; fetching hands that text out."""

    def __init__(
        self,
        settings: SqlSource,
        home: Path,
        environ: Mapping[str, str] | None = None,
        secrets: Secrets | None = None,
    ) -> None:
        self._settings = settings
        self._home = home
        self._secrets: set[str] = set()
        self._url = self._expand(settings.url, os.environ if environ is None else environ, secrets)

    def list(self) -> Listing:
        """Run the query; rows without a key, or with another row's, are among `failed`."""
        rows = _Rows(self._settings)
        engine = self._engine()
        try:
            with engine.connect() as connection:
                for row in self._rows(connection):
                    rows.add(row)
        except (SQLAlchemyError, sqlite3.Error, UnicodeError) as error:
            raise SourceError(self._explain(error)) from None  # the original's text may hold secrets
        finally:
            engine.dispose()
        return Listing(list(rows.items.values()), complete=True, failed=rows.failed)

    def fetch(self, item: Item, validators: Validators) -> Fetched | None:  # noqa: ARG002  a row has no validators
        """Return the row's text, which the listing has brought."""
        if item.content is None:
            raise FetchError(f"{item.uri}: only rows of the last listing can be read; list the source again")
        return Fetched(item.content, CONTENT_TYPE)

    def _expand(self, template: str, environ: Mapping[str, str], stored: Secrets | None) -> str:
        """Put secrets and variables into the address; inside ``user:password@`` they are escaped."""

        def escaped(value: str, place: int) -> str:
            return quote(value, safe="") if place < template.rfind("@") else value

        try:
            expanded = expand(template, stored, environ, escaped)
        except SecretError as error:
            raise SettingsError(f"sources[{self._settings.id}].url = {template!r}: {error}") from None
        self._secrets.update(expanded.hidden)
        return expanded.value

    def _engine(self) -> Engine:
        try:
            url = make_url(self._url)
            self._secrets.update(filter(None, (url.password,)))
            return _create(_named(url), self._home)
        except ImportError as error:
            if "psycopg" in str(error):
                raise MissingExtra("psycopg", "postgres", "reading PostgreSQL") from error
            raise SourceError(f"source {self._settings.id!r} needs a driver: {error}; install that package") from error
        except (SQLAlchemyError, ValueError) as error:
            raise SourceError(self._explain(error)) from None

    def _rows(self, connection: Connection) -> Iterator[Mapping[str, Any]]:
        name = connection.dialect.name
        if name == "postgresql":
            connection = connection.execution_options(postgresql_readonly=True)
        elif name in READ_ONLY:
            connection.exec_driver_sql(READ_ONLY[name])
        query = re.sub(r"(?<![:\w\\]):(?=\w)", r"\\:", self._settings.query)  # a colon is no parameter here
        result = connection.execution_options(yield_per=BATCH).execute(sqlalchemy.text(query))
        if not result.returns_rows:
            raise SourceError(f"the query of source {self._settings.id!r} returns no rows; expected a SELECT")
        self._check_columns(list(result.keys()))
        yield from result.mappings()

    def _check_columns(self, known: Sequence[str]) -> None:
        settings = self._settings
        templates = [settings.template, settings.title or "", settings.uri or ""]
        named = [settings.key, settings.published_at, settings.updated_at, *(c for t in templates for c in columns(t))]
        unknown = sorted({name for name in named if name} - set(known))
        if unknown:
            raise SourceError(
                f"the query of source {settings.id!r} has no column {', '.join(unknown)}; it has: {', '.join(known)}"
            )

    def _explain(self, error: Exception) -> str:
        text = " ".join(str(getattr(error, "orig", None) or error).split())
        for secret in sorted(self._secrets, key=len, reverse=True):
            for form in {secret, quote(secret, safe=""), unquote(secret)} if secret else ():
                text = text.replace(form, "***")
        return f"source {self._settings.id!r} could not be read: {text}; check `url` and `query` in its settings"


@dataclass(slots=True)
class _Rows:
    """Rows on their way to items."""

    settings: SqlSource
    items: dict[str, Item] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    seen: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row, or note why it cannot be one."""
        self.seen += 1
        key = row[self.settings.key]
        if key is None or readable(key) == "":
            self.failed.append((f"sql://{self.settings.id}/row {self.seen}", f"{self.settings.key} is null"))
            return
        item = self._item(row, readable(key))
        if item.uri in self.items:
            self.failed.append((item.uri, f"row {self.seen} has the same {self.settings.key} or uri as one before it"))
            return
        self.items[item.uri] = item

    def _item(self, row: Mapping[str, Any], key: str) -> Item:
        settings = self.settings
        facts = {
            "type": "row",
            "title": " ".join(fill(settings.title, row).split()) if settings.title else None,
            "published_at": iso_utc(row[settings.published_at]) if settings.published_at else None,
            "updated_at": iso_utc(row[settings.updated_at]) if settings.updated_at else None,
        }
        text = fill(settings.template, row)
        uri = (fill(settings.uri, row).strip() if settings.uri else "") or f"sql://{settings.id}/{quote(key, safe='')}"
        mark = digest(text, *(value or "" for value in facts.values()))
        content = text.encode("utf-8", "replace")
        return Item(uri, mark, {name: value for name, value in facts.items() if value}, content)


def _named(url: URL) -> URL:
    """Choose the driver that our extra installs."""
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgres", "postgresql") else url


def _create(url: URL, home: Path) -> Engine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, home)
    timeout = {"connect_timeout": CONNECT_SECONDS} if url.get_backend_name() in ("postgresql", "mysql") else {}
    return sqlalchemy.create_engine(url, poolclass=NullPool, connect_args=timeout, hide_parameters=True)


def _sqlite(url: URL, home: Path) -> Engine:
    if not url.database or url.database == ":memory:":
        raise ValueError("an SQLite database in memory is empty; expected sqlite:///path/to/file.db")
    path = (home / url.database).resolve()
    if not path.is_file():
        raise ValueError(f"there is no SQLite file {path}")

    def connect() -> sqlite3.Connection:
        connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        return connection

    return sqlalchemy.create_engine("sqlite://", creator=connect, poolclass=NullPool)


KIND = Kind(SqlSource, lambda settings, context: Sql(settings, context.home, secrets=context.secrets))
