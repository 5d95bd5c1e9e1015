"""The client against a server that replays what real ones send."""

import json
import time

import pytest

from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import GenerationError
from rag_platform.core.generation import Reasoning, Retracted
from rag_platform.llm import OpenAICompatible
from tests.chat_server import END, ROLE, chunk, obeying, refusal, too_long, whole


@pytest.fixture
def client(server):
    def make(api_key=None, **settings):
        return OpenAICompatible(GeneratorSettings(base_url=server.address, **settings), api_key, pause=0.01)

    return make


def listen(client, hits, question="How many days of leave?"):
    pieces, stream = [], client.stream(question, hits)
    while True:
        try:
            pieces.append(next(stream))
        except StopIteration as end:
            return [piece for piece in pieces if piece != Reasoning("")], end.value  # an empty one is a sign of life


def test_streams_the_answer_of_the_servers_first_model(server, client, hits):
    server.script = [[chunk("", role="assistant"), chunk("25 days "), chunk("[1]."), *END]]
    pieces, outcome = listen(client("secret"), hits)
    assert pieces == ["25 days ", "[1]."]
    assert (outcome.model, outcome.reasoning, outcome.warnings) == ("tiny", "", ())
    assert len(outcome.prompt_hash) == 64
    (request,) = server.requests
    assert request["model"] == "tiny" and request["max_tokens"] == 1024 and request["temperature"] == 0.0
    assert server.keys == ["Bearer secret"]


def test_the_context_size_of_the_server_bounds_prompt_and_answer(server, client, hits):
    server.models = (200, {"object": "list", "data": [{"id": "tiny", "object": "model", "max_model_len": 1200}]})
    server.script = [[chunk("Yes."), *END]]
    long = [*hits, *hits, *hits, *hits, *hits]
    _, outcome = listen(client(), long)
    assert server.requests[0]["max_tokens"] == 600
    assert outcome.warnings[0].startswith("the model saw") and "1200 tokens" in outcome.warnings[0]


def test_reasoning_is_no_part_of_the_answer(server, client, hits):
    server.script = [
        [chunk(reasoning="I "), chunk(reasoning_content="think"), chunk("<thi"), chunk("nk>hm</think>Yes."), *END]
    ]
    pieces, outcome = listen(client(), hits)
    assert pieces == [*map(Reasoning, ("I ", "think", "hm")), "Yes."]
    assert outcome.reasoning == "I thinkhm"


def test_a_thought_without_its_opening_tag_is_retracted(server, client, hits):
    server.script = [[chunk("\nlet me see"), chunk("</think>\n\nYes."), *END]]
    pieces, outcome = listen(client(), hits)
    assert pieces == ["\nlet me see", Retracted(), "\n\nYes."] and outcome.reasoning == "let me see"


def test_a_model_that_writes_the_end_of_its_turn_is_stopped_there(server, client, hits):
    server.script = [[chunk("25 days [1]. <|im"), chunk("_end|>\n<|im_start|>user"), chunk("And?"), *END]]
    pieces, outcome = listen(client(), hits)
    assert "".join(pieces) == "25 days [1]. " and outcome.warnings == () and outcome.reply.finish == "stop"


def test_the_context_that_llama_cpp_states_bounds_the_prompt(server, client, hits):
    server.models = (200, {"object": "list", "data": [{"id": "tiny", "object": "model", "meta": {"n_ctx": 1200}}]})
    server.script = [[chunk("Yes."), *END]]
    listen(client(), hits)
    assert server.requests[0]["max_tokens"] == 600


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([chunk(reasoning="still thinking"), chunk(None, "length"), "[DONE]"], "raise generator.max_tokens"),
        ([chunk("<think>never ends"), chunk(None, "length"), "[DONE]"], "raise generator.max_tokens"),
        ([chunk(None, "stop"), "[DONE]"], "said nothing"),
        (["[DONE]"], "said nothing"),
    ],
)
def test_no_content_is_an_error_that_says_why(server, client, hits, events, expected):
    server.script = [events]
    with pytest.raises(GenerationError, match=expected):
        listen(client(), hits)


def test_an_answer_that_was_cut_off_says_so(server, client, hits):
    server.script = [[chunk("25 days and"), chunk(None, "length"), "[DONE]"]]
    pieces, outcome = listen(client(), hits)
    assert pieces == ["25 days and"] and "cut off" in outcome.warnings[0]


