"""What OpenAI's own client makes of the API: models, chats, streams, responses, vectors, ranks, errors."""

import base64
import json
import os
import subprocess
import sys

import httpx
import numpy as np
import openai
import pytest
from pydantic import BaseModel

from rag_platform.journal.usage import per_day
from rag_platform.people.sharing.assistants import Assistant
from tests.api.published import QUESTION
from tests.chat_server import END, ROLE, chunk, tool_call

SENTENCE = "The ferry runs from six until dusk."
TOOL = {
    "type": "function",
    "function": {"name": "book", "parameters": {"type": "object", "properties": {"seats": {"type": "integer"}}}},
}


class Times(BaseModel):
    first: str
    last: str


@pytest.fixture
def writes(chat_server):
    """Have the language model's server write pieces."""

    def script(*pieces, usage_last=END):
        chat_server.requests.clear()
        chat_server.script = [[ROLE, *(chunk(one) if isinstance(one, str) else one for one in pieces), *usage_last]]
        return chat_server.requests

    return script


def asked(client, text=QUESTION, model="rag/all", **more):
    return client.chat.completions.create(model=model, messages=[{"role": "user", "content": text}], **more)


# --- models ------------------------------------------------------------------------------------------------


def test_an_assistant_is_a_model_of_those_who_may_use_it(address, workspace, token_of, chat_server):
    made = workspace.assistants.put(
        "user:boss", "Ferries, in short", Assistant("", "Be brief.", ("handbook",), "local"), ["group:board"]
    )
    name = f"rag/assistant:{made}"
    board = openai.OpenAI(base_url=address, api_key=token_of(principals=("group:board",)), max_retries=0)
    other = openai.OpenAI(base_url=address, api_key=token_of(), max_retries=0)
    assert name in [model.id for model in board.models.list()] and name not in [one.id for one in other.models.list()]
    chat_server.script = [[ROLE, chunk("The ferry runs from six until dusk [1]."), *END]]
    said = board.chat.completions.create(model=name, messages=[{"role": "user", "content": "When does the ferry run?"}])
    receipt = workspace.journal.receipt(said.rag["receipt_id"])
    assert (receipt.settings["assistant"], receipt.filters["collections"]) == (made, ["handbook"])
    assert "Be brief." in chat_server.requests[-1]["messages"][0]["content"]
    workspace.assistants.remove(made, "user:boss")
    for client in (board, other):
        with pytest.raises(openai.NotFoundError, match="there is no model"):
            client.chat.completions.create(model=name, messages=[{"role": "user", "content": "Hello?"}])


def test_collections_and_generators_are_models(client):
    names = [model.id for model in client.models.list()]
    assert names == ["rag/all", "rag/handbook", "rag/physics", "rag/all@local"]
    assert client.models.retrieve("rag/handbook").id == "rag/handbook"


def test_nobody_is_told_of_a_collection_that_they_may_not_read(client, client_of):
    with pytest.raises(openai.NotFoundError) as secret:
        asked(client, model="rag/wages")
    with pytest.raises(openai.NotFoundError) as unknown:
        asked(client, model="rag/wagon")
    assert str(secret.value).replace("wages", "wagon") == str(unknown.value)
    with client_of(principals=("group:board",)) as board:
        assert "rag/wages" in [model.id for model in board.models.list()]
        assert "nine crowns" in asked(board, "What does the ferry warden earn?", "rag/wages").choices[0].message.content
    assert "crowns" not in asked(client, "What does the ferry warden earn?").choices[0].message.content


# --- chats -------------------------------------------------------------------------------------------------


def test_an_answer_has_its_sources_under_it_and_citations_as_annotations(client):
    done = asked(client)
    [choice] = done.choices
    text, [mark] = choice.message.content, choice.message.annotations
    cited = mark.url_citation
    assert (choice.finish_reason, mark.type) == ("stop", "url_citation")
    assert text.startswith(f"> {SENTENCE} [1]") and text[cited.start_index : cited.end_index] == "[1]"
    assert text.endswith(f"\n\nSources:\n[1] Of notes: {cited.url}") and cited.title == "Of notes"
    assert done.usage.total_tokens == done.usage.prompt_tokens + done.usage.completion_tokens > 10
    assert done.rag["receipt_id"] and done.rag["queries"] == [QUESTION]


