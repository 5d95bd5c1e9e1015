"""What is drawn: the page of a PDF that holds a span, and the reference of the API in a real Chromium."""

import pytest
from playwright.sync_api import sync_playwright
from reportlab.pdfgen.canvas import Canvas

from rag_platform.pipeline.sync import sync
from tests.api.openai.conftest import listening
from tests.api.published import client_of, opened, publish
from tests.app.browsing import CHROMIUM, PATIENCE, in_browser
from tests.pipeline.fixed_gate import FixedGate


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder):
    home = tmp_path_factory.mktemp("drawn")
    publish(home, tiny_embedder)
    canvas = Canvas(str(home / "notes" / "tides.pdf"))
    for text in (
        "Of the harbour, and of all who work in it by day.",
        "The tide turns twice a day at the old harbour wall.",
    ):
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()
    workspace = opened(home, tiny_embedder)
    assert sync(workspace, gate=FixedGate(workspace)).moved
    return workspace


def test_the_page_that_holds_a_span_is_drawn_with_the_places_of_its_words(workspace):
    client = client_of(workspace)
    (path,) = [f"/v1/documents/{one['doc_id']}" for one in client.get("/v1/documents").json()["documents"]
               if one["uri"].endswith("tides.pdf")]  # fmt: skip
    text = client.get(path).json()["text"]
    start = text.index("tide turns")
    drawn = client.get(f"{path}/original/page", params={"start": start, "end": start + len("tide turns")})
    assert (drawn.status_code, drawn.headers["content-type"], drawn.headers["x-page"]) == (200, "image/webp", "2")
    assert drawn.content[:4] == b"RIFF" and drawn.content[8:12] == b"WEBP"
    assert drawn.headers["content-security-policy"].startswith("sandbox")
    left, top, right, bottom = map(float, drawn.headers["x-marks"].partition(";")[0].split(","))
    assert 0 < left < right < 1 and 0 < top < bottom < 0.2
    assert client.get(f"{path}/original/page", params={"start": 0, "end": 5}).headers["x-page"] == "1"


@in_browser[0]
@in_browser[1]
def test_the_reference_shows_routes_to_be_tried_without_a_complaint_of_the_browser(workspace):
    complaints, asked = [], []
    with listening(workspace) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{address.removesuffix('/v1')}/docs")
        page.locator('.opblock-tag[data-tag="search and ask"]').click()
        page.locator(".opblock-summary-path", has_text="/v1/search").click()
        page.get_by_role("button", name="Try it out").wait_for()
        browser.close()
    assert complaints == []
    assert {url.partition("/v1")[0].split("/")[2] for url in asked if not url.startswith("data:")} == {
        address.split("/")[2]
    }
