"""Watching an answer in a real browser: begun below it, told with the difference, fed, ended and kept."""

import os
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from rag_platform.operations.watching.looking import look
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import expect, fits, in_browser, page_over, tab_of, violations
from tests.copies import copy_of

pytestmark = in_browser
QUESTION = "How many days of paid leave do employees get?"
WORSE = "<img src=x onerror=\"document.title='owned'\"> ![p](http://tracker.example/p.png)"


@pytest.fixture(scope="module")
def home(published, tmp_path_factory):
    return copy_of(published, tmp_path_factory.mktemp("watching") / "home")


@pytest.fixture(scope="module")
def address(home):
    with page_over(home) as running:
        yield running


def publish(home, **changed):
    """Publish the leave policy with other words, and look as a sync does."""
    workspace, leave = open_workspace(home), home / "docs" / "leave.md"
    text = leave.read_text()
    for before, after in changed.values():
        text = text.replace(before, after)
    leave.write_text(text)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    assert look(workspace) == []


def seen(tab, name):
    if folder := os.environ.get("RAG_SCREENSHOTS"):
        tab.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
    assert fits(tab) and violations(tab) == []


def test_an_answer_is_watched_told_fed_and_ended(browser, address, home):
    with tab_of(browser, address) as tab:
        tab.get_by_placeholder("Ask about your documents").fill(QUESTION)
        tab.keyboard.press("Enter")
        tab.locator("a.cite").first.wait_for()
        tab.get_by_role("button", name="Watch", exact=True).click()
        tab.get_by_text("You are told when this changes").wait_for()
        tab.goto(f"{address}/search?q=paid leave")
        tab.get_by_role("button", name="Watch this search").click()
        tab.get_by_text("You are told when this changes").wait_for()
        publish(home, days=("25 days", "30 days"), hostile=("Unused days", f"{WORSE} Unused days"))
        tab.goto(f"{address}/watches")
        expect(tab.locator("ul.watches .state.good")).to_have_text(["1 new", "1 new"])
        seen(tab, "watches")
        tab.get_by_role("link", name=QUESTION).click()
        tab.locator(".change .diff del", has_text="25 days").wait_for()
        tab.locator(".change .diff ins", has_text="30 days").wait_for()
        seen(tab, "watch-light")
        tab.emulate_media(color_scheme="dark")
        tab.reload()
        tab.locator(".change .diff del").first.wait_for()
        seen(tab, "watch-dark")
        tab.set_viewport_size({"width": 390, "height": 844})
        seen(tab, "watch-phone")
        tab.goto(address)
        chat = tab.locator("nav.chats a").first.get_attribute("href")
        tab.goto(f"{address}/{chat}")
        tab.get_by_role("button", name="Still right?").click()
        told = tab.get_by_role("dialog")
        expect(told).to_contain_text("Right until")
        expect(told.locator(".diff ins")).to_contain_text("30 days")
        seen(tab, "since-phone")
        tab.goto(f"{address}/watches")
        tab.get_by_role("link", name=QUESTION).click()
        feed = make_feed(tab)
        with urllib.request.urlopen(feed) as answered:
            told = answered.read().decode()
        assert answered.headers["content-type"].startswith("application/atom+xml")
        assert "30 days" in told and "<img" not in told
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(feed[:-3])
        tab.reload()
        tab.get_by_role("button", name="Watch no longer").click()
        tab.get_by_role("button", name="Undo").click()
        expect(tab.get_by_role("link", name=QUESTION)).to_be_visible()
        assert tab.title() != "owned" and tab.trouble == []


def make_feed(tab):
    tab.get_by_role("button", name="Feed", exact=True).click()
    tab.get_by_role("button", name="Make an address").click()
    shown = tab.get_by_role("dialog").locator("code")
    expect(shown).to_contain_text("/feeds/feed_")
    return shown.inner_text().strip()
