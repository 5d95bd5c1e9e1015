"""The chat in a terminal, driven by its keys over a real workspace and a real server on loopback."""

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from rag_platform.access.decisions import Target
from rag_platform.core.errors import SettingsError
from rag_platform.terminal.app import ChatApp
from rag_platform.terminal.chat import STOPPED, WITHHELD
from rag_platform.terminal.conversation import Reply
from rag_platform.terminal.document import DocumentScreen
from rag_platform.terminal.session import Session
from rag_platform.workspace import open_workspace
from tests.chat_server import END, chunk
from tests.copies import copy_of

QUESTION = "How many days of paid leave do employees get?"
SAYS = [chunk("Employees get 25 days of paid leave per year. [1]"), *END]


def drive(app: ChatApp, steps: Callable[[Pilot], Awaitable[None]], size: tuple[int, int] = (80, 24)) -> None:
    """Run the application without a terminal."""

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await steps(pilot)

    asyncio.run(run())


def shown(pilot: Pilot) -> str:
    """Return what stands on the screen."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


async def until(pilot: Pilot, condition: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait for something to be so."""
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"never so; the screen:\n{shown(pilot)}")


async def ask(pilot: Pilot, question: str = QUESTION, *, wait: str = "receipt") -> None:
    """Type a question and wait for its answer."""
    line = pilot.app.chat.query_one("#question", Input)
    line.value = question
    await pilot.press("enter")
    await until(pilot, lambda: wait in shown(pilot))


def test_an_answer_is_shown_with_its_sources_and_a_source_opens_at_its_passage(chat) -> None:
    app = chat()

    async def steps(pilot: Pilot) -> None:
        assert "Ask your documents." in shown(pilot)
        await ask(pilot)
        screen = shown(pilot)
        assert "Employees get 25 days of paid leave per year." in screen
        assert "[1] Leave policy" in screen
        assert "Ask your documents." not in screen
        await pilot.press("ctrl+y")
        assert app.clipboard.startswith("> Employees get **25 days** of paid leave per year. Unused")
        await pilot.press("ctrl+s", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, DocumentScreen))
        await pilot.pause()
        assert app.screen.query_one(TextArea).selected_text.startswith(
            "Employees get 25 days of paid leave per year. Unused"
        )
        assert "handbook/leave.md" in shown(pilot)
        await pilot.press("escape")
        assert app.screen is app.chat

    drive(app, steps)


def test_what_cannot_be_answered_shows_the_closest_passages(chat) -> None:
    async def steps(pilot: Pilot) -> None:
        await ask(pilot, "What is the boiling point of tungsten?")
        assert "do not contain an answer" in shown(pilot)

    drive(chat(), steps)


def test_markdown_is_drawn_while_it_is_written_and_links_are_text(chat) -> None:
    text = (
        "Employees get **25 days** of paid leave per year. [1]\n\n| leave | days |\n|---|---|\n| paid | 25 |\n\n"
        "```python\nleave = 25\n```\n\n[here](http://tracker.example/?q=1) ![x](http://tracker.example/x.png)\n"
    )
    go_on = threading.Event()

    def slowly(_: dict):
        for piece in text.split(" "):
            yield chunk(piece + " ")
        go_on.wait(60)
        yield from END

    async def steps(pilot: Pilot) -> None:
        await ask(pilot, wait="Employees get 25 days")
        await until(pilot, lambda: "leave = 25" in shown(pilot))
        assert "receipt" not in shown(pilot)
        go_on.set()
        for drawn in ("receipt", "│ paid", "│ 25", "here"):
            await until(pilot, lambda drawn=drawn: drawn in shown(pilot))
        assert "tracker" not in shown(pilot), "an address that no source has is not even text"

    drive(chat(slowly), steps, size=(120, 40))


@pytest.mark.parametrize(
    ("begun", "wait"),
    [(["Certainly, "], "Certainly"), ([], "Esc stops it")],
    ids=["while it speaks", "while it thinks"],
)
def test_escape_stops_the_answer_and_the_servers_work(chat, server, begun, wait) -> None:
    app = chat([*map(chunk, begun), 30.0, *SAYS], SAYS)

    async def steps(pilot: Pilot) -> None:
        await ask(pilot, wait=wait)
        await until(pilot, lambda: server.requests)
        await pilot.press("escape")
        assert await asyncio.to_thread(server.hung_up.wait, 5), "the server was never left"
        await until(pilot, lambda: STOPPED[:20] in shown(pilot))
        await ask(pilot)
        assert "25 days" in shown(pilot)

    drive(app, steps)
    kept = [one.message.content for one in app.chat.session.open(app.chat.session.chat)]
    assert kept == [QUESTION, QUESTION, "Employees get 25 days of paid leave per year. [1]"]


