"""The documents of a reader of LlamaHub, or the resources that it lists, each with what is known about it."""

import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

PREFIX = "llama-index-readers-"


def messages(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the reader's documents, or its resources if it can list them; with `wanted`, those resources' documents."""
    reader = _reader(request["reader"], request["code"])(**request["arguments"])
    lists = hasattr(reader, "list_resources") and hasattr(reader, "load_resource")
    if request.get("wanted") is not None:
        yield from _loaded(reader, request["wanted"], request["load"])
    elif lists:
        for resource, about in reader.list_resources_with_info(**request["load"]).items():
            yield {"resource": resource, "about": {**about, **_told(reader, resource, request["load"])}}
    else:
        yield from map(_message, reader.load_data(**request["load"]))
    yield {"lists": lists}


def _reader(name: str, code: Iterable[str]) -> Any:
    module_name, _, wanted = name.partition(":")
    module = importlib.import_module(_module(module_name, code))
    known = {key: value for key, value in vars(module).items() if isinstance(value, type) and _reads(value)}
    own = {key: value for key, value in known.items() if key in getattr(module, "__all__", known)}
    if wanted in known or len(own) == 1:
        return known.get(wanted) or next(iter(own.values()))
    choice = ", ".join(f"'{module_name}:{key}'" for key in own)
    raise LookupError(f"{module_name!r} has no reader {wanted!r}; set `reader` to one of {choice}")


def _module(name: str, code: Iterable[str]) -> str:
    """Return the module of a package's name; one with dots, or of the source's own code, is a module's already."""
    own = "." in name or any(Path(folder, name).is_dir() or Path(folder, f"{name}.py").exists() for folder in code)
    return name if own else f"llama_index.readers.{name.removeprefix(PREFIX).replace('-', '_')}"


def _reads(reader: type) -> bool:
    from llama_index.core.readers.base import BaseReader

    return issubclass(reader, BaseReader) and not reader.__module__.startswith("llama_index.core.readers.base")


def _loaded(reader: Any, wanted: Iterable[str], load: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in wanted:
        try:
            told = _permissions(reader, resource, load)
            for one in reader.load_resource(resource, **load):
                row = _message(one)["row"]
                yield {"of": resource, "row": {**row, **told}}
        except Exception as error:  # noqa: BLE001  one resource never stops the others
            yield {"of": resource, "failed": f"{type(error).__name__}: {error}"}


def _told(reader: Any, resource: str, load: dict[str, Any]) -> dict[str, Any]:
    try:
        return _permissions(reader, resource, load)
    except Exception as error:  # noqa: BLE001  the resource is then asked for, and fails by itself
        return {"permissions": f"{type(error).__name__}: {error}"}


def _permissions(reader: Any, resource: str, load: dict[str, Any]) -> dict[str, Any]:
    """Return who may read a resource, where the reader tells it."""
    if not hasattr(reader, "get_permission_info"):
        return {}
    try:
        return {"permissions": reader.get_permission_info(resource, **load)}
    except NotImplementedError:  # the library's own, which most readers have
        return {}


def _message(document: Any) -> dict[str, Any]:
    """Return a document as a row; an id that the library made up is none."""
    given = "id_" in document.model_fields_set
    known = {str(name): value for name, value in document.metadata.items()}
    return {"row": {**known, "text": getattr(document, "text", "") or "", "id": document.id_ if given else None}}
