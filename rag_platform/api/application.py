"""The application: its routes, and the document that describes them."""

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rag_platform.api import answers, collections
from rag_platform.api.calls import endpoint
from rag_platform.api.problems import HANDLERS, reply
from rag_platform.workspace import Workspace

ROUTES = (
    ("GET", "/v1/collections", collections.list_collections),
    ("POST", "/v1/collections", collections.create_collection),
    ("GET", "/v1/collections/{id}", collections.show_collection),
    ("PATCH", "/v1/collections/{id}", collections.change_collection),
    ("DELETE", "/v1/collections/{id}", collections.delete_collection),
    ("GET", "/v1/collections/{id}/files", collections.list_files),
    ("POST", "/v1/collections/{id}/files", collections.add_files),
    ("DELETE", "/v1/collections/{id}/files/{name}", collections.remove_file),
    ("GET", "/v1/sync", collections.show_sync),
    ("POST", "/v1/sync", collections.begin_sync),
    ("GET", "/v1/search", answers.search),
    ("GET", "/v1/why", answers.why),
    ("POST", "/v1/ask", answers.ask),
    ("GET", "/v1/generators", answers.generators),
)


def application(workspace: Workspace) -> Starlette:
    """Return the API of a workspace, to be run by any ASGI server."""
    by_path: dict[str, dict[str, Callable[[Request], Awaitable[Response]]]] = {}
    for method, path, route in ROUTES:
        by_path.setdefault(path, {})[method] = _endpoint(workspace, route)
    routes = [Route(path, _by_method(methods), methods=list(methods)) for path, methods in by_path.items()]
    described = openapi()
    routes += [
        Route("/healthz", lambda _: reply({"ok": True})),
        Route("/v1/openapi.json", lambda _: reply(described)),
    ]
    made = Starlette(routes=routes, exception_handlers=HANDLERS)
    made.router.redirect_slashes = False  # it would lead to whatever host the request names
    return made


def _endpoint(workspace: Workspace, route: Any) -> Callable[[Request], Awaitable[Response]]:
    if route is not collections.add_files:
        return endpoint(workspace, route)

    async def streamed(request: Request) -> Response:
        return await collections.add_files(workspace, request)

    return streamed


def _by_method(methods: dict[str, Callable[[Request], Awaitable[Response]]]) -> Callable[..., Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await methods["GET" if request.method == "HEAD" else request.method](request)

    return answer


def openapi() -> dict[str, Any]:
    """Describe the routes as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for method, path, route in ROUTES:
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        paths.setdefault(path, {})[method.lower()] = {
            "operationId": route.__name__,
            "summary": (route.__doc__ or "").split("\n")[0],
            "parameters": [{"name": name, "in": "path", "required": True, "schema": _TEXT} for name in names]
            + [{"name": name, "in": "query", "schema": schema} for name, schema in _query(route)],
            **({"requestBody": {"required": True, "content": _BODIES[route]}} if route in _BODIES else {}),
            "responses": {
                "2XX": {"description": "Done."},
                "default": {
                    "description": "What is wrong.",
                    "content": _json(_object(error=_TEXT, expected=_TEXT, do=_TEXT)),
                },
            },
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "rag-platform", "version": version("rag-platform")},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}, {}],
        "paths": paths,
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_FILES = {"type": "array", "items": {"type": "string", "contentMediaType": "application/octet-stream"}}
_OPTIONS = {
    name: {"k": {"type": "integer", "minimum": 1, "maximum": 1000}}.get(
        name, _TEXT if name in answers.SINGLE else _TEXTS
    )
    for name in answers.OPTIONS
}
_TURNS = {"type": "array", "items": _object(question=_TEXT, answer=_TEXT) | {"required": ["question", "answer"]}}
_ABOUT = {"title": _TEXT, "description": _TEXT, "language": _TEXT, "principals": _TEXTS}
_BODIES = {
    collections.create_collection: _json(_object(id=_TEXT, **_ABOUT) | {"required": ["title"]}),
    collections.change_collection: _json(_object(**_ABOUT)),
    collections.add_files: {"multipart/form-data": {"schema": _object(title=_TEXT, tag=_TEXTS, file=_FILES)}},
    collections.begin_sync: _json(_object(sources=_TEXTS)),
    answers.ask: _json(
        _object(question=_TEXT, generator=_TEXT, history=_TURNS, **_OPTIONS) | {"required": ["question"]}
    ),
}


_OWN = {answers.search: ("explain", {"type": "boolean"}), answers.why: ("uri", _TEXT)}


def _query(route: Any) -> list[tuple[str, dict[str, Any]]]:
    if route in _OWN:
        return [("q", _TEXT), _OWN[route], ("per_document", {"type": "integer", "minimum": 0}), *_OPTIONS.items()]
    return [] if route in (answers.ask, answers.generators) else [("source", _TEXT)]
