"""A Sakai-like portal on loopback, read with real headless Chromium."""

import json
import os
import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from rag_platform.config.sections.sources import BrowserSettings, FetchSettings
from rag_platform.config.settings_file import load_settings
from rag_platform.config.source_kinds import Context
from rag_platform.config.vault import Vault
from rag_platform.core.errors import FetchError, LoginFailed, SettingsError, SourceError
from rag_platform.core.ports import Validators
from rag_platform.core.schemas import RAW
from rag_platform.raw.scrape import scrape
from rag_platform.sources.browser.browser import Browser
from rag_platform.sources.browser.chromium import find_chromium
from rag_platform.sources.http.cookies import Cookie
from rag_platform.sources.portals import login
from rag_platform.sources.portals.cookie_import import read_cookies
from rag_platform.sources.portals.source import Portal, PortalSource
from rag_platform.storage.blobs import Blobs
from tests.sources.sakai_site import PASSWORD, USER, bundle

FETCH = {"allow_private": True, "timeout": 10, "retries": 0}


@pytest.fixture
def world(sakai, tmp_path, request):
    shared = request.getfixturevalue("browser") if "browser" in request.fixturenames else None
    return World(sakai, tmp_path, shared)


class SharedBrowser(Browser):
    """Starting one takes a second: the tests of this module share it."""

    def close(self):
        pass


@pytest.fixture(scope="module")
def browser():
    pytest.importorskip("playwright.sync_api")
    try:
        find_chromium(BrowserSettings())
    except SourceError as error:
        pytest.skip(str(error))
    running = SharedBrowser(BrowserSettings(), FetchSettings(**FETCH))
    yield running
    Browser.close(running)


class World:
    """A portal, a workspace, and the table that syncs leave."""

    def __init__(self, sakai, folder, browser):
        self.sakai, self.browser = sakai, browser
        self.blobs = Blobs(folder / "blobs")
        self.table = pl.DataFrame(schema=RAW)
        self.secrets = Vault(folder / "secrets.enc", key_file=folder / "key")
        self.sessions = Vault(folder / "sessions.enc", key_file=folder / "key")
        self.secrets.put("moodle", PASSWORD)
        self.context = Context(folder, has_below=self.kept, secrets=self.secrets, sessions=self.sessions)
        self.given = {"profile": "sakai", "user": USER, "password": "${secret:moodle}"}

    def settings(self, **more):
        return PortalSource(id="uni", kind="portal", url=self.sakai.url, fetch=FETCH, **self.given, **more)

    def portal(self, **more):
        portal = Portal(self.settings(**more), self.context)
        portal.session.browser = self.browser or portal.session.browser
        return portal

    def come_in_with_cookies(self):
        """Be logged in without a browser, and unable to log in again; the wiki, which needs one, is not read."""
        self.given = {"profile": "sakai", "tools": [tool for tool in login.PortalSource.model_fields["tools"].default
                                                    if tool != "page"]}  # fmt: skip
        self.portal().session.adopt([Cookie("JSESSIONID", self.sakai.log_in_by_hand(), "127.0.0.1")])

    def sync(self, portal=None, *, share=0.5):
        done = scrape(portal or self.portal(), self.table, self.blobs, source_id="uni", run_id="r",
                      now=datetime(2026, 3, 2, tzinfo=UTC), max_deleted_share=share)  # fmt: skip
        self.table = done.table
        return done.tally

    def kept(self, beginning):
        return self.table.filter(pl.col("sha256").is_not_null())["uri"].str.starts_with(beginning).any()

    def stored(self):
        rows = self.table.filter(pl.col("status") != "gone").iter_rows(named=True)
        return {row["uri"].removeprefix(self.sakai.url): (json.loads(row["metadata"]), self.blobs.get(row["sha256"]))
                for row in rows}  # fmt: skip


# --- everything is found, and only what changed is fetched again ------------------------------------------