@pytest.mark.parametrize(
    "last",
    ["die", "[DONE]", '{"error": {"message": "out of memory", "code": 500}}', "no json at all"],
    ids=["dies", "ends without a reason", "error", "garbage"],
)
def test_a_server_that_fails_in_mid_answer_keeps_what_was_received(server, client, hits, last):
    server.script = [[chunk("25 days "), chunk("of leave [1]."), last]]
    pieces, outcome = listen(client(), hits)
    assert "".join(pieces) == "25 days of leave [1]."
    assert "only a part" in outcome.warnings[0]


@pytest.mark.parametrize("failure", [(503, {}), (429, {"error": {"message": "slow down"}}), ["die"]])
def test_failures_that_may_pass_are_tried_again_before_the_first_token(server, client, hits, failure):
    server.script = [failure, failure, [chunk("Yes."), *END]]
    pieces, _ = listen(client(), hits)
    assert pieces == ["Yes."] and len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (400, {"error": {"message": "min_p must be in [0, 1]"}}, "look at generator.model"),
        (401, {"error": "Unauthorized"}, "OPENAI_API_KEY"),
        (404, {"detail": "Not Found"}, "ends in /v1"),
    ],
)
def test_a_refusal_is_not_tried_again_and_says_what_to_do(server, client, hits, status, body, expected):
    server.script = [(status, body)]
    with pytest.raises(GenerationError, match=expected) as caught:
        listen(client(), hits)
    assert str(status) in str(caught.value) and len(server.requests) == 1


def test_a_server_that_does_not_answer_in_time_is_asked_only_once(server, client, hits):
    server.script = [["hang", *END]]
    with pytest.raises(GenerationError, match=r"within 0\.3 s"):
        listen(client(timeout=0.3), hits)
    assert len(server.requests) == 1


def test_no_server_at_all(hits):
    nobody = OpenAICompatible(GeneratorSettings(base_url="http://127.0.0.1:9/v1"), pause=0.01)
    with pytest.raises(GenerationError, match=r"cannot be reached .* generator\.base_url"):
        listen(nobody, hits)


def test_an_unknown_model_is_named_with_those_there_are(client, hits):
    with pytest.raises(GenerationError, match="no model 'huge', it has tiny"):
        listen(client(model="huge"), hits)


def test_a_server_without_a_model_list_may_still_chat(server, client, hits):
    server.models = (404, {"detail": "Not Found"})
    server.script = [[chunk("Yes."), *END]]
    assert listen(client(model="mine"), hits)[0] == ["Yes."]
    with pytest.raises(GenerationError, match="404"):
        listen(client(), hits)


def test_a_server_without_models_says_so(server, client, hits):
    server.models = (200, {"object": "list", "data": []})
    with pytest.raises(GenerationError, match="serves no model"):
        listen(client(), hits)


def test_giving_up_ends_the_servers_work(server, client, hits):
    server.script = [[ROLE, chunk("25 days"), *["hang"] * 20, *END]]
    stream = client().stream("How many days?", hits)
    assert "25 days" in stream  # on a busy machine a sign of life comes before it
    stream.close()
    assert server.hung_up.wait(30)


def test_giving_up_ends_a_request_that_nothing_was_heard_of(server, client, hits):
    server.script = [["hang"] * 20]
    stream = client().stream("How many days?", hits)
    assert next(stream) == Reasoning("")  # a sign of life, so that one may stop
    stream.close()
    assert server.hung_up.wait(30)


def test_a_server_that_falls_silent_in_mid_answer_keeps_what_was_received(server, client, hits):
    server.script = [[chunk("25 days."), "hang", *END]]
    pieces, outcome = listen(client(idle_timeout=0.3), hits)
    assert "25 days." in pieces and "only a part" in outcome.warnings[0]
    assert "sent nothing for 0.3 s; raise generator.idle_timeout" in outcome.warnings[0]


def test_a_slow_first_token_is_no_failure(server, client, hits):
    server.script = [[0.5, chunk("Yes."), *END]]
    pieces, _ = listen(client(timeout=5.0, idle_timeout=0.2), hits)
    assert "Yes." in pieces


