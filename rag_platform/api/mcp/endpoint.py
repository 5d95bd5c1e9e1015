"""`/mcp` of the HTTP API: streamable HTTP, each request by itself, by the authorization of all others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from anyio import to_thread
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rag_platform.api.access import Caller, authenticate
from rag_platform.api.bodies import LARGEST
from rag_platform.api.problems import Problem, answer_problem, reply
from rag_platform.core.installation import install_command

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

_CALLER = "rag_platform.caller"
METADATA = "/.well-known/oauth-protected-resource/mcp"
"""Where clients find who may give them a token."""


def add_mcp(app: FastAPI) -> None:
    """Answer agents at `/mcp` of an application, while it runs."""
    endpoint = _Endpoint(app)
    app.router.routes.append(Route("/mcp", endpoint, methods=["POST"], include_in_schema=False))
    app.router.routes.append(Route(METADATA, endpoint.metadata, methods=["GET"], include_in_schema=False))
    before = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(running: FastAPI) -> AsyncIterator[Any]:
        async with before(running) as state, endpoint.running():
            yield state

    app.router.lifespan_context = lifespan


class _Endpoint:
    """Takes the requests of agents: for each one anew, who sends it and what they may do."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._sessions: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the end of the context; without the SDK nothing is served."""
        if find_spec("mcp") is None:
            yield
            return
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from rag_platform.api.mcp.server import Context, WorkspaceServer

        def caller_of(context: Context) -> Caller:
            assert context.request is not None
            caller: Caller = context.request.scope[_CALLER]
            return caller

        workspace = self._app.state.workspace.reached_by("mcp")
        served = WorkspaceServer(workspace, caller_of, feedback=workspace.settings.mcp.feedback).server()
        self._sessions = StreamableHTTPSessionManager(served, stateless=True, max_request_body_size=LARGEST)
        async with self._sessions.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._sessions is None:
            missing = "the package 'mcp' is not installed where this server runs"
            raise Problem(501, missing, "the extra 'mcp'", f"Run {install_command('mcp')}")
        request = Request(scope)
        try:
            scope[_CALLER] = await to_thread.run_sync(authenticate, request)
        except Problem as problem:
            await self._refuse(request, problem)(scope, receive, send)
        else:
            await self._sessions.handle_request(scope, receive, send)

    def _refuse(self, request: Request, problem: Problem) -> Response:
        """Answer who is nobody; where an identity provider signs tokens, say where that is told (RFC 9728)."""
        response = answer_problem(request, problem)
        if problem.status == 401 and self._app.state.signed_tokens:
            response.headers["www-authenticate"] = f'Bearer resource_metadata="{_address(request, METADATA)}"'
        return response

    def metadata(self, request: Request) -> Response:
        """Tell clients which identity provider signs the tokens that are taken here (RFC 9728)."""
        if not self._app.state.signed_tokens:
            raise Problem(404, "no identity provider is set", "[access] issuer", "Use a token of `rag token create`.")
        told = {
            "resource": _address(request, "/mcp"),
            "authorization_servers": [self._app.state.workspace.settings.access.issuer],
            "scopes_supported": ["read", "ask"],
            "bearer_methods_supported": ["header"],
        }
        return reply(told)


def _address(request: Request, path: str) -> str:
    return str(request.base_url).rstrip("/") + path
