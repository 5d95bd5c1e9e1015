"""Where an answer may come from, chosen in the box, on a document, in a list of results, and by selecting a text."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.app.browsing import expect, in_browser, page_over, tab_of, violations

pytestmark = in_browser
BOX = "Ask about your documents"


@pytest.fixture(scope="module")
def address(served):
    with page_over(served) as running:
        yield running


def typed(tab, text):
    box = tab.get_by_placeholder(BOX)
    box.click()
    box.press_sequentially(text)
    return box


def value_becomes(tab, text):
    tab.wait_for_function(
        "text => document.querySelector('[data-testid=stChatInputTextArea]').value === text", arg=text
    )


def test_a_name_is_completed_in_the_box_and_the_answer_is_of_it_alone(browser, address):
    with tab_of(browser, address) as tab:
        box = typed(tab, "When does the office open? @off")
        option = tab.get_by_role("option", name="Office hours")
        option.wait_for()
        assert violations(tab) == []
        box.press("Enter")  # which chooses, and sends nothing
        value_becomes(tab, 'When does the office open? @"Office hours" ')
        box.press("Enter")
        tab.locator(".answer", has_text="eight in the morning").wait_for()
        tab.get_by_placeholder(BOX).wait_for()
        typed(tab, "#no-such ")
        expect(tab.locator("ul.names")).to_have_count(0)
        assert tab.trouble == []


def test_ask_about_a_document_its_chips_and_a_reload(browser, address):
    with tab_of(browser, f"{address}/search?q=leave") as tab:
        tab.locator(".hit .open", has_text="Leave policy").first.click()
        tab.get_by_role("link", name="Ask about this document").click()
        chip = tab.get_by_role("button", name="Leave policy ×")
        chip.wait_for()
        typed(tab, "When does the office open?")
        tab.keyboard.press("Enter")
        tab.wait_for_url("**/?chat=*")
        tab.locator("details.trace:not(.live)").first.wait_for()
        expect(tab.locator(".answer")).not_to_contain_text("eight in the morning")
        tab.reload()
        chip.wait_for()
        assert violations(tab) == []
        chip.click()
        chip.wait_for(state="detached")
        typed(tab, "When does the office open?")
        tab.keyboard.press("Enter")
        tab.locator(".answer", has_text="eight in the morning").wait_for()
        assert tab.trouble == []


def test_ask_about_a_list_of_results(browser, address):
    with tab_of(browser, f"{address}/search?q=office") as tab:
        link = tab.get_by_role("link", name="Ask about these")
        link.wait_for()
        chosen = parse_qs(urlsplit(link.get_attribute("href")).query)["document"]
        assert len(chosen) == len(set(chosen)) >= 1
        link.click()
        tab.get_by_role("button", name="Office hours ×").wait_for()
        tab.get_by_role("button", name="From everything").click()
        tab.get_by_role("button", name="Office hours ×").wait_for(state="detached")
        tab.wait_for_function("() => !location.search.includes('document=')")
        assert tab.trouble == []


def test_a_selected_text_is_asked_about(browser, address):
    with tab_of(browser, f"{address}/search?q=office+opens") as tab:
        tab.locator(".hit .open", has_text="Office hours").first.click()
        tab.locator(".document").wait_for()
        tab.evaluate(
            "() => { const range = document.createRange();"
            "range.selectNodeContents(document.querySelector('.document'));"
            "getSelection().removeAllRanges(); getSelection().addRange(range); }"
        )
        asked = tab.locator("a.ask-selected")
        asked.wait_for()
        asked.click()
        tab.get_by_role("button", name="Office hours ×").wait_for()
        box = tab.get_by_placeholder(BOX)
        box.wait_for()
        tab.wait_for_function(
            "() => document.querySelector('[data-testid=stChatInputTextArea]').value.includes('eight in the morning')"
        )
        tab.wait_for_function("() => !location.search.includes('quote=')")
        assert tab.trouble == []