def test_a_server_is_given_the_time_that_it_asks_for(server, client, hits):
    busy = refusal(429, "slow down")
    came = []

    def at(reply):
        return lambda _: came.append(time.monotonic()) or reply

    server.script = [at((*busy, {"Retry-After": "0.4"})), at([chunk("Yes."), *END])]
    assert "Yes." in listen(client(), hits)[0] and came[1] - came[0] >= 0.4
    server.script = [(*busy, {"Retry-After": "3600"})]
    with pytest.raises(GenerationError, match="too many requests"):
        listen(client(timeout=30.0), hits)
    assert len(server.requests) == 3


def test_a_prompt_that_is_too_long_is_made_shorter(server, client, make_hit):
    hits = [make_hit(place, f"Day {place}. " + "leave " * 250) for place in range(1, 7)]
    server.models = (404, {})
    server.script = [too_long(1500), [chunk("Yes [1]."), *END]]
    _, outcome = listen(client(model="mine", max_tokens=500), hits)
    first, second = [len(request["messages"][1]["content"]) for request in server.requests]
    assert second < first and server.requests[1]["max_tokens"] == 500
    assert outcome.warnings[0].startswith("the model saw") and "1500 tokens" in outcome.warnings[0]


def test_a_server_that_calls_every_prompt_too_long_is_not_asked_for_ever(server, client, hits):
    server.script = [refusal(400, "the request exceeds the available context size")]
    with pytest.raises(GenerationError, match=r"lower answer\.sources or generator\.max_tokens"):
        listen(client(), hits)
    assert 2 <= len(server.requests) <= 8


def test_the_servers_own_count_of_tokens_decides_how_many_sources_fit(server, client, make_hit):
    hits = [make_hit(place, "antidisestablishmentarianism " * 20) for place in range(1, 7)]  # 20 tokens here, 200 there
    server.script = [[chunk("Yes [1]."), *END]]
    _, outcome = listen(client(max_tokens=500), hits)
    assert len(server.counted) == 1 and outcome.warnings == ()
    assert server.requests[0]["messages"][1]["content"].count("</source>") == 6


def test_what_a_server_does_not_understand_is_left_out_and_remembered(server, client, hits):
    def picky(request):
        if "max_tokens" in request:
            told = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
            return refusal(400, told)
        if "temperature" in request:
            return refusal(400, "Unsupported value: 'temperature' does not support 0.0 with this model.")
        return [chunk("Yes."), *END]

    server.script = [picky]
    asked = client()
    assert listen(asked, hits)[0] == ["Yes."] and listen(asked, hits)[0] == ["Yes."]
    assert len(server.requests) == 4 and server.requests[-1]["max_completion_tokens"] == 1024


SCHEMA = {"type": "object", "properties": {"keep": {"type": "boolean"}}, "required": ["keep"]}


def test_json_of_a_schema(server, client):
    server.script = [obeying]
    assert json.loads(client().complete([{"role": "user", "content": "Keep?"}], schema=SCHEMA)) == {"keep": True}


def test_a_server_without_schemas_is_asked_in_words(server, client):
    def plain(request):
        if "response_format" in request:
            return refusal(400, "response_format is not supported")
        return whole('<think>hm</think>{"keep": false}')

    server.script = [plain]
    asked = client()
    for _ in range(2):
        assert asked.complete([{"role": "user", "content": "Keep?"}], schema=SCHEMA) == '{"keep": false}'
    assert len(server.requests) == 3 and '"keep"' in server.requests[-1]["messages"][0]["content"]


def test_a_reply_that_is_all_reasoning_says_so(server, client):
    status, body = whole(None, reasoning="hm")
    body["choices"][0]["finish_reason"] = "length"
    server.script = [(status, body)]
    with pytest.raises(GenerationError, match=r"raise generator\.max_tokens"):
        client().complete([{"role": "user", "content": "Keep?"}])


def test_json_that_was_cut_off_says_so(server, client):
    status, body = whole('{"keep"')
    body["choices"][0]["finish_reason"] = "length"
    server.script = [(status, body)]
    with pytest.raises(GenerationError, match=r"mid-JSON; raise generator\.max_tokens"):
        client().complete([{"role": "user", "content": "Keep?"}], schema=SCHEMA)
