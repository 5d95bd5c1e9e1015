"""A chat in a real browser, whose answers a language model writes: followed, left, found again, stopped."""

import re
import threading
from contextlib import contextmanager

import pytest

from tests.app.browsing import PALENESS, becomes, expect, in_browser, page_over, settled, tab_of, violations
from tests.chat_server import END, ROLE, chunk, refusal, serving, whole
from tests.copies import copy_of

pytestmark = in_browser
BOX = "Ask about your documents"
QUESTION = "How many days of paid leave do employees get?"
FIRST, REST = "Employees get 25 days ", "of paid leave per year [1]."


@contextmanager
def page_with_model(home, more=""):
    """Serve a page whose answers a language model writes, with more settings, beside the model's server."""
    with serving() as model:
        with (home / "rag.toml").open("a") as settings:
            settings.write(f'[generator]\nname = "tiny"\nbase_url = "{model.address}"\nidle_timeout = 900\n{more}')
        with page_over(home) as running:
            yield running, model


@pytest.fixture(scope="module")
def talking(published, tmp_path_factory):
    """A page whose answers a language model writes, and the model's server."""
    with page_with_model(copy_of(published, tmp_path_factory.mktemp("talking") / "home")) as running:
        yield running


@pytest.fixture
def go(talking):
    """What a model may wait for amid its answer; set at the test's end, so that nothing waits for ever."""
    _, model = talking
    event = threading.Event()
    yield event
    event.set()
    model.script = [[ROLE, *END]]


@contextmanager
def asked(browser, talking, *events):
    """Ask a question that the model answers with these events; what is done meanwhile waits for no run's end."""
    address, model = talking
    model.script, model.requests[:], model.sent_at[:] = [[ROLE, *events]], [], []
    model.hung_up.clear()
    with tab_of(browser, address, amid_runs=True) as tab:
        settled(tab)
        tab.get_by_placeholder(BOX).fill(QUESTION)
        tab.keyboard.press("Enter")
        yield tab, model


def test_text_and_thought_are_shown_while_they_come(browser, talking, go):
    said, more = chunk("Employees get 25 days of paid leave per year [1]."), threading.Event()
    with asked(browser, talking, chunk(reasoning="Let me look."), more, said, go, *END) as (tab, _):
        tab.get_by_text("What the model thought").wait_for()
        more.set()
        tab.locator(".answer.writing", has_text="Employees get 25 days").wait_for()
        go.set()
        tab.locator("a.cite").first.wait_for()  # the verified answer
        settled(tab)
        tab.get_by_text("What the model thought").first.click()
        tab.locator(".thought", has_text="Let me look.").wait_for()


WRITTEN = (
    "Employees get 25 days of paid leave per year [1]. The canteen serves lunch until two [1]. "
    "Employees get 30 days of paid leave per year [1]."
)


def test_each_sentence_shows_what_it_is_and_what_a_source_denies_is_taken_away(browser, talking):
    with asked(browser, talking, chunk(WRITTEN), *END) as (tab, _):
        checks, answer = tab.locator("details.checks summary"), tab.locator(".answer")
        checks.wait_for()
        settled(tab)
        assert checks.inner_text() == "1 quoted 1 not verified 1 contradicted"
        assert "30 days" not in answer.inner_text() and "until two.?" in answer.inner_text()
        assert tab.locator(".notes.away del").inner_text() == "Employees get 30 days of paid leave per year."
        assert tab.locator(".answer .cite.unverified").get_attribute("title").startswith("not verified · ")
        checks.click()
        served = tab.locator("details.checks li", has_text="The canteen serves")
        served.get_by_text("not verified", exact=True).wait_for()
        assert violations(tab) == []


WRITING, WHOLE = ".answer.writing", "a.cite"


def test_an_answer_goes_on_after_a_reload_and_in_a_second_tab(browser, talking, go):
    first = threading.Event()
    with asked(browser, talking, first, chunk(FIRST), go, chunk(REST), *END) as (tab, model):
        tab.wait_for_url("**/?chat=*")
        tab.reload()  # before the first word
        first.set()
        tab.locator(WRITING, has_text="Employees get 25 days").wait_for()
        with tab_of(browser, tab.url) as other:
            other.locator(WRITING, has_text="Employees get 25 days").wait_for()
            go.set()
            for one in (tab, other):
                one.locator(WHOLE).first.wait_for()
                settled(one)
                assert one.locator("h2.question").count() == 1 and "no answer" not in one.locator("body").inner_text()
            assert len(model.requests) == 1 and not model.hung_up.is_set()
            assert other.trouble == [] and violations(other) == []