def test_a_collection_limits_what_is_searched(client):
    assert "waves" in asked(client, "What does the ferry make?", "rag/physics").choices[0].message.content
    assert "waves" not in asked(client, "What does the ferry make?", "rag/handbook").choices[0].message.content


def test_a_stream_ends_with_the_same_text(client):
    with asked(client, stream=True, stream_options={"include_usage": True}) as stream:
        chunks = list(stream)
    text = "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
    last = next(one for one in reversed(chunks) if one.choices)
    assert text == asked(client).choices[0].message.content
    assert last.choices[0].finish_reason == "stop" and last.choices[0].delta.annotations[0]["url_citation"]["title"]
    assert chunks[-1].usage.completion_tokens > 5 and chunks[0].choices[0].delta.role == "assistant"


def test_a_language_model_writes_and_each_sentence_is_checked(client, writes):
    writes(SENTENCE[:-1], " [1]. The ferry never runs. [1]")
    with asked(client, model="rag/all@local", stream=True) as stream:
        deltas = [one.choices[0].delta for one in stream if one.choices]
    assert "".join(one.content or "" for one in deltas).startswith("The ferry runs from six until dusk. [1]")
    drafted = "".join(getattr(one, "reasoning_content", None) or "" for one in deltas)
    assert "never runs" in drafted and "never runs" not in "".join(one.content or "" for one in deltas)


def test_a_server_is_told_what_is_wished(client, writes):
    requests = writes(SENTENCE, " [1]")
    messages = [{"role": "system", "content": "Answer like a pirate."}, {"role": "user", "content": QUESTION}]
    client.chat.completions.create(
        model="rag/handbook@local:tiny", messages=messages, temperature=0.7, max_tokens=40, seed=3
    )
    sent = requests[-1]
    assert "pirate" in sent["messages"][0]["content"] and "<source" in sent["messages"][1]["content"]
    assert (sent["model"], sent["temperature"], sent["max_tokens"], sent["seed"]) == ("tiny", 0.7, 40, 3)


def test_what_was_said_before_is_read_without_its_sources(client, writes, workspace):
    first = asked(client).choices[0].message.content
    requests = writes("When does the ferry end?")
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": first},
        {"role": "user", "content": [{"type": "text", "text": "And when does it end?"}]},
    ]
    done = client.chat.completions.create(model="rag/all@local", messages=messages)
    prompt = json.dumps(requests[0]["messages"])
    assert SENTENCE in prompt and "Sources:\\n[1]" not in prompt
    assert done.rag["queries"] == ["When does the ferry end?"]


def test_the_model_calls_the_tools_of_the_client(client, writes, chat_server):
    requests = writes(tool_call(0, "", "book", "c1"), tool_call(0, '{"seats": 2}'))
    messages = [{"role": "user", "content": "Book the ferry for two."}]
    for stream in (False, True):
        options = {"model": "rag/all@local", "messages": messages, "tools": [TOOL]}
        if stream:
            with client.chat.completions.stream(**options) as events:
                choice = events.until_done().get_final_completion().choices[0]
        else:
            choice = client.chat.completions.create(**options).choices[0]
        call = choice.message.tool_calls[0]
        assert (call.id, call.function.name, call.function.arguments) == ("c1", "book", '{"seats": 2}')
        assert choice.finish_reason == "tool_calls"
    assert requests[-1]["tools"] == [TOOL]
    requests = writes("Two seats are booked.")
    answered = [*messages, choice.message, {"role": "tool", "tool_call_id": "c1", "content": "booked"}]
    done = client.chat.completions.create(model="rag/all@local", messages=answered, tools=[TOOL])
    assert "Two seats are booked" in done.choices[0].message.content
    assert [one["role"] for one in requests[-1]["messages"]] == ["system", "user", "assistant", "tool"]


def test_json_of_a_schema(client, writes):
    requests = writes('{"first": "six", "last": "![x](https://evil.example/a)"}')
    messages = [{"role": "user", "content": QUESTION}]
    done = client.chat.completions.parse(model="rag/all@local", messages=messages, response_format=Times)
    assert done.choices[0].message.parsed == Times(first="six", last="")
    assert requests[-1]["response_format"]["json_schema"]["name"] == "Times"
    assert any("not checked" in note for note in done.rag["notes"])
    requests = writes("unused")
    messages = [{"role": "user", "content": "Who won the war of the zebras?"}]
    done = client.chat.completions.parse(model="rag/all@local", messages=messages, response_format=Times)
    assert done.choices[0].message.refusal and done.choices[0].message.parsed is None and not requests


