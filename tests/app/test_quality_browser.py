"""Quality and Operate in a real browser: every part without trouble, also on a phone; and what can be done there."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.figures import short
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import becomes, expect, in_browser, page_over, settled, tab_of, violations
from tests.app.judged import write_judged
from tests.copies import copy_of

pytestmark = in_browser
PARTS = [
    *(
        f"/quality?part={part}"
        for part in ("overview", "versions", "questions", "proposed", "feedback", "report", "compare", "edit")
    ),
    *(f"/operate?part={part}" for part in ("now", "sources", "asked", "holding", "costs")),
]
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
SIDEWAYS = (
    "() => { const main = document.querySelector('[data-testid=stMain]'); return main.scrollWidth - main.clientWidth }"
)


@pytest.fixture(scope="module")
def judged(tmp_path_factory, published, embedder):
    """The folder of a workspace of two judged versions, some of whose questions found no answer, and their ids."""
    home = copy_of(published, tmp_path_factory.mktemp("judged") / "home")
    versions = write_judged(home, embedder)
    workspace = open_workspace(home)
    workspace.embedder = embedder
    for question in ("How far is the sun?", "what is the distance to the sun?", "When does the office open?"):
        answer = workspace.answerer.ask(question)
    workspace.feedback.give(answer.receipt_id, good=False, comment="<script>alert(1)</script>", reason="wrong")
    return home, versions


@pytest.fixture(scope="module")
def address(judged):
    with page_over(judged[0]) as running:
        yield running


def test_every_part_is_shown_without_trouble_in_the_dark_on_a_phone(browser, address, judged):
    with tab_of(browser, address, **PHONE) as tab:
        for part in PARTS:
            tab.goto(f"{address}{part}&version={judged[1][1]}")
            settled(tab)
            assert violations(tab) == [], part
            assert tab.evaluate(SIDEWAYS) <= 0, part
            assert tab.trouble == [], part


def test_a_chart_tells_its_numbers_and_a_table_has_them(browser, address):
    with tab_of(browser, f"{address}/quality") as tab:
        settled(tab)
        for version in ("v2", "v3"):
            tab.locator(f"[data-testid=stVegaLiteChart] [aria-label^='{version}: ']").first.wait_for()
        tab.get_by_text("evaluations as a table").click()
        tab.locator("table.figures").first.locator("tbody tr").nth(1).wait_for()
        tab.get_by_text("When does the office open?").click()
        tab.get_by_text("v3 found").wait_for()
        tab.locator(".rankings ol li").nth(1).wait_for()
        assert tab.trouble == [] and violations(tab) == []


def test_publishing_a_refused_version_and_rolling_back(browser, address, judged):
    home, (first, second) = judged
    with tab_of(browser, f"{address}/quality?part=versions") as tab:
        settled(tab)
        tab.get_by_role("button", name="Publish …").first.click()
        dialog = tab.get_by_role("dialog")
        dialog.get_by_text("Override the gate").click()
        now = dialog.get_by_role("button", name="Publish", exact=True)
        now.click()
        dialog.get_by_text("Say why").wait_for()
        dialog.get_by_label("The reason, for the log").fill("the office moved")
        assert violations(tab) == []
        now.click()
        tab.get_by_text(f"{second} is live").first.wait_for()
        tab.get_by_text("is live although the gate refused it").wait_for()
        tab.locator(f".st-key-version-{first}").get_by_role("button", name="Roll back").click()
        dialog.get_by_label("The reason, for the log").fill("it did not")
        dialog.get_by_role("button", name="Roll back", exact=True).click()
        tab.get_by_text(f"{first} is live").first.wait_for()
        tab.get_by_text("Nothing is published by itself since").wait_for()
        tab.locator(f".st-key-version-{second}").get_by_role("button", name="Publish it again").wait_for()
        assert tab.trouble == []
    moves = open_workspace(home).versions.moves()[-2:]
    assert [(move["version"], move["kind"]) for move in moves] == [(second, "promote"), (first, "rollback")]
    assert "the office moved (although the gate" in moves[0]["why"] and moves[1]["why"] == "it did not"


VIEWS = (
    "/quality?part=overview",
    "/quality?part=versions",
    "/operate?part=now",
    "/operate?part=sources",
    "/collections?source=handbook",
)


def told(tab, address, view, words):
    """Return what a view says as soon as it says these words."""
    tab.goto(f"{address}{view}")
    tab.get_by_text(words).first.wait_for()
    settled(tab)
    return tab.get_by_test_id("stMain").inner_text()


def test_every_view_tells_one_truth_of_a_version_that_was_published_although_refused(
    browser, published, embedder, tmp_path
):
    home = copy_of(published, tmp_path / "home")
    first, second = write_judged(home, embedder)
    versions = open_workspace(home).versions
    with page_over(home) as address, tab_of(browser, address) as tab:
        for view in VIEWS:
            if "versions" not in view:  # which has it beside the version
                said = told(tab, address, view, "Not published: ")
                assert "is live although" not in said and "as they should be" not in said, view
        versions.promote(second, "the office moved", who="user:ilse")
        for view in VIEWS:
            said = told(tab, address, view, f"{short(second)} is live although the gate refused it")
            assert "Not published" not in said and "as they should be" not in said and "asset check" not in said, view
        versions.rollback(first, why="it did not", who="user:ilse")
        for view in VIEWS:
            told(tab, address, view, f"rolled back to {short(first)}")
        tab.goto(f"{address}/quality?part=versions")
        newest = tab.locator(f".st-key-version-{second}")
        newest.get_by_role("button", name="Publish it again").wait_for()  # forward, though it was live before
        expect(newest.get_by_role("button", name="Roll back to it")).to_have_count(0)
        assert tab.trouble == []


def test_what_only_a_version_of_before_has_is_told_as_cited_after_a_rollback(browser, published, embedder, tmp_path):
    home = copy_of(published, tmp_path / "home")
    (home / "ferry").mkdir()
    (home / "ferry" / "times.md").write_text("# Ferry\n\nThe ferry to Aldern leaves the harbour at half past six.\n")
    with (home / "rag.toml").open("a") as settings:
        settings.write('[[sources]]\nid = "ferry"\nkind = "folder"\npath = "ferry"\nmin_words = 1\n')
    workspace = open_workspace(home)
    workspace.embedder, before, pipeline = embedder, workspace.versions.live_id(), Pipeline(workspace)
    pipeline.sync_source("ferry")
    workspace.versions.promote(pipeline.build().version, "it sails")
    with ThreadPoolExecutor(1) as beside:  # the browser's event loop runs in this thread
        answer = beside.submit(workspace.answerer.ask, "When does the ferry to Aldern leave?").result()
    [cited] = {one.doc_id for one in answer.citations}
    workspace.versions.rollback(before, why="it does not")
    with page_over(home) as address, tab_of(browser, f"{address}/collections?source=ferry") as tab:
        tab.get_by_role("button", name="Delete").click()
        dialog = tab.get_by_role("dialog")
        dialog.get_by_text("One past answer cites it").wait_for()
        dialog.get_by_text("Nothing of it is in the index").wait_for()
        tab.goto(f"{address}/document?doc={cited}&tab=cited")
        tab.get_by_text("When does the ferry to Aldern leave?").wait_for()
        assert tab.trouble == []


def test_a_question_is_written_with_a_quote_that_was_picked(browser, address, judged):
    with tab_of(browser, f"{address}/quality?part=edit&id=") as tab:
        settled(tab)
        tab.get_by_label("What people ask").fill("How long may a sabbatical be?")
        tab.get_by_label("Search for the passage that answers it").fill("sabbatical after seven years")
        tab.keyboard.press("Enter")
        sentences = tab.get_by_role("radiogroup", name="Pick the sentence that answers")  # passages hold it too
        sentences.get_by_text("After seven years of service").click()
        sentences.locator("label:has(input:checked)", has_text="After seven years of service").wait_for()
        settled(tab)
        tab.get_by_role("button", name="Use this quote").click()
        tab.get_by_role("button", name="Remove place 1").wait_for()
        tab.get_by_role("button", name="Save").click()
        tab.get_by_text("Saved. The next evaluation asks it.").wait_for()
        assert tab.trouble == []
    row = json.loads((judged[0] / "questions" / "page.jsonl").read_text())
    assert row["relevant"][0]["quote"].startswith("After seven years")


def test_an_unanswered_question_is_proposed(browser, address, judged):
    with tab_of(browser, f"{address}/operate?part=asked") as tab:
        settled(tab)
        tab.locator("[data-testid=stVegaLiteChart] [aria-label]").first.wait_for()  # it folds what is below it
        tab.get_by_text("the sun?").first.click()
        tab.get_by_role("button", name="Propose as evaluation question").click()
        tab.get_by_text("Editors find it under Quality").wait_for()
        tab.goto(f"{address}/quality?part=proposed")
        tab.get_by_text("The documents do answer it").wait_for()
        expect(tab.get_by_text("<script>alert(1)</script>")).to_have_count(1)
        assert tab.trouble == []


def test_a_bad_answer_becomes_a_question_of_the_gate_by_a_click(browser, address, judged):
    with tab_of(browser, f"{address}/quality?part=feedback") as tab:
        tab.get_by_text("Questions with bad answers").wait_for()
        tab.get_by_text("When does the office open?").first.click()
        tab.get_by_role("button", name="Make it a question of the gate").click()
        said = tab.get_by_test_id("stToast")
        said.wait_for()
        rows = judged[0] / "questions" / "feedback.jsonl"
        becomes(tab, lambda: rows.exists() and "When does the office open?" in rows.read_text())
        said.wait_for(state="detached")  # it goes by itself after four seconds
        assert violations(tab) == []