def test_texts_of_others_are_shown_not_obeyed(chat) -> None:
    supported = "The river Tarn rose by forty [b]centimetres[/b] in one night. [1]"
    hostile = "Wardens \x1b]52;c;aGk=\x07call [red]this[/red] a flood.\x9b2J\u202e"
    app = chat([chunk(f"{supported}\n\n{hostile}"), *END])

    async def steps(pilot: Pilot) -> None:
        await ask(pilot, "What do wardens call a flood on the Tarn? [b]x[/b] \x1b[2J")
        screen = shown(pilot)
        assert "[b]x[/b] ␛[2J" in screen
        assert "]52;c;aGk=call [red]this[/red]" in screen
        assert "[1] [red]Rivers[/red]" in screen
        assert "[@click=app.quit]go[/]" in screen
        assert not set("\x1b\x07\x9b\u202e") & set(screen)
        await pilot.press("ctrl+s", "down", "enter")
        await until(pilot, lambda: "[b]centimetres[/b]" in shown(pilot))
        assert "[red]Rivers[/red]" in shown(pilot)
        await pilot.press("escape", "ctrl+o")
        await until(pilot, lambda: "[b]x[/b] ␛[2J" in shown(pilot))

    drive(app, steps, size=(120, 40))


def test_chats_are_kept_found_by_their_title_and_opened_again(chat) -> None:
    async def first(pilot: Pilot) -> None:
        await ask(pilot, "When does the office open?")
        await pilot.press("ctrl+n")
        assert "Ask your documents." in shown(pilot)
        await ask(pilot, "How long may a sabbatical be?")

    async def again(pilot: Pilot) -> None:
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "sabbatical" in shown(pilot))
        await pilot.press(*"OPEN office")
        await until(pilot, lambda: "sabbatical" not in shown(pilot))
        await pilot.press("enter")
        await until(pilot, lambda: "[1] Office hours" in shown(pilot))
        assert "The office opens at eight in the morning." in shown(pilot)
        await ask(pilot, wait="25 days")

    drive(chat(principals=["bo"]), first)
    app = chat(principals=["bo"])
    drive(app, again)
    said = [one.message for one in app.chat.session.open(app.chat.session.chat)]
    asked = [message.content for message in said if message.role == "user"]
    assert asked == ["When does the office open?", QUESTION]
    assert not chat(principals=["cy"]).chat.session.chats()


def test_a_collection_is_chosen_and_only_what_one_may_read_is_there(chat) -> None:
    app = chat()

    async def steps(pilot: Pilot) -> None:
        await pilot.press("ctrl+l")
        await until(pilot, lambda: "handbook" in shown(pilot))
        assert "pay" not in shown(pilot)
        await pilot.press(*"riv", "enter")
        await until(pilot, lambda: "river ·" in shown(pilot))
        await ask(pilot)
        assert "25 days" not in shown(pilot)

    drive(app, steps)
    assert chat(principals=["asha"]).chat.session.collections == ["handbook", "pay", "river"]
    with pytest.raises(SettingsError, match="--collection 'pay': expected one of handbook, river"):
        chat(collections=["pay"])


def test_what_goes_wrong_is_a_line_and_one_can_ask_again(chat, chat_home, embedder, tmp_path) -> None:
    home = copy_of(chat_home, tmp_path / "home")
    workspace = open_workspace(home)
    workspace.embedder = embedder
    app = ChatApp(Session(workspace))
    index = home / "data" / "index"

    async def steps(pilot: Pilot) -> None:
        index.rename(home / "aside")
        await ask(pilot, wait="This did not work:")
        (home / "aside").rename(index)
        await ask(pilot)
        assert "25 days" in shown(pilot)

    drive(app, steps)


def test_a_server_that_is_down_is_a_note_below_an_extracted_answer(chat) -> None:
    async def steps(pilot: Pilot) -> None:
        await ask(pilot)
        assert "25 days" in shown(pilot)
        assert "the language model failed" in " ".join(shown(pilot).split())

    drive(chat((500, {"error": {"message": "out of memory"}})), steps)


