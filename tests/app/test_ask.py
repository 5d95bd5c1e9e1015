"""Ask without a browser: what is kept, what is offered, and what nobody else gets to see."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.chat import suggesting
from app.chat.export import chat_markdown
from app.chat.listing import chats_html
from rag_platform.core.errors import NotFound
from rag_platform.erasure.forget import forget
from rag_platform.erasure.targets import recognise
from rag_platform.people.chats import Chat
from rag_platform.people.identity import Person
from rag_platform.pipeline.stages import Pipeline
from rag_platform.workspace import open_workspace
from tests.app.chat_view import ask, chat_view, html, labels, pressed
from tests.chat_server import END, ROLE, chunk, serving
from tests.copies import copy_of

LEAVE, YEARS = (
    "How many days of paid leave do employees get?",
    "After how many years may an employee take a sabbatical?",
)


@pytest.fixture
def page(home, embedder, monkeypatch):
    """Open the view over a workspace, as somebody, at an address."""

    def opened(who=None, folder=home, **query):
        return chat_view(monkeypatch, embedder, folder, who, **query)

    return opened


def test_an_answer_is_quotes_with_what_is_known_of_their_sources(page):
    shown = html(ask(page(), LEAVE))
    quote = re.search(r'<blockquote dir="auto">\s*<p>Employees get.*?</blockquote>', shown, re.DOTALL)[0]
    assert "<strong><mark>25 days</mark></strong> of paid leave per year. Unused days expire on 31 March" in quote
    assert ">Leave policy</a> · 30 October 2026 (" in quote
    card = re.search(r'<a class="card inner".*?</a>', shown, re.DOTALL)[0]
    assert "Leave policy" in card and "handbook · 30 October 2026" in card and "Paid leave" in card
    assert 'data-n="1"' in card and "<blockquote>" not in card, "the quote stands beside it"
    assert re.search(r"Searched once · \d passages? · \d\.\d s", shown) and "Checked one sentence" in shown
    assert '<span class="state quoted">1 quoted</span>' in shown
    assert "· v1 ·" in shown and "<summary>receipt</summary> <code>" in shown and "data-copy=" in shown


def test_what_the_model_thought_is_there_after_a_reload_until_it_is_forgotten(page, home):
    said = [ROLE, chunk(reasoning="Twenty-five & no more."), chunk("Employees get 25 days of paid leave [1]."), *END]
    with serving() as model:
        model.script = [said]
        with (home / "rag.toml").open("a") as settings:
            settings.write(f'[generator]\nname = "tiny"\nbase_url = "{model.address}"\n')
        chat = ask(page(), LEAVE).query_params["chat"]
        again = page(chat=chat)
        assert [one.label for one in again.expander] == ["What the model thought"]
        assert "Twenty-five &amp; no more." in html(again)
        forget(open_workspace(home), recognise(open_workspace(home), "leave.md"))
        assert not (left := page(chat=chat)).expander and "Twenty-five" not in html(left)


def test_a_bad_answer_is_asked_about_and_becomes_a_proposed_question(page, home):
    test = ask(page(), LEAVE)
    test.get("feedback")[0].set_value(0).run()
    assert "What was wrong with it?" in str(test) or test.text_area(key="comment")
    [proposal] = open_workspace(home).proposals.list()
    assert proposal.question == LEAVE and not proposal.good
    test.get("feedback")[0].set_value(1).run()
    assert open_workspace(home).proposals.list() == []


def test_what_is_suggested_can_be_asked_and_is_answered(page):
    test = page()
    suggesting._WORKER.submit(lambda: None).result()  # what looks for them has come to its end
    test.run()
    examples = [button.label for button in test.button if (button.key or "").startswith("example-")]
    assert examples and "You could ask" in html(test)
    test = pressed(test, examples[0])
    assert "data-n=" in html(test), "an example has an answer"
    ask(test, LEAVE)
    suggesting._WORKER.submit(lambda: None).result()
    following = labels(test.run())
    assert "Ask next" in html(test) and any("Sabbatical" in label for label in following)


def test_chats_are_listed_and_found(page):
    test = ask(page(), LEAVE)
    assert f'aria-current="page">{LEAVE}</a>' in html(test).replace("aria-current=page", 'aria-current="page"')
    test.text_input(key="chat-words").set_value("25 DAYS").run()
    assert f">{LEAVE}</a>" in html(test)
    test.text_input(key="chat-words").set_value("xylophone").run()
    assert "No chat holds these words" in html(test)
    pressed(test, "New chat")
    assert "chat" not in test.query_params and "Ask your documents" in html(test)


@pytest.fixture
def restricted(home):
    """The workspace with a document that only wardens may read."""
    (home / "docs" / "keys").mkdir()
    (home / "docs" / "keys" / "k.md").write_text("# Keys\n\nThe key of the lock house opens the pump room.\n")
    with (home / "rag.toml").open("a") as settings:
        settings.write('[[sources.rules]]\nmatch = "keys/*"\nprincipals = ["group:wardens"]\n')
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    return workspace


ILSE = Person("user:ilse", "Ilse", "reader", ("user:ilse", "group:wardens"))
OTTO = Person("user:otto", "Otto", "reader", ("user:otto",))


def test_a_shared_chat_shows_each_reader_what_they_may_read_and_nothing_to_be_changed(page, restricted):
    test = ask(ask(page(ILSE), LEAVE), "What does the key of the lock house open?")
    chat = test.query_params["chat"]
    assert "opens the pump room" in html(test)
    assert "pump room" not in html(page(OTTO, chat=chat)), "by its address a chat is its owner's alone"
    token = restricted.chats.share(chat, ILSE.id)
    otto = page(OTTO, shared=token)
    assert "Employees get 25 days" in html(otto) and "pump room" not in html(otto)
    assert "documents that you may not read" in html(otto) and "shared with you" in html(otto)
    assert not otto.chat_input and not otto.get("feedback") and "Share" not in labels(otto)
    assert "opens the pump room" in html(page(ILSE, shared=token))
    restricted.chats.unshare(chat, ILSE.id)
    assert "This link leads nowhere" in html(page(OTTO, shared=token))


def test_who_may_no_longer_read_a_document_no_longer_sees_the_answers_from_it(page, restricted):
    test = ask(page(ILSE), "What does the key of the lock house open?")
    left = replace(ILSE, principals=("user:ilse",))
    later = page(left, chat=test.query_params["chat"])
    assert "you may no longer read" in html(later) and "pump room" not in html(later)


def test_an_export_holds_answers_sources_and_version_but_nothing_closed(page, restricted):
    test = ask(ask(page(ILSE), LEAVE), "What does the key of the lock house open?")
    said = restricted.chats.messages(test.query_params["chat"], ILSE.id)
    receipts = restricted.chats.receipts(said)
    written = chat_markdown("My <chat>", said, receipts)
    assert written.startswith(f"# My <chat>\n\n## {LEAVE}\n\n> Employees get **25 days**")
    assert "1. Leave policy (" in written and restricted.versions.live_id() in written and "pump room" in written
    keys = next(hit["doc_id"] for one in receipts.values() for hit in one.hits if "keys" in hit["uri"])
    assert "pump room" not in chat_markdown("x", said[2:], receipts, {keys})


def test_a_failed_model_is_told_and_others_are_offered(page, home):
    with serving() as model:
        address = model.address
        model.script = [[ROLE, chunk("Employees get 25 days of paid leave per year [1]."), *END]]
        with (home / "rag.toml").open("a") as settings:
            settings.write('[generator]\nname = "gone"\nbase_url = "http://127.0.0.1:9/v1"\ntimeout = 2\n')
            settings.write(f'[generators.tiny]\nbase_url = "{address}"\n')
        test = ask(page(), LEAVE)
        assert "<b>gone could not answer.</b>" in html(test) and "Employees get 25 days" in html(test)
        assert "127.0.0.1:9" in html(test), "whoever may mend it reads why"
        reader = Person("", "R", "reader")
        assert "127.0.0.1:9" not in html(page(reader, chat=test.query_params["chat"]))
        test = page(chat=test.query_params["chat"])
        assert {"Try again", "Answer with tiny"} <= set(labels(test))
        pressed(test, "Answer with tiny")
        assert len(model.requests) >= 1 and html(test).count("· tiny ·") >= 1


def test_a_question_that_failed_is_kept_and_can_be_asked_again(page, monkeypatch):
    test = page()

    def broken(*_, **__):
        raise NotFound("the index <went> away")

    with monkeypatch.context() as patched:
        patched.setattr("rag_platform.retrieval.Retriever.search", broken)
        ask(test, LEAVE)
        assert "the index &lt;went&gt; away" in html(test) and "Your question is kept" in html(test)
        chat = test.query_params["chat"]
    again = page(chat=chat)
    assert "This question has no answer" in html(again)
    pressed(again, "Try again")
    assert "Employees get 25 days" in html(again) and html(again).count("data-question=") == 1


def test_unanswered_questions_of_one_chat_can_each_be_asked_again(page, home):
    chats = open_workspace(home).chats
    chat = chats.begin("a")
    for question in (LEAVE, YEARS):
        chats.say(chat, "user", question)
    test = page(chat=chat)
    assert not test.exception and labels(test).count("Try again") == 2
    test = pressed(test, "Try again")  # the older one
    assert not test.exception and "Employees get 25 days" in html(test)
    assert [one.content for one in chats.messages(chat) if one.role == "user"] == [LEAVE, YEARS, LEAVE]


def test_whoever_asks_too_often_is_told_when_to_ask_again_and_loses_no_question(page, home):
    with (home / "rag.toml").open("a") as settings:
        settings.write("[access]\nquestions_per_minute = 1\n")
    test = ask(ask(page(), LEAVE), YEARS)
    assert "Ask again in" in test.warning[0].value and YEARS in html(test)
    assert "Try again" in labels(test) and not test.exception
    assert len(open_workspace(home).chats.of("")) == 1


def test_a_source_that_is_late_is_told_to_those_who_know_of_it(page, home):
    text = (home / "rag.toml").read_text()
    (home / "rag.toml").write_text(text.replace('kind = "folder"', 'kind = "folder"\nfresh_within_hours = 1'))
    workspace = open_workspace(home)
    raw = workspace.store.read("raw", "handbook")
    long_ago = datetime.now(UTC) - timedelta(hours=30)
    workspace.store.write("raw", "handbook", raw.with_columns(last_seen=long_ago).cast(raw.schema))
    shown = html(page())
    assert "<b>handbook</b> is late" in shown and "1 day ago" in shown
    assert "is late" in html(ask(page(), LEAVE)), "an answer rests on it"


def test_an_older_answer_says_so(page, home):
    chat = ask(page(), LEAVE).query_params["chat"]
    (home / "docs" / "third.md").write_text("# Parking\n\nThe car park behind the house has forty places.\n")
    workspace = open_workspace(home)
    pipeline = Pipeline(workspace)
    pipeline.sync_source("handbook")
    workspace.versions.promote(pipeline.build().version, "test")
    test = page(chat=chat)
    assert "the documents may say something else" in html(test) and "Ask again" in labels(test)


def test_a_long_chat_is_shown_from_its_end(page, home):
    chats = open_workspace(home).chats
    chat = chats.begin("long")
    for number in range(30):
        chats.say(chat, "user", f"Question {number}?")
        chats.say(chat, "assistant", f"Answer {number}.")
    test = page(chat=chat)
    assert "Answer 29." in html(test) and "Answer 20." in html(test) and "Answer 19." not in html(test)
    pressed(test, "Show earlier questions (20)")
    assert "Answer 0." in html(test)


def test_chats_are_grouped_by_the_day_of_their_last_use():
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    days = (0, 1, 3, 40)
    chats = [Chat(f"<{day}>", f"<b>{day}</b>", now, now - timedelta(days=day)) for day in days]
    shown = chats_html(chats, "<3>", now)
    assert re.findall("<h3>(.*?)</h3>", shown) == ["Today", "Yesterday", "Last seven days", "Earlier"]
    assert "&lt;b&gt;40" in shown and "<b>" not in shown and shown.count("aria-current") == 1


def test_nothing_published_teaches_by_role(page, tmp_path):
    editor = html(page(folder=tmp_path / "empty"))
    assert "Drop files" in editor and "Sync now" in editor and "rag.toml<" not in editor
    assert "An editor drops files" in html(page(Person("user:r", "R", "reader"), folder=tmp_path / "empty"))


def test_what_is_archived_is_asked_by_a_switch(page, home, tmp_path):
    assert not page().toggle
    archive = copy_of(home, tmp_path / "archive")
    settings = archive / "rag.toml"
    settings.write_text(settings.read_text().replace("[[sources]]", "[[sources]]\narchive_after_days = 1", 1))
    test = page(folder=archive)
    test.toggle(key="archived").set_value(True).run()
    ask(test, LEAVE)
    asked = open_workspace(archive).journal.receipts(1)[0]
    assert asked.question == LEAVE and asked.filters["archived"] and not test.exception


def test_what_should_not_happen_is_told_in_a_sentence_without_what_it_was():
    from streamlit.testing.v1 import AppTest

    def script():
        from app import frame

        assert frame.tell_unexpected(ValueError("<b>the key is 42</b>"))

    shown = html(AppTest.from_function(script).run())
    assert "Something happened that should not" in shown and "42" not in shown
