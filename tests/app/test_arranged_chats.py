"""Chats in folders, assistants, templates, versions of questions: each its owner's, and whose they say."""

import re
from datetime import UTC, datetime

import polars as pl
import pytest

from app.chat.listing import chats_html
from rag_platform.access.decisions import Target
from rag_platform.core.answers import Answer
from rag_platform.operations.asking.feedback_report import feedback_report
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person
from rag_platform.people.sharing.assistants import Assistant
from rag_platform.people.sharing.question_templates import QuestionTemplate
from rag_platform.workspace import open_workspace
from tests.app.chat_view import ask, chat_view, html, labels, pressed

LEAVE = "How many days of paid leave do employees get?"


@pytest.fixture
def page(home, embedder, monkeypatch):
    """Open the view over a workspace, as somebody, at an address."""
    return lambda who=None, **query: chat_view(monkeypatch, embedder, home, who, **query)


def assistants(test, **query):
    """Go to the view of assistants, at an address."""
    test.query_params.clear()
    test.query_params.update(query)
    return test.switch_page("views/assistants.py").run()


def test_pinned_chats_stand_first_then_folders_and_the_one_with_the_open_chat_is_open():
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    chats = [Chat("a", "A", now, now), Chat("b", "B", now, now, "<i>Work"), Chat("c", "C", now, now, "Home")]
    chats += [Chat("d", "D", now, now, "Home", True)]
    shown = chats_html(chats, "b", now)
    assert re.findall(r"chat=(\w)", shown) == ["d", "b", "c", "a"] and "<i>" not in shown
    assert [bool(one) for one in re.findall("<details( open)?>", shown)] == [True, False]
    assert chats_html(chats, None, now, opened=True).count("<details open>") == 2


def test_a_chat_is_pinned_and_moved_to_a_folder(page, home):
    workspace = open_workspace(home)
    chats = workspace.chats
    chat = chats.begin("Ferries")
    workspace.folders.move(chats.begin("Boats"), "At sea")
    pressed(page(chat=chat), "Pin")
    assert chats.find(chat).pinned
    page(chat=chat).selectbox(key=f"folder-{chat}").set_value("At sea").run()
    assert chats.find(chat).folder == "At sea"
    pressed(page(chat=chat), "Unpin")
    assert "<summary>At sea" in html(page(chat=chat))


def test_an_assistant_greets_offers_its_questions_and_is_in_its_chat(page, home):
    workspace = open_workspace(home)
    made = workspace.assistants.put("", "<b>Leave</b>", Assistant("Days <i>off</i>", starters=(LEAVE,)))
    assert f"?assistant={made}" in html(page())
    test = page(assistant=made)
    assert "&lt;b&gt;Leave&lt;/b&gt;" in html(test) and "<i>off" not in html(test)
    pressed(test, LEAVE)
    [chat] = workspace.chats.of()
    assert chat.assistant == made and "With <b>&lt;b&gt;Leave" in html(page(chat=chat.id))
    lost = workspace.assistants.put("", "Lost", Assistant(collections=("nowhere",)))
    test = ask(page(assistant=lost), LEAVE)
    assert "do not contain an answer" in html(test) and not test.exception
    workspace.assistants.remove(made, "")
    assert "This assistant is not here" in html(page(assistant=made)) and "not here" in html(page(chat=chat.id))


def test_an_assistant_is_made_changed_and_removed_by_its_owner_alone(page, home):
    workspace, ann = open_workspace(home), Person("user:ann", "Ann", "reader", ("user:ann", "group:a"))
    test = assistants(page(ann), edit="new")
    test.text_input[0].set_value("Leave")
    test.text_area[1].set_value("How many?\n\nSince when?")
    test.multiselect(key="readers-new").set_value(["group:a"])
    pressed(test, "Save")
    [made] = workspace.assistants.of({"user:ann"})
    assert (made.id, made.body.starters, made.readers) == ("leave", ("How many?", "Since when?"), ("group:a",))
    bob = Person("user:bob", "Bob", "reader", ("user:bob", "group:a"))
    seen = html(assistants(page(bob), edit="leave"))
    assert "not among yours" in seen and "By ann" in seen and "edit=leave" not in seen
    pressed(assistants(page(ann), edit="leave"), "Remove")
    assert workspace.assistants.of({"user:ann"}) == []
    test = assistants(page(ann), template="new")
    test.text_input[0].set_value("Of <i>what</i>")
    test.text_area[0].set_value("How many days of {{what}}?")
    test.multiselect(key="template-readers-new").set_value(["group:a"])
    pressed(test, "Save")
    assert "of {{what}}" in html(assistants(page(bob))) and "<i>what" not in html(assistants(page(bob)))
    assert "not among yours" in html(assistants(page(bob), template="of-i-what-i"))
    assert "Sign in" in html(assistants(page(Person("visitor:1", "Visitor", "reader"))))


