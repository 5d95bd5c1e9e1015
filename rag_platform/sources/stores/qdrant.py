"""Points of Qdrant: a server's, page by page, or those of a folder that a local client wrote.

A snapshot is a server's own form: restore it there, and read from the server.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from urllib.parse import quote

from rag_platform.core.urls import is_web
from rag_platform.sources.databases.only_reading import guard_sqlite
from rag_platform.sources.stores.pickles import PickleRefused, plain_attributes, unpickled
from rag_platform.sources.stores.server_answers import ask
from rag_platform.sources.stores.stored_records import Opening, Row, flat

TOGETHER = 500
"""Points that a server is asked for at a time."""
COLLECTIONS, FILE = "collection", "storage.sqlite"


def qdrant_rows(opening: Opening) -> Iterator[Row]:
    """Yield the points of a collection."""
    return _of_server(opening) if is_web(opening.place) else _of_folder(opening)


def _of_server(opening: Opening) -> Iterator[Row]:
    base = f"{opening.place.rstrip('/')}/collections"
    names = [one["name"] for one in ask(opening, base)["result"]["collections"]]
    address = f"{base}/{quote(opening.chosen(names, 'collection'), safe='')}/points/scroll"
    wanted = {"limit": TOGETHER, "with_payload": True, "with_vector": False}
    found = ask(opening, address, json.dumps(wanted))["result"]
    while True:
        for point in found["points"]:
            yield flat(point["id"], point["payload"] or {})
        if (further := found.get("next_page_offset")) is None or not found["points"]:
            return
        found = ask(opening, address, json.dumps({**wanted, "offset": further}))["result"]


def _of_folder(opening: Opening) -> Iterator[Row]:
    folder = opening.path / COLLECTIONS
    names = [path.parent.name for path in folder.glob(f"*/{FILE}")]
    path = folder / opening.chosen(names, "collection") / FILE
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            guard_sqlite(connection)
            for (point,) in connection.execute("select point from points order by rowid"):
                opening.taken.add(len(point))
                known = plain_attributes(unpickled(point))
                yield flat(known["id"], known.get("payload") or {})
    except (sqlite3.Error, PickleRefused) as error:
        raise opening.failed(f"{path} cannot be read: {error}") from error
