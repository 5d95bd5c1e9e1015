"""People with different rights in browsers of their own: nobody sees what is another's, also not by its address."""

import re
import socket
import time

import polars as pl
import pytest

from rag_platform.people.admin_links import AdminLinks
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.browsing import becomes, expect, in_browser, page_over, settled, tab_of, violations
from tests.app.identity_provider import identity_provider
from tests.loopback import free_port

pytestmark = in_browser

SETTINGS = """
[access]
admins = ["group:staff"]
readers = ["group:support"]

[shadow]
sample = 1.0

[[sources]]
id = "staff"
kind = "folder"
path = "staff"
principals = ["group:staff"]

[[sources]]
id = "support"
kind = "folder"
path = "support"
principals = ["group:support"]
"""
PEOPLE = {
    "ilse": {"email": "ilse@example.org", "email_verified": True, "name": "Ilse", "groups": ["staff"]},
    "asha": {"email": "asha@example.org", "email_verified": True, "name": "Asha", "groups": ["support"]},
    "mallory": {"email": "mallory@example.org", "email_verified": True, "name": "Mallory"},
    "old": {
        "email": "old@example.org",
        "email_verified": True,
        "groups": ["support"],
        "iat": int(time.time()) - 13 * 3600,
    },
}


@pytest.fixture(scope="module")
def home(tmp_path_factory, model_folder):
    """A workspace where each of two groups has a document of its own."""
    home = tmp_path_factory.mktemp("people")
    for source, text in (("staff", "The merger is called Bluebird."), ("support", "The printer is in room twelve.")):
        (home / source).mkdir()
        (home / source / f"{source}.md").write_text(f"# What {source} knows\n\n{text}\n")
    (home / "rag.toml").write_text(SETTINGS)
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    for source in ("staff", "support"):
        pipeline.sync_source(source)
    workspace.versions.promote(pipeline.build().version, "test")
    return home


@pytest.fixture(scope="module")
def address(home):
    """The address of a page that signs people in."""
    port = free_port()
    with identity_provider(PEOPLE) as provider:
        (home / "secrets.toml").write_text(provider.secrets_toml(f"http://localhost:{port}"))
        with page_over(home, port=port):
            yield f"http://localhost:{port}"


def sign_in(page, name):
    page.get_by_role("button", name="Sign in").click()
    choose(page, name)


def choose(page, name):
    page.get_by_role("link", name=name, exact=True).click()
    page.wait_for_url(re.compile(r"localhost:\d+/?$"))


def document_of(home, source):
    documents = open_workspace(home).retriever.live().documents()
    return documents.filter(pl.col("source") == source)["doc_id"].item()


def test_nobody_sees_anything_before_signing_in(browser, address, home):
    for view in ("", "/search?q=merger", f"/document?doc={document_of(home, 'staff')}", "/collections"):
        with tab_of(browser, address + view) as tab:
            tab.get_by_role("button", name="Sign in").wait_for()
            settled(tab)
            assert "Bluebird" not in tab.content()
            assert violations(tab) == []


def test_neither_sees_the_others_chats_or_documents_also_not_by_address(browser, address, home):
    with tab_of(browser, address) as ilse, tab_of(browser, address) as asha:
        sign_in(ilse, "ilse")
        sign_in(asha, "asha")
        ask(ilse, "What is the merger called?")
        chat, passage = ilse.url, ilse.locator("a.cite").first.get_attribute("href")
        for there in (chat, f"{address}/{passage}", f"{address}/search?q=What+is+the+merger+called"):
            asha.goto(there)
            settled(asha)
            assert "Bluebird" not in asha.content() and "merger called" not in asha.locator(".stMain").inner_text()
        ilse.goto(f"{address}/{passage}")
        ilse.get_by_text("The merger is called Bluebird.").first.wait_for()


def test_people_decide_whether_their_questions_are_kept(browser, address, home):
    kept = open_workspace(home).shadow_set
    with tab_of(browser, address) as tab:
        sign_in(tab, "asha")
        for given in (True, False):
            tab.get_by_role("button", name="Asha").click()
            tab.get_by_text("My questions may help").click()
            becomes(tab, lambda given=given: kept.leave("user:asha@example.org") is given)
            tab.reload()  # which closes the menu, and its state is what was kept
    assert kept.leave("user:ilse@example.org") is None


def test_a_group_that_may_not_use_the_page_is_told_so(browser, address):
    with tab_of(browser, address) as tab:
        sign_in(tab, "mallory")
        tab.get_by_text("user:mallory@example.org may not use this page").wait_for()
        tab.get_by_role("button", name="Use another account").click()
        tab.get_by_role("button", name="Sign in").wait_for()


def test_a_sign_in_expires_and_can_be_made_anew(browser, address):
    with tab_of(browser, address) as tab:
        sign_in(tab, "old")
        tab.get_by_text("You signed in more than 12 hours ago").wait_for()
        tab.get_by_role("button", name="Sign in again").click()
        choose(tab, "asha")
        tab.get_by_role("button", name="Asha").click()
        tab.get_by_text("You may search and ask.").wait_for()
        tab.get_by_role("button", name="Sign out").click()
        tab.get_by_role("button", name="Sign in").wait_for()


def test_only_a_link_makes_an_admin_where_others_are_served_too(browser, served):
    own = another_address()
    with page_over(served, host="0.0.0.0") as address:
        link = AdminLinks(open_workspace(served).journal).create(address)
        with tab_of(browser, address) as visitor:
            visitor.get_by_text("To manage this page").wait_for()
            expect(visitor.get_by_role("link", name="Operate")).to_have_count(0)
        with tab_of(browser, link) as admin:
            admin.get_by_test_id("stHeader").get_by_role("link", name="Operate").wait_for()
            assert "token" not in admin.url
            ask(admin, "How many days of paid leave do employees get?")
            chat = admin.url.partition("?")[2]
            admin.reload()
            admin.get_by_test_id("stHeader").get_by_role("link", name="Operate").wait_for()
        with tab_of(browser, link) as late:
            assert "was used already" in late.content()
            late.trouble.clear()  # the browser notes the 403
        for there in (f"/?{chat}", "/collections"):
            with tab_of(browser, address.replace("127.0.0.1", own) + there) as visitor:
                visitor.locator(".hero, .empty").first.wait_for()
                settled(visitor)
                assert "25 days" not in visitor.content()
                assert visitor.get_by_role("link", name="Operate").count() == 0
                assert visitor.get_by_role("button", name="New collection").count() == 0
        with tab_of(browser, address.replace("127.0.0.1", own)) as visitor:
            ask(visitor, "How many days of paid leave do employees get?")


def another_address():
    """Return an address of this machine that is not its loopback's, so that one comes from outside, as it were."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent
        except OSError:
            pytest.skip("this machine has no address but its loopback's")
        return probe.getsockname()[0]


def ask(tab, question):
    tab.get_by_placeholder("Ask about your documents").fill(question)
    tab.keyboard.press("Enter")
    tab.locator("a.cite").first.wait_for()
