"""How the server is, for those who run it: whether it lives, whether it can answer, and its metrics."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rag_platform.api.access import Served, authenticate, is_local
from rag_platform.api.problems import reply
from rag_platform.operations.observability.metrics import MEDIA_TYPE, Metrics
from rag_platform.operations.serving.readiness import Readiness

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
def health(workspace: Served) -> Response:
    """Tell that the server runs; whoever asks needs no token, so nothing else is told, and nothing opened for it."""
    return reply({"ok": True, "damaged": workspace.versions.live_is_known_damaged()})


@router.get("/readyz")
def ready(request: Request) -> Response:
    """Tell whether questions can be answered: 503 as long as they cannot. Whoever asks needs no token."""
    readiness: Readiness = request.app.state.readiness
    waits_for = readiness.waits_for()
    headers = {"retry-after": "5"} if waits_for else {}
    return reply({"ready": waits_for is None, "waits_for": waits_for}, 503 if waits_for else 200, headers)


@router.get("/metrics")
def metrics(request: Request, workspace: Served) -> Response:
    """Give all metrics to whoever has a token with the scope for them, or is here where [telemetry] says so."""
    settings = workspace.settings
    if not (settings.telemetry.metrics_local and not settings.http.proxies and is_local(request)):
        authenticate(request).must("metrics")
    counted: Metrics = request.app.state.metrics
    return Response(counted.text(), headers={"cache-control": "no-store"}, media_type=MEDIA_TYPE)
