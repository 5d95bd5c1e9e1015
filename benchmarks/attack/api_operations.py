"""A request for every operation that the HTTP API has, taken from its own description, so that none is forgotten."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI

_FILE = "a file of ours, the same for all"
UNDESCRIBED = {
    **dict.fromkeys(("/docs", "/docs/start.js", "/docs/{name}", "/save", "/widget.js"), _FILE),
    **dict.fromkeys(("/widget/panel", "/widget/panel.js", "/widget/panel.css", "/widget/save.js"), _FILE),
    **dict.fromkeys(("/healthz", "/readyz", "/metrics", "/openapi.json", "/v1/openapi.json"), "asked by its path"),
    "/": "takes a link for an admin's session; tells nothing of documents",
    "/.well-known/oauth-protected-resource/mcp": "names the provider of sign-ins",
    "/mcp": "asked by the client of agents",
    "/widget/ask": "asked by the client of chats",
    "/widget/feedback": "keeps what a visitor thinks of an answer that they were given",
}
"""Routes that the description leaves out, each with how it is asked or why it can tell nothing."""
_NAMES = ("id", "uri", "document", "target", "name", "token", "model", "receipt", "source", "collection", "tag", "kind")
"""Parameters and keys that name something."""
_OPTIONAL = ("receipt", "source", "collection", "tag", "document", "target", "words")
"""Parameters that need not be given, and by which something could be found."""


def requests(description: Mapping[str, Any], word: str, name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield method, path and what else `httpx` is given, for every operation.

    Args:
        description: the OpenAPI document.
        word: what is asked for and about.
        name: what the request names.
    """
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            given = [one for one in operation.get("parameters", ()) if one.get("required") or one["name"] in _OPTIONAL]
            values = {one["name"]: name if one["name"] in _NAMES else word for one in given}
            address = path.format_map({key: quote(value, safe="") for key, value in values.items()})
            query = {one["name"]: values[one["name"]] for one in given if one["in"] == "query"}
            yield method.upper(), path, {"url": address, "params": query} | _body(description, operation, word, name)


def undescribed(app: FastAPI) -> set[str]:
    """Return the paths of the routes that the description leaves out."""
    return {*_paths(app.routes)} - {*app.openapi()["paths"]}


def _paths(routes: Any) -> Iterator[str]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _paths(inner.routes)
        else:
            yield route.path.replace(":path}", "}")


def _body(description: Mapping[str, Any], operation: Mapping[str, Any], word: str, name: str) -> dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        return {"json": _value(description, content["application/json"]["schema"], "", word, name)}
    return {"files": {"file": (name, word.encode(), "text/plain")}} if content else {}


def _value(description: Mapping[str, Any], schema: Mapping[str, Any], key: str, word: str, name: str) -> Any:
    """Return a value of a schema, with all keys that it needs."""
    while "$ref" in schema or "anyOf" in schema:
        schema = schema["anyOf"][0] if "anyOf" in schema else description["components"]["schemas"][schema["$ref"][21:]]
    of = partial(_value, description, word=word, name=name)
    chosen = schema.get("enum", [schema.get("const")])[0]
    match schema.get("type"):
        case "object":
            return {one: of(schema["properties"][one], one) for one in schema.get("required", ())}
        case "array":
            return [of(schema["items"], key)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return chosen or (name if key in _NAMES else word)
