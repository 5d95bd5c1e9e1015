"""Answers that the server writes: followed by many, from any part, stopped for all, kept once."""

import threading
from contextlib import closing

import pytest

from rag_platform.access.decisions import Target
from rag_platform.core.answers import Answer
from rag_platform.core.errors import AccessDenied, NotFound, TooManyRequests
from rag_platform.core.hits import Filters
from rag_platform.operations.asking import underway
from rag_platform.operations.asking.underway import UNREAD, AnswersUnderway, stop_all
from rag_platform.retrieval.results import SearchResult
from tests.api.published import QUESTION, opened, publish
from tests.chat_server import END, ROLE, chunk, serving

BOARD = Filters(principals=("group:board",))
SAID = "The ferry runs from six until dusk. [1]"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture(scope="module")
def home(tmp_path_factory, tiny_embedder):
    home = tmp_path_factory.mktemp("underway")
    publish(home, tiny_embedder)
    return home


@pytest.fixture
def world(home, tiny_embedder):
    """A workspace whose model waits amid its answer until `model.go` is set; and its answers."""
    settings = (home / "rag.toml").read_text().partition("[generator]")[0]
    with serving() as model:
        (home / "rag.toml").write_text(f'{settings}[generator]\nname = "tiny"\nbase_url = "{model.address}"\n')
        model.go = threading.Event()
        model.script = [[ROLE, chunk("The ferry runs "), model.go, chunk("from six until dusk [1]."), *END]]
        workspace = opened(home, tiny_embedder)
        clock = Clock()
        yield workspace, AnswersUnderway(workspace, clock), model, clock
        model.go.set()


def asked(workspace, answers, filters=BOARD, question=QUESTION):
    chat = workspace.chats.begin("Ferries", "user:ilse")
    return answers.begin(chat, "user:ilse", question, filters=filters)


def text_of(parts):
    return "".join(part for part in parts if isinstance(part, str))


def read(one, begin=0):
    return [part for new in one.parts_from(begin) for part in new]


def until_text(one):
    """Follow an answer to its first words, and leave."""
    seen = []
    with closing(one.parts_from(0)) as parts:
        for new in parts:
            seen += new
            if text_of(seen):
                return seen
    raise AssertionError("no word was written")


def test_an_answer_outlives_who_asked_and_all_who_follow_see_the_same(world):
    workspace, answers, model, _ = world
    one = asked(workspace, answers)
    seen = until_text(one)
    assert answers.of(one.chat, "user:ilse") is one and answers.of(one.chat, "user:otto") is None
    found = {}
    readers = [threading.Thread(target=lambda at=at: found.update({at: read(one, at)})) for at in (0, len(seen))]
    for reader in readers:
        reader.start()
    model.go.set()
    for reader in readers:
        reader.join()
    assert found[0] == [*seen, *found[len(seen)]]
    assert isinstance(found[0][0], SearchResult) and isinstance(found[0][-1], Answer)
    question, answer = workspace.chats.messages(one.chat, "user:ilse")
    assert (question.id, question.content) == (one.question, QUESTION)
    assert answer.content == found[0][-1].answer == SAID and not answer.stopped
    assert read(one) == found[0], "who comes late has it too"
    assert answers.of(one.chat, "user:ilse") is None


def test_who_stops_it_stops_it_for_all_and_for_the_models_server(world):
    workspace, answers, model, _ = world
    one = asked(workspace, answers)
    until_text(one)
    with closing(one.parts_from(0)) as elsewhere:
        next(elsewhere)
        one.stop()
        assert all(part for new in elsewhere for part in new) and one.ended
    assert model.hung_up.wait(60.0)
    _, answer = workspace.chats.messages(one.chat, "user:ilse")
    assert answer.stopped and answer.content == "The ferry runs" and answer.receipt_id


def test_nobody_follows_for_long_ends_it_and_who_follows_keeps_it(world):
    workspace, answers, _, clock = world
    one = asked(workspace, answers)
    with closing(one.parts_from(0)) as parts:
        next(parts)
        clock.now += UNREAD + 1
        assert [next(parts) for _ in range(3)] and not one.ended, "somebody reads"
    clock.now += UNREAD + 1
    assert one.wait(60.0)
    assert workspace.chats.messages(one.chat, "user:ilse")[-1].stopped


def test_rights_are_looked_up_at_each_reading_and_while_one_reads(world):
    workspace, answers, _, clock = world
    one = asked(workspace, answers)
    until_text(one)
    with pytest.raises(NotFound):
        next(answers.follow(one, "user:otto", ("group:board",)))
    with closing(answers.follow(one, "user:ilse", ("group:board",))) as parts:
        next(parts)
        target = Target("collection", "handbook")
        workspace.access.rules.set(target, deny=["*"], who="user:ada", why="closed")
        try:
            clock.now += 2
            with pytest.raises(AccessDenied):
                list(parts)
            with pytest.raises(AccessDenied):
                next(answers.follow(one, "user:ilse", ("group:board",)))
        finally:
            workspace.access.rules.remove(target, who="user:ada", why="open again")
            one.stop()
            read(one)


def test_a_chat_answers_one_question_at_a_time_and_not_too_many_are_answered(world, monkeypatch):
    workspace, answers, _, _ = world
    one = asked(workspace, answers)
    assert answers.begin(one.chat, "user:ilse", "Another?") is one
    with pytest.raises(NotFound):
        answers.begin(one.chat, "user:otto", "Another?")
    monkeypatch.setattr(underway, "MOST", 1)
    with pytest.raises(TooManyRequests):
        asked(workspace, answers)
    assert AnswersUnderway(workspace).of(one.chat, "user:ilse") is one, "opened anew"
    stop_all(60.0)
    assert one.ended and workspace.chats.messages(one.chat, "user:ilse")[0].content == QUESTION


def test_what_fails_is_told_to_who_follows_and_asked_again_without_being_repeated(world, monkeypatch):
    workspace, answers, model, _ = world
    model.go.set()
    with monkeypatch.context() as broken:
        broken.setattr("rag_platform.retrieval.Retriever.search", lambda *_, **__: 1 / 0)
        one = asked(workspace, answers)
        assert read(one) == [] and isinstance(one.error, ZeroDivisionError)
    again = answers.begin(one.chat, "user:ilse", QUESTION, filters=BOARD)
    assert again.question == one.question and read(again)[-1].answer == SAID
    assert [message.role for message in workspace.chats.messages(one.chat, "user:ilse")] == ["user", "assistant"]
