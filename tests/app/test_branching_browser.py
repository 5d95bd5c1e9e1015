"""A template is named and filled in the box, and its question edited: one goes from version to version."""

from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.workspace import open_workspace
from tests.app.browsing import in_browser, page_over, tab_of, violations

pytestmark = in_browser


def test_a_template_is_filled_and_its_question_is_edited(browser, served):
    open_workspace(served).templates.put("", "Opening", QuestionTemplate("When does the {{place}} open?"))
    with page_over(served) as address, tab_of(browser, address) as tab:
        box = tab.get_by_placeholder("Ask about your documents")
        box.click()
        box.press_sequentially("!op")
        tab.get_by_role("option", name="Opening").wait_for()
        box.press("Enter")  # which chooses
        tab.locator("ul.names").wait_for(state="detached")
        box.press("Enter")  # which sends
        tab.get_by_role("textbox", name="place").fill("office")
        assert violations(tab) == []
        tab.get_by_role("button", name="Ask", exact=True).click()
        tab.locator(".answer", has_text="eight in the morning").wait_for()
        tab.get_by_role("button", name="Edit").click()
        tab.get_by_role("textbox", name="Edit").fill("How many days of paid leave do employees get?")
        tab.get_by_role("button", name="Ask", exact=True).click()
        tab.locator(".answer", has_text="25 days").wait_for()
        tab.get_by_test_id("stButtonGroup").get_by_text("1", exact=True).click()
        tab.locator(".answer", has_text="eight in the morning").wait_for()
        assert violations(tab) == [] and tab.trouble == []
