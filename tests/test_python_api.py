"""`from rag_platform import ask, search`; and answers of a chat, or of several searches, given again."""

import asyncio
import inspect
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

import rag_platform
from rag_platform import Answer, SearchResult, Turn, aio, ask, evaluate, search, sync
from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import NothingPublished, SettingsError
from rag_platform.core.hits import Filters
from rag_platform.provenance.replay import replay
from rag_platform.workspace import Workspace, open_workspace
from tests.app.conftest import published
from tests.chat_server import END, ROLE, chunk, tool_call
from tests.copies import copy_of

__all__ = ["published"]

LEAVE = "How many days of paid leave do employees get?"


def test_a_program_asks_searches_and_follows_up(published, monkeypatch):
    monkeypatch.setenv("RAG_HOME", str(published))
    answer = ask(LEAVE)
    assert isinstance(answer, Answer) and "25 days" in answer.answer and answer.citations and answer.receipt_id
    further = ask("And when do they expire?", history=[Turn(LEAVE, answer.answer)], home=published)
    assert "31 March" in further.answer and "paid leave" in further.standalone
    found = search("sabbatical", k=2, home=published)
    assert isinstance(found, SearchResult) and "sabbatical" in found.hits[0].text.lower() and len(found.hits) <= 2
    assert search("sabbatical", sources=["other"]).hits == ()
    workspace = open_workspace(published)
    made = replay(workspace, workspace.journal.receipt(further.receipt_id))
    assert made.identical, made.differences


def test_the_page_about_python_runs_as_it_stands(published, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("RAG_HOME", str(copy_of(published, tmp_path / "home")))
    page = (Path(__file__).resolve().parent.parent / "docs" / "python.md").read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, names)
    told = capsys.readouterr().out
    assert "25 days" in told and "paid leave" in names["second"].standalone and "eight in the morning" in told
    assert names["found"].hits and names["daily_refresh"]().version == names["then"].version


def test_what_is_wrong_is_told(published, tmp_path):
    with pytest.raises(NothingPublished):
        ask("x", home=tmp_path)
    with pytest.raises(SettingsError, match="no generator 'gpt'"):
        ask("x", home=published, generator="gpt")
    with pytest.raises(TypeError, match="a list of texts"):
        search("x", home=published, principals="ann")
    with pytest.raises(AttributeError, match="no attribute 'asks'"):
        _ = rag_platform.asks


def test_the_package_is_typed_documented_and_light():
    assert (Path(rag_platform.__file__).parent / "py.typed").exists()
    assert rag_platform.__all__ == sorted(rag_platform.__all__)
    for name in rag_platform.__all__:
        assert getattr(rag_platform, name).__doc__
    for function in (ask, search, evaluate):
        parameters = inspect.signature(function, eval_str=True).parameters.values()
        assert function.__doc__ and all(one.annotation is not inspect.Parameter.empty for one in parameters)
    assert all(f"{name}:" in ask.__doc__ for name in inspect.signature(ask).parameters)
    told = "import sys, rag_platform; print(sorted(name for name in sys.modules if name.startswith('rag_platform')))"
    light = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert light.stdout.strip() == "['rag_platform']"


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory, published):
    """A workspace that a program synced after a document was added, and what the sync told."""
    home = copy_of(published, tmp_path_factory.mktemp("synced") / "home")
    (home / "docs" / "parking.md").write_text("# Parking\n\nThe parking garage closes at ten in the evening.\n")
    return home, sync(home=home)


PARKING = "When does the parking garage close?"


def test_a_program_syncs_and_asks_as_of_an_earlier_version(published, refreshed):
    home, report = refreshed
    assert report.moved and report.to_dict()["sources"]["handbook"]["new"] == 1 and not report.errors
    assert search(PARKING, home=home, k=1).hits[0].title == "Parking"
    before = Workspace(open_workspace(home).settings).versions.previous()
    titles = {hit.title for hit in search(PARKING, home=home, as_of=before).hits}
    assert titles and "Parking" not in titles
    assert ask(PARKING, home=home, as_of=before).version == before
    assert search(PARKING, home=home, as_of=date.today() + timedelta(days=2)).version == report.version
    assert search(PARKING, home=home, as_of=datetime.now(UTC)).version == report.version
    with pytest.raises(SettingsError, match="expected a date such as 2026-05-31, or a version"):
        search(PARKING, home=home, as_of="yesterday")
    again = sync("handbook", home=home, publish=False)
    assert again.version == report.version and not again.moved


