"""The page `/docs`: every request of the API, to be read and tried, by Swagger UI from files that are served here."""

from importlib import resources

from fastapi import APIRouter
from starlette.responses import Response

from rag_platform.api.problems import Problem

router = APIRouter(include_in_schema=False)
_FILES = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HTTP API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#reference", deepLinking: true, filter: true, validatorUrl: null,
  docExpansion: "none", defaultModelsExpandDepth: 0,
});
"""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"content-security-policy": _POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}


@router.get("/docs")
def show_page() -> Response:
    """Show the page; it loads nothing from another host."""
    return Response(_PAGE, headers=_HEADERS, media_type="text/html")


@router.get("/docs/start.js")
def start_page() -> Response:
    """Give the lines that start it."""
    return Response(_START, headers=_HEADERS, media_type="text/javascript")


@router.get("/docs/{name}")
def give_file(name: str) -> Response:
    """Give a file of Swagger UI."""
    if name not in _FILES:
        raise Problem(404, f"there is no {name!r} here", f"one of: {', '.join(_FILES)}", "Open /docs.")
    content = (resources.files("fastapi_swagger.resources") / name).read_bytes()
    return Response(content, headers=_HEADERS | {"cache-control": "max-age=86400"}, media_type=_FILES[name])
