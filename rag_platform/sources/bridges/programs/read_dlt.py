"""One resource of a dlt source -> its rows, the files that it names, and dlt's state afterwards."""

import base64
import importlib
from collections.abc import Iterable, Iterator
from typing import Any

OWN = {
    "rest_api": "dlt.sources.rest_api:rest_api_source",
    "sql_database": "dlt.sources.sql_database:sql_database",
    "sql_table": "dlt.sources.sql_database:sql_table",
    "filesystem": "dlt.sources.filesystem:filesystem",
}
"""The sources that dlt brings."""


def messages(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield rows and files, then what there is to know about them; of a request with `wanted`, those files' bytes."""
    from dlt.common.configuration.container import Container
    from dlt.common.json import json
    from dlt.common.pipeline import StateInjectableContext

    state: Any = json.typed_loads(request["state"]) if request["state"] else {}
    with Container().injectable_context(StateInjectableContext(state=state)):
        resource, items = _opened(request)
        if request.get("wanted") is not None:
            yield from _contents(_rows(items), set(request["wanted"]))
            return
        for row in _rows(items):
            yield {"file": _about(row)} if _is_file(row) else {"row": row}
    columns = resource.compute_table_schema()["columns"]
    yield {
        "key": [name for name, column in columns.items() if column.get("primary_key")],
        "deleted": next((name for name, column in columns.items() if column.get("hard_delete")), None),
        "state": json.typed_dumps(state) if _kept(state) else None,
        "cursors_only": _cursors_only(_kept(state)),
    }


def _opened(request: dict[str, Any]) -> tuple[Any, Iterable[Any]]:
    """Return the resource that is asked for, with its hints, and what yields its items."""
    import dlt

    made = _called(request["source"], request["arguments"])
    if isinstance(made, dlt.sources.DltResource):
        resource, items = made, made
    else:
        name = request["resource"] or _only(list(made.resources))
        if name not in made.resources:
            raise LookupError(f"the source has no resource {name!r}; it has {', '.join(made.resources)}")
        items = made.with_resources(name)
        resource = items.resources[name]
    hints = {"primary_key": request["key"] or None}
    if request["incremental"]:
        hints["incremental"] = dlt.sources.incremental(**request["incremental"])
    if hints := {name: hint for name, hint in hints.items() if hint}:
        resource.apply_hints(**hints)
    return resource, items


def _called(source: str, arguments: dict[str, Any]) -> Any:
    module, _, name = OWN.get(source, source).partition(":")
    function = getattr(importlib.import_module(module), name)
    return function(arguments) if source == "rest_api" else function(**arguments)


def _only(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    raise LookupError(f"the source has several resources; set `resource` to one of {', '.join(names)}")


def _rows(items: Iterable[Any]) -> Iterator[Any]:
    """Yield each row, also of the tables of Arrow and pandas that some sources yield."""
    for item in items:
        if hasattr(item, "to_pylist"):
            yield from item.to_pylist()
        elif hasattr(item, "to_dict") and hasattr(item, "columns"):
            yield from item.to_dict("records")
        else:
            yield item if isinstance(item, dict) else {"value": item}


def _is_file(row: Any) -> bool:
    return "file_url" in row and hasattr(row, "read_bytes")


def _about(file: dict[str, Any]) -> dict[str, Any]:
    named = {
        "url": "file_url",
        "path": "relative_path",
        "name": "file_name",
        "type": "mime_type",
        "updated_at": "modification_date",
    }
    return {ours: file.get(theirs) for ours, theirs in named.items()} | {"size": file.get("size_in_bytes")}


def _contents(rows: Iterable[Any], wanted: set[str]) -> Iterator[dict[str, Any]]:
    for row in rows:
        if not _is_file(row) or row["file_url"] not in wanted:
            continue
        try:
            yield {"of": row["file_url"], "content": base64.b64encode(row.read_bytes()).decode()}
        except Exception as error:  # noqa: BLE001  one file never stops the others
            yield {"of": row["file_url"], "failed": f"{type(error).__name__}: {error}"}


def _kept(state: Any) -> Any:
    """Return a state without what is empty."""
    if not isinstance(state, dict):
        return state
    kept = {name: _kept(part) for name, part in state.items()}
    return {name: part for name, part in kept.items() if part not in ({}, None)}


def _cursors_only(state: dict[str, Any]) -> bool:
    """Return whether nothing but cursors says where to go on, so that without them everything is listed."""
    sources = state.get("sources", {}).values()
    if any(source.keys() - {"resources"} for source in sources):
        return False
    return all(kept.keys() <= {"incremental"} for source in sources for kept in source.get("resources", {}).values())
