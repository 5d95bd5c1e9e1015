"""Voice in and out by the browser's own speech: used where there is one, and no button where there is none."""

import pytest

from tests.app.browsing import expect, in_browser, page_over, settled, tab_of, violations
from tests.app.looking import DESK, PHONE

pytestmark = in_browser

SPEECH = """
window.said = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, "speechSynthesis", { value: {
  speak: (one) => said.push(one.text), cancel: () => said.push("cancelled") } });
window.webkitSpeechRecognition = window.SpeechRecognition = class {
  start() { this.onresult({ results: [[{ transcript: "how many days of" }], [{ transcript: " paid leave" }]] }); }
  stop() { this.onend(); }
};
"""
NONE = """
for (const name of ["SpeechRecognition", "webkitSpeechRecognition", "SpeechSynthesisUtterance"]) delete window[name];
"""


def test_a_question_is_spoken_and_its_answer_read_aloud(browser, served):
    with page_over(served) as address, tab_of(browser, "about:blank") as tab:
        tab.add_init_script(SPEECH)
        policy = tab.goto(address).headers["permissions-policy"]
        assert "microphone=(self)" in policy
        listen = tab.get_by_role("button", name="Ask by voice")
        listen.click()
        box = tab.get_by_placeholder("Ask about your documents")
        expect(box).to_have_value("how many days of paid leave")
        expect(listen).to_have_attribute("aria-pressed", "true")
        listen.click()
        expect(listen).to_have_attribute("aria-pressed", "false")
        box.press("Enter")
        aloud = tab.get_by_role("button", name="Read aloud")
        aloud.wait_for()
        aloud.click()
        tab.wait_for_function("said.some((text) => text.includes('25 days'))")
        assert not tab.evaluate("said.some((text) => /\\[\\d/.test(text))"), "marks of citations are not read"
        tab.get_by_role("button", name="Stop reading").click()
        tab.get_by_role("button", name="Read aloud").wait_for()
        assert violations(tab) == []


@pytest.mark.parametrize("size", [DESK, PHONE, {"width": 1700, "height": 900}])
def test_the_button_is_below_the_box_and_flush_with_it(browser, served, size):
    with page_over(served) as address, tab_of(browser, "about:blank", viewport=size) as tab:
        tab.add_init_script(SPEECH)
        tab.goto(address)
        settled(tab)
        button = tab.get_by_role("button", name="Ask by voice").bounding_box()
        box = tab.get_by_test_id("stChatInput").bounding_box()
        assert button["x"] + button["width"] == pytest.approx(box["x"] + box["width"], abs=0.5)
        assert box["y"] + box["height"] < button["y"]
        below = tab.locator(".bar-below").bounding_box() if size is PHONE else {"y": size["height"]}
        assert button["y"] + button["height"] <= below["y"]


def test_a_browser_without_speech_has_no_button(browser, served):
    with page_over(served) as address, tab_of(browser, "about:blank") as tab:
        tab.add_init_script(NONE)
        tab.goto(address)
        box = tab.get_by_placeholder("Ask about your documents")
        box.fill("How many days of paid leave do employees get?")
        box.press("Enter")
        tab.get_by_role("button", name="Copy", exact=True).wait_for()
        for name in ("Ask by voice", "Read aloud"):
            expect(tab.get_by_role("button", name=name)).to_have_count(0)