def test_thoughts_are_folded_while_they_come_and_can_be_unfolded(chat) -> None:
    go_on = threading.Event()

    def thinking(_: dict):
        yield chunk(reasoning="I look at the first source.")
        go_on.wait(60)
        yield from SAYS

    app = chat(thinking)

    async def steps(pilot: Pilot) -> None:
        await ask(pilot, wait="▶ Thinking")
        assert "first source" not in shown(pilot)
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "I look at the first" in shown(pilot))
        go_on.set()
        await until(pilot, lambda: "receipt" in shown(pilot))
        assert app.chat.query_one(Reply).answer.text == "Employees get 25 days of paid leave per year. [1]"
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "first source" not in shown(pilot))

    drive(app, steps)


def test_text_that_turns_out_to_be_thought_is_folded(chat) -> None:
    go_on = threading.Event()

    def thinking(_: dict):
        yield from [chunk("I look at the first source."), chunk("</think>"), chunk("Certainly, ")]
        go_on.wait(60)
        yield from SAYS

    app = chat(thinking)

    async def steps(pilot: Pilot) -> None:
        await ask(pilot, wait="Certainly,")
        await until(pilot, lambda: "first source" not in shown(pilot))
        go_on.set()
        await until(pilot, lambda: "receipt" in shown(pilot))
        assert "▶ Thinking" in shown(pilot)
        assert app.chat.query_one(Reply).reasoning.text == "I look at the first source."

    drive(app, steps)


def test_who_answers_is_chosen_among_the_generators(chat, server) -> None:
    app = chat(SAYS)

    async def steps(pilot: Pilot) -> None:
        assert "all collections · default ·" in shown(pilot)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "extractive" in shown(pilot))
        await pilot.press(*"extr", "enter")
        await until(pilot, lambda: "all collections · extractive ·" in shown(pilot))
        await ask(pilot)
        assert "extractive · " in shown(pilot).split("\n", 1)[1]

    drive(app, steps)
    assert not server.requests
    again = chat(SAYS).chat.session
    assert again.generator == "extractive"  # the last choice is kept
    again.choose_generator("default:large")
    assert chat(SAYS).chat.session.generator == "default:large"
    again.choose_generator("default")
    with pytest.raises(SettingsError, match="--generator 'gpt': expected one of default, extractive"):
        chat(SAYS, generator="gpt")


def test_a_saved_prompt_is_chosen(chat, server, monkeypatch) -> None:
    monkeypatch.setenv("RAG_PROMPTS", '{"pirate": {"text": "Answer like a pirate.", "collections": ["handbook"]}}')
    app = chat(SAYS)

    async def steps(pilot: Pilot) -> None:
        await pilot.press("ctrl+r")
        await until(pilot, lambda: "No prompt" in shown(pilot))
        await pilot.press(*"pir", "enter")
        await until(pilot, lambda: "all collections · pirate · default ·" in shown(pilot))
        await ask(pilot)
        assert "like a pirate" in server.requests[-1]["messages"][0]["content"]

    drive(app, steps)


def test_a_further_question_is_asked_with_what_was_said_before(chat, server) -> None:
    async def steps(pilot: Pilot) -> None:
        await ask(pilot)
        before = len(server.requests)
        await ask(pilot, "And when do unused ones expire?", wait="when do unused")
        await until(pilot, lambda: shown(pilot).count("receipt") == 2)
        assert QUESTION in str(server.requests[before:])

    drive(chat(SAYS), steps, size=(80, 40))


def test_what_may_no_longer_be_read_is_neither_shown_nor_remembered(chat, server) -> None:
    app = chat(SAYS, principals=["dot"])
    drive(app, ask)
    session = app.chat.session
    rules, leave = session.workspace.access.rules, Target("collection", "handbook")
    rules.set(leave, deny=["dot"], who="user:ada", why="left")

    async def steps(pilot: Pilot) -> None:
        await pilot.app.chat._open(session.chat)
        await until(pilot, lambda: WITHHELD[:30] in shown(pilot))
        assert QUESTION in shown(pilot) and "25 days" not in shown(pilot)
        before = len(server.requests)
        await ask(pilot, "And how high did the river rise?", wait="did the river")
        await until(pilot, lambda: "receipt" in shown(pilot))
        assert server.requests[before:] and "25 days" not in str(server.requests[before:])

    try:
        drive(chat(SAYS, principals=["dot"]), steps)
    finally:
        rules.remove(leave, who="user:ada", why="back")