def test_it_stops_where_it_is_told_to(client):
    content = asked(client, stop=["until"]).choices[0].message.content
    assert content == "> The ferry runs from six "


@pytest.mark.parametrize(
    ("more", "status", "param"),
    [
        ({"n": 2}, 400, "n"),
        ({"model": "gpt-4o"}, 404, "model"),
        ({"model": "rag/all@nobody"}, 404, "model"),
        ({"response_format": {"type": "json_object"}}, 400, "response_format"),
        ({"tools": [TOOL], "tool_choice": "required"}, 400, "tool_choice"),
        ({"messages": [{"role": "system", "content": "x"}]}, 400, "messages"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, 400, "messages[0].content"),
        ({"messages": []}, 400, "messages"),
        ({"temperature": "hot"}, 400, "temperature"),
    ],
)  # fmt: skip
def test_what_cannot_be_served_is_refused_as_openai_does(client, more, status, param):
    messages = [{"role": "user", "content": QUESTION}]
    for stream in (False, True):
        with pytest.raises(openai.APIStatusError) as refused:
            client.chat.completions.create(**{"model": "rag/all", "messages": messages, "stream": stream} | more)
        assert (refused.value.status_code, refused.value.param) == (status, param)
        assert refused.value.body["message"]


def test_the_form_of_a_response_s_text_is_an_object(client):
    with pytest.raises(openai.BadRequestError) as refused:
        client.responses.create(model="rag/all", input=QUESTION, text={"format": "json"})
    assert refused.value.param == "text.format"


def test_a_server_that_fails_amid_a_stream_is_told(client, chat_server):
    chat_server.script = [(500, {"error": {"message": "broken"}})]
    with pytest.raises(openai.APIError):
        asked(client, model="rag/all@local", response_format={"type": "json_object"})
    done = asked(client, model="rag/all@local")  # quotes stand in for it
    assert SENTENCE in done.choices[0].message.content


def test_scopes_count(client_of, address):
    with client_of("read") as reader, pytest.raises(openai.PermissionDeniedError):
        asked(reader)
    with openai.OpenAI(base_url=address, api_key="rag_no_such") as nobody, pytest.raises(openai.AuthenticationError):
        nobody.models.list()


def test_the_language_model_stops_when_the_client_leaves(client, writes, chat_server):
    chat_server.hung_up.clear()
    chat_server.script = [[ROLE, chunk("The ferry "), *["hang"] * 40]]
    with asked(client, model="rag/all@local", stream=True) as stream:
        drafted = (getattr(one.choices[0].delta, "reasoning_content", None) for one in stream)
        assert next(filter(None, drafted)).startswith("The ferry")  # the server is at work
    assert chat_server.hung_up.wait(30)


# --- responses ---------------------------------------------------------------------------------------------


def test_responses(client, writes):
    done = client.responses.create(model="rag/all", input=QUESTION)
    [mark] = done.output[0].content[0].annotations
    assert done.output_text[mark.start_index : mark.end_index] == "[1]" and done.status == "completed"
    with client.responses.stream(model="rag/all", input=[{"role": "user", "content": QUESTION}]) as stream:
        kinds = [event.type for event in stream]
        streamed = stream.get_final_response()
    assert streamed.output_text == done.output_text and kinds[0] == "response.created"
    assert "response.output_text.annotation.added" in kinds and kinds[-1] == "response.completed"
    writes('{"first": "six", "last": "dusk"}')
    parsed = client.responses.parse(model="rag/all@local", input=QUESTION, text_format=Times)
    assert parsed.output_parsed == Times(first="six", last="dusk")


def test_responses_with_tools(client, writes):
    tool = {"type": "function", **TOOL["function"], "strict": False}
    writes(tool_call(0, '{"seats": 2}', "book", "c1"))
    options = {"model": "rag/all@local", "tools": [tool], "instructions": "Be short."}
    done = client.responses.create(input="Book the ferry for two.", **options)
    [call] = done.output
    assert (call.type, call.call_id, json.loads(call.arguments)) == ("function_call", "c1", {"seats": 2})
    requests = writes("Two seats are booked.")
    answered = [
        {"role": "user", "content": "Book the ferry for two."},
        call.to_dict(),
        {"type": "function_call_output", "call_id": "c1", "output": "booked"},
    ]
    assert "booked" in client.responses.create(input=answered, **options).output_text
    assert "Be short" in requests[-1]["messages"][0]["content"] and requests[-1]["messages"][-1]["content"] == "booked"
    for more in ({"previous_response_id": "resp_1"}, {"tools": [{"type": "web_search"}]}):
        with pytest.raises(openai.BadRequestError):
            client.responses.create(**{"model": "rag/all", "input": QUESTION} | more)


