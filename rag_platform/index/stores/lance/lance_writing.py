"""A segment to tables of Lance: each is one file, so that a row is found by its place, and indexed by what is asked."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rag_platform.index.stores.lance.lance_folder import LanceFolder
from rag_platform.index.stores.segment_content import KINDS, SegmentContent
from rag_platform.index.stores.stored_version import EXACT_BELOW

if TYPE_CHECKING:
    import pyarrow as pa

FILES = "files"
"""The table that names the files of all others; it is written last."""
_PART = 16_000_000
"""Bytes of a value, at most."""
_BLOCK = 2_000
"""Rows that are written at a time."""
PARTITION = 20_000
"""Vectors for each graph of an index."""
_SIGNED = pl.List(pl.Int64)
"""In place of `pl.List(pl.UInt32)`: Lance takes no condition of DuckDB over a table that has such a column."""


def write_segment(folder: LanceFolder, name: str, content: SegmentContent) -> None:
    """Write a segment below a name that nothing has yet."""
    for table, frame in (("documents", content.documents), ("chunks", content.chunks)):
        folder.write(f"{name}/{table}", arrow_of(frame)).create_scalar_index("doc_id", "BTREE")
    for kind in KINDS:
        _write_rows(folder, f"{name}/{kind}", ["term"], content.rows(kind))
    _write_rows(folder, f"{name}/arrays", ["name", "part"], _parts(content.arrays))
    _write_rows(folder, f"{name}/tokens", ["model", "key"], content.tokens())
    for file, (_, vectors) in content.vectors.items():
        _write_vectors(folder, f"{name}/{file}", vectors)
    files = [(file, size, digest) for file, (size, digest) in folder.digests(name).items()]
    folder.write(f"{name}/{FILES}", arrow_of(pl.DataFrame(files, ["file", "size", "digest"], orient="row")))


def arrow_of(frame: pl.DataFrame) -> "pa.Table":
    """Return a frame as it is written: in types over which Lance takes conditions."""
    import pyarrow as pa

    signed = [name for name, kind in frame.schema.items() if kind == pl.List(pl.UInt32)]
    numbers = [name for name, kind in frame.schema.items() if kind == pl.UInt32]
    table = frame.with_columns(pl.col(signed).cast(_SIGNED), pl.col(numbers).cast(pl.Int64)).to_arrow(
        compat_level=pl.CompatLevel.oldest()
    )
    return table.cast(pa.schema([(field.name, _plain(field.type)) for field in table.schema]))


def _plain(kind: "pa.DataType") -> "pa.DataType":
    """Return a type without those whose offsets have 64 bits."""
    import pyarrow as pa

    if pa.types.is_large_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _plain(field.type)) for field in kind])
    return pa.string() if pa.types.is_large_string(kind) else kind


def _parts(arrays: Mapping[str, bytes]) -> Iterator[tuple[str, int, bytes]]:
    for name, content in arrays.items():
        for part, start in enumerate(range(0, max(1, len(content)), _PART)):
            yield name, part, content[start : start + _PART]


def _write_rows(folder: LanceFolder, name: str, key: list[str], rows: Iterable[tuple[Any, ...]]) -> None:
    """Write packed rows, in the order in which they come, and an index of the last part of their key."""
    import pyarrow as pa

    kinds = {"term": pa.uint64(), "key": pa.uint64(), "part": pa.int64(), "name": pa.string(), "model": pa.string()}
    schema = pa.schema([*((one, kinds[one]) for one in key), ("content", pa.large_binary())])
    left = iter(rows)
    blocks = iter(lambda: [*islice(left, _BLOCK)], [])
    batches = (
        pa.RecordBatch.from_arrays(
            [pa.array(own, kind) for own, kind in zip(zip(*some, strict=True), schema.types, strict=True)],
            schema=schema,
        )
        for some in blocks
    )
    written = folder.write(name, pa.RecordBatchReader.from_batches(schema, batches))
    if key[-1] in ("term", "key"):
        written.create_scalar_index(key[-1], "BTREE")


def _write_vectors(folder: LanceFolder, name: str, vectors: np.ndarray) -> None:
    """Write the vectors as they are, in half precision, and graphs over them where they are many."""
    import pyarrow as pa

    kind = pa.list_(pa.float16(), vectors.shape[1])
    schema = pa.schema([("v", kind)])
    blocks = (vectors[start : start + _BLOCK] for start in range(0, len(vectors), _BLOCK))
    batches = (
        pa.RecordBatch.from_arrays(
            [pa.FixedSizeListArray.from_arrays(pa.array(own.reshape(-1)), type=kind)], schema=schema
        )
        for own in blocks
    )
    written = folder.write(name, pa.RecordBatchReader.from_batches(schema, batches))
    if len(vectors) > EXACT_BELOW:
        with folder.explaining():
            partitions = ceil(len(vectors) / PARTITION)
            written.create_index("v", "IVF_HNSW_SQ", metric="cosine", num_partitions=partitions)
