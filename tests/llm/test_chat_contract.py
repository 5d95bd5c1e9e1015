"""What every server must do for us: one suite over the protocol server, and over a real vLLM engine where one runs.

`make test-vllm` starts the engine, with a tiny model of random weights: nothing here depends on what a model says.
"""

import json
import os
import time

import httpx
import pytest

from rag_platform.config.settings import GeneratorSettings, RerankerSettings
from rag_platform.core.errors import ContextOverflow, GenerationError
from rag_platform.core.generation import Outcome, Reasoning, Retracted
from rag_platform.llm import OpenAICompatible
from rag_platform.reranking.endpoint import RerankEndpoint
from tests.chat_server import END, ROLE, chunk, from_schema, obeying, refusal, serving, too_long, tool_call

VLLM, EMBED, RERANK = (os.environ.get(f"RAG_VLLM_{what}") for what in ("CHAT", "EMBED", "RERANK"))
KEY = os.environ.get("RAG_VLLM_KEY", "contract-key")
needs_vllm = pytest.mark.skipif(not VLLM, reason="make test-vllm starts the engine")
ASKED = [{"role": "user", "content": "Say something about ferries."}]
SCHEMA = {
    "type": "object",
    "properties": {"keep": {"type": "boolean"}, "kind": {"enum": ["ferry", "lock"]}},
    "required": ["keep", "kind"],
    "additionalProperties": False,
}
TOOL = {
    "type": "function",
    "function": {"name": "look_up", "description": "Looks it up.", "parameters": SCHEMA, "strict": True},
}
"""Without `strict`, vLLM lets a model write any JSON as arguments."""


def as_vllm(request):
    """Answer as vLLM answers these requests, whatever the model."""
    if request["model"] != "tiny":
        return refusal(404, f"The model `{request['model']}` does not exist.", "NotFoundError")
    if request.get("min_p", 0) > 1:
        return refusal(400, "min_p must be in [0, 1], got 7.")
    words = sum(len(message["content"].split()) for message in request["messages"])
    if words > 1000 or request["max_tokens"] > 2048:
        return too_long(2048)
    if "response_format" in request:
        return obeying(request)
    if request.get("tool_choice") == "required":
        raw = json.dumps(from_schema(request["tools"][0]["function"]["parameters"]))
        return [
            ROLE,
            tool_call(0, raw[:5], "look_up", "call-1"),
            tool_call(0, raw[5:]),
            chunk(finish="tool_calls"),
            *END,
        ]
    said = [chunk(f"word{number} ") for number in range(request["max_tokens"])]
    return [ROLE, *said[:-1], said[-1] | {"choices": [said[-1]["choices"][0] | {"finish_reason": "length"}]}, *END[1:]]


@pytest.fixture(params=["script", *(["vllm"] if VLLM else [])])
def address(request):
    if request.param == "vllm":
        yield VLLM
        return
    with serving() as running:
        running.script = [as_vllm]
        yield running.address


@pytest.fixture
def client(address):
    def make(api_key=KEY, **settings):
        settings = {"max_tokens": 16, "timeout": 120.0, "idle_timeout": 60.0} | settings
        return OpenAICompatible(GeneratorSettings(base_url=address, **settings), api_key, pause=0.01)

    return make


def finished(stream):
    pieces = []
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return [piece for piece in pieces if piece != Reasoning("")], end.value


def test_it_tells_its_model_and_context(client):
    health = client().health()
    assert health.problem is None and health.model == "tiny" and health.models == ("tiny",)
    assert health.context in (1024, 2048)


def test_it_streams_until_the_limit_and_counts(client):
    pieces, reply = finished(client().converse(ASKED))
    said = "".join("" if isinstance(piece, Retracted | Reasoning) else piece for piece in pieces)
    assert said.strip() == reply.text and reply.finish == "length" and reply.usage.prompt > 0
    assert reply.warnings == ("the answer was cut off: it reached generator.max_tokens",)


def test_it_answers_from_sources(client, hits):
    pieces, outcome = finished(client().stream("How many days of leave?", hits))
    assert pieces and isinstance(outcome, Outcome) and outcome.model == "tiny" and len(outcome.prompt_hash) == 64


def test_it_keeps_to_a_schema(client):
    made = json.loads(client(max_tokens=200).complete(ASKED, schema=SCHEMA))
    assert set(made) == {"keep", "kind"} and made["kind"] in ("ferry", "lock") and isinstance(made["keep"], bool)


def test_it_calls_a_tool(client):
    weary = {"frequency_penalty": 2.0}  # a random model would write spaces without end
    _, reply = finished(client(max_tokens=300, extra_body=weary).converse(ASKED, [TOOL], choice="required"))
    call = reply.tool_calls[0]
    assert call.name == "look_up" and call.id and set(call.arguments) == {"keep", "kind"}


def test_it_takes_fields_beside_openais(client):
    odd = {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 1}
    assert finished(client(extra_body=odd).converse(ASKED))[1].finish == "length"


def test_it_refuses_what_it_cannot_do_and_says_why(client):
    with pytest.raises(GenerationError, match=r"answered 400 .*min_p.*generator\.extra_body"):
        finished(client(extra_body={"min_p": 7}).converse(ASKED))
    with pytest.raises(GenerationError, match="has no model 'huge', it has tiny"):
        finished(client(model="huge").converse(ASKED))


def test_a_conversation_that_is_too_long_is_refused(client):
    with pytest.raises(ContextOverflow):
        finished(client().converse([{"role": "user", "content": "ferry " * 3000}]))


def test_a_prompt_that_turns_out_too_long_is_made_shorter(client, make_hit):
    hits = [make_hit(place, f"Day {place}. " + "zq" * 150 + " x" * 250) for place in range(1, 9)]
    _, outcome = finished(client(context=4000).stream("Which day?", hits))  # more than it has
    assert outcome.warnings[0].startswith("the model saw")


def test_it_stops_working_when_nobody_listens(client, address):
    stream = client(max_tokens=500).converse(ASKED)
    next(stream)
    stream.close()
    assert address != VLLM or _idle(address, within=5.0)


def _idle(address, within):
    """Tell whether the engine soon runs no request any more."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        told = httpx.get(address.removesuffix("/v1") + "/metrics").text
        running = [line for line in told.splitlines() if line.startswith("vllm:num_requests_running")]
        if running and all(float(line.split()[-1]) == 0 for line in running):
            return True
        time.sleep(0.05)
    return False


@needs_vllm
def test_a_wrong_key_is_told():
    wrong = OpenAICompatible(GeneratorSettings(base_url=VLLM), "wrong-key", pause=0.01)
    with pytest.raises(GenerationError, match=r"answered 401 .* OPENAI_API_KEY") as caught:
        wrong.complete(ASKED)
    assert "wrong-key" not in str(caught.value)


@needs_vllm
def test_embeddings():
    import openai

    with openai.OpenAI(base_url=EMBED, api_key=KEY) as server:
        made = server.embeddings.create(model="tiny", input=["a red ferry", "a lock"], encoding_format="float").data
    assert [len(one.embedding) for one in made] == [64, 64]
    assert sum(value * value for value in made[0].embedding) == pytest.approx(1.0, abs=0.01)


@needs_vllm
def test_reranking():
    endpoint = RerankEndpoint(RerankerSettings(base_url=RERANK, timeout=120.0), KEY)
    scores = endpoint.score("Which ferry is red?", ["The red ferry.", "A lock.", "Herons."], lambda _: 1.0)
    assert scores.shape == (3,) and (scores >= 0).all() and (scores <= 1).all()
