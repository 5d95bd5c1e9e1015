"""The search view in a real browser: results while one types, keys, addresses, and the way back."""

import re
from itertools import pairwise

import pytest

from tests.app.browsing import expect, fits, in_browser, page_over, settled, tab_of, violations

pytestmark = in_browser
QUESTION = "how many days of paid leave do employees get per year"


@pytest.fixture(scope="module")
def address(served):
    """The address of the search view over the published workspace."""
    with page_over(served) as running:
        yield f"{running}/search"


@pytest.fixture
def tab(browser, address):
    """A tab at the search view, its first results ready."""
    with tab_of(browser, address) as page:
        page.locator(".search .welcome").wait_for()
        settled(page)  # its keys are in place, its box stays
        yield page


def box(tab):
    return tab.locator(".st-key-q input")


def answered(tab, question):
    """Wait until the results of this question stand there."""
    tab.wait_for_function(
        "(question) => [...document.querySelectorAll('.search .bar a')].some("
        "(link) => new URL(link.href).searchParams.get('q') === question)",
        arg=question,
    )


def test_a_fast_typist_loses_no_letter_and_sees_results_without_a_reload(tab):
    tab.evaluate("window.sameDocument = true")
    box(tab).press_sequentially(QUESTION, delay=25)
    expect(box(tab)).to_have_value(QUESTION)
    for letter in " or so":  # pauses as long as the one after which results come: they come between the letters
        tab.wait_for_timeout(170)
        tab.keyboard.type(letter)
    answered(tab, f"{QUESTION} or so")
    tab.wait_for_timeout(400)  # nothing that was late takes a letter back
    assert box(tab).input_value() == f"{QUESTION} or so"
    expect(tab.locator(".bar")).to_contain_text("documents")
    expect(tab.locator(".bar")).not_to_contain_text("Quick order")
    expect(box(tab)).to_be_focused()
    assert tab.evaluate("window.sameDocument") and tab.trouble == []


def test_the_final_order_stands_while_typing_and_enter_never_empties_the_list(tab):
    box(tab).press_sequentially("paid leave")
    answered(tab, "paid leave")
    tab.wait_for_function("document.querySelector('.hit table')?.textContent.includes('after reranking')")
    tab.evaluate(
        "window.least = 99; new MutationObserver(() => { window.least = Math.min(window.least,"
        " document.querySelectorAll('.hits .open').length); })"
        ".observe(document.body, { childList: true, subtree: true })"
    )
    tab.keyboard.press("Enter")
    tab.wait_for_timeout(400)
    settled(tab)
    tab.get_by_text("Why this rank").first.click()
    tab.get_by_text("after reranking").first.wait_for()
    expect(tab.locator(".bar")).not_to_contain_text("Quick order")
    assert tab.evaluate("window.least") >= 1 and tab.trouble == []


def test_all_of_it_goes_by_keys(tab):
    tab.locator(".stApp").click(position={"x": 3, "y": 600})
    tab.keyboard.press("/")
    expect(box(tab)).to_be_focused()
    tab.keyboard.type("paid leave")
    expect(box(tab)).to_have_value("paid leave")
    answered(tab, "paid leave")
    settled(tab)
    tab.keyboard.press("ArrowDown")
    first, second = (tab.locator(".hits .open").nth(at) for at in (0, 1))
    expect(first).to_be_focused()
    tab.keyboard.press("j")
    expect(second).to_be_focused()
    tab.keyboard.press("k")
    expect(first).to_be_focused()
    tab.keyboard.press("Enter")
    tab.locator("mark#cited").wait_for()
    settled(tab)
    tab.keyboard.press("Escape")
    answered(tab, "paid leave")
    expect(first).to_be_focused()
    expect(box(tab)).to_have_value("paid leave")
    tab.keyboard.press("Escape")
    expect(box(tab)).to_be_focused()
    assert tab.trouble == []


def test_a_choice_is_an_address_and_the_back_button_undoes_it(tab, browser, address):
    box(tab).press_sequentially("leave")
    tab.keyboard.press("Enter")
    answered(tab, "leave")
    tab.evaluate("window.sameDocument = true")
    tab.locator(".groups a", has_text="handbook").click()
    tab.locator(".chips").wait_for()
    expect(tab).to_have_url(re.compile("q=leave.*source=handbook"))
    choice = tab.locator(".groups a", has_text="handbook")
    expect(choice).to_be_focused()  # it keeps the focus
    expect(choice).to_have_attribute("aria-current", "true")
    with tab_of(browser, tab.url) as elsewhere:  # sent to a colleague
        elsewhere.locator(".chips").wait_for()
        expect(box(elsewhere)).to_have_value("leave")
        elsewhere.locator(".hits .open").first.wait_for()
    box(tab).fill("office hours")
    tab.keyboard.press("Enter")
    answered(tab, "office hours")
    tab.go_back()
    answered(tab, "leave")
    expect(box(tab)).to_have_value("leave")
    expect(tab.locator(".chips")).to_have_count(1)
    tab.go_back()
    tab.locator(".chips").wait_for(state="detached")
    assert tab.evaluate("window.sameDocument") and tab.trouble == []


@pytest.mark.parametrize("mode", ["rerank", "vector", "lexical"])
def test_the_number_the_filters_and_all_pages_of_the_list_are_of_one_result(browser, address, mode):
    with tab_of(browser, f"{address}?q=days&mode={mode}") as tab:
        listed = []
        while True:
            tab.locator(f".hits[start='{len(listed) + 1}'] .open").first.wait_for()
            listed += tab.locator(".hits .open").evaluate_all(
                "(all) => all.map((one) => new URL(one.href).searchParams.get('doc'))"
            )
            told = tab.locator(".bar [role=status]").inner_text()
            sources = tab.locator(".groups section", has_text="Source").locator("b").all_inner_texts()
            documents = len([one for one, before in pairwise([*listed, None]) if one != before])
            following = tab.locator(".pages").get_by_role("link", name="Next")
            if not following.count():
                break
            following.click()
        assert int(re.search(r"(\d+) (?:best )?document", told)[1]) == len({*listed}) == sum(map(int, sources)) > 0
        assert documents == len({*listed}), "hits of one document stand together"


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}}])
def test_everybody_can_use_it(browser, address, look):
    with tab_of(browser, f"{address}?q=leave&collection=default", **look) as tab:
        tab.locator(".hits .open").first.wait_for()
        if "viewport" in look:
            tab.locator(".facets > summary").click()
            tab.locator(".facets[open]").wait_for()
        assert fits(tab) and violations(tab) == [] and tab.trouble == []
