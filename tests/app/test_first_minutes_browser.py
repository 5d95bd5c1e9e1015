"""A person's first minutes: from an empty workspace to an answer, its source, and a link for a colleague."""

from contextlib import suppress

import psutil
import pytest

from rag_platform.workspace import open_workspace
from tests.app.browsing import PALENESS, expect, in_browser, page_over, tab_of, violations
from tests.app.first_minutes import FIRST, SECOND, empty_workspace, first_minutes

pytestmark = in_browser

MOST = 40.0
"""Seconds of a processor from the empty page to the first answer: two minutes where three times as much goes on."""


def spent():
    """Return the seconds of a processor that this process, the browser, the page and its syncs have taken.

    Unlike the clock they hardly tell how busy the machine is. What has ended counts with whoever waited for it.
    """
    seconds = 0.0
    for process in (own := psutil.Process(), *own.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            seconds += sum(process.cpu_times()[:4])  # its own, and those of its children that have ended
    return seconds


@pytest.fixture
def home(tmp_path, model_folder):
    return empty_workspace(tmp_path)


def test_an_empty_page_leads_to_an_answer_its_source_and_a_shared_chat(browser, home):
    with page_over(home) as address, tab_of(browser, address, viewport={"width": 1280, "height": 800}) as tab:
        seen, before = [], spent()
        for step in first_minutes(tab, address):
            seen.append(step)
            if step == "adding":
                tab.evaluate(PALENESS)
            if step == "answered":
                assert spent() - before < MOST
                assert tab.evaluate("[window.palest, window.stale > 0]") == [1, True]
            if step in ("empty", "reading", "shared"):  # the others are looked at elsewhere
                assert violations(tab) == [], step
            if step == "empty":
                before = spent()  # what the page took to start, and axe to look, is not of the way
        assert seen == ["empty", "adding", "reading", "answered", "source", "judged", "followed", "shared"]
        link = tab.get_by_role("dialog").locator("code").inner_text().strip()
        with tab_of(browser, link) as colleague:
            expect(colleague.locator("h2.question")).to_contain_text([FIRST, SECOND])
            expect(colleague.locator(".answer").first).to_contain_text("25 days")
            assert colleague.trouble == []
        assert tab.trouble == []
    workspace = open_workspace(home)
    first, second = (one for one in workspace.chats.messages(workspace.chats.of()[0].id) if one.role == "assistant")
    assert workspace.feedback.of(first.receipt_id, "").good and workspace.feedback.of(second.receipt_id, "") is None
