"""Every view over real documents, in a real browser: light, dark and on a phone, and nothing goes wrong in it.

With RAG_SCREENSHOTS=folder, what is seen is kept there as pictures.
"""

import os
from pathlib import Path
from urllib.parse import urlencode

import polars as pl
import pytest

from app.rendering import place
from rag_platform.parts import open_workspace
from tests.app.browsing import in_browser, page_over, tab_of, violations
from tests.app.real import QUESTIONS, make_workspace

DATA = os.environ.get("RAG_SHARED_DATA")
pytestmark = [*in_browser, pytest.mark.skipif(not DATA, reason="RAG_SHARED_DATA names no folder of test data")]

LOOKS = {
    "light": {"color_scheme": "light", "viewport": {"width": 1280, "height": 860}},
    "dark": {"color_scheme": "dark", "viewport": {"width": 1280, "height": 860}},
    "phone": {"color_scheme": "light", "viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
VIEWS = (
    "ask",
    "chat",
    "search",
    "document",
    "pdf",
    "collections",
    "collection",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder):
    """A workspace of real documents."""
    return make_workspace(tmp_path_factory.mktemp("real") / "home", Path(DATA))


@pytest.fixture(scope="module")
def addresses(home):
    """The address of each view."""
    workspace = open_workspace(home)
    live = workspace.retriever.live()
    documents = live.documents()
    pdf = documents.filter(pl.col("uri").str.ends_with(".pdf"))["doc_id"][0]
    hit = workspace.retriever.search(QUESTIONS[0], k=1).hits[0]
    (chat,) = workspace.journal.chats()
    with page_over(home) as address:
        yield {
            "ask": address,
            "chat": f"{address}/?{urlencode({'chat': chat.id})}",
            "search": f"{address}/search?{urlencode({'q': QUESTIONS[1]})}",
            "document": f"{address}/document?{urlencode(place(hit.doc_id, hit.span))}",
            "pdf": f"{address}/document?{urlencode({'doc': pdf})}",
            "collections": f"{address}/collections",
            "collection": f"{address}/collections?collection=physics-first-year",
        }


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_shows_no_trouble_can_be_used_by_everyone_and_fits(browser, addresses, view, look):
    with tab_of(browser, addresses[view], **LOOKS[look]) as tab:
        settle(tab)
        if folder := os.environ.get("RAG_SCREENSHOTS"):
            tab.screenshot(path=Path(folder) / f"{view}-{look}.png")
        assert tab.trouble == []
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def settle(tab):
    """Wait until the view's run has ended and nothing is stale."""
    tab.locator(".stApp[data-test-script-state=notRunning]").wait_for(timeout=60_000)
    tab.locator("[data-testid=stSkeleton], [data-testid=stSpinner]").first.wait_for(state="detached", timeout=60_000)
    tab.wait_for_function("() => document.fonts.status === 'loaded'")
    tab.wait_for_timeout(400)
