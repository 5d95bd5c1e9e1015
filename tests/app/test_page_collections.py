"""Collections on the page: the view's logic, and the whole way in a real browser."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from app import frame
from app.uploads import file_html, progress_text, result_html
from rag_platform.parts import open_workspace
from rag_platform.uploads.status import FileStatus
from tests.app.browsing import CHROMIUM, FLAGS, ROOT, page_over

UPLOADS = '[[sources]]\nid = "uploads"\nkind = "upload"\n'


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """A workspace with uploads, and what shows the view over it."""
    (tmp_path / "rag.toml").write_text(UPLOADS)
    workspace = open_workspace(tmp_path)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)

    def view(**query):
        test = AppTest.from_file(ROOT / "app" / "main.py", default_timeout=60)
        test.query_params.update(query)
        return test.switch_page("views/collections.py").run()

    return workspace, view


def html(test):
    return "\n".join(element.proto.body for element in test.get("html"))


def test_the_view_teaches_until_there_is_a_collection(opened):
    workspace, view = opened
    test = view()
    assert not test.exception and "Put your own material here" in html(test)
    workspace.collections().create("Physics <b>", description="Hand<i>outs", language="de")
    shown = html(view())
    assert "Physics &lt;b&gt;" in shown and "Hand&lt;i&gt;outs" in shown and "0 files · German" in shown


def test_without_a_source_for_them_the_view_says_what_to_add(tmp_path, monkeypatch, opened):
    _, view = opened
    (tmp_path / "rag.toml").write_text("")
    workspace = open_workspace(tmp_path)
    monkeypatch.setattr(frame, "workspace", lambda: workspace)
    assert 'kind = "upload"' in html(view())


def test_only_what_the_visitor_may_read_is_shown(opened):
    workspace, view = opened
    workspace.collections().create("Exams", principals=["group:staff"])
    workspace.collections().create("Open")
    assert "Exams" not in html(view())
    test = view(collection="exams")
    assert "Exams" not in html(test) and "no collection" in test.warning[0].value


def test_files_are_listed_with_their_state_and_removed(opened):
    workspace, view = opened
    collections = workspace.collections()
    collections.create("Open")
    for number in range(30):
        collections.add("open", f"{number:02}<i>.md", [b"text"])
    test = view(collection="open")
    assert "30 waiting for the next sync" in html(test) and html(test).count('class="file"') == 25
    assert "00&lt;i&gt;.md" in html(test)
    test.button(key="remove-00<i>.md").click().run()
    assert not test.exception and "29 waiting" in html(test)
    assert collections.show("open").files == 29


def test_a_file_is_shown_with_its_reason_escaped(opened):
    collections = opened[0].collections()
    collections.create("Open")
    file = collections.add("open", "a.md", [b"1"])
    shown = file_html(FileStatus(file, "failed", "no reader for <script>", 0))
    assert "Could not be read" in shown and "&lt;script&gt;" in shown


def test_progress_tells_the_stage_the_count_and_the_time_left():
    assert progress_text([]) == ("Getting ready …", 0.0)
    stage = {"stage": "embed", "done": 30, "total": 120, "remaining": 45.0}
    text, share = progress_text([stage])
    assert text == "Learning the meaning: 30 of 120, 45 s left …" and 4 / 7 < share < 5 / 7
    assert progress_text([stage | {"stage": "new", "total": None, "remaining": None}])[0] == "new …"


def test_the_end_of_a_sync_is_told():
    ended = {"ended_at": "2026-03-02T08:00:00+00:00", "errors": [], "published": True, "gate": {"passed": True}}
    assert "Last sync" in result_html(ended, waiting=False)
    assert "disk &lt;full&gt;" in result_html(ended | {"errors": ["disk <full>"]}, waiting=False)
    refused = ended | {"published": False, "gate": {"passed": False, "reasons": ["Worse."]}}
    assert "was not published: Worse." in result_html(refused, waiting=False)


# --- in a browser ---------------------------------------------------------------------------------------


@pytest.fixture
def address(tmp_path, model_folder):
    (tmp_path / "rag.toml").write_text(UPLOADS)
    with page_over(tmp_path) as running:
        yield running


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium at /usr/bin/chromium")
def test_from_an_empty_page_to_a_found_passage(address, tmp_path):
    from playwright.sync_api import expect, sync_playwright

    (tmp_path / "entropy.md").write_text("# Entropy\n\nEntropy of an isolated system never decreases, said Clausius.\n")
    (tmp_path / "optics.txt").write_text("Light bends when it enters water, and this is called refraction.\n")
    (tmp_path / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1100, "height": 800})
        page.goto(address)
        page.get_by_role("link", name="Collections").click()
        page.get_by_role("button", name="New collection").click()
        page.get_by_label("Title").fill("Physics")
        page.get_by_role("button", name="Create").click()
        page.locator("input[type=file]").set_input_files(
            [tmp_path / n for n in ("entropy.md", "optics.txt", "scan.png")]
        )
        expect(page.locator(".states")).to_have_text("3 waiting for the next sync", timeout=30_000)
        page.get_by_role("button", name="Sync now").click()
        page.get_by_test_id("stProgress").wait_for()
        expect(page.locator(".states")).to_have_text(re.compile("2 can be found.*1 could not be read"), timeout=120_000)
        assert page.locator(".file .reason").first.inner_text().strip()
        page.set_viewport_size({"width": 380, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.goto(f"{address}/search?q=refraction&collection=physics")
        expect(page.locator("mark", has_text="refraction").first).to_be_visible(timeout=60_000)
        assert "collection=physics" in page.url
        browser.close()
