"""The page in a real browser: ask, open a citation, read the quote."""

import shutil

import pytest

from tests.app.browsing import in_browser, page_over, tab_of
from tests.chat_server import END, ROLE, chunk, serving

pytestmark = in_browser


@pytest.fixture(scope="module")
def address(published):
    """The address of a page over the published workspace."""
    with page_over(published) as running:
        yield running


@pytest.fixture
def tab(browser, address):
    """A tab that notes console errors and requests to other hosts."""
    with tab_of(browser, address) as page:
        yield page


def ask(tab, question):
    tab.get_by_placeholder("Ask about your documents").fill(question)
    tab.keyboard.press("Enter")
    tab.locator("a.cite").first.wait_for(timeout=60_000)


def test_a_citation_leads_to_its_quote_highlighted_in_the_document(tab):
    ask(tab, "After how many years may an employee take a sabbatical?")
    tab.locator("a.cite").first.click()
    quote = tab.locator("mark#cited")
    quote.wait_for()
    assert quote.inner_text() == "After seven years of service an employee may take a sabbatical of three months."
    assert "/document?doc=" in tab.url and "start=" in tab.url
    tab.wait_for_function(  # it was far below the fold
        "() => { const at = document.querySelector('#cited').getBoundingClientRect();"
        " return at.top > 0 && at.bottom < innerHeight }"
    )
    tab.go_back()
    tab.locator("a.cite").first.wait_for()  # the chat is where it was left
    assert tab.trouble == []


def test_the_address_of_a_passage_can_be_shared(tab, browser, address):
    ask(tab, "How many days of paid leave do employees get?")
    tab.get_by_text("Open at this passage").first.click()
    tab.locator("mark#cited").wait_for()
    elsewhere = browser.new_context().new_page()
    elsewhere.goto(tab.url)
    elsewhere.locator("mark#cited").wait_for()
    assert "25 days" in elsewhere.locator("mark#cited").inner_text()
    assert elsewhere.title() != "owned"
    elsewhere.context.close()
    assert tab.trouble == []


def test_a_chat_understands_what_follows_and_another_visitor_sees_nothing_of_it(tab, browser, address):
    ask(tab, "How many days of paid leave do employees get?")
    tab.get_by_placeholder("Ask about your documents").fill("And when do they expire?")
    tab.keyboard.press("Enter")
    tab.get_by_text("Searched for").click(timeout=60_000)
    tab.get_by_text("And when do they expire? days paid leave employees").wait_for()
    assert "31 March" in tab.locator(".answer").last.inner_text()
    assert tab.trouble == []
    other = browser.new_context().new_page()
    other.goto(address)
    other.locator(".hero").wait_for()
    assert other.locator(".answer").count() == 0
    other.context.close()


def test_a_phone_shows_the_answer_without_scrolling_sideways(tab):
    tab.set_viewport_size({"width": 380, "height": 760})
    ask(tab, "How many days of paid leave do employees get?")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture(scope="module")
def talking(published, tmp_path_factory):
    """A page whose answers a language model writes, and the model's server."""
    home = shutil.copytree(published, tmp_path_factory.mktemp("talking") / "home")
    with serving() as model:
        with (home / "rag.toml").open("a") as settings:
            settings.write(f'[generator]\nname = "tiny"\nbase_url = "{model.address}"\n')
        with page_over(home) as running:
            yield running, model


def begin(browser, talking, *events):
    """Ask a question that the model answers with these events."""
    address, model = talking
    model.script, model.requests[:], model.sent_at[:] = [[ROLE, *events]], [], []
    model.hung_up.clear()
    tab = browser.new_context(viewport={"width": 1100, "height": 800}).new_page()
    tab.goto(address)
    tab.get_by_placeholder("Ask about your documents").fill("How many days of paid leave do employees get?")
    tab.keyboard.press("Enter")
    return tab, model


def test_text_and_thought_are_shown_while_they_come(browser, talking):
    said = chunk("Employees get 25 days of paid leave per year [1].")
    tab, _ = begin(browser, talking, chunk(reasoning="Let me look."), 1.0, said, 1.0, *END)
    tab.get_by_text("What the model thought").wait_for(timeout=60_000)
    tab.locator(".answer.writing", has_text="Employees get 25 days").wait_for(timeout=60_000)
    tab.locator("a.cite").first.wait_for(timeout=60_000)  # the verified answer
    tab.get_by_text("What the model thought").first.click()
    tab.locator(".thought", has_text="Let me look.").wait_for()
    tab.context.close()


def test_a_stopped_question_ends_the_models_work(browser, talking):
    tab, model = begin(browser, talking, chunk("Employees "), *["hang"] * 20)
    tab.locator(".answer.writing", has_text="Employees").wait_for(timeout=60_000)
    tab.get_by_test_id("stChatInputStopButton").click()
    assert model.hung_up.wait(20.0)
    tab.context.close()


def test_a_closed_tab_ends_the_models_work(browser, talking):
    tab, model = begin(browser, talking, *["hang"] * 20)
    for _ in range(1200):
        if model.requests:
            break
        tab.wait_for_timeout(50)
    tab.context.close()
    assert model.hung_up.wait(20.0)
