"""The page in a real browser: ask, open a citation, read the quote."""

import re

import pytest

from rag_platform.workspace import open_workspace
from tests.app.browsing import becomes, expect, fits, in_browser, page_over, settled, tab_of, violations, visitor_of

pytestmark = in_browser


@pytest.fixture(scope="module")
def address(served):
    """The address of a page over the published workspace."""
    with page_over(served) as running:
        yield running


@pytest.fixture
def tab(browser, address):
    """A tab that notes console errors and requests to other hosts."""
    with tab_of(browser, address) as page:
        yield page


def ask(tab, question):
    tab.get_by_placeholder("Ask about your documents").fill(question)
    tab.keyboard.press("Enter")
    tab.locator("a.cite").first.wait_for()


def test_a_citation_leads_to_its_quote_highlighted_in_the_document(tab):
    ask(tab, "After how many years may an employee take a sabbatical?")
    tab.locator("a.cite").first.click()
    quote = tab.locator("mark#cited")
    quote.wait_for()
    expect(quote).to_have_text("After seven years of service an employee may take a sabbatical of three months.")
    assert "/document?doc=" in tab.url and "start=" in tab.url
    tab.wait_for_function(  # it was far below the fold
        "() => { const at = document.querySelector('#cited').getBoundingClientRect();"
        " return at.top > 0 && at.bottom < innerHeight }"
    )
    tab.go_back()
    tab.locator("a.cite").first.wait_for()  # the chat is where it was left
    assert tab.trouble == []


def test_a_link_that_is_followed_while_the_view_before_is_drawn_leads_back_to_it(browser, address):
    held, holding = [], False

    def through(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: held.append((socket, message)) if holding else socket.send(message))

    with visitor_of(browser) as visitor:
        tab = visitor.new_page()
        tab.route_web_socket(re.compile("/_stcore/stream"), through)
        tab.goto(address)
        ask(tab, "How many days of paid leave do employees get?")
        settled(tab)
        chat = tab.url
        holding = True
        tab.locator("[class*=st-key-judge-] button").first.click()  # the chat is drawn anew, on a slow line
        becomes(tab, lambda: held)
        tab.locator("a.cite").first.click()
        holding = False
        for socket, message in held:
            socket.send(message)
        tab.locator("mark#cited").wait_for()
        tab.go_back()
        tab.locator("a.cite").first.wait_for()
        assert tab.url == chat


def test_the_address_of_a_passage_can_be_shared(tab, browser, address):
    ask(tab, "How many days of paid leave do employees get?")
    tab.locator("a.card").first.click()
    tab.locator("mark#cited").wait_for()
    with visitor_of(browser) as visitor:
        elsewhere = visitor.new_page()
        elsewhere.goto(tab.url)
        elsewhere.locator("mark#cited").wait_for()
        expect(elsewhere.locator("mark#cited")).to_contain_text("25 days")
        assert elsewhere.title() != "owned"
    assert tab.trouble == []


def test_a_chat_understands_what_follows_and_another_visitor_sees_nothing_of_it(tab, browser, address):
    ask(tab, "How many days of paid leave do employees get?")
    tab.get_by_placeholder("Ask about your documents").fill("And when do they expire?")
    tab.keyboard.press("Enter")
    tab.locator("details.trace summary").nth(1).click()
    tab.get_by_text("And when do they expire? days paid leave employees").first.wait_for(state="attached")
    # the search is shown before its answer, and that sentence by sentence
    tab.locator(".answer").nth(1).filter(has_text="31 March").wait_for()
    assert tab.trouble == []
    with tab_of(browser, address) as other:
        other.locator(".hero").wait_for()
        settled(other)
        assert other.locator(".answer").count() == 0


def test_what_the_documents_do_not_say_leads_to_where_it_is_added_and_back(tab):
    tab.get_by_placeholder("Ask about your documents").fill("Who won the football cup in 1954?")
    tab.keyboard.press("Enter")
    tab.get_by_text("Add the missing document").click()
    tab.get_by_text("The documents do not answer").wait_for()
    expect(tab.locator(".notes q")).to_contain_text("Who won the football cup in 1954?")
    assert violations(tab) == []
    tab.get_by_text("Back to the chat").click()
    tab.get_by_text("Searched all 2 documents that you may read").wait_for()
    assert tab.trouble == []


