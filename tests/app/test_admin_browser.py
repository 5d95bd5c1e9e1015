"""Admin in a real browser: tokens made and revoked, another's eyes, a source of any kind added and changed."""

import re

import pytest

from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace
from tests.app.browsing import becomes, choose, expect, fits, in_browser, page_over, tab_of, violations
from tests.app.test_hostile_content import OWN
from tests.copies import copy_of

pytestmark = in_browser


@pytest.fixture(scope="module")
def home(tmp_path_factory, published):
    """A workspace with a source for one person, and hostile names."""
    home = copy_of(published, tmp_path_factory.mktemp("admin") / "home")
    with (home / "rag.toml").open("a") as file:
        file.write('principals = ["user:ilse"]\n[secrets]\nstore = "file"\n')
    workspace = open_workspace(home)
    for text in OWN:
        workspace.access.rules.join(f"group:{text}"[:120], [f"user:{text}"[:120]], who=text, why=text)
    Tokens(workspace.journal).create("kept", principals=[f"group:{text}" for text in OWN], who=OWN[0])
    return home


@pytest.fixture(scope="module")
def address(home):
    with page_over(home) as running:
        yield running


@pytest.mark.parametrize("part", ["people", "reading", "tokens", "limits", "servers", "backups"])
def test_each_part_can_be_used_by_everyone_fits_and_nothing_hostile_acts(browser, address, part):
    with tab_of(browser, f"{address}/admin?part={part}", viewport={"width": 1280, "height": 860}) as tab:
        tab.get_by_role("heading", name="Admin").wait_for()
        assert violations(tab) == []
        tab.set_viewport_size({"width": 390, "height": 844})
        assert fits(tab) and violations(tab) == []
        assert tab.evaluate("window.owned") is None and tab.trouble == []


def test_a_token_is_made_shown_once_revoked_and_had_back(browser, address, home):
    tokens = Tokens(open_workspace(home).journal)
    with tab_of(browser, f"{address}/admin?part=tokens") as tab:
        tab.get_by_text("Make a token").click()
        tab.get_by_label("Name", exact=True).fill("robot")
        tab.get_by_role("button", name="Make it").click()
        tab.get_by_text("It is shown this once").wait_for()
        made = tab.locator("[data-testid=stCode] code").inner_text()
        assert tokens.holder(made).name == "robot"
        tab.get_by_role("button", name="I have copied it").click()
        tab.get_by_text("It is shown this once").wait_for(state="detached")
        choose(tab, "Token", "robot")
        tab.get_by_role("button", name="Revoke").click()
        tab.get_by_role("button", name="Undo").wait_for()
        assert tokens.holder(made) is None
        tab.get_by_role("button", name="Undo").click()
        becomes(tab, lambda: tokens.holder(made) is not None)
        expect(tab.locator("table").get_by_text("robot")).to_be_visible()
        choose(tab, "Token", "robot")
        tab.get_by_role("button", name="Revoke").click()
        expect(tab.locator("table").get_by_text("robot")).to_have_count(0)
        assert tokens.holder(made) is None and tab.trouble == []


def test_an_admin_looks_with_anothers_eyes_and_back(browser, address):
    with tab_of(browser, f"{address}/search?q=paid+leave") as tab:
        tab.get_by_text("Nothing").first.wait_for()
        expect(tab.locator("li.hit")).to_have_count(0)  # the admin may not read it
        tab.goto(f"{address}/admin?part=reading")
        name = tab.get_by_role("combobox", name="Who")
        name.fill("user:ilse")
        tab.get_by_role("option", name=re.compile("user:ilse")).first.click()
        tab.get_by_role("button", name="See as user:ilse").click()
        tab.get_by_text("You look with the eyes of user:ilse").wait_for()
        expect(tab.get_by_role("link", name="Admin")).to_have_count(0)
        tab.get_by_placeholder(re.compile("Search")).first.fill("paid leave")
        tab.keyboard.press("Enter")
        tab.locator("li.hit").first.wait_for()
        assert violations(tab) == []
        tab.get_by_role("button", name="Look as yourself").click()
        tab.locator("li.hit").first.wait_for(state="detached")
        tab.get_by_text("You look with the eyes").wait_for(state="detached")


def test_a_source_of_any_kind_is_added_and_changed_and_its_password_never_shown(browser, address, home):
    with tab_of(browser, f"{address}/collections?add=imap") as tab:
        save = tab.get_by_role("button", name="Save")
        save.click()
        tab.get_by_text("Mend what is marked").wait_for()
        assert violations(tab) == []
        fill = {"id *": "desk", "url *": "https://mail.example.org", "user *": "ada", "password *": "hunter2-secret"}
        for label, text in fill.items():
            tab.get_by_label(label, exact=True).fill(text)
        save.click()
        tab.get_by_text("expected imaps://host").wait_for()
        tab.get_by_label("url *", exact=True).fill("imaps://mail.example.org")
        save.click()
        tab.get_by_role("heading", name="desk").wait_for()
        workspace = open_workspace(home)
        assert workspace.settings.source("desk").password == "${secret:desk}"
        assert workspace.secrets.get("desk") == "hunter2-secret"
        tab.get_by_role("button", name="Change", exact=True).click()
        tab.get_by_role("heading", name="Settings of desk").wait_for()
        password = tab.get_by_label("password *", exact=True)
        expect(password).to_have_value("")
        assert "hunter2" not in tab.content() and violations(tab) == []
        tab.get_by_label("user *", exact=True).fill("bob")
        tab.get_by_role("button", name="Save").click()
        tab.get_by_text("One setting was changed").wait_for()
        changed = open_workspace(home)
        assert (changed.settings.source("desk").user, changed.secrets.get("desk")) == ("bob", "hunter2-secret")