def test_who_stops_an_answer_stops_it_in_every_tab_and_at_the_model(browser, talking, go):
    with asked(browser, talking, chunk("Employees "), go) as (tab, model):
        tab.locator(WRITING, has_text="Employees").wait_for()
        with tab_of(browser, tab.url) as other:
            other.locator(WRITING, has_text="Employees").wait_for()
            tab.get_by_role("button", name="Stop", exact=True).click()
            for one in (tab, other):
                one.get_by_text("Stopped. This text was not checked").wait_for()
                expect(one.locator(".answer")).to_have_text("Employees")
            assert other.trouble == []
        assert model.hung_up.wait(60.0)
        tab.reload()
        tab.get_by_text("Stopped. This text was not checked").wait_for()  # what was written is kept


def test_a_question_stopped_before_a_word_and_one_that_fails_can_both_be_asked_again(browser, talking, go):
    with asked(browser, talking, go) as (tab, model):
        tab.get_by_role("button", name="Stop", exact=True).click()
        tab.get_by_text("stopped before anything was written").wait_for()
        settled(tab)
        model.script = [refusal(500, "the model is down")]
        box = tab.get_by_placeholder(BOX)
        box.fill("When does the office open?")
        tab.keyboard.press("Enter")
        tab.get_by_text("tiny could not answer").wait_for()
        tab.reload()
        tab.get_by_text("tiny could not answer").wait_for()
        expect(tab.get_by_role("button", name="Try again")).to_have_count(2)
        settled(tab)
        assert tab.locator("[data-testid=stException], .unexpected").count() == 0


def sent_frames(tab):
    """Return what a tab says to its server, once it is loaded, as it says it."""
    frames = []

    def heard(sent):
        frames.append(sent)

    tab.on("websocket", lambda line: line.on("framesent", heard))
    return frames


def share(tab):
    tab.get_by_role("button", name="Share").click()
    return tab.get_by_role("dialog").get_by_role("combobox")


def judge_bad(tab):
    tab.locator("[class*=st-key-judge-] button").nth(1).click()
    return tab.get_by_role("dialog").get_by_label("What would be right?")


@pytest.mark.parametrize("opening", [share, judge_bad])
def test_nothing_closes_a_dialog_when_what_was_looked_for_is_found(browser, home, go, opening):
    def later(request):
        """Suggest nothing before the dialog is open."""
        go.wait(120.0)
        return [ROLE, chunk("None."), *END] if request.get("stream") else whole("None.")

    suggesting = '[answer]\nsuggestions = "llm"\nsearch_seconds = 900\n'
    with page_with_model(home, suggesting) as (address, model), tab_of(browser, address) as tab:
        model.script = [[ROLE, chunk(FIRST + REST), *END], later]
        frames = sent_frames(tab)
        tab.reload()
        tab.get_by_placeholder(BOX).fill(QUESTION)
        tab.keyboard.press("Enter")
        tab.locator(WHOLE).first.wait_for()
        box = opening(tab)
        box.press_sequentially("26 since May")
        following = tab.get_by_text("Ask next")
        assert not following.is_visible()
        go.set()
        asked = len(frames) + 15
        while len(frames) < asked and not following.is_visible():
            tab.wait_for_timeout(100)
        assert not following.is_visible(), "the view was run again, which closes the dialog"
        expect(box).to_have_value("26 since May")
        tab.get_by_test_id("stDialog").get_by_label("Close").click()
        following.wait_for()


AFTER = "When does the office open?"
LONG = [chunk(f"Employees get 25 days of paid leave per year, as number {place} says [1].\n\n") for place in range(60)]


def understood(question):
    """What the model says first of a question that follows others: what it means by itself."""
    return [ROLE, chunk(question), *END]


