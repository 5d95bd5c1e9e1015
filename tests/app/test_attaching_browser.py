"""A file that is attached to one chat in a real browser: dropped, answered from, opened at its quote, taken away."""

from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError as TooSlow

from tests.app.browsing import in_browser, page_over, tab_of, violations

pytestmark = in_browser
BOX = "Ask about your documents"
LEASE = (
    "# <b>Lease</b> <script>document.title = 'owned'</script>\n\nThe tenant pays the rent on the third of each month.\n"
)
ASKED = "When does the tenant pay the rent?"


@pytest.fixture(scope="module")
def address(served):
    with page_over(served) as running:
        yield running


def send(tab):
    """Press Enter until the box has sent: while a file is on its way it does not."""
    for _ in range(30):
        tab.keyboard.press("Enter")
        with suppress(TooSlow):
            return tab.wait_for_url("**/?chat=*", timeout=2000)
    raise AssertionError("nothing was sent")


def test_a_file_is_attached_answered_from_opened_and_taken_away(browser, address):
    with tab_of(browser, address) as tab:
        tab.get_by_placeholder(BOX).wait_for()
        file = {"name": "lease <i>x</i>.md", "mimeType": "text/markdown", "buffer": LEASE.encode()}
        with tab.expect_response(lambda answer: answer.request.method == "PUT"):
            tab.locator('[data-testid="stChatInput"] input[type=file]').set_input_files(file)
        tab.get_by_placeholder(BOX).fill(ASKED)
        send(tab)
        tab.locator(".answer", has_text="third of each month").wait_for()
        chip = tab.get_by_role("button", name="lease <i>x</i>.md ×")
        chip.wait_for()
        tab.locator("details.trace:not(.live)").wait_for()
        assert violations(tab) == []
        source = tab.locator("a.card").first.get_attribute("href")
        with tab_of(browser, f"{address}/{source.removeprefix('./')}", viewport={"width": 900, "height": 700}) as text:
            text.locator("mark", has_text="third of each month").wait_for()
            assert violations(text) == [] and text.title() != "owned"
        chip.click()
        chip.wait_for(state="detached")
        tab.get_by_role("button", name="Undo").click()
        chip.wait_for()
        chip.click()
        chip.wait_for(state="detached")
        assert tab.trouble == []


def test_a_very_long_text_becomes_a_file_of_its_chat(browser, address):
    with tab_of(browser, address) as tab:
        box = tab.get_by_placeholder(BOX)
        box.wait_for()
        long = (
            "The caretaker of the house is called Brunhilde Sommer.\n\n" + "The stairs are swept on Mondays.\n\n" * 700
        )
        box.fill(f"{long}Who is the caretaker of the house?")
        tab.keyboard.press("Enter")
        tab.get_by_role("button", name="Pasted text.txt ×").wait_for()
        tab.locator("h2.question", has_text="Who is the caretaker").wait_for()
        tab.locator(".answer", has_text="Brunhilde Sommer").wait_for()
        assert tab.trouble == []
