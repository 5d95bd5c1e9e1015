"""Collections of Chroma: a folder that a persistent client wrote, or a server.

The folder's SQLite file is read as it is, without Chroma: texts and metadata are there as soon as a client has added
them, whatever has become of the vectors.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from typing import Any

from rag_platform.core.urls import is_web
from rag_platform.sources.databases.only_reading import guard_sqlite
from rag_platform.sources.stores.server_answers import ask
from rag_platform.sources.stores.stored_records import Opening, Row, flat

FILE = "chroma.sqlite3"
TOGETHER = 500
"""Records that a server is asked for at a time."""
_DOCUMENT = "chroma:document"
_ROWS = """
select e.embedding_id, m.key, m.string_value, m.int_value, m.float_value, m.bool_value
from embeddings e join segments s on s.id = e.segment_id join collections c on c.id = s.collection
left join embedding_metadata m on m.id = e.id
where s.scope = 'METADATA' and c.name = ? order by e.id
"""


def chroma_rows(opening: Opening) -> Iterator[Row]:
    """Yield the records of a collection."""
    return _of_server(opening) if is_web(opening.place) else _of_folder(opening)


def _of_folder(opening: Opening) -> Iterator[Row]:
    path = opening.path / FILE if opening.path.is_dir() else opening.path
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            guard_sqlite(connection)
            names = [name for (name,) in connection.execute("select name from collections")]
            rows = connection.execute(_ROWS, [opening.chosen(names, "collection")])
            for key, facts in groupby(rows, lambda row: row[0]):
                yield _flat(key, {fact[1]: _value(fact[2:]) for fact in facts if fact[1]})
    except sqlite3.Error as error:
        raise opening.failed(f"{path} is no database of Chroma that can be read: {error}") from error


def _value(columns: tuple[Any, ...]) -> Any:
    *others, flag = columns
    return bool(flag) if flag is not None else next((value for value in others if value is not None), None)


def _flat(key: str, known: dict[str, Any]) -> Row:
    return flat(key, {**known, "document": known.pop(_DOCUMENT, None)})


def _of_server(opening: Opening) -> Iterator[Row]:
    base = f"{opening.place.rstrip('/')}/api/v2"
    who = ask(opening, f"{base}/auth/identity")
    databases = who.get("databases") or ["default_database"]
    database = databases[0] if databases[0] != "*" else "default_database"
    base += f"/tenants/{who.get('tenant') or 'default_tenant'}/databases/{database}/collections"
    known = {one["name"]: one["id"] for one in ask(opening, base)}
    address = f"{base}/{known[opening.chosen(list(known), 'collection')]}/get"
    for offset in range(0, opening.settings.max_rows + TOGETHER, TOGETHER):
        wanted = {"limit": TOGETHER, "offset": offset, "include": ["documents", "metadatas"]}
        found = ask(opening, address, json.dumps(wanted))
        for key, text, known_of_it in zip(found["ids"], found["documents"], found["metadatas"], strict=True):
            yield flat(key, {**(known_of_it or {}), "document": text})
        if len(found["ids"]) < TOGETHER:
            return
