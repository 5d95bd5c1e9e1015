"""Admin, without a browser: people, what they may read, tokens, limits, models, backups; and for admins alone."""

import time
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from app import frame, undo
from rag_platform.operations.background_jobs import backup_check_state, backup_state
from rag_platform.people.tokens import Tokens
from rag_platform.workspace import open_workspace
from tests.app.viewing import ROOT, html_of, view_of

EVIL = "<img src=x onerror=window.owned=1>"


@pytest.fixture
def page(home, embedder, monkeypatch):
    """The view over a workspace, at a part."""

    def opened(part, **query):
        test = view_of(monkeypatch, embedder, home, "views/admin.py", part=part, **query)
        assert not test.exception
        return test

    return opened


def shown(test):
    return unescape(html_of(test))


def test_the_part_that_the_address_names_is_shown_also_after_another_was_chosen(page):
    test = page("limits")
    test.segmented_control(key="admin-part").set_value("tokens").run()
    assert "With a token a program asks" in shown(test) and test.query_params["part"] == "tokens"
    test.segmented_control(key="admin-part").set_value(None).run()  # a slow browser says that nothing is chosen
    assert "With a token a program asks" in shown(test) and test.segmented_control(key="admin-part").value == "tokens"
    test.query_params["part"] = "limits"  # the way back, or a link of the page
    test.run()
    assert test.segmented_control(key="admin-part").value == "limits" and "With a token" not in shown(test)
    test.query_params["part"] = "no such"
    assert "With a token" not in shown(test.run()) and test.query_params["part"] == "limits"


def test_everybody_who_is_named_is_listed_with_role_and_groups(page, home):
    workspace = open_workspace(home)
    workspace.access.rules.join("group:board", ["user:ilse"], who="boss")
    Tokens(workspace.journal).create("ci", principals=[f"group:{EVIL}"])
    workspace.audit.record("search", "user:asha", ("user:asha", "group:desk"), question="?")
    html = html_of(page("people"))
    for name in ("user:ilse", "group:board", "user:asha", "group:desk"):
        assert name in html
    assert "holds user:ilse" in html and "seen just now" in html
    assert EVIL not in html and "&lt;img" in html


def test_a_role_is_given_and_logged_and_a_group_changed(page, home):
    test = page("people")
    test.text_input(key="role-of").set_value("user:ilse")
    test.selectbox(key="role").set_value("editor")
    test.text_input(key="role-why").set_value("looks after pay")
    test.run()
    test.button(key="give-role").click().run()
    assert not test.exception
    assert open_workspace(home).settings.access.editors == ("user:ilse",)
    (change,) = open_workspace(home).access.rules.changes()
    assert (change.action, change.target, change.about, change.why) == (
        "role", "user:ilse", {"role": "editor"}, "looks after pay",
    )  # fmt: skip
    test = page("people")
    test.text_input(key="group").set_value("group:board")
    test.selectbox(key="member").set_value("user:ilse")
    test.run()
    test.button(key="join").click().run()
    (member,) = open_workspace(home).access.rules.members()
    assert (member.name, member.member) == ("group:board", "user:ilse")
    test = page("people")
    test.selectbox(key="group").set_value("group:board")
    test.selectbox(key="member").set_value("user:ilse")
    test.run()
    test.button(key="leave-group").click().run()
    assert not open_workspace(home).access.rules.members()
    undo.take_back(("member", "group:board", "user:ilse"))
    assert [one.member for one in open_workspace(home).access.rules.members()] == ["user:ilse"]


def test_a_role_that_was_taken_away_can_be_had_back(page, home):
    for role in ("editor", "none"):
        test = page("people")
        asked = test.text_input if role == "editor" else test.selectbox  # which lists who is known by then
        asked(key="role-of").set_value("user:ilse")
        test.selectbox(key="role").set_value(role)
        test.run()
        test.button(key="give-role").click().run()
        assert not test.exception
    assert open_workspace(home).settings.access.editors == ()
    undo.take_back(("role", "user:ilse"))
    assert open_workspace(home).settings.access.editors == ("user:ilse",)


def test_what_somebody_may_read_is_told_with_the_reason(page, home):
    workspace = open_workspace(home)
    (home / "rag.toml").write_text((home / "rag.toml").read_text() + 'principals = ["group:board"]\n')
    workspace.access.rules.join("group:board", ["user:ilse"], who="boss")
    test = page("reading")
    assert "0 of 2" in shown(test) and "none of these names" in shown(test)
    test.selectbox(key="reading-of").set_value("user:ilse")
    test.text_input(key="reading-document").set_value("handbook/leave.md")
    test.run()
    text = shown(test)
    assert "2 of 2" in text and "Reads as everyone, group:board, user:ilse" in text and "They may read it." in text
    test.text_input(key="reading-document").set_value(EVIL)
    test.run()
    assert "No document is called so" in shown(test) and EVIL not in html_of(test)


