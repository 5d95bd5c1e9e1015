"""The rows of a table of LanceDB, without its vectors."""

from collections.abc import Iterator
from typing import Any


def messages(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the names of all tables, or, with `table`, that table's rows."""
    import lancedb

    database = lancedb.connect(request["place"], **request["arguments"])
    if not request.get("table"):
        yield {"tables": list(database.table_names(limit=10_000))}
        return
    found = database.open_table(request["table"])
    columns = [field.name for field in found.schema if not _is_vector(field.type)]
    for batch in found.search().select(columns).to_batches():
        for row in batch.to_pylist():
            yield {"row": row}


def _is_vector(kind: Any) -> bool:
    import pyarrow

    lists = (pyarrow.types.is_fixed_size_list, pyarrow.types.is_list)
    return any(is_list(kind) and pyarrow.types.is_floating(kind.value_type) for is_list in lists)