def reads_from(tab, question):
    """Return whether a question stands whole in the window, below the navigation."""
    return tab.locator("h2.question", has_text=question).evaluate(
        "(one) => { const at = one.getBoundingClientRect(); return at.top >= 0 && at.bottom <= innerHeight; }"
    )


def test_a_long_answer_is_read_from_its_beginning_while_it_comes_and_when_it_is_whole(browser, talking, go):
    with asked(browser, talking, *LONG[:40], go, *LONG[40:], *END) as (tab, _):
        for question in (QUESTION, AFTER):
            tab.locator(WRITING, has_text="number 39 says").wait_for()
            becomes(tab, lambda asked=question: reads_from(tab, asked))
            go.set()
            tab.locator("details.trace:not(.live)").nth(0 if question == QUESTION else 1).wait_for()
            settled(tab)
            tab.get_by_text("Ask next").wait_for()  # the last that comes
            assert tab.locator(".answer").last.bounding_box()["height"] > 1500
            becomes(tab, lambda asked=question: reads_from(tab, asked))
            if question == QUESTION:
                go.clear()
                tab.get_by_placeholder(BOX).fill(AFTER)
                tab.keyboard.press("Enter")


def test_what_could_be_asked_next_goes_when_a_question_runs(browser, talking, go):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, model):
        following = tab.get_by_text("Ask next")
        following.wait_for()
        settled(tab)
        model.script = [understood(AFTER), [ROLE, chunk(FIRST), go, chunk(REST), *END]]
        tab.get_by_placeholder(BOX).fill(AFTER)
        tab.keyboard.press("Enter")
        tab.locator(WRITING, has_text="Employees get 25 days").wait_for()
        expect(following).to_be_hidden()
        go.set()
        following.wait_for()


def test_who_has_pressed_a_question_can_type_the_next_one(browser, talking):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, _):
        tab.get_by_text("Ask next").wait_for()
        settled(tab)
        tab.locator(".st-key-next button").first.click()
        expect(tab.locator("h2.question")).to_have_count(2)
        expect(tab.get_by_placeholder(BOX)).to_be_focused()


def test_the_box_gets_the_focus_also_when_what_was_pressed_goes_late(browser, talking):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, _):
        tab.get_by_text("Ask next").wait_for()
        settled(tab)
        tab.evaluate("""() => {
          document.body.insertAdjacentHTML("beforeend", "<button id=late>Late</button>");
          document.getElementById("late").focus();
          document.querySelector(".st-key-next button").click();
        }""")
        expect(tab.locator(WHOLE)).to_have_count(2)
        settled(tab)
        tab.evaluate("new Promise((then) => setTimeout(then, 900))")  # it was looked at some times meanwhile
        tab.evaluate("document.getElementById('late').remove()")
        expect(tab.get_by_placeholder(BOX)).to_be_focused()


def test_nothing_turns_grey_while_an_answer_is_written(browser, talking, go):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, model):
        tab.locator(WHOLE).first.wait_for()
        settled(tab)
        tab.evaluate(PALENESS)
        model.script = [understood(AFTER), [ROLE, chunk(FIRST), go, chunk(REST), *END]]
        tab.get_by_placeholder(BOX).fill(AFTER)
        tab.keyboard.press("Enter")
        tab.locator(WRITING, has_text="Employees get 25 days").wait_for()
        tab.wait_for_function("window.stale > 0")
        go.set()
        expect(tab.locator(WHOLE)).to_have_count(2)
        assert tab.evaluate("window.palest") == 1


CITING = "Employees get 25 days of paid leave per year [1]. " + " ".join(
    f"There are further rules [{n}]." for n in (2, 3, 4)
)


