"""The widget in a real Chromium, on a page of another origin that allows next to nothing."""

import threading
from contextlib import contextmanager
from urllib.parse import unquote

import pytest
import uvicorn
from fastapi import FastAPI, Response

from rag_platform.api.application import application
from rag_platform.people.tokens import Tokens
from tests.api.published import QUESTION, opened, publish
from tests.app.browsing import expect, in_browser, visitor_of
from tests.loopback import free_port

pytestmark = in_browser
WATCH = """() => {
  window.drafts = [];
  const added = (change) => drafts.push(...[...change.addedNodes].filter((one) => one.className === "draft"));
  const log = document.getElementById("log");
  new MutationObserver((changes) => changes.forEach(added)).observe(log, { childList: true });
}"""
HOSTILE = "<img src=x onerror=parent.owned=1> **bold** [9]"


@contextmanager
def running(app, port):
    """Serve an application on loopback."""
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.02)
        yield
    finally:
        server.should_exit = True
        thread.join()


def site(widget, token, policy, **data):
    """A page of others with one script tag."""
    named = "".join(f' data-{name}="{value}"' for name, value in data.items())
    tag = f'<script src="{widget}/widget.js" data-token="{token}"{named} defer></script>'
    page = f'<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>{tag}</html>'
    app = FastAPI()
    headers = {"content-security-policy": policy}
    app.add_api_route("/", lambda: Response(page, headers=headers, media_type="text/html"))
    return app


@pytest.fixture(scope="module")
def shop(tmp_path_factory, tiny_embedder):
    """A page with the widget, one that may not show it, the server, and its workspace."""
    home = tmp_path_factory.mktemp("widget")
    publish(home, tiny_embedder)
    ours, allowed, other = free_port(), free_port(), free_port()
    toml = home / "rag.toml"
    toml.write_text(toml.read_text() + f'[http]\nwidget_on = ["http://localhost:{allowed}"]\n')
    workspace = opened(home, tiny_embedder)
    widget = f"http://127.0.0.1:{ours}"
    token = Tokens(workspace.journal).create("shop", ["widget"])
    page = site(widget, token, f"default-src 'none'; script-src {widget}; frame-src {widget}", accent="#ffd000")
    anywhere = site(widget, token, "default-src *")
    with running(application(workspace), ours), running(page, allowed), running(anywhere, other):
        yield f"http://localhost:{allowed}", f"http://localhost:{other}", widget, workspace


