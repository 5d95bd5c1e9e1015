"""The page shows something before its scripts have run."""

from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.first_paint import FirstPaint

DOCUMENT = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
HTML = {"accept": "text/html,*/*"}


async def document(_):
    return HTMLResponse(DOCUMENT, headers={"cache-control": "no-cache"})


async def script(_):
    return PlainTextResponse(DOCUMENT)


@pytest.fixture(scope="module")
def client() -> TestClient:
    page = Starlette(routes=[Route("/script.js", script), Route("/{path:path}", document)])
    page.add_middleware(GZipMiddleware)
    return TestClient(FirstPaint(page))


@pytest.mark.parametrize("path", ["/", "/search"])
def test_the_document_holds_an_outline_where_the_scripts_will_draw(client: TestClient, path: str) -> None:
    shown = client.get(path, headers=HTML)
    assert '<div id="root"><style>' in shown.text and 'aria-busy="true"' in shown.text
    assert "<title>Streamlit</title>" not in shown.text
    assert int(shown.headers["content-length"]) == len(shown.content) > len(DOCUMENT.encode())
    assert shown.headers["cache-control"] == "no-cache"


def test_all_else_is_streamlits(client: TestClient) -> None:
    outline, without = client.get("/", headers=HTML).text, DOCUMENT
    start, end = outline.index('<div id="root">'), outline.index("</div></div>") + len("</div></div>")
    assert (
        outline[:start].rpartition("<title>")[0] == without[: without.index('<div id="root">')].rpartition("<title>")[0]
    )
    assert outline[end:] == without.partition('<div id="root"></div>')[2]


def test_what_is_no_document_passes_as_it_is(client: TestClient) -> None:
    assert client.get("/script.js", headers=HTML).text == DOCUMENT
    assert client.get("/", headers={"accept": "*/*"}).text == DOCUMENT
