"""The application: its routes, and the document that describes them."""

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response

from rag_platform.api import answers, health, reference_page
from rag_platform.api.access import Served
from rag_platform.api.administration import diagnoses, people, permission_rules
from rag_platform.api.asking import files, scopes
from rag_platform.api.bodies import JsonRoute
from rag_platform.api.conditional import ConditionalRequests
from rag_platform.api.grids import grid_routes
from rag_platform.api.idempotency import HEADER, REPLAYED, Repeated, answer_repeated
from rag_platform.api.mcp.endpoint import add_mcp
from rag_platform.api.observed_requests import ObservedRequests
from rag_platform.api.openai import chat_completions, embedding_route, model_names, model_responses, rerank_route
from rag_platform.api.problems import HANDLERS, PROBLEM, Problem, ProblemDocument, reply
from rag_platform.api.resources import (
    audit,
    chats,
    claim_checking,
    collections,
    documents,
    operating,
    quality,
    receipts,
    release,
    review,
    sources,
    suggestions,
    trials,
    versions,
)
from rag_platform.api.watching import since_routes, watch_routes
from rag_platform.api.widget import routes as widget
from rag_platform.operations.observability.metrics import Metrics
from rag_platform.operations.serving.readiness import Readiness
from rag_platform.people.admin_links import AdminLinks
from rag_platform.people.signed_tokens import SignedTokens
from rag_platform.workspace import Workspace

_OF_AGENTS = ("last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id")
_SHARED: dict[str, Any] = {
    "allow_methods": ("GET", "POST", "PUT", "PATCH", "DELETE"),
    "allow_headers": ("authorization", "content-type", "if-none-match", HEADER, *_OF_AGENTS),
    "expose_headers": ("etag", "link", "location", "mcp-session-id", "retry-after", "x-request-id", REPLAYED),
}
"""What pages of [http] origins may send and see; no cookies, which the API does not use."""
_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}
_ROUTERS = (
    answers.router,
    audit.router,
    chats.router,
    chats.shared,
    claim_checking.router,
    collections.router,
    collections.uploads,
    diagnoses.router,
    files.router,
    grid_routes.router,
    documents.router,
    health.router,
    operating.router,
    people.router,
    permission_rules.router,
    quality.router,
    receipts.router,
    reference_page.router,
    release.router,
    review.router,
    scopes.router,
    since_routes.router,
    sources.router,
    suggestions.router,
    trials.router,
    versions.router,
    watch_routes.router,
    watch_routes.feeds,
    chat_completions.router,
    embedding_route.router,
    model_names.router,
    model_responses.router,
    rerank_route.router,
    widget.router,
)
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A key of the caller's: a request that is sent again with it is answered as before, and done once.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}


class Api(FastAPI):
    """The application, with a document that describes its errors and its tokens as they are."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document; where the local user is trusted, no token is needed."""
        if self.openapi_schema is None:
            document = super().openapi()
            operations = [one for methods in document["paths"].values() for one in methods.values()]
            for operation in operations:
                operation["security"] = [{"token": []}, *([{}] if self.state.trusts_local else [])]
                wrong = operation["responses"]["default"]["content"]
                if wrong == _PROBLEM:
                    wrong[PROBLEM] = wrong.pop("application/json")
            once = {route.path for route in self.routes if isinstance(route, JsonRoute) and route.once}
            for path in once & document["paths"].keys():
                operation = document["paths"][path].get("post", {})
                if "application/json" in operation.get("requestBody", {}).get("content", {}):
                    operation.setdefault("parameters", []).append(_KEY)
        return self.openapi_schema or {}


def application(workspace: Workspace, *, trusts_local: bool = False) -> FastAPI:
    """Return the API of a workspace, to be run by any ASGI server.

    Args:
        workspace: what it serves.
        trusts_local: whether this machine's own requests need no token, as long as there is none; only for a server
            that listens on loopback and has no proxy before it.
    """
    app = Api(
        title="rag-platform",
        version=version("rag-platform"),
        openapi_url=None,  # served below, with the headers of every answer
        docs_url=None,  # theirs loads its scripts from another host
        redoc_url=None,
        redirect_slashes=False,  # it would lead to whatever host the request names
        exception_handlers=HANDLERS,
        responses={"default": {"model": ProblemDocument, "description": "What is wrong."}},
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.workspace, app.state.trusts_local = workspace, trusts_local
    access = workspace.settings.access
    app.state.signed_tokens = SignedTokens(access) if access.issuer else None
    app.state.readiness, app.state.metrics = Readiness(workspace), Metrics(workspace)
    app.add_middleware(ObservedRequests)
    workspace.interface = "api"
    app.add_exception_handler(Repeated, answer_repeated)
    app.add_middleware(ConditionalRequests)
    if workspace.settings.http.origins:
        app.add_middleware(CORSMiddleware, allow_origins=workspace.settings.http.origins, **_SHARED)
    for router in _ROUTERS:
        app.include_router(router)
    add_mcp(app)
    _describe(app)
    app.add_api_route("/", _open_session, include_in_schema=False)  # by GET alone: looking must not use a link up
    return app


def _describe(app: Api) -> None:
    """Give the document, and answer HEAD wherever GET is answered."""
    for path in ("/openapi.json", "/v1/openapi.json"):
        app.add_api_route(path, lambda: reply(app.openapi()), include_in_schema=False, response_model=None)
    for route in [route for route in app.routes if isinstance(route, APIRoute) and "GET" in (route.methods or ())]:
        app.add_api_route(route.path, route.endpoint, methods=["HEAD"], include_in_schema=False, response_model=None)


def _open_session(workspace: Served, token: str = "") -> Response:
    """Open the session of whoever runs the workspace, by a link that works once."""
    session = AdminLinks(workspace.journal).redeem(token, workspace.settings.access.session_hours)
    if session is None:
        wrong = "this link was used, has expired, or never was one" if token else "no link was opened"
        raise Problem(401, wrong, "a link that `rag link` prints", "Make another one.")
    return reply({"token": session.secret, "expires_at": session.expires_at})
