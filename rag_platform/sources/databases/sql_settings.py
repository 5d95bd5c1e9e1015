"""What may be set for a database's query."""

from typing import Literal

from pydantic import Field

from rag_platform.config.source_kinds import Kind, opened_by
from rag_platform.sources.databases.row_documents import RowSettings


class SqlSource(RowSettings):
    """Rows of a query, one document each."""

    kind: Literal["sql"]
    url: str
    """SQLAlchemy address; ``${secret:NAME}`` is a stored secret, ``${NAME}`` a variable of the environment."""
    query: str
    cursor: str | None = None
    """Column that changes whenever the row does (a time of change, a version number)."""
    overlap: float = Field(60.0, ge=0)
    """Seconds before the newest time in `cursor` within which rows are read every time."""
    timeout: float = Field(300.0, gt=0)
    """Seconds that reading may take, from connecting to the last row."""
    max_rows: int = Field(1_000_000, gt=0)
    """A query that gives more is not read."""
    max_bytes: int = Field(1_000_000_000, gt=0)
    """Of all rows' texts, where they are read together: without `cursor`."""


EXAMPLE = """
[[sources]]
id = "articles"
kind = "sql"
url = "postgresql://reader:${secret:db}@db.example.org/desk"
query = "select id, title, body, changed from articles"
key = "id"
cursor = "changed"
title = "{title}"
template = "{body}"
updated_at = "changed"
"""
KIND = Kind(
    SqlSource,
    opened_by("rag_platform.sources.databases.sql:opened"),
    example=EXAMPLE,
    extras=("postgres", "mysql", "duckdb"),
)
