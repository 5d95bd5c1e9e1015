"""Saved prompts, answers without a search, and the models of a server, with a real server beside a real workspace."""

import threading

import pytest

from rag_platform.answering.unsearched_step import UNSEARCHED
from rag_platform.core.answers import Turn
from rag_platform.core.errors import SettingsError
from rag_platform.core.hits import Filters
from rag_platform.operations.search_scope import prompts_for
from rag_platform.provenance.replay import replay
from tests.api.published import QUESTION, publish
from tests.chat_server import END, MODELS, ROLE, chunk, serving

SENTENCE = "The ferry runs from six until dusk."
PROMPTS = """
[generators.local]
base_url = "{address}"
[prompts.brief]
text = "Answer like a pirate."
[prompts.pay]
text = "Name the sum."
collections = ["wages"]
[prompts.alone]
text = "Translate into Latin."
search = false
"""


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def workspace(tmp_path_factory, tiny_embedder, server):
    settings = PROMPTS.format(address=server.address)
    return publish(tmp_path_factory.mktemp("prompted"), tiny_embedder, settings)


@pytest.fixture
def writes(server):
    def script(text):
        server.requests.clear()
        server.script = [[ROLE, chunk(text), *END]]
        return server.requests

    return script


def test_a_saved_prompt_says_how_to_write_and_where_to_search(workspace, writes):
    requests = writes(f"{SENTENCE} [1]")
    answer = workspace.answerer.ask(QUESTION, generator="local", prompt="brief")
    assert "pirate" in requests[-1]["messages"][0]["content"] and answer.citations
    filters = Filters(principals=("group:board",))
    found = workspace.answerer.ask("What does the ferry warden earn?", prompt="pay", filters=filters)
    assert {hit.collection for hit in found.hits} == {"wages"}
    with pytest.raises(SettingsError, match="did you mean 'brief'"):
        workspace.answerer.ask(QUESTION, prompt="brif")


def test_the_receipt_tells_a_replay_what_the_model_was_told(workspace, writes):
    writes(f"{SENTENCE} [1]")
    answer = workspace.answerer.ask(QUESTION, generator="local:tiny", prompt="brief")
    receipt = workspace.journal.receipt(answer.receipt_id)
    again = replay(workspace, receipt)
    assert again.identical, again.differences


def test_prompts_of_a_collection_are_for_its_readers(workspace):
    assert prompts_for(workspace, ()) == ["brief", "alone"]
    assert prompts_for(workspace, ("group:board",)) == ["brief", "pay", "alone"]


def test_a_model_answers_without_a_search_when_told_to(workspace, writes):
    requests = writes("Navis ab hora sexta currit. ![x](https://evil.example/a)")
    history = [Turn(QUESTION, SENTENCE)]
    answer = workspace.answerer.ask("And in Latin?", generator="local", prompt="alone", history=history)
    assert answer.answer.strip() == "Navis ab hora sexta currit." and answer.warnings == (UNSEARCHED,)
    assert not (answer.hits or answer.citations or answer.queries) and answer.receipt_id
    [request] = requests  # nothing was rewritten, nothing searched
    assert [one["role"] for one in request["messages"]] == ["system", "user", "assistant", "user"]
    assert "Latin" in request["messages"][0]["content"] and "<source" not in str(request)
    with pytest.raises(SettingsError, match="cannot answer without a search"):
        workspace.answerer.ask("Hello", search=False)


def test_the_models_of_a_server_are_choices(workspace, server):
    other = {"id": "large", "object": "model", "created": 1, "owned_by": "vllm"}
    server.models = (200, MODELS | {"data": [*MODELS["data"], other]})
    generators = workspace.generators
    assert generators.choices() == ("extractive", "local")  # nobody waits for the server
    for thread in [one for one in threading.enumerate() if one.name == "models of servers"]:
        thread.join()
    assert generators.choices() == ("extractive", "local", "local:large")
    assert generators.knows("local:any") and not generators.knows("extractive:any")
    server.models = (200, MODELS)


def test_the_last_choice_is_kept(workspace):
    workspace.preferences.set("anna", "generator", "local")
    workspace.preferences.set("anna", "generator", "local:large")
    assert workspace.preferences.get("anna", "generator") == "local:large"
    assert workspace.preferences.get("bert", "generator") is None
