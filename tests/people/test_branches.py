"""Chats that branch."""

import pytest

from rag_platform.core.errors import NotFound
from rag_platform.journal.journal import Journal
from rag_platform.journal.migrations import MIGRATIONS
from rag_platform.people.arranging.branches import ChatBranches
from rag_platform.people.chats import Chats
from rag_platform.storage.sqlite import SqliteFile


@pytest.fixture
def journal(database):
    return Journal(database)


def test_a_question_that_is_edited_stands_beside_the_one_before_with_all_that_followed(journal):
    chats, branches = Chats(journal), ChatBranches(journal)
    chat = chats.begin("Leave", "ann")
    shown = lambda: [one.content for one in chats.messages(chat, "ann")]  # noqa: E731
    first, answer = chats.say(chat, "user", "How many?"), chats.say(chat, "assistant", "25")
    second = chats.say(chat, "user", "Since when?")
    chats.say(chat, "assistant", "1990")
    branches.turn_back(chat, second, "ann")
    assert shown() == ["How many?", "25"]
    edited = chats.say(chat, "user", "Until when?")
    assert shown() == ["How many?", "25", "Until when?"] and chats.count(chat, "ann") == 3
    assert branches.of(chat, "ann").beside(edited) == [second, edited]
    branches.turn_back(chat, answer, "ann")
    again = chats.say(chat, "assistant", "Twenty-five", after=first)
    assert shown() == ["How many?", "Twenty-five"] and branches.of(chat, "ann").after(first) == [answer, again]
    branches.show(chat, second, "ann")
    assert shown() == ["How many?", "25", "Since when?", "1990"]
    chats.say(chat, "assistant", "Late", after=edited)  # written while another branch is looked at
    assert shown() == ["How many?", "25", "Since when?", "1990"]
    assert [one.content for one in chats.messages(chat, "ann", last=1)] == ["1990"]
    for change in (branches.show, branches.turn_back):
        with pytest.raises(NotFound, match="no message"):
            change(chat, first, "bob")


def test_a_link_shows_the_branch_that_was_shared(journal):
    chats, branches = Chats(journal), ChatBranches(journal)
    chat = chats.begin("Leave", "ann")
    question = chats.say(chat, "user", "How many?")
    token = chats.share(chat, "ann")
    branches.turn_back(chat, question, "ann")
    chats.say(chat, "user", "My salary?")
    assert [one.content for one in chats.opened(token).messages] == ["How many?"]
    branches.show(chat, question, "ann")
    assert chats.share(chat, "ann") == token
    assert [one.content for one in chats.opened(token).messages] == ["How many?"]


def test_chats_of_before_have_one_branch(tmp_path):
    file, before = (
        tmp_path / "app.sqlite",
        MIGRATIONS[: next(at for at, one in enumerate(MIGRATIONS) if "parent_id" in one)],
    )
    said = (
        "insert into messages (chat_id, role, content, created_at) values ('c', 'user', ?, '2026-01-01T00:00:00+00:00')"
    )
    with Journal(SqliteFile(file, before)).writing() as connection:
        moment = "2026-01-01T00:00:00+00:00"
        made = "insert into chats (id, principal, title, created_at, used_at) values ('c', 'ann', 'Leave', ?, ?)"
        connection.execute(made, (moment, moment))
        connection.executemany(said, [("a",), ("b",), ("c",)])
    again = Chats(Journal(file))
    assert [one.content for one in again.messages("c", "ann")] == ["a", "b", "c"]
    again.say("c", "user", "d")
    assert again.count("c", "ann") == 4


def test_what_is_asked_while_an_answer_is_written_comes_after_it(journal):
    chats = Chats(journal)
    chat = chats.begin("Ferries", "ann")
    first = chats.say(chat, "user", "When?")
    second = chats.say(chat, "user", "Where?")
    chats.say(chat, "assistant", "At six.", after=first)
    chats.say(chat, "assistant", "Here.", after=second)
    assert [one.content for one in chats.messages(chat, "ann")] == ["When?", "At six.", "Where?", "Here."]
