"""A first visit: what this is, and three questions that were checked when the version was evaluated."""

import os
import re
import subprocess
import sys

import pytest

from rag_platform.workspace import open_workspace
from tests.app.browsing import expect, in_browser, page_over, settled, tab_of
from tests.app.first_minutes import empty_workspace
from tests.app.judged import write_judged
from tests.copies import copy_of

pytestmark = in_browser
SETTINGS = re.compile(r"toml|\[\[?\w+\]|=\s*\"")
"""Words of the settings, which nobody who comes to ask should need."""


@pytest.fixture(scope="module")
def judged(published, tmp_path_factory, embedder):
    """A workspace whose versions were put to questions of people."""
    home = copy_of(published, tmp_path_factory.mktemp("judged") / "home")
    (home / "docs" / "weirs.md").write_text("# Weirs\n\nA weir is a low dam across a river.\n")
    write_judged(home, embedder)
    return home


def test_a_first_visit_says_what_this_is_and_offers_three_questions_that_were_checked(browser, judged):
    workspace = open_workspace(judged)
    checked = workspace.versions.manifest(workspace.versions.live_id())["scores"]["examples"]
    offered = [one["question"] for one in checked]
    with page_over(judged) as address, tab_of(browser, address) as tab:
        tab.get_by_role("heading", name="Ask your documents").wait_for()
        buttons = tab.locator(".st-key-examples button")
        expect(buttons).to_have_count(3)
        settled(tab)
        assert {one.strip().split("\n")[-1] for one in buttons.all_inner_texts()} <= {*offered}
        shown = tab.locator(".stApp").inner_text()
        assert "every sentence leads to the passage it rests on" in " ".join(shown.split())
        assert not SETTINGS.search(shown)
        buttons.first.click()
        tab.locator("a.cite").first.wait_for()
        assert tab.trouble == []


def test_an_empty_workspace_leads_to_documents_without_its_settings(browser, tmp_path, model_folder):
    with page_over(empty_workspace(tmp_path)) as address, tab_of(browser, address) as tab:
        tab.get_by_role("heading", name="Nothing to ask yet").wait_for()
        settled(tab)
        assert tab.locator(".steps > ol > li").count() == 3
        assert not SETTINGS.search(tab.locator(".stApp").inner_text())
        assert tab.trouble == []


def test_the_scripts_of_other_views_are_there_before_somebody_goes_to_one(browser, judged):
    with page_over(judged) as address, tab_of(browser, address) as tab:
        settled(tab)
        tab.wait_for_function("performance.getEntriesByType('resource').some((one) => one.name.includes('Selectbox'))")
        settled(tab)
        begun = tab.evaluate("performance.now()")
        tab.get_by_role("link", name="Quality").first.click()
        tab.get_by_role("heading", name="Quality").wait_for()
        settled(tab)
        late = """(begun) => performance.getEntriesByType("resource")
            .filter((one) => one.startTime > begun && /Selectbox|ButtonGroup/.test(one.name)).map((one) => one.name)"""
        assert tab.evaluate(late, begun) == []  # those of charts come when one is drawn


PREPARED = """
import sys
from app import frame, serve
from rag_platform.documents.sandbox.process import held_here
serve._prepare()
assert "pandas" in sys.modules and "app.quality.overview" in sys.modules
assert "embedder" in vars(frame.workspace()) and held_here.cache_info().currsize == 1
"""


def test_a_server_has_what_the_first_visitor_would_wait_for(judged):
    command = [sys.executable, "-W", "ignore", "-c", PREPARED]
    done = subprocess.run(
        command, env=os.environ | {"RAG_HOME": str(judged)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