@pytest.fixture
def tab(browser, shop):
    with visitor_of(browser) as visitor:
        page = visitor.new_page()
        page.trouble = []
        page.on("console", lambda said: page.trouble.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
        page.goto(shop[0])
        yield page


def ask(tab, question):
    panel = tab.frame_locator("iframe")
    panel.get_by_label("Your question").fill(question)
    panel.get_by_label("Your question").press("Enter")
    return panel


def test_a_visitor_asks_by_keyboard_and_follows_a_mark_to_its_source(tab):
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    panel = tab.frame_locator("iframe")
    panel.get_by_label("Your question").wait_for()
    expect(panel.get_by_label("Your question")).to_be_focused()
    tab.keyboard.type(QUESTION)
    expect(panel.get_by_label("Your question")).to_have_value(QUESTION)
    tab.keyboard.press("Enter")
    panel.get_by_label("Source 1").first.click()
    expect(panel.locator("li:target")).to_contain_text("six until dusk")
    panel.get_by_role("button", name="Helpful", exact=True).click()
    panel.get_by_text("Thank you.").wait_for()
    panel.get_by_role("button", name="Helpful", exact=True, pressed=True).wait_for()
    tab.keyboard.press("Escape")
    tab.get_by_role("button", name="Ask", exact=True, expanded=False).wait_for()
    expect(tab.locator("iframe")).to_be_hidden()
    assert tab.trouble == []


def test_what_is_said_is_no_markup_and_the_token_is_not_in_the_address(tab):
    tab.get_by_role("button", name="Ask").click()
    panel = ask(tab, HOSTILE)
    panel.locator(".answer, .failed").first.wait_for()
    assert panel.locator(".asked").inner_text() == HOSTILE and panel.locator("img").count() == 0
    frame = next(one for one in tab.frames if "/widget/panel" in one.url)
    assert frame.evaluate("location.href").endswith("/widget/panel")
    assert tab.trouble == []


def test_an_answer_is_shown_while_it_is_written(tab):
    tab.get_by_role("button", name="Ask").click()
    panel = tab.frame_locator("iframe")
    panel.get_by_label("Your question").wait_for()
    frame = next(one for one in tab.frames if "/widget/panel" in one.url)
    frame.evaluate(WATCH)
    ask(tab, QUESTION)
    panel.locator(".answer").first.wait_for()
    panel.locator("#log[aria-busy=false]").wait_for()
    assert panel.locator(".draft").count() == 0
    assert "six until dusk" in frame.evaluate("drafts.map((one) => one.textContent).join()")
    assert tab.trouble == []


def test_nothing_can_be_sent_before_the_script_runs(browser, shop):
    with visitor_of(browser) as visitor:
        visitor.route("**/*.js", lambda route: route.abort())
        page = visitor.new_page()
        page.goto(f"{shop[2]}/save")
        assert page.locator("form").count() == 3 and not page.locator("form:visible").count()
        page.goto(f"{shop[2]}/widget/panel")
        assert page.get_by_role("button", name="Ask").is_disabled()


def accessible(shown):
    from axe_playwright_python.sync_playwright import Axe

    found = [(one["id"], one["nodes"][0]["html"]) for one in Axe().run(shown).response["violations"]]
    assert found == []
    return True


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_button_and_panel_are_accessible(tab, theme):
    tab.emulate_media(color_scheme=theme)
    tab.get_by_role("button", name="Ask").click()
    panel = ask(tab, QUESTION)
    panel.locator("blockquote").first.wait_for()
    frame = next(one for one in tab.frames if "/widget/panel" in one.url)
    assert frame.evaluate("document.documentElement.classList.contains('dark')") is (theme == "dark")
    assert accessible(tab) and accessible(frame)


def test_a_site_that_the_settings_do_not_name_cannot_show_it(browser, shop):
    with visitor_of(browser) as visitor:
        page = visitor.new_page()
        page.goto(shop[1])
        with page.expect_console_message(lambda said: "frame-ancestors" in said.text):
            page.get_by_role("button", name="Ask").click()
        assert not page.frame_locator("iframe").get_by_label("Your question").is_visible()


def test_the_bookmarklet_saves_what_is_read_and_asks_about_what_is_marked(browser, shop):
    site, _, ours, workspace = shop
    token = Tokens(workspace.journal).create("browser", ["ask", "edit"])
    trouble = []
    with visitor_of(browser) as visitor:
        visitor.route("**/v1/sync", lambda route: route.fulfill(status=202, json={}))
        opener = visitor.new_page()
        opener.goto(f"{ours}/save")
        code = unquote(opener.locator("#bookmarklet").get_attribute("href").removeprefix("javascript:"))
        opener.goto(site)
        opener.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))")
        with visitor.expect_page() as opened_page:
            opener.evaluate(code)
        tab = opened_page.value
        tab.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
        tab.get_by_label("Your token").fill(token)
        tab.get_by_role("button", name="Keep it").click()
        tab.get_by_label("Save the page in").select_option("physics")
        assert tab.url == f"{ours}/save" and tab.get_by_label("Ask the documents").input_value() == "Shop"
        tab.get_by_role("button", name="Save", exact=True).click()
        tab.get_by_text("Saved. It can be found").wait_for()
        files = workspace.collections()
        saved = next(one for one in files.files("physics") if one.title == "Shop")
        content = files.path(saved).read_text()
        assert f"<p>Saved from {site}/</p>" in content and "<h1>Shop</h1>" in content
        tab.get_by_label("Ask the documents").fill(QUESTION)
        tab.get_by_role("button", name="Ask", exact=True).click()
        tab.get_by_text("six until dusk").first.wait_for()
        assert trouble == [] and accessible(tab)
