"""The feeds of watches, as the page serves them: whoever has a feed's token reads it, as its owner may."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from app.texts import say
from rag_platform.core.errors import TooManyRequests
from rag_platform.operations.watching.telling import feed_of
from rag_platform.workspace import Workspace

_HEADERS = {"cache-control": "private, no-store"}


def feed_route(workspace: Workspace) -> Route:
    """Return the route of the feeds of a workspace."""

    def answer(request: Request) -> Response:
        try:
            found = feed_of(workspace, request.path_params["token"])
        except TooManyRequests as error:
            return PlainTextResponse(str(error), 429, _HEADERS | {"retry-after": str(error.seconds)})
        if found is None:
            return PlainTextResponse(say("watches-gone"), 404, _HEADERS)
        return Response(found, headers=_HEADERS, media_type="application/atom+xml")

    return Route("/feeds/{token}", answer)
