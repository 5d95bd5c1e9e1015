"""What a first visit loads: scripts and styles compressed, few icons in place of all, and nothing twice."""

import re

import pyarrow as pa
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from app.assets import ICONS, PREFIX, STATIC, CompressedAssets, own
from app.navigation import VIEWS
from tests.app.browsing import ROOT

STYLE = next((STATIC / "css").glob("index.*.css"))
SCRIPT = max((STATIC / "js").glob("index.*.js"), key=lambda path: path.stat().st_size)


@pytest.fixture(scope="module")
def client() -> TestClient:
    async def page(_):
        return PlainTextResponse("Streamlit's")

    return TestClient(CompressedAssets(Starlette(routes=[Route("/{path:path}", page)])))


def sent(client: TestClient, path, **headers: str):
    return client.get(f"{PREFIX}{path.relative_to(STATIC).as_posix()}", headers=headers)


def test_a_script_is_sent_compressed_and_kept_for_good(client: TestClient) -> None:
    answer = sent(client, SCRIPT, **{"accept-encoding": "deflate, gzip;q=0.8"})
    assert answer.content == SCRIPT.read_bytes()
    assert answer.headers["content-encoding"] == "gzip" and "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].startswith("text/javascript") and answer.headers["vary"] == "accept-encoding"
    assert int(answer.headers["content-length"]) < SCRIPT.stat().st_size / 2


def test_who_takes_brotli_loads_less(client: TestClient) -> None:
    path = f"{PREFIX}{SCRIPT.relative_to(STATIC).as_posix()}"
    with client.stream("GET", path, headers={"accept-encoding": "gzip, br"}) as answer:
        packed = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == "br"
    assert pa.Codec("brotli").decompress(packed, SCRIPT.stat().st_size, asbytes=True) == SCRIPT.read_bytes()
    assert len(packed) < 0.95 * int(sent(client, SCRIPT, **{"accept-encoding": "gzip"}).headers["content-length"])


def test_our_own_style_and_script_are_kept_for_good_under_a_name_of_their_bytes(client: TestClient) -> None:
    for kind, known in (("css", ".st-key-leaving"), ("js", "window.followLinks")):
        address, whole = own(kind)
        for coding in ("gzip", "identity"):
            answer = client.get(address, headers={"accept-encoding": coding})
            assert answer.content == whole and known in answer.text and "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith({"css": "text/css", "js": "text/javascript"}[kind])


@pytest.mark.parametrize("path", ["js/nothing.js", "js/../../index.html", "js/%2e%2e/%2e%2e/index.html", "media/a.png"])
def test_all_else_is_left_to_streamlit(client: TestClient, path: str) -> None:
    assert client.get(f"{PREFIX}{path}").text == "Streamlit's"
    assert sent(client, SCRIPT, **{"accept-encoding": "identity"}).text == "Streamlit's"


def test_no_font_is_named_that_nothing_needs_and_the_icons_are_ours(client: TestClient) -> None:
    whole, ours = STYLE.read_text(encoding="utf-8"), sent(client, STYLE).text
    assert "Source Sans" in whole and "MaterialSymbols-Rounded" in whole
    assert "SourceSansVF" not in ours and "MaterialSymbols-Rounded" not in ours and "KaTeX_Main" in ours
    font = client.get(ICONS)
    assert font.content[:4] == b"wOF2" and len(font.content) < 40_000
    assert font.headers["content-type"] == "font/woff2" and "immutable" in font.headers["cache-control"]


def test_every_icon_that_the_page_names_is_in_its_font() -> None:
    held = set((ROOT / "app" / "icons" / "names.txt").read_text().split())
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py")]
    named = {name for text in texts for name in re.findall(r":material/(\w+):", text)}
    named |= {view.icon for view in VIEWS.values()}
    assert len(named) > 50
    assert named - held == set(), "scripts/icon_font.py cuts the font anew"
