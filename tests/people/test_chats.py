"""Chats: kept for each person, found, renamed, deleted, shared, and forgotten."""

from dataclasses import replace

import pytest

from rag_platform.core.answers import Answer, Turn
from rag_platform.core.errors import NotFound
from rag_platform.journal.journal import Journal
from rag_platform.people.arranging.folders import ChatFolders
from rag_platform.people.chats import Chats, turns_of


@pytest.fixture
def chats(database):
    return Chats(Journal(database))


def begun(chats, title, *said, who="ann"):
    chat = chats.begin(title, who)
    for place, text in enumerate(said):
        chats.say(chat, "assistant" if place % 2 else "user", text)
    return chat


def test_a_persons_chats_are_listed_by_last_use_and_found_by_all_words(chats):
    leave = begun(chats, "Paid leave", "How many days?", "25 days, and Ünused ones expire.")
    rivers = begun(chats, "Rivers", "How long is the Örtze?", "It is 62 km long. 100 % sure.")
    begun(chats, "Leave of others", "Bob's leave", who="bob")
    assert [chat.id for chat in chats.of("ann")] == [rivers, leave]
    chats.say(leave, "user", "And then?")
    assert [chat.id for chat in chats.of("ann")] == [leave, rivers]
    found = {words: [chat.title for chat in chats.of("ann", words)] for words in ("leave", "DAYS 25", "örtze", "0 %")}
    assert found == {"leave": ["Paid leave"], "DAYS 25": ["Paid leave"], "örtze": ["Rivers"], "0 %": ["Rivers"]}
    assert chats.of("ann", "leave Örtze") == [] and len(chats.of("ann", limit=1)) == 1


def test_only_the_owner_renames_deletes_and_shares(chats):
    chat = begun(chats, "Leave", "How many?", "25")
    for change in (lambda: chats.rename(chat, "Mine", "bob"), lambda: chats.delete(chat, "bob")):
        with pytest.raises(NotFound, match="no such chat of yours"):
            change()
    for change in (chats.share, chats.unshare):
        with pytest.raises(NotFound, match="no such chat of yours"):
            change(chat, "bob")
    chats.rename(chat, "  Days\nof leave ", "ann")
    assert chats.find(chat, "ann").title == "Days of leave" and chats.find(chat, "bob") is None
    with pytest.raises(NotFound, match="needs a title"):
        chats.rename(chat, " ", "ann")
    chats.delete(chat, "ann")
    assert chats.find(chat, "ann") is None and chats.messages(chat, "ann") == []


def test_a_link_shows_what_was_said_until_it_was_shared_and_can_be_taken_back(chats):
    chat = begun(chats, "Leave", "How many?", "25")
    token = chats.share(chat, "ann")
    chats.say(chat, "user", "my salary?")
    assert [message.content for message in chats.opened(token).messages] == ["How many?", "25"]
    assert chats.share(chat, "ann") == token == chats.shared_as(chat, "ann"), "one chat has one link"
    assert len(chats.opened(token).messages) == 3
    assert chats.shared_as(chat, "bob") is None and chats.opened(chat) is None
    restore = chats.unshare(chat, "ann")
    assert chats.opened(token) is None
    restore()
    assert len(chats.opened(token).messages) == 3
    restore = chats.unshare(chat, "ann")
    other = chats.share(chat, "ann")
    restore()
    assert other != token and chats.shared_as(chat, "ann") == other, "a new link stays"
    restore = chats.unshare(chat, "ann")
    chats.delete(chat, "ann")
    restore()
    assert chats.shared_as(chat, "ann") is None


def test_the_last_messages_of_a_long_chat_come_with_their_receipts(chats, hits):
    chat = chats.begin("long", "ann")
    answer = Answer("a?", "25 days", False, (), "v1", "extractive", "", tuple(hits), reasoning="Let me see.")
    receipt = chats._journal.record(replace(answer, hits=()), mode="rerank")
    for number in range(6):
        chats.say(chat, "user", f"{number}?")
        chats.say(chat, "assistant", f"{number}.", receipt if number == 5 else None, stopped=number == 4)
    last = chats.messages(chat, "ann", last=4)
    assert [(one.content, one.stopped) for one in last] == [("4?", False), ("4.", True), ("5?", False), ("5.", False)]
    assert chats.count(chat, "ann") == 12 and chats.count(chat, "bob") == 0
    assert chats.receipts(last)[receipt].reasoning == "Let me see."
    assert turns_of(chats.messages(chat, "ann", last=4)) == [Turn("4?", "4."), Turn("5?", "5.")]


def test_a_folder_is_there_while_a_chat_is_in_it_and_only_its_owner_moves_or_pins_a_chat(database):
    journal = Journal(database)
    chats, folders = Chats(journal), ChatFolders(journal)
    kept, pinned, plain = (begun(chats, title, "Leave?") for title in ("Kept", "Pinned", "Plain"))
    folders.move(kept, "  Work \n 2026 ", "ann")
    folders.pin(pinned, "ann", pinned=True)
    assert folders.of("ann") == ["Work 2026"] and folders.of("bob") == []
    found = {chat.id: (chat.folder, chat.pinned) for chat in chats.of("ann", "leave", arranged=True)}
    assert found == {kept: ("Work 2026", False), pinned: ("", True)}
    assert [chat.id for chat in chats.of("ann", arranged=False)] == [plain]
    for change in (lambda: folders.move(kept, "Mine", "bob"), lambda: folders.pin(kept, "bob", pinned=True)):
        with pytest.raises(NotFound, match="no such chat of yours"):
            change()
    folders.move(kept, "", "ann")
    folders.pin(pinned, "ann", pinned=False)
    assert folders.of("ann") == [] and chats.of("ann", arranged=True) == []