def test_everything_is_found_and_a_second_sync_fetches_only_what_changed(world, browser):
    sakai = world.sakai
    tally = world.sync()
    assert (tally.new, tally.failed) == (13, ())
    assert sakai.logins == [(USER, PASSWORD)]
    stored = world.stored()
    texts = {uri: content.decode("utf-8", "replace") for uri, (_, content) in stored.items()}
    types = {facts["type"] for facts, _ in stored.values()}
    assert types == {"announcement", "lesson", "assignment", "quiz", "resource", "guide", "calendar", "page"}
    assert all(facts["tags"] == ["Circuit theory"] for facts, _ in stored.values())
    tools = "/portal/site/circuits/tool"
    facts, _ = stored[f"{tools}/t-ann#announcement-a1"]
    assert (
        facts | {"title": "Exam room", "author": "G. Kirchhoff", "published_at": "2022-11-09T00:00:00+00:00"} == facts
    )
    assert "room <b>2.7</b>" in texts[f"{tools}/t-ann#announcement-a1"]
    assert "supernode encloses" in texts[f"{tools}/t-les#lesson-7"]
    assert "Due: 2022-11-09 15:00 UTC" in texts[f"{tools}/t-asn#assignment-s1"]
    assert "Opens: 2022-11-09 00:00 UTC" in texts[f"{tools}/t-quiz#quiz-12345"]
    assert "Six credits" in texts[f"{tools}/t-syl#guide-1"]
    assert "First partial exam" in texts[f"{tools}/t-cal#calendar-all"]
    assert "wiki begins" in texts[f"{tools}/t-wiki"]
    assert "superposition" in texts["/portal/tool/t-wiki?page=two"]
    assert stored["/access/content/group/circuits/bundle.zip"][1].startswith(b"PK")
    assert stored["/access/content/group/circuits/book.pdf"][1].startswith(b"%PDF")
    assert stored["/access/content/group/circuits/hidden/example%20one.pdf"][1].startswith(b"%PDF")
    assert stored["/access/content/attachment/circuits/Announcements/a2/sheet.pdf"][1].startswith(b"%PDF")
    assert not sakai.count("/portal/logout")
    assert not sakai.count("/portal/tool/t-wiki?delete")

    sakai.asked.clear()
    sakai.files["bundle.zip"] = (bundle(notes="Now with Norton's theorem."), 2)
    tally = world.sync()
    assert (tally.new, tally.changed, tally.unchanged, tally.failed) == (0, 1, 12, ())
    assert len(sakai.logins) == 1
    files = [path for path in sakai.asked if "/access/" in path]
    # the lesson's file has no mark in Sakai's answer: only a fetch can tell
    assert files == [
        "/access/content/group/circuits/bundle.zip",
        "/access/content/group/circuits/hidden/example%20one.pdf",
    ]


def test_what_left_the_portal_goes_after_two_listings_that_agree(world):
    world.come_in_with_cookies()
    world.sync()
    del world.sakai.announcements[0]
    assert world.sync().gone == 0
    assert world.sync().gone == 1
    assert not any("announcement-a1" in uri for uri in world.stored())


# --- logging in ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [(), ("two_steps",), ("in_frame",), ("banner", "two_steps"), ("banner", "in_frame")])
def test_the_fields_of_a_login_page_are_found(world, browser, kind):
    for trait in kind:
        setattr(world.sakai, trait, True)

    def work(visit):
        login.log_in(visit, world.settings(), USER, PASSWORD)
        return visit.context.cookies()

    cookies = browser.run(work)
    assert world.sakai.logins == [(USER, PASSWORD)]
    assert [cookie["name"] for cookie in cookies] == ["JSESSIONID"]