def test_passages_of_one_document_are_one_card_that_unfolds_and_opens_beside_the_chat(browser, talking):
    with asked(browser, talking, chunk(CITING), *END) as (tab, _):
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.locator(WHOLE).first.wait_for()
        settled(tab)
        folded, cards = tab.locator(".cards details"), tab.locator(".cards > a.card")
        documents = cards.evaluate_all("(all) => all.map((one) => new URL(one.href).searchParams.get('doc'))")
        assert len(documents) == len({*documents}) and folded.count() >= 1
        more = folded.locator("a.card").first
        expect(more).to_be_hidden()
        folded.locator("summary").first.click()
        assert f"doc={documents[0]}&" in more.get_attribute("href")
        more.click()
        source = tab.get_by_role("complementary", name="The source")
        source.frame_locator("iframe").locator("mark#cited").wait_for()
        expect(tab).to_have_url(re.compile(r"/\?chat="))
        assert tab.locator(".answer").is_visible()
        assert source.bounding_box()["x"] >= tab.locator(".answer").bounding_box()["x"] + 200
        tab.set_viewport_size({"width": 700, "height": 800})  # there is no room for both any more
        settled(tab)
        at = source.bounding_box()
        assert (at["x"], at["width"]) == (0, 700)


@pytest.mark.parametrize("viewport", [{"width": 1100, "height": 800}, {"width": 390, "height": 844}])
def test_what_helps_stands_below_what_went_wrong_and_covers_none_of_it(browser, talking, viewport):
    address, model = talking
    model.script = [refusal(500, "the model is down")]
    with tab_of(browser, address, viewport=viewport) as tab:
        tab.get_by_placeholder(BOX).fill(QUESTION)
        tab.get_by_placeholder(BOX).press("Enter")
        wrong = tab.locator(".notes.failed", has_text="tiny could not answer")
        wrong.locator("summary").click()
        told, helps = wrong.locator("p").first, wrong.locator("details.help")
        settled(tab)
        expect(helps).to_have_attribute("open", "")
        assert helps.bounding_box()["y"] >= told.bounding_box()["y"] + told.bounding_box()["height"]
        tab.wait_for_function(  # the chat may scroll yet to its end
            """(told) => {
                told.scrollIntoView({block: "center"});
                const at = told.getBoundingClientRect();
                return told.contains(document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2));
            }""",
            arg=told.element_handle(),
        )


def ask_next(tab, model, go):
    """Ask another question, whose answer is held amid it; every other one is answered at once."""

    def met(request):
        told = request["messages"][-1]["content"]
        if f"\nQuestion: {AFTER}" in told:
            return [ROLE, chunk("The office opens "), go, chunk("at eight in the morning [1]."), *END]
        if "\nQuestion: " in told:
            return [ROLE, chunk(FIRST + REST), *END]
        said = (
            told.rpartition("The last question: ")[2] if "The last question: " in told else "None."
        )  # what it means, and what to ask next
        return [ROLE, chunk(said), *END] if request.get("stream") else whole(said)

    model.script = [met]
    tab.get_by_placeholder(BOX).fill(AFTER)
    tab.keyboard.press("Enter")


def test_a_dialog_opens_at_once_beside_an_answer_that_is_written_and_outlives_its_end(browser, talking, go):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, model):
        tab.locator(WHOLE).first.wait_for()
        settled(tab)
        ask_next(tab, model, go)
        writing = tab.locator(WRITING, has_text="The office opens")
        writing.wait_for()
        tab.get_by_placeholder(BOX).fill(QUESTION)
        tab.keyboard.press("Enter")
        tab.get_by_text("Your question is answered after this one").wait_for()
        box = judge_bad(tab)
        box.fill("26 since May")
        assert writing.is_visible() and not go.is_set()
        go.set()
        tab.locator(WRITING, has_text="eight in the morning").wait_for()
        expect(box).to_have_value("26 since May")
        tab.keyboard.press("Escape")
        expect(tab.locator("h2.question")).to_have_count(3)  # what was asked meanwhile waited
        expect(tab.locator(".answer:not(.writing)")).to_have_count(3)


def test_a_bad_answer_is_told_while_the_next_one_is_written(browser, talking, go):
    with asked(browser, talking, chunk(FIRST + REST), *END) as (tab, model):
        tab.locator(WHOLE).first.wait_for()
        settled(tab)
        ask_next(tab, model, go)
        tab.locator(WRITING, has_text="The office opens").wait_for()
        judge_bad(tab).fill("26 since May")
        tab.get_by_role("button", name="Send", exact=True).click()
        tab.get_by_text("The editors will see it").wait_for()
        tab.locator(WRITING, has_text="The office opens").wait_for()
        go.set()
        tab.locator(WHOLE).nth(1).wait_for()
