"""The application: its routes, and the document that describes them."""

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.responses import Response

from rag_platform.api import answers, collections
from rag_platform.api.http_models import ProblemDocument
from rag_platform.api.problems import HANDLERS, reply
from rag_platform.workspace import Workspace


def application(workspace: Workspace) -> FastAPI:
    """Return the API of a workspace, to be run by any ASGI server."""
    app = FastAPI(
        title="rag-platform",
        version=version("rag-platform"),
        openapi_url=None,  # served below, with the headers of every answer
        docs_url=None,  # a page that loads its scripts from another host
        redoc_url=None,
        redirect_slashes=False,  # it would lead to whatever host the request names
        exception_handlers=HANDLERS,
        responses={"default": {"model": ProblemDocument, "description": "What is wrong."}},
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.workspace = workspace
    for router in (answers.router, collections.router, collections.uploads):
        app.include_router(router)
    app.add_api_route("/healthz", _health, include_in_schema=False)
    app.add_api_route("/v1/openapi.json", lambda: reply(_described(app)), include_in_schema=False, response_model=None)
    for route in [route for route in app.routes if isinstance(route, APIRoute) and "GET" in (route.methods or ())]:
        app.add_api_route(route.path, route.endpoint, methods=["HEAD"], include_in_schema=False, response_model=None)
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document; as long as there is no token, none is needed."""
    document = app.openapi()
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["security"] = [{"token": []}, {}]
    return document


def _health() -> Response:
    return reply({"ok": True})