FORMS = {
    "an e-mail address, and a search field that is nearer": "<form><input type=email name=x></form>"
    "<form id=login method=post action=/done><input type=email name=name><input name=q type=search>"
    "<input type=password name=word><input type=submit></form>",
    "a form to register beside it": "<form method=post action=/wrong><input name=user><input type=password name=a>"
    "<input type=password name=b></form><form method=post action=/done><input name=user id=name>"
    "<input type=password name=word><button>Sign in</button></form>",
    "no form, only scripts": '<input id=name><input type=password id=word><div role=button onclick="'
    "fetch('/done', {method: 'POST', body: 'name=' + document.getElementById('name').value + '&word=' + "
    "document.getElementById('word').value}).then(() => document.body.innerHTML = 'Hello')\">Entrar</div>",
    "a shadow tree": "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = \"<form method=post "
    'action=/done><input name=name><input type=password name=word><button>Log in</button></form>"</script>',
    "a link to the login": "<a href=/form>Iniciar sesión</a>",
    "hidden fields that catch robots": "<form method=post action=/done><input name=name><input name=email "
    "style='opacity:0'><input name=phone tabindex=-1><input type=password name=trap style='display:none'>"
    "<input type=password name=word><button>Log in</button></form>",
}


@pytest.mark.parametrize("form", FORMS)
def test_login_pages_of_many_makes(site, reply, browser, form):
    site.pages["/"] = FORMS[form].encode()
    site.pages["/form"] = FORMS["a form to register beside it"].encode()
    sent = {}

    def work(visit):
        visit.page.on(
            "request", lambda request: sent.update({request.url: request.post_data}) if request.post_data else 0
        )
        login.log_in(
            visit, PortalSource(id="x", kind="portal", url=site.url(), fetch=FETCH), "ada@uni.example", "word1"
        )

    browser.run(work)
    ((address, data),) = sent.items()
    assert address == site.url("/done")
    assert data.count("ada") == 1
    assert data.count("word1") == 1


def test_a_wrong_password_is_one_clear_error_and_one_attempt(world, browser):
    world.secrets.put("moodle", "wrong-canary")
    with pytest.raises(
        LoginFailed, match="did not accept the user and the password: it says 'Invalid login for"
    ) as told:
        world.sync()
    assert "wrong-canary" not in str(told.value)
    with pytest.raises(LoginFailed, match="not tried, so that the account is not locked"):
        world.sync()
    assert len(world.sakai.logins) == 1
    world.secrets.put("moodle", PASSWORD)
    world.portal(tools=["quiz"]).session.start()
    assert len(world.sakai.logins) == 2


def test_an_expired_session_logs_in_again_once(world, browser):
    world.portal().session.adopt([Cookie("JSESSIONID", world.sakai.log_in_by_hand(), "127.0.0.1")])
    world.sakai.expires_at = "/direct/content"
    portal = world.portal(tools=["announcement", "resource"])
    listed = portal.list()
    assert listed.complete
    assert not listed.failed
    assert len(world.sakai.logins) == 1
    world.sakai.sessions.clear()
    assert world.sync(portal).failed == ()
    assert len(world.sakai.logins) == 2
    world.sakai.sessions.clear()
    assert "the session ends again and again" in str(portal.session.is_alive() or raised(portal.session.log_in))


def raised(call):
    with pytest.raises(SourceError) as told:
        call()
    return told.value


def test_a_second_factor_is_named_and_points_to_cookies(site, browser):
    site.pages["/"] = (
        b"<form><input name=user><input type=password name=pw><button formaction=/code>Log in</button></form>"
    )
    site.pages["/code?user=a&pw=b"] = b"<form>Code <input autocomplete=one-time-code name=c></form>"
    settings = PortalSource(id="x", kind="portal", url=site.url(), fetch=FETCH)
    with pytest.raises(LoginFailed, match=r"second factor.*rag portal cookies x FILE"):
        browser.run(lambda visit: login.log_in(visit, settings, "a", "b"))


# --- what fails deletes nothing -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "what", "kept"),
    [
        ("/direct/announcement", 500, "announcement-a1"),
        ("/direct/announcement", "login", "announcement-a1"),
        ("/direct/site.json", 500, "announcement-a1"),
        ("/direct/lessons/lesson/", 500, "lesson-7"),
        ("/direct/content", 500, "bundle.zip"),
        ("/direct/announcement", "page", "announcement-a1"),
        ("/access/", "login", "bundle.zip"),
        ("/access/", "page", "bundle.zip"),
    ],
)
def test_a_part_that_fails_keeps_what_it_had(world, path, what, kept):
    world.come_in_with_cookies()
    world.sync()
    before = world.stored()
    world.sakai.broken[path] = what
    for _ in range(3):
        tally = world.sync()
        assert tally.gone == 0
    assert tally.failed
    assert world.stored() == before
    assert any(kept in uri for uri in before)


