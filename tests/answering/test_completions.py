"""The client against a server that replays what real ones send."""

import pytest

from rag_platform.answering.writing import Retracted, Thought
from rag_platform.completions import OpenAICompatible
from rag_platform.errors import GenerationError
from rag_platform.settings import GeneratorSettings
from tests.chat_server import END, chunk, serving


@pytest.fixture
def server():
    with serving() as running:
        yield running


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
            return pieces, end.value


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
    assert [piece for piece in pieces if piece != Thought("")] == [*map(Thought, ("I ", "think", "hm")), "Yes."]
    assert outcome.reasoning == "I thinkhm"


def test_a_thought_without_its_opening_tag_is_retracted(server, client, hits):
    server.script = [[chunk("\nlet me see"), chunk("</think>\n\nYes."), *END]]
    pieces, outcome = listen(client(), hits)
    assert pieces == ["\nlet me see", Retracted(), "\n\nYes."] and outcome.reasoning == "let me see"


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
