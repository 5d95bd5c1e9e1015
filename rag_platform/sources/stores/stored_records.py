"""Records as the stores of other systems have them -> flat rows: the id, the text, and what is known of it."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_platform.config.variables import Variables
from rag_platform.core.errors import SourceError
from rag_platform.sources.stores.settings import StoreSource

Row = dict[str, Any]
ID, TEXT = "_id", "text"
"""Columns that every row has."""
TEXTS = (TEXT, "page_content", "pageContent", "content", "document", "chunk_text", "chunk", "passage", "body")
"""Where the text stands: the first of these that is one."""
NESTED = ("metadata", "meta", "cmetadata", "metadata_", "payload")
"""Columns that hold others."""
VECTORS = frozenset(("vector", "vectors", "embedding", "embeddings", "sparse_vector", "sparse_embedding"))
NODE = "_node_content"
"""The column in which LlamaIndex keeps a whole node, in JSON, in the stores of others."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What reading a store needs."""

    settings: StoreSource
    home: Path
    variables: Variables
    taken: "Taken" = field(init=False)
    """Bytes that were read, of files and of what servers answered."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "taken", Taken(self))

    @property
    def place(self) -> str:
        """The address, with what its placeholders stand for."""
        where = f"sources[{self.settings.id}].place"
        return self.variables.expand(self.settings.place, where)

    @property
    def path(self) -> Path:
        """The file or folder; one that is relative starts at the workspace.

        Raises:
            SourceError: there is none.
        """
        path = self.home / Path(self.place).expanduser()
        if not path.exists():
            raise self.failed(f"there is no {path}; expected the store's file or folder in `place`")
        return path

    def chosen(self, names: list[str], what: str) -> str:
        """Return the collection or table that is meant, of those that there are."""
        wanted = self.settings.name
        if wanted in names or (len(names) == 1 and not wanted):
            return wanted or names[0]
        given = f"there is no {what} {wanted!r}" if wanted else f"there are several {what}s" if names else "it is empty"
        raise self.failed(f"{given}; set `name` to one of: {', '.join(sorted(names)) or 'none'}")

    def failed(self, why: str) -> SourceError:
        """Return the error that says why it cannot be read."""
        reason = self.variables.without_secrets(why)
        return SourceError(f"source {self.settings.id!r} could not be read: {reason}. Nothing was changed")


class Taken:
    """Counts what one reading takes."""

    def __init__(self, opening: Opening) -> None:
        self._opening, self._size = opening, 0.0

    def add(self, size: float) -> None:
        """Count so many bytes more; `SourceError` when these are more than the settings allow."""
        self._size += size
        if self._size > self._opening.settings.max_bytes:
            raise self._opening.failed(f"it has more than max_bytes = {self._opening.settings.max_bytes}")


Read = Callable[[Opening], Iterator[Row]]
"""Yields the rows of a store."""


def flat(key: Any, record: Mapping[str, Any]) -> Row:
    """Return a record as a row: what nests stands beside the rest, vectors are left out."""
    row: Row = {name: value for name, value in record.items() if name not in VECTORS and not name.startswith("_node")}
    for name in NESTED:
        if isinstance(inner := _table(row.get(name)), dict):
            del row[name]
            row = {**{key: value for key, value in inner.items() if key not in VECTORS}, **row}
    row = {**row, **_node(_table(record.get(NODE) or row.pop(NODE, None)))}
    text = next((row[name] for name in TEXTS if isinstance(row.get(name), str) and row[name].strip()), "")
    rest = {name: value for name, value in row.items() if name == TEXT or value != text or name not in TEXTS}
    return {**rest, TEXT: text, ID: str(key)}


def _table(value: Any) -> Any:
    """Read what is JSON in a column."""
    if isinstance(value, str) and value[:1] == "{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _node(node: Any) -> Row:
    """Return what a node of LlamaIndex says: text, metadata, of which document and from where to where."""
    if not isinstance(node, dict):
        return {}
    resource = node.get("text_resource") or {}
    source = (node.get("relationships") or {}).get("1") or {}  # NodeRelationship.SOURCE
    known = {
        TEXT: node.get("text") or resource.get("text"),
        "ref_doc_id": source.get("node_id"),
        "start_char_idx": node.get("start_char_idx"),
    }
    return {**(node.get("metadata") or {}), **{name: value for name, value in known.items() if value not in (None, "")}}


def node_row(key: str, data: Mapping[str, Any]) -> Row:
    """Return a node of LlamaIndex as a row."""
    return flat(key, {NODE: json.dumps(data)})