@pytest.mark.parametrize("what", [500, 404])
def test_a_tool_of_which_the_broker_never_tells_is_read_from_its_page(world, browser, what):
    sakai, tool = world.sakai, "/portal/site/circuits/tool/t-ann"
    sakai.tool_pages["t-ann"] = "Exam room: the exam is in room 2.7."
    sakai.broken["/direct/announcement"] = what
    world.given |= {"tools": ["announcement", "quiz"]}
    assert world.sync().failed == ()
    facts, text = world.stored()[tool]
    assert (facts["type"], b"room 2.7" in text) == ("announcement", True)
    sakai.tool_pages["t-ann"] = "Exam room: the exam is in room 3.1."
    assert (world.sync().changed, b"room 3.1" in world.stored()[tool][1]) == (1, True)

    del sakai.broken["/direct/announcement"]  # once it tells, its entries take the place of the page, and stay
    assert [world.sync().gone for _ in range(2)] == [0, 1]
    entries = world.stored()
    assert tool not in entries
    assert f"{tool}#announcement-a1" in entries
    sakai.broken["/direct/announcement"] = what
    for _ in range(3):
        ((where, why),) = world.sync().failed
        assert where.endswith(tool)
        assert "could not be listed" in why
    assert world.stored() == entries


@pytest.mark.parametrize("what", [500, 403, "page"])
def test_a_portal_whose_broker_answers_nothing_is_read_from_its_pages(world, browser, what):
    world.sakai.broken["/direct/"] = what
    world.sakai.tool_pages |= {"t-ann": "The exam is in room 2.7.", "t-res": "<a href='/access/content/group/circuits/"
                               "book.pdf'>book</a>"}  # fmt: skip
    world.sync()
    assert world.sync().gone == 0
    stored = {uri.rpartition("/")[2]: facts["type"] for uri, (facts, _) in world.stored().items()}
    assert stored == {"t-ann": "announcement", "t-res": "resource", "book.pdf": "resource"}


