"""The page in a real server, and a real browser that notes what goes wrong in it."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.loopback import free_port

_CHROMIUMS = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium")
CHROMIUM = next((path for path in map(Path, _CHROMIUMS) if path.exists()), Path(_CHROMIUMS[-1]))
"""The same engine without the windows around it takes two thirds of the processor time."""
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ROOT = Path(__file__).resolve().parents[2]

in_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs Chromium at /usr/bin/chromium"),
    pytest.mark.flaky(reruns=1),  # told at the end of the run: a machine may be too busy for all patience
]
"""What a module's `pytestmark` is, when its tests need the browser."""
PATIENCE = 120_000
"""Milliseconds that a browser has for whatever is waited for: other tests keep the machine busy meanwhile."""


@contextmanager
def page_over(home, *, port=None, host="127.0.0.1", **environ):
    """Serve the page over a workspace, to this machine as its user, and yield its address."""
    port = port or free_port()
    server = subprocess.Popen(
        [sys.executable, "app/serve.py", "--host", host, "--port", str(port), "--no-link"],
        cwd=ROOT,
        env=os.environ | {"RAG_HOME": str(home), "RAG_ACCESS__LOCAL": "true"} | environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(60)


def _wait(health):
    for _ in range(1200):
        try:
            urllib.request.urlopen(health).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise TimeoutError(f"{health} did not answer within two minutes")


RUNS = """
(() => {
  const RERUN = 0x5a, LOST = 2000;
  const state = () => document.querySelector(".stApp")?.dataset.testScriptState;
  const ours = () => document.getElementById("root");
  const quiet = () => state() === "notRunning" || state() === "compilationError";
  let asked = false;
  const tell = () => document.documentElement?.toggleAttribute("data-running", Boolean(ours()) && (asked || !quiet()));
  const seen = () => { if (!quiet()) asked = false; tell(); };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (data) {
    if (data[0] === RERUN) {
      asked = true;
      setTimeout(() => { if (quiet()) { asked = false; tell(); } }, LOST);
      tell();
    }
    return send.call(this, data);
  };
  const follow = () => new MutationObserver(seen).observe(document.documentElement, {
    subtree: true, childList: true, attributes: true, attributeFilter: ["data-test-script-state"] });
  if (document.documentElement) follow(); else addEventListener("DOMContentLoaded", follow);
})();
"""
"""Marks the document while a run of the page is asked for or goes on: what it draws may take the place of what
is there, under a hand that is about to press it. An ask that joined a run which went on already is given up: LOST."""


@contextmanager
def visitor_of(browser, **context):
    """Be somebody in a browser, with cookies of their own and much patience."""
    opened = browser.new_context(**({"viewport": {"width": 1100, "height": 800}} | context))
    opened.set_default_timeout(PATIENCE)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def tab_of(browser, address, *, amid_runs=False, **context):
    """Open a tab at the address; what goes wrong in it is in its list `trouble`.

    Whatever is pressed, filled in or expected waits until no run goes on, unless `amid_runs`.
    """
    with visitor_of(browser, **context) as visitor:
        page = visitor.new_page()
        page.add_init_script(RUNS)
        if not amid_runs:
            page.add_locator_handler(page.locator("html[data-running]"), lambda: None)
        page.trouble = []
        page.on("console", lambda said: page.trouble.append(said.text) if _wrong(said) else None)
        page.on("pageerror", lambda error: page.trouble.append(str(error)))
        page.on("request", lambda sent: None if _ours(sent.url, address) else page.trouble.append(sent.url))
        page.goto(address)
        yield page


def _wrong(said):
    """Return whether an error was told, other than that RUNS may not run in a frame for documents, as no script may."""
    return said.type == "error" and not said.text.startswith("Blocked script execution in 'blob:")


def _ours(url, address):
    own = "/".join(address.split("/")[:3])
    return url.startswith((own, own.replace("http", "ws"), "data:", "blob:"))


def settled(page):
    """Wait until the page is whole: its first run, which brings our scripts, and every other one have ended."""
    page.wait_for_function(
        "() => window.searchKeys && document.querySelector('html:not([data-running]) .stApp')"
        " && !document.querySelector('[data-stale=true], [data-testid=stSkeleton], [data-testid=stSpinner]')"
    )


def becomes(tab, true):
    """Wait until something outside the browser is so: what an action brings about is not there at once."""
    for _ in range(PATIENCE // 50):
        if true():
            return
        tab.wait_for_timeout(50)
    raise AssertionError("it did not come about within two minutes")


def choose(tab, name, option):
    """Choose in a list, which closes when what is above it changes its height: it is opened until it stays so."""
    from playwright.sync_api import Error

    listed, found = tab.get_by_role("combobox", name=name), tab.get_by_role("option", name=option)
    for _ in range(20):
        if not found.is_visible():
            listed.click()
        try:
            found.click(timeout=PATIENCE // 20)
            return
        except Error:
            continue
    raise AssertionError(f"{name!r} does not offer {option!r}: {tab.get_by_role('option').all_inner_texts()}")


def fits(tab):
    """Return whether nothing of the page as it stands is wider than the window."""
    settled(tab)
    return tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


def expect(what):
    """Return Playwright's assertions of a page or a locator: what follows an action is not there at once."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    return expect(what)


PALENESS = """
() => {
  window.palest = 1, window.stale = 0;
  const look = () => {
    for (const one of document.querySelectorAll("[data-testid=stElementContainer], [data-testid=stVerticalBlock]")) {
      window.palest = Math.min(window.palest, getComputedStyle(one).opacity);
      window.stale += one.dataset.stale === "true";
    }
    requestAnimationFrame(look);
  };
  look();
}
"""
"""Notes in each frame how pale the palest part of the page has been, and that some waited to be drawn anew."""


STREAMLITS_OWN = {
    "aria-dialog-name": ('data-testid="stToast"',),
    "presentation-role-conflict": ('data-testid="stFileUploaderDropzone"',),
}
"""What axe finds in Streamlit's own parts, by rule: it gives its notices no name, and to where files are dropped one
although it says that this means nothing."""


def violations(page):
    """Return what axe finds in a tab, of whatever impact, told for people, each time that it looks.

    What a run has yet to draw again is dimmed meanwhile, so that its contrast would be too low: the run is waited for,
    and another that begins while axe looks is outlived.
    """
    for _ in range(5):
        settled(page)
        if not (found := _violations(page)):
            break
    return found


def _violations(page):
    from axe_playwright_python.sync_playwright import Axe

    return [
        f"{one['id']}: {one['help']}: {node['html']}"
        for one in Axe().run(page).response["violations"]
        for node in one["nodes"]
        if not any(own in node["html"] for own in STREAMLITS_OWN.get(one["id"], ()))
    ]
