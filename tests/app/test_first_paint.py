"""The page shows something before its scripts have run."""

import re
from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.assets import LINKED, own
from app.first_paint import FirstPaint
from app.navigation import VIEWS

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
    assert shown.headers["content-encoding"] == "gzip" and "accept-encoding" in shown.headers["vary"].lower()
    assert int(shown.headers["content-length"]) < len(shown.content) / 2
    assert shown.headers["cache-control"] == "no-cache"
    plain = client.get(path, headers=HTML | {"accept-encoding": "identity"})
    assert plain.text == shown.text and int(plain.headers["content-length"]) == len(plain.content)


def test_it_brings_our_style_after_streamlits_our_script_and_what_the_view_draws_first(client: TestClient) -> None:
    ask, search = (client.get(path, headers=HTML).text for path in ("/", "/search"))
    style, script = own("css")[0], own("js")[0]
    assert ask.index('<div id="root">') < ask.index(f'<link rel="stylesheet" href="{style}">')
    assert f'<script defer src="{script}"></script>' in ask and LINKED.is_set()
    assert re.search(r'modulepreload" crossorigin href="/static/js/ChatInput\.', ask)
    first, later = (re.findall(f'{one}" crossorigin href="([^"]+)"', search) for one in ("modulepreload", "prefetch"))
    assert "/TextInput." in str(first) and "/ChatInput." not in str(first)
    assert "/ChatInput." in str(later) and "/Selectbox." in str(later) and not {*first} & {*later}
    assert re.search(r'<template id="elsewhere">(<link rel="prefetch" [^>]*>)+</template></head>', search)
    loads = re.findall(r'href="(?:\.|)(/static/js/[^"]+)"', ask)
    assert len(loads) == len(set(loads)) > 60


def test_all_else_is_streamlits_but_for_its_font_and_where_the_server_is(client: TestClient) -> None:
    shown = client.get("/", headers=HTML).text
    told = re.search(
        r"<script>\nwindow.__streamlit.*?</script><style>.*?</style><script.*?<link.*?>", shown, re.DOTALL
    )[0]
    assert f"({'|'.join(VIEWS)})\\/?$" in told
    start, end = shown.index('<div id="root">'), shown.index("</div></div>") + len("</div></div>")
    plain = (shown[:start] + '<div id="root"></div>' + shown[end:]).replace(told, "")
    plain = re.sub(r'<link rel="(modulepreload" crossorigin href="/static|stylesheet" href="/page)/[^>]*>', "", plain)
    plain = re.sub(r'<template id="elsewhere">.*?</template>', "", plain)
    without = re.sub(r"<link[^>]*SourceSans[^>]*/>", "", DOCUMENT)
    assert without != DOCUMENT
    assert re.sub("<title>.*?</title>", "<title>Streamlit</title>", plain) == without


def test_what_is_no_document_passes_as_it_is(client: TestClient) -> None:
    assert client.get("/script.js", headers=HTML).text == DOCUMENT
    assert client.get("/", headers={"accept": "*/*"}).text == DOCUMENT