def test_without_a_browser_a_tool_that_needs_one_fails_and_the_others_are_read(world, monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    world.come_in_with_cookies()
    del world.given["tools"]
    ((where, why),) = world.sync().failed
    assert where.endswith("t-wiki")
    assert "-m pip install " in why and "[browser]" in why
    assert any("announcement-a1" in uri for uri in world.stored())


@pytest.mark.parametrize("path", ["/direct/content", "/direct/lessons"])
def test_an_address_in_another_spelling_is_the_same_portal(world, path):
    world.come_in_with_cookies()
    world.sakai.url = world.sakai.url.replace("http://", "HTTP://")
    world.sync()
    before = world.stored()
    world.sakai.broken[path] = 500
    assert [world.sync().gone for _ in range(3)] == [0, 0, 0]
    assert world.stored() == before


def test_a_subject_whose_tools_cannot_be_listed_keeps_everything(world):
    world.come_in_with_cookies()
    world.sync()
    before = world.table
    world.sakai.broken["/direct/site/circuits"] = 503
    with pytest.raises(SourceError, match="its tools could not be listed"):
        world.sync()
    assert world.table.equals(before)


def test_what_other_tools_lose_goes_while_one_fails(world):
    world.come_in_with_cookies()
    world.sync()
    world.sakai.broken["/direct/sam_pub"] = 500
    del world.sakai.announcements[0]
    assert [world.sync().gone for _ in range(2)] == [0, 1]
    assert any("quiz-12345" in uri for uri in world.stored())


@pytest.mark.parametrize("quiet", [False, True])
def test_a_session_that_ends_while_it_is_listed_is_an_error_and_no_empty_portal(world, quiet):
    world.come_in_with_cookies()
    world.sync()
    before = world.table
    world.sakai.quiet_expiry = quiet
    world.sakai.expires_at = "/direct/announcement"
    with pytest.raises(SourceError, match=r"rag portal cookies uni|ended while it was listed"):
        world.sync()
    assert world.table.equals(before)


def test_a_portal_without_subjects_is_an_error(world):
    world.come_in_with_cookies()
    world.sync()
    with pytest.raises(SourceError, match="shows nothing"):
        world.sync(world.portal(include=["no such subject"]))


# --- Sakai's answers ----------------------------------------------------------------------------------------


def test_answers_in_the_shape_of_a_real_sakai(world, monkeypatch):
    folder = Path(os.environ.get("RAG_SHARED_DATA", "/nowhere")) / "sakai_comfortable_panda"
    if not folder.is_dir():
        pytest.skip("RAG_SHARED_DATA names no folder with real answers of Sakai")
    world.come_in_with_cookies()
    real = {"assignment/site/circuits": "assignment2.json", "sam_pub/context/circuits": "quiz2.json"}
    usual = world.sakai.broker
    world.sakai.broker = lambda path: json.loads((folder / real[path]).read_text()) if path in real else usual(path)
    world.sync()
    stored = world.stored()
    facts, text = stored["/portal/site/circuits/tool/t-asn#assignment-sample2"]
    assert facts["title"] == "Sample Assignment2"
    assert b"Due: 2022-11-09 15:00 UTC" in text
    assert b"Closes: 2022-11-09 15:33 UTC" in text
    facts, text = stored["/portal/site/circuits/tool/t-quiz#quiz-12345"]
    assert facts["updated_at"] == "2022-11-09T13:20:00+00:00"
    assert b"Due" not in text


@pytest.mark.parametrize("url", ["//elsewhere.example/x", "https://elsewhere.example/access/content/x"])
def test_addresses_of_other_hosts_are_not_taken_for_the_portals(world, url):
    world.come_in_with_cookies()
    world.sakai.announcements.append(world.sakai.announcement("a3", "x", f"<a href='{url}'>x</a>"))
    world.sync()
    assert not any("elsewhere" in uri for uri in world.stored())


# --- any other portal -------------------------------------------------------------------------------------


@pytest.fixture
def intranet(site, reply, tmp_path):
    """Pages that only the holder of a session sees; others get a login page with the status 200."""

    def behind(body, kind="text/html"):
        def page(request):
            if request.headers.get("cookie") != "sid=s1":
                return b"<form method=post><input name=user><input type=password name=pw></form>"
            return reply(body, headers={"content-type": kind})

        return page

    site.pages |= {
        "/": behind(b"<a href=/a>a</a> <a href=/logout>out</a> <a href=/report.pdf>r</a> <a href=/private/x>x</a>"),
        "/a": behind(b"<p>page a</p><a href='/b?utm_source=x#part'>b</a><a href=https://elsewhere.example/>e</a>"),
        "/b": behind(b"<p>page b</p><a href=/too-far>c</a>"),
        "/report.pdf": behind(b"%PDF-1.4", "application/pdf"),
    }
    sessions = Vault(tmp_path / "sessions.enc", key_file=tmp_path / "key")

    def portal(**more):
        settings = PortalSource(id="i", kind="portal", url=site.url(), exclude=["/private/*"], fetch=FETCH, **more)
        return Portal(settings, Context(tmp_path, sessions=sessions))

    portal().session.adopt([Cookie("sid", "s1", "127.0.0.1")])
    return portal


def test_links_of_any_portal_are_followed_but_those_that_do_something(intranet, site):
    portal = intranet()
    listing = portal.list()
    assert [item.uri.removeprefix(site.address) for item in listing.items] == ["/", "/a", "/report.pdf", "/b"]
    assert listing.complete
    assert b"page b" in portal.fetch(listing.items[3], Validators()).content
    assert portal.fetch(listing.items[2], Validators()).content == b"%PDF-1.4"
    assert not {"/logout", "/private/x", "/too-far"} & set(site.asked)


def test_a_login_page_of_any_portal_is_no_content(intranet, site):
    portal = intranet()
    items = portal.list().items
    site.pages["/report.pdf"] = b"<form><input type=password></form>"
    with pytest.raises(FetchError, match="a page came instead of the content"):
        portal.fetch(items[2], Validators())
    site.pages["/a"] = b"<form><input name=user><input type='password'></form>"
    portal.session.adopt([Cookie("sid", "ended", "127.0.0.1")])
    with pytest.raises(LoginFailed, match="rag portal cookies i FILE"):
        portal.list()


def test_pages_made_by_scripts_are_read_with_the_session(intranet, site, browser):
    site.pages["/"] = (
        b"<body><script>document.body.innerHTML = '<a href=/a>made for ' + document.cookie + '</a>'</script>"
    )
    portal = intranet(javascript=True)
    portal.session.browser = browser
    items = portal.list().items
    assert b"made for sid=s1" in items[0].content
    assert b"page a" in items[1].content


# --- cookies of one's own browser ---------------------------------------------------------------------------


def write_firefox(path, session):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("create table moz_cookies (name, value, host, path, isSecure, expiry)")
        connection.execute(
            "insert into moz_cookies values ('JSESSIONID', ?, '127.0.0.1', '/', 0, 4102444800000)", [session]
        )
        connection.execute("insert into moz_cookies values ('other', 'x', '.bank.example', '/', 1, 4102444800)")


FILES = {
    "cookies.txt": lambda path, session: path.write_text(
        f"# Netscape HTTP Cookie File\n.bank.example\tTRUE\t/\tTRUE\t4102444800\tother\tx\n"
        f"#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tJSESSIONID\t{session}\n"
    ),
    "state.json": lambda path, session: path.write_text(
        json.dumps(
            {"cookies": [{"name": "JSESSIONID", "value": session, "domain": "127.0.0.1", "path": "/", "expires": -1}]}
        )
    ),
    "extension.json": lambda path, session: path.write_text(
        json.dumps(
            [
                {"name": "JSESSIONID", "value": session, "domain": "127.0.0.1", "hostOnly": True, "session": True},
                {"name": "other", "value": "x", "domain": ".bank.example", "expirationDate": 4102444800.5},
            ]
        )
    ),
    "cookies.sqlite": write_firefox,
}


@pytest.mark.parametrize("name", FILES)
def test_cookies_of_ones_own_browser_are_read(tmp_path, name):
    FILES[name](tmp_path / name, "s3")
    path = tmp_path if name == "cookies.sqlite" else tmp_path / name
    (cookie,) = read_cookies(path, "127.0.0.1")
    assert (cookie.name, cookie.value, cookie.domain) == ("JSESSIONID", "s3", "127.0.0.1")
    assert "s3" not in repr(cookie)


def test_cookies_that_cannot_be_used_say_why(tmp_path):
    path = tmp_path / "Cookies"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "create table cookies (name, value, encrypted_value, host_key, path, is_secure, expires_utc)"
        )
        connection.execute("insert into cookies values ('a', '', x'763130', '127.0.0.1', '/', 0, 0)")
    with pytest.raises(SettingsError, match="encrypts its cookies; export them"):
        read_cookies(path, "127.0.0.1")
    (tmp_path / "x.txt").write_text("a letter to my aunt\n")
    with pytest.raises(SettingsError, match=r"expected a cookies\.txt"):
        read_cookies(tmp_path / "x.txt", "127.0.0.1")
    FILES["state.json"](tmp_path / "state.json", "s")
    with pytest.raises(SettingsError, match=r"no cookie for uni\.example, only for 127\.0\.0\.1"):
        read_cookies(tmp_path / "state.json", "uni.example")


# --- settings -----------------------------------------------------------------------------------------------


def test_a_password_in_the_file_is_refused_and_not_repeated(tmp_path):
    (tmp_path / "rag.toml").write_text(
        '[[sources]]\nid = "uni"\nkind = "portal"\nurl = "https://uni.example"\nuser = "ada"\npassword = "canary-pw"\n'
    )
    with pytest.raises(SettingsError, match="a password never stands in the file") as told:
        load_settings(tmp_path)
    assert "canary-pw" not in str(told.value)
