"""A chat taken away and shared, in a real browser: as Word, on paper, and by a link for those who are named."""

import os
from pathlib import Path

import pypdfium2
import pytest

from rag_platform.documents.formats.office.docx import read_docx
from rag_platform.workspace import open_workspace
from tests.app.browsing import expect, in_browser, page_over, settled, tab_of, violations
from tests.copies import copy_of

pytestmark = in_browser
QUESTION = "How many days of paid leave do employees get?"


@pytest.fixture(scope="module")
def home(published, tmp_path_factory):
    return copy_of(published, tmp_path_factory.mktemp("sharing") / "home")


@pytest.fixture(scope="module")
def tab(home, browser):
    with page_over(home) as address, tab_of(browser, address) as page:
        page.address = address
        page.get_by_placeholder("Ask about your documents").fill(QUESTION)
        page.keyboard.press("Enter")
        page.locator("a.cite").first.wait_for()
        page.locator(".st-key-chat-head").wait_for()
        yield page


@pytest.fixture(autouse=True)
def anew(tab):
    """Nothing of the test before is open."""
    tab.reload()
    tab.locator("a.cite").first.wait_for()
    settled(tab)


def test_a_chat_is_taken_away_as_word_with_its_sources(tab):
    tab.get_by_role("button", name="Export").click()
    with tab.expect_download() as taken:
        tab.get_by_role("button", name="Word, with footnotes").click()
    assert taken.value.suggested_filename.endswith(".docx")
    text = read_docx(Path(taken.value.path()).read_bytes()).text
    assert QUESTION in text and "25 days" in text and "Leave policy (" in text


def test_a_chat_on_paper_is_all_of_it_and_nothing_that_is_pressed(tab, tmp_path):
    tab.evaluate("window.print = () => (window.printed = true)")
    tab.get_by_role("button", name="Export").click()
    tab.get_by_role("button", name="Print, or save as PDF").click()
    tab.wait_for_function("window.printed")
    tab.keyboard.press("Escape")
    path = Path(os.environ.get("RAG_SCREENSHOTS") or tmp_path) / "chat.pdf"
    tab.pdf(path=path, format="A4")
    pages = pypdfium2.PdfDocument(path)
    text = " ".join(" ".join(page.get_textpage().get_text_bounded() for page in pages).split())
    assert QUESTION in text and "25 days" in text and "Leave policy" in text
    assert not [word for word in ("Watch", "Copy", "New chat", "Collections", "Export") if word in text]


def test_a_link_for_some_leads_others_nowhere(tab, home, browser):
    tab.get_by_role("button", name="Share", exact=True).click()
    dialog = tab.get_by_role("dialog")
    box = dialog.get_by_role("combobox")
    box.fill("group:board")
    box.press("Enter")
    dialog.get_by_text("Share this chat").click()
    expect(dialog.get_by_text("group:board").first).to_be_visible()
    assert violations(tab) == []
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.locator("code")).to_contain_text("?shared=")
    link = dialog.locator("code").inner_text().strip()
    if folder := os.environ.get("RAG_SCREENSHOTS"):
        tab.screenshot(path=Path(folder) / "share.png")
    token = link.partition("shared=")[2]
    chats = open_workspace(home).chats
    assert chats.opened(token, {"user:otto"}) is None and chats.opened(token, {"group:board"})
    with page_over(home, RAG_ACCESS__LOCAL="false") as other, tab_of(browser, f"{other}/?shared={token}") as visitor:
        visitor.get_by_text("This link leads nowhere").wait_for()
        assert "25 days" not in visitor.content()
