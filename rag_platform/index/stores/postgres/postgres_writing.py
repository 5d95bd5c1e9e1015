"""A segment to tables of PostgreSQL: each is filled by one copy, then indexed."""

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from rag_platform.index.stores.postgres.postgres_tables import column_types, signed, values_of
from rag_platform.index.stores.segment_content import KINDS, SegmentContent
from rag_platform.index.stores.stored_version import EXACT_BELOW

_PART = 64_000_000
"""Bytes of a value, at most: PostgreSQL takes less than a gigabyte."""
_BLOCK = 10_000
"""Vectors that are sent at a time."""
_BEGIN, _END = b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0), struct.pack("!h", -1)
"""Of a copy in PostgreSQL's own form."""


def write_segment(raw: Any, content: SegmentContent, *, vectors: bool = True) -> None:
    """Write a segment within a transaction, without its vectors if need be; its tables are named ``s…_documents``."""
    name, described = content.name, content.described()
    frames = {"documents": content.documents, "chunks": content.chunks}
    columns = {table: column_types(frame) for table, frame in frames.items()}
    for table, frame in frames.items():
        _write_frame(raw, f"s{name}_{table}", columns[table], frame)
    for kind in KINDS:
        _write_rows(raw, f"s{name}_{kind}", {"term": "int8"}, ((signed(term), row) for term, row in content.rows(kind)))
    _write_rows(raw, f"s{name}_arrays", {"name": "text", "part": "int4"}, _parts(content.arrays))
    tokens = ((model, signed(key), row) for model, key, row in content.tokens())
    _write_rows(raw, f"s{name}_tokens", {"model": "text", "key": "int8"}, tokens)
    for at, (_, rows) in enumerate(content.vectors.values() if vectors else ()):
        _write_vectors(raw, f"s{name}_vectors_{at}", rows)
    raw.execute("insert into segments values (%s, %s, %s)", (name, json.dumps(described), json.dumps(columns)))


def _parts(arrays: Mapping[str, bytes]) -> Iterator[tuple[str, int, bytes]]:
    for name, content in arrays.items():
        for part, start in enumerate(range(0, max(1, len(content)), _PART)):
            yield name, part, content[start : start + _PART]


def _write_frame(raw: Any, table: str, types: Mapping[str, str], frame: pl.DataFrame) -> None:
    columns = ", ".join(f'"{name}" {kind}' for name, kind in types.items())
    raw.execute(f"create table {table} ({columns})")
    with raw.cursor().copy(f"copy {table} from stdin") as copy:
        for row in values_of(frame).iter_rows():
            copy.write_row(row)
    raw.execute(f"alter table {table} add primary key (place)")
    raw.execute(f"create index on {table} (doc_id)")
    raw.execute(f"analyze {table}")


def _write_rows(raw: Any, table: str, key: Mapping[str, str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write packed rows by their key, in the order in which they come."""
    columns = {**key, "content": "bytea"}
    raw.execute(f"create table {table} ({', '.join(f'{name} {kind}' for name, kind in columns.items())})")
    raw.execute(f"alter table {table} alter content set storage external")  # it is packed
    with raw.cursor().copy(f"copy {table} from stdin (format binary)") as copy:
        copy.set_types([*columns.values()])
        for row in rows:
            copy.write_row(row)
    raw.execute(f"alter table {table} add primary key ({', '.join(key)})")
    raw.execute(f"analyze {table}")


def _write_vectors(raw: Any, table: str, vectors: np.ndarray) -> None:
    """Write the vectors as they are, in half precision, and a graph over them where they are many."""
    dimension = vectors.shape[1]
    raw.execute(f"create table {table} (place integer, v halfvec({dimension}))")
    raw.execute(f"alter table {table} alter v set storage plain")
    with raw.cursor().copy(f"copy {table} from stdin (format binary)") as copy:
        copy.write(_BEGIN)
        for start in range(0, len(vectors), _BLOCK):
            copy.write(_sent(start, vectors[start : start + _BLOCK]))
        copy.write(_END)
    raw.execute(f"alter table {table} add primary key (place)")
    if len(vectors) > EXACT_BELOW:
        raw.execute("set local maintenance_work_mem = '2GB'")
        raw.execute(f"create index on {table} using hnsw (v halfvec_cosine_ops)")
    raw.execute(f"analyze {table}")


def _sent(start: int, vectors: np.ndarray) -> bytes:
    """Return rows of a copy: two fields each, the place and the vector, each after the number of its bytes."""
    dimension = vectors.shape[1]
    row = [("fields", ">i2"), ("four", ">i4"), ("place", ">i4"), ("bytes", ">i4"), *vector_form(dimension)]
    rows = np.zeros(len(vectors), row)
    rows["fields"], rows["four"], rows["bytes"] = 2, 4, 4 + 2 * dimension
    rows["place"], rows["dimension"], rows["v"] = np.arange(start, start + len(vectors)), dimension, vectors
    return rows.tobytes()


def vector_form(dimension: int) -> list[Any]:
    """Return how pgvector sends a `halfvec`."""
    return [("dimension", ">i2"), ("unused", ">i2"), ("v", ">f2", (dimension,))]
