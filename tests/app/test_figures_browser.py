"""Figures beside an answer, in a real browser: drawn after a click, with their captions, and nothing from elsewhere."""

import re

import pytest

from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.workspace import open_workspace
from tests.app.asked_chat import asked_chat
from tests.app.browsing import becomes, expect, fits, in_browser, page_over, settled, tab_of, violations
from tests.figured_report import BESIDE, HOSTILE, figured_report
from tests.pictured_files import Picture, pictured

pytestmark = in_browser

TURBINE = "The turbine below the weir feeds the pumps of the waterworks."
SHOW, HIDE = "Show “Figure 3", "Hide “Figure 3"


@pytest.fixture(scope="module")
def chat(tmp_path_factory, model_folder, embedder):
    """A workspace with a chat about files with figures, and about notes without; (its folder, the chat's id)."""
    home = tmp_path_factory.mktemp("figured")
    notes = b"# Notes\n\nFigure 3: The heron nests in the willow by the ferry.\n"
    turbine = pictured("docx", (TURBINE, Picture("red"), "Figure 7: The turbine of the waterworks."))
    files = {"report.pdf": figured_report(), "notes.md": notes, "turbine.docx": turbine}
    _, chat = asked_chat(home, files, (BESIDE, "Where does the heron nest?", TURBINE), embedder)
    return home, chat


@pytest.fixture(scope="module")
def address(chat):
    home, chat_id = chat
    with page_over(home) as running:
        yield f"{running}/?chat={chat_id}"


@pytest.fixture(params=["light", "dark", "phone"])
def tab(address, browser, request):
    size = {"width": 390, "height": 844} if request.param == "phone" else {"width": 1280, "height": 900}
    with tab_of(browser, address, viewport=size, color_scheme="dark" if request.param == "dark" else "light") as page:
        page.locator("h2.question").nth(2).wait_for()
        settled(page)
        yield page
        assert page.trouble == []


def test_a_figure_is_drawn_beside_its_answer_after_a_click(tab):
    figure = tab.locator("figure.drawn")
    expect(tab.get_by_role("button", name=SHOW)).to_have_count(1)  # none for notes, which hold no picture
    expect(figure).to_have_count(0)
    tab.get_by_role("button", name=SHOW).click()
    shown = figure.get_by_role("img")
    expect(shown).to_be_visible()
    assert shown.evaluate("(it) => it.naturalWidth > it.naturalHeight && it.src.startsWith('data:image/webp')")
    expect(shown).to_have_attribute("alt", f"Picture from Report of the river: {HOSTILE}")
    assert tab.evaluate("window.owned") is None
    assert fits(tab) and violations(tab) == []
    assert all("original" in one.get_attribute("href") for one in figure.locator("a").all())
    tab.get_by_role("button", name=HIDE).click()
    expect(figure).to_have_count(0)


def test_a_picture_that_lies_in_an_office_file_leads_to_its_place_in_the_text(tab):
    tab.get_by_role("button", name="Show “Figure 7").click()
    figure = tab.locator("figure.drawn")
    expect(figure.get_by_role("img")).to_have_attribute("alt", re.compile("The turbine of the waterworks"))
    assert "Page" not in figure.inner_text() and fits(tab) and violations(tab) == []
    figure.get_by_role("link").last.click()
    beside = tab.get_by_role("complementary", name="The source").frame_locator("iframe")
    document = tab if tab.viewport_size["width"] < 500 else beside  # a phone has no room beside the chat
    expect(document.locator("mark#cited")).to_contain_text("Figure 7")


def test_its_page_opens_from_it_and_the_audit_tells_once_who_saw_it(chat, address, browser):
    def drawn():
        return sum(event.kind == "original" for event in open_workspace(chat[0]).audit.events())

    before = drawn()
    with tab_of(browser, address, viewport={"width": 1000, "height": 900}) as tab:
        tab.get_by_role("button", name=SHOW).click()
        tab.locator("figure.drawn").wait_for()
        becomes(tab, lambda: drawn() == before + 1)
        tab.locator("figure.drawn a").first.click()
        expect(tab.locator(".sheet img")).to_be_visible()
        expect(tab.locator(".sheet .box").first).to_be_visible()
        assert "page=2" in tab.url


def test_a_figure_of_a_forgotten_document_is_not_drawn_any_more(chat, address, browser):
    workspace = open_workspace(chat[0])
    with tab_of(browser, address) as tab:
        tab.get_by_role("button", name=SHOW).wait_for()
        settled(tab)
        forget(workspace, recognise(workspace, "report.pdf"))
        tab.get_by_role("button", name=SHOW).click()
        expect(tab.get_by_text("This document is not here")).to_be_visible()
        expect(tab.locator("figure.drawn")).to_have_count(0)