def test_a_phone_shows_the_answer_without_scrolling_sideways(tab):
    tab.set_viewport_size({"width": 380, "height": 760})
    ask(tab, "How many days of paid leave do employees get?")
    assert fits(tab)


def test_a_judged_answer_a_shared_and_a_deleted_chat(browser, address, served):
    with tab_of(browser, address, permissions=["clipboard-read", "clipboard-write"]) as tab:
        ask(tab, "How many days of paid leave do employees get?")
        tab.get_by_role("button", name="Copy").click()
        tab.get_by_role("button", name="Copied").wait_for()
        assert "1. Leave policy (" in tab.evaluate("navigator.clipboard.readText()")
        tab.locator("[class*=st-key-judge-] button").nth(1).click()
        tab.get_by_text("It is out of date").click()
        tab.get_by_label("What would be right?").fill("26 since May")
        assert violations(tab) == []
        tab.get_by_role("button", name="Send", exact=True).click()
        tab.get_by_text("The editors will see it").wait_for()
        proposal = open_workspace(served).proposals.list()[0]
        assert (proposal.reason, proposal.comment) == ("outdated", "26 since May")
        tab.get_by_role("button", name="Share").click()
        tab.get_by_role("button", name="Make a link").click()
        shown = tab.locator('[data-testid="stDialog"] code')
        expect(shown).to_contain_text("?shared=")
        link = shown.inner_text()
        assert link.startswith(address) and "?shared=" in link
        with tab_of(browser, link) as other:
            other.get_by_text("was shared with you").wait_for()
            expect(other.locator(".answer")).to_contain_text("25 days")
            assert other.trouble == []
            assert violations(other) == []
        tab.keyboard.press("Escape")
        with tab.expect_download() as download:
            tab.get_by_role("button", name="Export").click()
            tab.get_by_role("button", name="Markdown").click()
        assert "25 days" in download.value.path().read_text()
        chat = re.search("chat=(.*)", tab.url)[1]
        tab.get_by_role("button", name="More").click()
        tab.get_by_role("button", name="Delete").click()
        tab.locator(".hero").wait_for()
        said = tab.locator(f'nav.chats a[href$="{chat}"]')
        expect(said).to_have_count(0)
        assert legible(tab.locator(".st-key-leaving [role=status]"))
        tab.get_by_role("button", name="Undo").click()
        expect(said).to_have_count(1)  # it is where it was
        said.click()
        tab.get_by_role("button", name="More").click()
        tab.get_by_role("button", name="Delete").click()
        tab.get_by_role("button", name="Undo").wait_for()
        assert violations(tab) == []
        expect(tab.get_by_role("button", name="Undo")).to_have_count(0)
        becomes(tab, lambda: open_workspace(served).chats.find(chat) is None)
        expect(tab.locator("nav.chats a[aria-current]")).to_have_count(0)
        assert tab.trouble == []


def legible(text):
    """Return whether a text is not of the colour of its ground: of what lies above all else axe cannot tell."""
    return text.evaluate(
        """(text) => {
          const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
          let ground = text;
          while (/, 0\\)$|^transparent$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
          const [own, behind] = [getComputedStyle(text).color, getComputedStyle(ground).backgroundColor];
          return Math.abs(light(own) - light(behind)) > 380;
        }"""
    )


def test_a_question_that_was_typed_outlives_a_reload_and_is_forgotten_when_asked(tab):
    box = tab.get_by_placeholder("Ask about your documents")
    box.press_sequentially("How many days of paid leave")
    tab.reload()
    tab.wait_for_function("document.querySelector('[data-testid=stChatInputTextArea]')?.value.endsWith('leave')")
    ask(tab, "How many days of paid leave do employees get?")
    tab.wait_for_function("sessionStorage.getItem('question') === null")
    assert tab.trouble == []