def test_a_program_evaluates(refreshed, tmp_path):
    home, report = refreshed
    asked = tmp_path / "questions.jsonl"
    label = '"relevant": [{"uri": "handbook/parking.md", "quote": "closes at ten in the evening"}]'
    asked.write_text(f'{{"id": "q1", "question": "{PARKING}", "answerable": true, {label}}}\n')
    measured = evaluate(asked, home=home)
    assert measured["queries"] == 1 and measured["modes"]["hybrid"]["R@10"] == 1
    judged = evaluate(home=home, version=report.version)
    assert judged["version"] == report.version and judged["passed"]


def test_all_of_it_can_be_awaited(refreshed):
    home, report = refreshed

    async def both():
        answered, found = await asyncio.gather(aio.ask(PARKING, home=home), aio.search(PARKING, home=home, k=1))
        return answered, found, await aio.sync(home=home, fetch=False)

    answer, found, made = asyncio.run(both())
    assert "ten in the evening" in answer.answer and found.hits[0].title == "Parking"
    assert made.version == report.version
    assert inspect.signature(aio.ask) == inspect.signature(ask)
    with pytest.raises(NothingPublished):
        asyncio.run(aio.search("x", home=home / "docs"))


def test_a_notebook_shows_links_and_tables_in_which_nothing_runs(refreshed):
    home, report = refreshed
    found = search(LEAVE, home=home)
    hit = replace(found.hits[0], uri='https://x.example/"><script>', title="<img src=x>", snippet="<b>bold</b>")
    shown = replace(found, hits=(hit,))._repr_html_()
    assert shown.count("<tr>") == 2 and "&lt;b&gt;bold" in shown
    assert 'href="https://x.example/&quot;&gt;&lt;script&gt;"' in shown and "<img" not in shown
    answer = ask(LEAVE, home=home)
    cited = replace(answer.citations[0], uri="https://x.example/leave")
    shown = replace(answer, citations=(cited,), answer=f"{answer.answer} [99] <script>")._repr_html_()
    assert re.search(r'<a href="https://x.example/leave"[^>]*>\[1\]</a>', shown)
    assert "[99] &lt;script&gt;" in shown and answer.receipt_id in shown
    dangerous = replace(answer, citations=(replace(cited, uri="javascript:alert(1)"),))._repr_html_()
    assert "href" not in dangerous
    assert "<td" in report._repr_html_() and f"version {report.version}: published" in report._repr_html_()


def test_an_answer_of_several_searches_in_a_chat_is_given_again(published, server):
    says = [ROLE, chunk("How long is a sabbatical, and how many days of paid leave are there?"), *END]
    both = [
        tool_call(0, '{"query": "sabbatical months"}', "search", "a"),
        tool_call(1, '{"query": "paid leave"}', "search", "b"),
    ]
    done = [ROLE, chunk("DONE"), *END]
    text = "After seven years of service an employee may take a sabbatical of three months [1]."
    server.script = [says, [ROLE, *both, chunk(finish="tool_calls"), "[DONE]"], done, [ROLE, chunk(text), *END]]
    settings = open_workspace(published).settings
    answer = settings.answer.model_copy(update={"search": "agentic"})
    update = {"generator": GeneratorSettings(base_url=server.address, model="tiny"), "answer": answer}
    workspace = Workspace(settings.model_copy(update=update))
    said = workspace.answerer.ask("how long?", history=[Turn(LEAVE, "25 days.")], filters=Filters())
    assert said.queries == ("sabbatical months", "paid leave") and said.citations
    asked = len(server.requests)
    made = replay(workspace, workspace.journal.receipt(said.receipt_id))
    assert made.identical, made.differences
    assert len(server.requests) == asked + 1, "neither the question nor the queries are made anew"
