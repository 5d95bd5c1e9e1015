"""Files that other libraries persist: LlamaIndex, LangChain, FAISS of LangChain, BEIR, JSON Lines, Parquet."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rag_platform.sources.stores.pickles import PickleRefused, plain_attributes, unpickled
from rag_platform.sources.stores.stored_records import VECTORS, Opening, Row, flat, node_row

_TOGETHER = 1000
"""Rows of Parquet that are in memory at a time."""
DOCSTORE, CORPUS, FAISS = "docstore.json", "corpus.jsonl", "index.pkl"
KEYS = ("_id", "id", "doc_id", "key", "uuid")
"""Columns that identify a row: the first that there is; else its number."""


def llamaindex_rows(opening: Opening) -> Iterator[Row]:
    """Yield the nodes of a `StorageContext` that was persisted."""
    path = opening.path / DOCSTORE if opening.path.is_dir() else opening.path
    stored = _json(opening, path)
    for key, node in (stored.get("docstore/data") or {}).items():
        yield node_row(key, node.get("__data__") or {})


def langchain_rows(opening: Opening) -> Iterator[Row]:
    """Yield the documents that an `InMemoryVectorStore` has dumped."""
    for key, document in _json(opening, opening.path).items():
        yield flat(key, document)


def faiss_rows(opening: Opening) -> Iterator[Row]:
    """Yield the documents that LangChain keeps beside an index of FAISS."""
    path = opening.path / FAISS if opening.path.is_dir() else opening.path
    try:
        stored, order = unpickled(_content(opening, path))
        documents = dict(plain_attributes(stored)["_dict"])
        for key in order.values():
            known = plain_attributes(documents[key])
            yield flat(key, {name: known[name] for name in known if name != "type"})  # LangChain's name of the class
    except (PickleRefused, TypeError, ValueError, LookupError, AttributeError) as error:
        raise opening.failed(f"{path} was not written by LangChain's FAISS ({error})") from error


def jsonl_rows(opening: Opening) -> Iterator[Row]:
    """Yield the rows of JSON Lines: a file, a folder of them, or the corpus of a folder in BEIR's layout."""
    path = opening.path
    files = [path / CORPUS] if (path / CORPUS).is_file() else _files(path, ".jsonl")
    number = 0
    for file in files:
        with file.open(encoding="utf-8-sig") as lines:
            while line := lines.readline(opening.settings.max_bytes + 1):
                number += 1
                if len(line) > opening.settings.max_bytes:
                    raise opening.failed(
                        f"{file}, line {number} has more than max_bytes = {opening.settings.max_bytes}"
                    )
                opening.taken.add(len(line))
                if line.strip():
                    yield _row(opening, file, line, number)


def parquet_rows(opening: Opening) -> Iterator[Row]:
    """Yield the rows of Parquet: a file, or a folder of them, such as a data set of Hugging Face."""
    import pyarrow
    import pyarrow.parquet

    number = 0
    for path in _files(opening.path, ".parquet"):
        try:
            with pyarrow.parquet.ParquetFile(path) as file:
                columns = [name for name in file.schema_arrow.names if name not in VECTORS]
                opening.taken.add(sum(_unpacked(file.metadata, columns)))
                for batch in file.iter_batches(_TOGETHER, columns=columns):
                    for record in batch.to_pylist():
                        number += 1
                        yield flat(key_of(record, number), record)
        except (pyarrow.ArrowException, OSError) as error:
            raise opening.failed(f"{path} cannot be read: {error}") from error


def _unpacked(metadata: Any, columns: list[str]) -> Iterator[int]:
    """Yield how many bytes these columns have when they are unpacked, as the file says before it is."""
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for column in map(group.column, range(group.num_columns)):
            if column.path_in_schema.partition(".")[0] in columns:
                yield column.total_uncompressed_size


def _files(path: Path, suffix: str) -> list[Path]:
    return sorted(path.rglob(f"*{suffix}")) if path.is_dir() else [path]


def _row(opening: Opening, path: Path, line: str, number: int) -> Row:
    try:
        record = json.loads(line)
        return flat(key_of(record, number), record)
    except (ValueError, RecursionError, AttributeError) as error:
        raise opening.failed(f"{path}, line {number}: expected a JSON object ({error})") from error


def key_of(record: Mapping[str, Any], number: int) -> Any:
    """Return what identifies a row, else its number."""
    return next((record[name] for name in KEYS if record.get(name) not in (None, "")), number)


def _json(opening: Opening, path: Path) -> dict[str, Any]:
    try:
        read = json.loads(_content(opening, path))
    except (ValueError, RecursionError) as error:
        raise opening.failed(f"{path} is no JSON: {error}") from error
    if not isinstance(read, dict):
        raise opening.failed(f"{path}: expected a JSON object")
    return read


def _content(opening: Opening, path: Path) -> bytes:
    if not path.is_file():
        raise opening.failed(f"there is no {path}")
    opening.taken.add(path.stat().st_size)
    return path.read_bytes()
