"""`from rag_platform import ask, search`; and answers of a chat, or of several searches, given again."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import rag_platform
from rag_platform import Answer, SearchResult, Turn, ask, search
from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import NothingPublished, SettingsError
from rag_platform.core.hits import Filters
from rag_platform.provenance.replay import replay
from rag_platform.workspace import Workspace, open_workspace
from tests.app.conftest import published
from tests.chat_server import END, ROLE, chunk, serving, tool_call

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
    for function in (ask, search):
        parameters = inspect.signature(function, eval_str=True).parameters.values()
        assert function.__doc__ and all(one.annotation is not inspect.Parameter.empty for one in parameters)
    assert all(f"{name}:" in ask.__doc__ for name in inspect.signature(ask).parameters)
    told = "import sys, rag_platform; print(sorted(name for name in sys.modules if name.startswith('rag_platform')))"
    light = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert light.stdout.strip() == "['rag_platform']"


@pytest.fixture
def server():
    with serving() as running:
        yield running


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
