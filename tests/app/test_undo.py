"""What is taken away goes a little later, once, and not when it was taken back."""

import threading

import pytest

from app import undo
from app.chat.managing import end_link
from rag_platform.people.identity import Person
from rag_platform.workspace import open_workspace
from tests.app.chat_view import ask, chat_view, html, labels, pressed


@pytest.fixture(autouse=True)
def nothing_waits():
    yield
    undo._LEAVING.clear()


def test_what_is_to_go_goes_by_itself_once_and_not_when_it_was_taken_back():
    gone = threading.Semaphore(0)
    undo.take_away(("a",), "A", gone.release, "", seconds=0.0)
    undo.take_away(("b",), "B", gone.release, "", seconds=1e6)
    undo.take_away(("b",), "B", gone.release, "", seconds=0.0)
    assert gone.acquire(timeout=60) and undo.is_leaving("b")
    assert undo.take_back(("b",)) and not undo.take_back(("b",)) and not gone.acquire(blocking=False)


def test_what_is_just_going_is_not_listed_once_more_and_cannot_be_had_back():
    seen = []
    undo.take_away(("a",), "A", lambda: seen.append((undo.is_leaving("a"), undo.take_back(("a",)))), "", seconds=1e6)
    undo.settle(("a",))
    assert seen == [(True, False)] and not undo.is_leaving("a")


def test_what_fails_to_go_is_there_again(caplog):
    undo.take_away(("a",), "A", lambda: 1 / 0, "", seconds=1e6)
    undo.do_all()
    assert not undo.is_leaving("a") and "was not taken away" in caplog.text


def test_what_lets_somebody_in_ends_at_once_and_can_be_restored_until_another_takes_its_place():
    kept = []
    undo.taken(("token", "a"), "A", lambda: kept.append("a"), "", seconds=1e6)
    assert undo.take_back(("token", "a")) and kept == ["a"]
    undo.taken(("token", "a"), "A", lambda: kept.append("first"), "", seconds=1e6)
    undo.taken(("token", "a"), "A", lambda: kept.append("second"), "", seconds=1e6)
    assert undo.take_back(("token", "a")) and kept == ["a", "second"]
    undo.taken(("token", "a"), "A", lambda: kept.append("late"), "", seconds=1e6)
    undo.settle(("token", "a"))
    assert not undo.take_back(("token", "a")) and "late" not in kept


def test_an_ended_link_leads_nowhere_at_once_and_again_after_undo(home):
    workspace = open_workspace(home)
    chats = workspace.chats
    chat = chats.find(chats.begin("Leave"))
    token = chats.share(chat.id)
    end_link(workspace, chat, Person("", "local", "admin"))
    assert chats.opened(token) is None
    assert undo.take_back(("link", chat.id)) and chats.opened(token)


def test_a_chat_is_listed_no_more_and_can_be_had_back_by_its_owner_alone(monkeypatch, embedder, home):
    workspace = open_workspace(home)
    test = ask(chat_view(monkeypatch, embedder, home), "How many days of paid leave do employees get?")
    [chat] = workspace.chats.of()
    pressed(test, "Delete")
    assert "nav" in html(test) and f"chat={chat.id}" not in html(test)
    assert f"The chat <b>{chat.title}</b> is deleted" in html(test) and workspace.chats.find(chat.id)
    undo.take_away(("file", "x"), "other's file", lambda: None, "user:other", seconds=1e6)
    assert labels(test.run()).count("Undo") == 1, "what another has taken away is not told"
    pressed(test, "Undo")
    assert f"chat={chat.id}" in html(test)
    chat_view(monkeypatch, embedder, home, chat=chat.id)
    pressed(chat_view(monkeypatch, embedder, home, chat=chat.id), "Delete")
    undo.do_all()
    assert workspace.chats.find(chat.id) is None
