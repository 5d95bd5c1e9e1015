"""The layouts of an export: Markdown, JSON Lines, Parquet, a data set of Hugging Face, the corpus of BEIR."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Literal, get_args

import numpy as np
import yaml

from rag_platform.operations.exporting.exported_rows import ABOUT, Exported, Row

Layout = Literal["markdown", "jsonl", "parquet", "hf", "beir"]
LAYOUTS: tuple[Layout, ...] = get_args(Layout)
Write = Callable[[Exported], None]
ROWS = 500
"""Rows that are written to a Parquet file at a time."""
_CARD = """---
configs:
- config_name: documents
  default: true
  data_files: data/documents/*.parquet
- config_name: passages
  data_files: data/passages/*.parquet
---

# {name}

{documents} documents of the version {version}, with their passages.
"""


@contextmanager
def writing(layout: Layout, folder: Path, about: Mapping[str, Any]) -> Iterator[Write]:
    """Yield what writes a document with its passages.

    Args:
        layout: one of `LAYOUTS`.
        folder: an empty one.
        about: `name`, `version`, `documents` (how many) and `vectors` (whether passages have them).
    """
    with ExitStack() as stack:
        if layout == "markdown":
            yield lambda exported: _write_page(folder, exported.document)
        elif layout == "beir":
            corpus = stack.enter_context((folder / "corpus.jsonl").open("w", encoding="utf-8"))
            yield lambda exported: _write_line(corpus, _beir(exported.document))
        elif layout == "jsonl":
            yield _jsonl(folder, stack)
        else:
            yield _parquet(layout, folder, about, stack)


def _jsonl(folder: Path, stack: ExitStack) -> Write:
    names = ("documents", "passages")
    documents, passages = (
        stack.enter_context((folder / f"{name}.jsonl").open("w", encoding="utf-8")) for name in names
    )

    def write(exported: Exported) -> None:
        _write_line(documents, exported.document)
        for passage in exported.passages:
            _write_line(passages, passage)

    return write


def _parquet(layout: Layout, folder: Path, about: Mapping[str, Any], stack: ExitStack) -> Write:
    hub = layout == "hf"
    paths = [
        folder / "data" / name / "train-00000-of-00001.parquet" if hub else folder / f"{name}.parquet"
        for name in ("documents", "passages")
    ]
    if hub:
        (folder / "README.md").write_text(_CARD.format(**about), encoding="utf-8")
    documents, passages = (
        stack.enter_context(_ParquetFile(path, schema))
        for path, schema in zip(paths, _schemas(vectors=about["vectors"]), strict=True)
    )

    def write(exported: Exported) -> None:
        documents.write([exported.document])
        passages.write(exported.passages)

    return write


class _ParquetFile:
    """A Parquet file to which rows are written, some at a time."""

    def __init__(self, path: Path, schema: Any) -> None:
        import pyarrow.parquet

        path.parent.mkdir(parents=True, exist_ok=True)
        self._schema, self._waiting = schema, list[Row]()
        self._file = pyarrow.parquet.ParquetWriter(path, schema, compression="zstd")

    def __enter__(self) -> "_ParquetFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._file.close()

    def write(self, rows: Sequence[Row]) -> None:
        """Write rows, at once or with later ones."""
        self._waiting.extend(rows)
        if len(self._waiting) >= ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow

        if self._waiting:
            self._file.write_table(pyarrow.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []


def _schemas(*, vectors: bool) -> tuple[Any, Any]:
    """Return the columns of documents and of passages; the dimension of vectors is each row's own."""
    import pyarrow as pa

    text, moment = pa.string(), pa.timestamp("us", "UTC")
    special = {"published_at": moment, "updated_at": moment, "tags": pa.list_(text)}
    about = [(name, special.get(name, text)) for name in ABOUT]
    numbers = [("start_index", pa.int64()), ("section", text), ("page", pa.int32())]
    own = [("vector", pa.list_(pa.float32())), ("model", text)] if vectors else []
    documents = pa.schema([("id", text), ("text", text), *about])
    return documents, pa.schema([("id", text), ("document_id", text), *numbers, ("text", text), *about, *own])


def _beir(document: Row) -> Row:
    known = {name: document[name] for name in ABOUT if name != "title" and document[name] not in (None, [])}
    return {"_id": document["id"], "title": document["title"], "text": document["text"], "metadata": known}


def _write_line(file: IO[str], row: Row) -> None:
    file.write(json.dumps(row, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, np.ndarray):
        return [round(float(number), 7) for number in value]
    raise TypeError(f"{value!r} has no place in JSON")


def _write_page(folder: Path, document: Row) -> None:
    """Write a document as a file with front matter, in its source's folder; its id ends the name."""
    known = {name: document[name] for name in ("id", *ABOUT) if document[name] not in (None, [], "")}
    front = yaml.safe_dump(known, allow_unicode=True, sort_keys=False, width=10_000)
    stem = re.sub(r"[^\w-]+", "-", document["title"] or document["uri"].rsplit("/", 1)[-1]).strip("-")[:55]
    path = folder / document["source"] / f"{stem or 'document'}-{document['id']}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"---\n{front}---\n\n{document['text']}\n", encoding="utf-8", newline="\n")
