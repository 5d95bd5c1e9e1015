"""The application: its routes, and the document that describes them."""

from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.responses import Response

from rag_platform.api import answers, audit, collections, release, review, trials
from rag_platform.api.access import Served
from rag_platform.api.http_models import ProblemDocument
from rag_platform.api.problems import HANDLERS, Problem, reply
from rag_platform.people.admin_links import AdminLinks
from rag_platform.workspace import Workspace


def application(workspace: Workspace, *, trusts_local: bool = False) -> FastAPI:
    """Return the API of a workspace, to be run by any ASGI server.

    Args:
        workspace: what it serves.
        trusts_local: whether this machine's own requests need no token, as long as there is none; only for a server
            that listens on loopback and has no proxy before it.
    """
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
    app.state.workspace, app.state.trusts_local = workspace, trusts_local
    workspace.interface = "api"
    for router in (
        answers.router,
        audit.router,
        collections.router,
        collections.uploads,
        release.router,
        review.router,
        trials.router,
    ):
        app.include_router(router)
    app.add_api_route("/healthz", _health, include_in_schema=False)
    app.add_api_route("/v1/openapi.json", lambda: reply(_described(app)), include_in_schema=False, response_model=None)
    for route in [route for route in app.routes if isinstance(route, APIRoute) and "GET" in (route.methods or ())]:
        app.add_api_route(route.path, route.endpoint, methods=["HEAD"], include_in_schema=False, response_model=None)
    app.add_api_route("/", _open_session, include_in_schema=False)  # by GET alone: looking must not use a link up
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document; where the local user is trusted, no token is needed."""
    document = app.openapi()
    for methods in document["paths"].values():
        for operation in methods.values():
            operation["security"] = [{"token": []}, *([{}] if app.state.trusts_local else [])]
    return document


def _open_session(workspace: Served, token: str = "") -> Response:
    """Open the session of whoever runs the workspace, by a link that works once."""
    session = AdminLinks(workspace.journal).redeem(token, workspace.settings.access.session_hours)
    if session is None:
        wrong = "this link was used, has expired, or never was one" if token else "no link was opened"
        raise Problem(401, wrong, "a link that `rag link` prints", "Make another one.")
    return reply({"token": session.secret, "expires_at": session.expires_at})


def _health(workspace: Served) -> Response:
    """Tell that the server runs; whoever asks needs no token, so nothing else is told, and nothing opened for it."""
    return reply({"ok": True, "damaged": workspace.versions.live_is_known_damaged()})