def test_looking_with_anothers_eyes_reads_as_they_do_writes_nothing_of_theirs_and_is_in_the_audit(page, home):
    (home / "rag.toml").write_text((home / "rag.toml").read_text() + 'principals = ["user:ilse"]\n')
    test = page("reading")
    test.selectbox(key="reading-of").set_value("user:ilse")
    test.run()
    button = next(one for one in test.button if "See as" in one.label)
    button.click().run()
    assert not test.exception and "You look with the eyes of <b>user:ilse</b>" in html_of(test)
    assert 'href="admin"' not in html_of(test), "with a reader's eyes nothing is managed"
    audit = open_workspace(home).audit
    (event,) = audit.events()
    assert (event.kind, event.who["principals"], event.shown) == ("see_as", ["user:ilse"], {"as": "user:ilse"})
    assert event.who["name"] != "user:ilse"
    next(one for one in test.button if "Look as yourself" in one.label).click().run()
    assert "You look with the eyes" not in html_of(test) and 'href="admin"' in html_of(test)


def test_nobody_looks_with_anothers_eyes_without_a_trace(page, home):
    (home / "rag.toml").write_text((home / "rag.toml").read_text() + "\n[audit]\nrecord = false\n")
    test = page("reading")
    test.text_input(key="reading-of").set_value("user:ilse")
    test.run()
    next(one for one in test.button if "See as" in one.label).click().run()
    assert "must leave a trace" in shown(test) and "You look with the eyes" not in shown(test)


def test_a_token_is_shown_once(page, home):
    test = page("tokens")
    assert "There is no token yet" in shown(test)
    test.text_input[0].set_value("ci")
    next(one for one in test.button if one.label == "Make it").click().run()
    made = test.code[0].value
    assert made.startswith("rag_")
    tokens = Tokens(open_workspace(home).journal)
    assert tokens.holder(made).scopes == ("read", "ask")
    next(one for one in test.button if "copied" in one.label).click().run()
    assert not test.code and made not in html_of(test), "it is shown once"


def test_a_token_is_revoked_at_once_and_had_back(page, home):
    tokens = Tokens(open_workspace(home).journal)
    made = tokens.create("ci")
    test = page("tokens")
    test.selectbox(key="revoke").set_value("ci").run()
    test.button(key="revoke-now").click().run()
    assert not test.exception and tokens.holder(made) is None
    undo.take_back(("token", "ci"))
    assert tokens.holder(made).name == "ci"


def test_limits_are_written_and_what_is_wrong_is_told_at_its_field(page, home):
    test = page("limits")
    test.number_input(key="limits-access-questions_per_minute").set_value(-1)
    next(one for one in test.button if one.proto.form_id == "limits-access").click().run()
    assert "at least 0" in shown(test)
    assert open_workspace(home).settings.access.questions_per_minute == 30
    test.number_input(key="limits-access-questions_per_minute").set_value(7)
    next(one for one in test.button if one.proto.form_id == "limits-access").click().run()
    assert not test.exception and open_workspace(home).settings.access.questions_per_minute == 7


def test_a_model_here_answers_and_a_server_that_is_not_there_fails_in_words(page, home):
    with (home / "rag.toml").open("a") as file:
        file.write('\n[generator]\nbase_url = "http://reader:s3cr3t@127.0.0.1:9/v1"\nmodel = "m"\n')
    test = page("servers")
    assert "s3cr3t" not in html_of(test)
    test.button(key="try-model").click().run()
    assert "384 numbers" in shown(test) and "Answers" in shown(test)
    test.button(key="try-generator").click().run()
    assert "Fails" in shown(test) and "127.0.0.1:9" in shown(test) and "s3cr3t" not in html_of(test)


def test_a_backup_is_made_listed_and_read_back(page, home, tmp_path):
    place = tmp_path / f"{EVIL.replace('/', '')}"
    test = page("backups")
    assert "No backup was made from here yet" in shown(test)
    test.text_input(key="backup-target").set_value(str(place)).run()
    next(one for one in test.button if one.label == "Make a backup").click().run()
    wait_for(lambda: backup_state(open_workspace(home))["last"])
    text = shown(page("backups"))
    assert "The last backup ended" in text and "One copy is there" in text and EVIL not in html_of(test)
    test = page("backups")
    next(one for one in test.button if one.label == "Read all copies back").click().run()
    wait_for(lambda: backup_check_state(open_workspace(home))["last"])
    assert "was read back" in shown(page("backups"))


def wait_for(ended):
    for _ in range(2400):
        if ended():
            return
        time.sleep(0.05)
    raise TimeoutError


def test_it_is_for_admins(home, monkeypatch):
    with (home / "rag.toml").open("a") as file:
        file.write('\n[access]\nlocal_role = "editor"\n')
    monkeypatch.setattr(frame, "workspace", lambda: open_workspace(home))
    test = AppTest.from_file(ROOT / "app" / "views" / "admin.py", default_timeout=60).run()
    assert "This is for admins" in shown(test) and "Give a role" not in shown(test)