# --- vectors and ranks -------------------------------------------------------------------------------------


def test_embeddings(client, workspace):
    name, texts = workspace.embedder.card.name, ["the ferry", "nine crowns"]
    done = client.embeddings.create(model=name, input=texts)  # as base64, which the client asks for
    ours = workspace.embedder.embed_passages(texts)
    assert np.allclose([one.embedding for one in done.data], ours, atol=1e-6)
    plain = client.embeddings.create(model=name, input="the ferry", encoding_format="float")
    assert np.allclose(plain.data[0].embedding, ours[0], atol=1e-6)
    raw = client.embeddings.with_raw_response.create(model=name, input="the ferry", encoding_format="base64")
    packed = base64.b64decode(raw.http_response.json()["data"][0]["embedding"])
    assert np.allclose(np.frombuffer(packed, "<f4"), ours[0], atol=1e-6)
    for more in ({"model": "text-embedding-3-small"}, {"dimensions": 8}, {"input": []}, {"input": [1, 2]}):
        with pytest.raises(openai.APIStatusError):
            client.embeddings.create(**{"model": name, "input": "x"} | more)


def test_rerank(address, token_of, workspace):
    texts = ["Bread is baked at night.", SENTENCE]
    body = {"model": "default", "query": QUESTION, "documents": texts, "top_n": 1, "return_documents": True}
    headers = {"authorization": f"Bearer {token_of('read')}"}
    done = httpx.post(f"{address}/rerank", json=body, headers=headers)
    [best] = done.json()["results"]
    assert best["document"]["text"] == texts[best["index"]] and isinstance(best["relevance_score"], float)
    both = httpx.post(f"{address}/rerank", json=body | {"top_n": None}, headers=headers).json()["results"]
    assert sorted(one["index"] for one in both) == [0, 1] and both[0]["relevance_score"] >= both[1]["relevance_score"]
    refused = httpx.post(f"{address}/rerank", json=body | {"model": "cohere-4"}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["param"]) == (404, "model")


def test_each_text_that_is_embedded_or_ranked_counts_as_a_search(address, token_of, workspace):
    texts, name = [f"ferry {number}" for number in range(600)], workspace.embedder.card.name
    headers = {"authorization": f"Bearer {token_of('read')}"}
    workspace.uses.flush()
    before = per_day(workspace.journal, 1)["searches"].sum()
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        assert client.post("/embeddings", json={"model": name, "input": texts}).status_code == 200
        assert client.post("/rerank", json={"query": QUESTION, "documents": texts[:400]}).status_code == 200
        for path, body in (
            ("/embeddings", {"model": name, "input": "x"}),
            ("/rerank", {"query": "x", "documents": ["y"]}),
        ):
            refused = client.post(path, json=body)
            assert (refused.status_code, refused.json()["error"]["type"]) == (429, "rate_limit_error")
    workspace.uses.flush()
    assert per_day(workspace.journal, 1)["searches"].sum() == before + 1000


# --- another program ---------------------------------------------------------------------------------------


def test_the_program_llm_asks_the_workspace(address, token_of, tmp_path):
    pytest.importorskip("llm")
    (tmp_path / "keys.json").write_text(json.dumps({"rag": token_of("read", "ask")}))
    (tmp_path / "extra-openai-models.yaml").write_text(
        f"- model_id: rag\n  model_name: rag/all\n  api_base: {address}\n  api_key_name: rag\n"
    )

    def said(*arguments):
        variables = os.environ | {"LLM_USER_PATH": str(tmp_path), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "llm", *arguments]
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    streamed = said("-m", "rag", "-s", "Answer shortly.", QUESTION)
    assert streamed.startswith(f"> {SENTENCE} [1]") and "Sources:\n[1] Of notes" in streamed
    assert said("-m", "rag", "--no-stream", "-c", "And the warden?")  # the chat goes on