def test_a_template_is_named_in_the_box_and_its_gaps_are_filled(page, home):
    workspace = open_workspace(home)
    made = workspace.templates.put("", "Days", QuestionTemplate("How many days of {{what}} do {{who}} get?"))
    workspace.templates.put("", "Leave", QuestionTemplate(LEAVE))
    workspace.templates.put("user:other", "Secret", QuestionTemplate("A {{secret}}?"))
    test = page()
    test.text_input(key="complete").set_value("!d").run()
    assert f'data-sign="!{made}"' in html(test) and "leave" not in "".join(re.findall("data-sign=.*?>", html(test)))
    test = ask(page(), f"!{made}")
    assert workspace.chats.of() == [] and "days of {{what}}" in html(test)
    test.text_input(key="gap-days-0").set_value("paid leave")
    test.text_input(key="gap-days-1").set_value("employees")
    pressed(test, "Ask")
    assert [chat.title for chat in workspace.chats.of()] == [LEAVE] and "{{what}}" not in html(test)
    ask(page(), "!leave")
    assert [chat.title for chat in workspace.chats.of()] == [LEAVE, LEAVE]
    ask(page(), "!secret")
    assert workspace.chats.of()[0].title == "!secret", "a template of another's is a question like any"


def test_a_question_is_edited_and_an_answer_written_anew_beside_the_ones_before(page, home):
    chats = open_workspace(home).chats
    test = ask(ask(page(), LEAVE), "Until when do unused days count?")
    [chat] = chats.of()
    first, answer, second, _ = chats.messages(chat.id)
    test.text_area(key=f"edited-{first.id}").set_value("How many days of leave expire?")
    next(
        one for one in test.button if one.label == "Ask" and one.form_id.endswith(f"edit-form-{first.id}")
    ).click().run()
    edited, _ = chats.messages(chat.id)
    assert edited.content == "How many days of leave expire?" and len(chats.of()) == 1 and not test.exception
    test = page(chat=chat.id)
    test.button_group(key=f"version-{edited.id}").set_value(0).run()
    assert [one.id for one in chats.messages(chat.id)][:3] == [first.id, answer.id, second.id] and LEAVE in html(test)
    last = chats.messages(chat.id)[-1]
    test = page(chat=chat.id)
    next(one for one in test.button if one.key.startswith(f"anew-{last.id}-")).click().run()
    anew = chats.messages(chat.id)[-1]
    assert anew.role == "assistant" and anew.id > last.id and chats.count(chat.id) == 4
    assert {one.key for one in test.button_group} >= {f"version-{anew.id}", f"version-{first.id}"}
    pressed(test, "Side by side")
    assert test.get("html") and labels(test).count("This one is better") == 2
    test.button(key=f"better-{last.id}").click().run()
    better, worse = last.receipt_id, anew.receipt_id
    assert open_workspace(home).preferred.better(worse, better) == better and not test.exception


def test_whose_answers_were_preferred_is_told_to_who_may_read_both(home, make_hit):
    workspace, now = open_workspace(home), datetime.now(UTC)
    [leave] = workspace.versions.live().documents().filter(pl.col("title") == "Leave policy")["doc_id"]
    hidden = make_hit(1, "25 days", doc_id=leave)
    workspace.access.rules.set(Target("source", "handbook"), allow=["group:board"], who="boss", why="")
    answers = {
        name: workspace.journal.record(Answer(LEAVE, "25", False, (), "v1", name, "", hits), mode="hybrid")
        for name, hits in (("one", ()), ("other", ()), ("closed", (hidden,)))
    }
    workspace.preferred.prefer(answers["one"], answers["other"], "user:a")
    workspace.preferred.prefer(answers["other"], answers["one"], "user:b")
    workspace.preferred.prefer(answers["one"], answers["other"], "user:b")
    workspace.preferred.prefer(answers["closed"], answers["one"], "user:c")
    report = feedback_report(workspace, 7, ("user:ilse",), now)
    assert [(one.name, one.good, one.bad) for one in report.preferred] == [("other", 0, 2), ("one", 2, 0)]
    assert report.hidden
    proposed = workspace.proposals.list(("user:ilse",))
    assert [(one.id, one.good, one.answerable) for one in proposed] == [(answers["one"], True, True)]
    helped = workspace.journal.record(
        Answer(LEAVE, "25", False, (), "v1", "one", "", ()), mode="hybrid", settings={"assistant": "leave"}
    )
    workspace.feedback.give(helped, good=True)
    report = feedback_report(workspace, 7, ("user:ilse",), now)
    assert [(one.name, one.good) for one in report.assistants] == [("leave", 1)]


def test_an_answer_that_may_be_read_no_more_is_withheld_beside_another_too(page, home, make_hit):
    workspace, ann = open_workspace(home), Person("user:ann", "Ann", "reader", ("user:ann",))
    [leave] = workspace.versions.live().documents().filter(pl.col("title") == "Leave policy")["doc_id"]
    chat = workspace.chats.begin(LEAVE, "user:ann")
    asked = workspace.chats.say(chat, "user", LEAVE)
    for text, hits in (("It is a secret.", (make_hit(1, "25 days", doc_id=leave),)), ("I do not know.", ())):
        answer = Answer(LEAVE, text, False, (), "v1", "tiny", "", hits)
        receipt = workspace.journal.record(answer, mode="hybrid", principal="user:ann")
        said = workspace.chats.say(chat, "assistant", text, receipt, after=asked)
    workspace.branches.show(chat, said, "user:ann")
    test = pressed(page(ann, chat=chat), "Side by side")
    assert "It is a secret." in html(test) and labels(test).count("This one is better") == 2
    workspace.access.rules.set(Target("source", "handbook"), allow=["group:board"], who="boss", why="")
    test = pressed(page(ann, chat=chat), "Side by side")
    assert "It is a secret." not in html(test) and "I do not know." in html(test)
    assert "This one is better" not in labels(test) and not test.exception
