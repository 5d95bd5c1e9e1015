"""Real headless Chromium, over pages on loopback."""

import os
import threading
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from rag_platform.config.sections.sources import BrowserSettings, FetchSettings
from rag_platform.core.errors import FetchError
from rag_platform.core.ports import Gone
from rag_platform.sources.browser import browser as module
from rag_platform.sources.browser.browser import Browser
from rag_platform.sources.browser.chromium import find_chromium
from rag_platform.sources.http.hosts import Unavailable

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", autouse=True)
def needed():
    pytest.importorskip("playwright.sync_api")
    try:
        find_chromium(BrowserSettings())
    except FetchError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def browser():
    running = Browser(BrowserSettings(), FetchSettings(allow_private=True, timeout=60, max_bytes=400_000))
    yield running
    running.close()


def test_pages_that_scripts_make_are_read_whole_from_any_thread(browser, site, monkeypatch):
    monkeypatch.setattr(module, "SETTLE_SECONDS", 60.0)
    monkeypatch.setattr(module, "QUIET_SECONDS", 2.0)  # other tests keep the machine busy
    site.pages["/data"] = b"made by a script"
    site.pages["/"] = (
        b"<p id=here></p><img src=/image.png><video src=/film.mp4></video><script>fetch('/data').then(r => r.text())"
        b".then(text => setTimeout(() => here.textContent = text, 100))</script>"
    )
    site.pages["/late"] = b"<script>setTimeout(() => document.body.innerHTML = '<b class=ready>late</b>', 900)</script>"
    results = {}
    threads = [
        threading.Thread(target=lambda: results.update(page=browser.render(site.url()))),
        threading.Thread(target=lambda: results.update(late=browser.render(site.url("/late"), ".ready"))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert b"made by a script" in results["page"].content
    assert results["page"].content_type.startswith("text/html")
    assert b"late" in results["late"].content
    assert not site.count("/image.png")
    assert not site.count("/film.mp4")


def test_a_process_with_many_open_files_browses_too(site):
    site.pages["/"] = b"<p>here"
    with ExitStack() as held:
        for _ in range(1100):  # more than `select` can wait for
            held.enter_context(Path(os.devnull).open())
        with closing(Browser(BrowserSettings(), FetchSettings(allow_private=True))) as browser:
            assert b"here" in browser.render(site.url()).content


def test_what_is_no_page_is_told_as_by_the_fetcher(browser, site, reply):
    site.pages["/gone"] = reply(b"gone", 410)
    site.pages["/moved"] = reply(status=302, headers={"location": "/here"})
    site.pages["/here"] = b"<p>here"
    site.pages["/big"] = b"<p>" + b"x" * 500_000
    site.pages["/half"] = reply(b"<p>half", headers={"content-type": "text/html", "content-length": "5000"})
    site.pages["/file"] = reply(b"PK\x03\x04", headers={"content-type": "application/zip"})
    with pytest.raises(Gone):
        browser.render(site.url("/gone"))
    with pytest.raises(FetchError, match="answered 404"):
        browser.render(site.url("/none"))
    with pytest.raises(FetchError, match="larger than 400000 bytes"):
        browser.render(site.url("/big"))
    with pytest.raises(Unavailable, match="the answer broke off"):
        browser.render(site.url("/half"))
    assert browser.render(site.url("/moved")).metadata == {"redirected_to": site.url("/here")}
    assert browser.render(site.url("/file")).content == b"PK\x03\x04"


def test_what_never_appears_is_waited_for_no_longer_than_is_set(browser, site):
    site.pages["/here"] = b"<p>here"

    def look(visit):
        visit.open(site.url("/here"))
        visit.context.set_default_timeout(200)
        visit.settle(".never")

    with pytest.raises(FetchError, match=r"nothing matched '\.never'.*timeout in its"):
        browser.run(look)


def test_private_addresses_are_out_of_reach_by_every_way(site, reply, monkeypatch):
    """The page is public by name; what it asks for is not."""
    from rag_platform.sources.browser import egress

    real = egress.resolve
    port = int(site.address.rpartition(":")[2])
    monkeypatch.setattr(
        egress,
        "resolve",
        lambda host, port, **given: (
            real("127.0.0.1", port, allow_private=True) if host == "public.example" else real(host, port, **given)
        ),
    )
    site.pages["/secret"] = b"<p>secret"
    private = site.url("/secret")
    site.pages["/redirects"] = reply(status=302, headers={"location": private})
    site.pages["/"] = (
        f"<iframe src={private}></iframe><script src={private}></script><script>"
        f"fetch('{private}', {{mode: 'no-cors'}});"
        f"new WebSocket('ws://127.0.0.1:{port}/socket'); location.hash = 'x';</script><p>public"
    ).encode()
    guarded = Browser(BrowserSettings(), FetchSettings(timeout=60))
    try:
        assert b"public" in guarded.render(f"http://public.example:{port}/").content
        with pytest.raises(FetchError, match=r"127\.0\.0\.1.*not public"):
            guarded.render(f"http://public.example:{port}/redirects")
        with pytest.raises(FetchError, match="not public"):
            guarded.render(site.url("/secret"))
    finally:
        guarded.close()
    assert site.asked == ["/", "/redirects"]


def test_a_browser_gets_none_of_our_variables(tmp_path, site, monkeypatch):
    monkeypatch.setenv("RAG_SECRETS_KEY", "canary")
    script = tmp_path / "chromium"
    script.write_text(f'#!/bin/sh\nenv > {tmp_path}/env\nexec {find_chromium(BrowserSettings())} "$@"\n')
    script.chmod(0o700)
    own = Browser(BrowserSettings(executable=script), FetchSettings(allow_private=True, timeout=60))
    site.pages["/"] = b"<p>here"
    try:
        assert b"here" in own.render(site.url()).content
    finally:
        own.close()
    assert "PATH=" in (tmp_path / "env").read_text()
    assert "canary" not in (tmp_path / "env").read_text()


def test_a_browser_that_is_not_there_is_told_to_everyone_who_asks(tmp_path, site):
    missing = Browser(BrowserSettings(executable=tmp_path / "none"), FetchSettings())
    for _ in range(2):
        with pytest.raises(FetchError, match=r"\[browser\] executable = .*none"):
            missing.render(site.url())
    missing.close()
    broken = Browser(BrowserSettings(executable="/bin/false"), FetchSettings())
    with pytest.raises(FetchError, match="did not start"):
        broken.render(site.url())
    broken.close()