@pytest.mark.parametrize("context", [{"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}}])
def test_a_chat_holds_for_everyone_and_shows_its_end_however_long_it_is(browser, address, served, context):
    workspace = open_workspace(served)
    answer = workspace.answerer.ask("How many days of paid leave do employees get?")
    receipt = workspace.journal.record(answer, mode="rerank")
    chat = workspace.chats.begin("Two hundred questions")
    for number in range(200):
        workspace.chats.say(chat, "user", f"Question {number}?")
        workspace.chats.say(chat, "assistant", answer.answer, receipt)
    with tab_of(browser, f"{address}/?chat={chat}", **context) as tab:
        tab.get_by_text("Question 199?").wait_for()
        tab.locator("a.card").last.wait_for()
        assert violations(tab) == [] and tab.trouble == []
        assert fits(tab)
        expect(tab.locator("h2.question")).to_have_count(10)
    workspace.chats.delete(chat)


def test_the_navigation_stands_still_and_each_view_names_its_tab(tab, address):
    def place():
        return tab.get_by_test_id("stHeader").get_by_role("link", name="Quality").bounding_box()["x"]

    tab.locator(".hero").wait_for()
    settled(tab)
    tab.evaluate("document.fonts.ready")  # each font moves what comes after its words
    asking, titles = place(), [tab.title()]
    for view in ("Search", "Collections"):
        tab.get_by_test_id("stHeader").get_by_role("link", name=view).click()
        tab.wait_for_function(f"document.title.startsWith('{view}')")
        settled(tab)
        assert place() == asking
        titles.append(tab.title())
    assert titles == [f"{view} · Ask your documents" for view in ("Ask", "Search", "Collections")]
    assert tab.trouble == []


def test_on_a_phone_the_views_stand_below_and_nothing_is_behind_them(browser, address):
    with tab_of(browser, f"{address}/collections", viewport={"width": 390, "height": 844}) as tab:
        below = tab.get_by_role("navigation", name="Views")
        below.get_by_role("link", name="Ask").click()
        tab.locator(".hero").wait_for()
        expect(below.locator("[aria-current]")).to_have_text(re.compile("Ask$"))
        settled(tab)
        box = tab.get_by_test_id("stChatInput").bounding_box()
        assert box["y"] + box["height"] <= below.bounding_box()["y"]
        assert fits(tab) and violations(tab) == [] and tab.trouble == []


def test_a_source_opens_beside_the_chat_and_escape_leads_back_to_its_mark(browser, address):
    with tab_of(browser, address, viewport={"width": 1280, "height": 800}) as tab:
        tab.wait_for_function(
            "document.activeElement?.dataset.testid === 'stChatInputTextArea'"
        )  # one can type at once
        tab.keyboard.type("After how many years may an employee take a sabbatical?")
        tab.keyboard.press("Enter")
        mark = tab.locator("a.cite").first
        mark.click()
        beside = tab.get_by_role("complementary", name="The source")
        shown = beside.frame_locator("iframe")
        shown.locator("mark#cited", has_text="three months").wait_for()
        expect(tab).to_have_url(re.compile(r"/\?chat="))
        assert mark.is_visible() and not shown.locator(".bar-below").is_visible()
        assert violations(tab) == []
        mark.evaluate("(mark) => mark.replaceWith(mark.cloneNode(true))")  # as by a run that draws the answer anew
        tab.keyboard.press("Escape")
        beside.wait_for(state="detached")
        expect(mark).to_be_focused()
        assert tab.trouble == []


def test_text_runs_as_its_words_do(tab):
    tab.get_by_placeholder("Ask about your documents").fill(
        "כמה ימי חופשה (בשנה)?\nHow many days of paid leave do employees get?"
    )
    tab.keyboard.press("Enter")
    question = tab.locator("h2.question")
    question.wait_for()
    right = question.evaluate(
        """(question) => {
            const text = [...question.childNodes].at(-1), range = document.createRange();
            range.setStart(text, text.data.indexOf("כ")), range.setEnd(text, text.data.indexOf("כ") + 1);
            return question.getBoundingClientRect().right - range.getBoundingClientRect().right;
        }"""
    )
    assert 0 <= right < 30, "a Hebrew line begins at the right"


def test_the_page_speaks_the_language_of_the_browser(browser, address):
    with tab_of(browser, address, locale="de-AT") as page:
        page.get_by_text("Diese Oberfläche wurde maschinell übersetzt").wait_for()
        settled(page)
        expect(page.locator("html")).to_have_attribute("lang", "de")
        expect(page.get_by_role("link", name="Suchen")).to_be_visible()
        assert page.trouble == []
