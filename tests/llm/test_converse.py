"""Conversations with tools, as the agentic search holds them."""

import pytest

from rag_platform.config.settings import GeneratorSettings
from rag_platform.core.errors import ContextOverflow, ToolsRefused
from rag_platform.core.generation import Reasoning, Retracted, Usage
from rag_platform.llm import OpenAICompatible
from rag_platform.llm.stream_parsing import parse_arguments
from tests.chat_server import END, ROLE, USAGE, chunk, refusal, too_long, tool_call

TOOL = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
ASKED = [{"role": "user", "content": "Which ferry is red?"}]


def talk(server, tools=(TOOL,), **settings):
    said = []
    client = OpenAICompatible(GeneratorSettings(base_url=server.address, **settings), pause=0.01)
    stream = client.converse(ASKED, tools)
    while True:
        try:
            said.append(next(stream))
        except StopIteration as end:
            return [piece for piece in said if piece != Reasoning("")], end.value


def test_calls_come_in_pieces_by_index(server):
    server.script = [
        [
            ROLE,
            chunk(reasoning="two searches"),
            tool_call(0, "", "search", "call-a"),
            tool_call(0, '{"query": "red'),
            tool_call(1, '{"query": "x"}', "search", "call-b"),
            tool_call(0, ' ferry"}'),
            chunk(finish="tool_calls"),
            USAGE,
            "[DONE]",
        ]
    ]
    said, reply = talk(server)
    assert said == [Reasoning("two searches")] and reply.text == "" and reply.reasoning == "two searches"
    first, second = reply.tool_calls
    assert (first.id, first.name, first.arguments) == ("call-a", "search", {"query": "red ferry"})
    assert (second.id, second.arguments, reply.finish) == ("call-b", {"query": "x"}, "tool_calls")
    assert reply.usage == Usage(7, 5) and reply.warnings == ()
    request = server.requests[0]
    assert request["tools"] == [TOOL] and request["tool_choice"] == "auto" and request["messages"] == ASKED
    assert first.message["function"] == {"name": "search", "arguments": '{"query": "red ferry"}'}


def test_servers_that_leave_out_indexes_and_ids_are_understood(server):
    one = chunk(tool_calls=[{"id": "a", "function": {"name": "search", "arguments": {"query": "x"}}}])
    two = chunk(tool_calls=[{"id": "b", "function": {"name": "search", "arguments": '{"query": '}}])
    rest = chunk(tool_calls=[{"function": {"arguments": '"y"}'}}])
    nameless = chunk(tool_calls=[{"index": 7, "function": {"arguments": "{}"}}], finish="tool_calls")
    server.script = [[one, two, rest, nameless, "[DONE]"]]
    _, reply = talk(server)
    assert [(call.id, call.arguments) for call in reply.tool_calls] == [("a", {"query": "x"}), ("b", {"query": "y"})]
    server.script = [[chunk(tool_calls=[{"index": 0, "function": {"name": "search"}}]), *END]]
    _, reply = talk(server)
    assert [(call.id, call.arguments) for call in reply.tool_calls] == [("call_0", {})]


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("", {}),
        ('{"query": "x"}', {"query": "x"}),
        ('```json\n{"query": "x"}\n```', {"query": "x"}),
        ('"{\\"query\\": \\"x\\"}"', {"query": "x"}),
        ('{"query": "x"}{"query": "y"}', {"query": "x"}),
        ('{"query": "x', None),
        ("[1]", None),
        ("[" * 100_000, None),
        ("search for x", None),
    ],
)
def test_arguments_that_are_not_quite_json(raw, read):
    assert parse_arguments(raw) == read


def test_text_thought_and_calls_together(server):
    server.script = [[ROLE, chunk("hm</think>I "), chunk("look."), tool_call(0, "{", "search", "a"), *END]]
    said, reply = talk(server)
    assert said == ["hm", Retracted(), "I ", "look."] and (reply.text, reply.reasoning) == ("I look.", "hm")
    assert reply.tool_calls[0].arguments is None and reply.tool_calls[0].raw == "{"


def test_a_server_without_tools_says_so(server):
    told = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
    server.script = [refusal(400, told)]
    with pytest.raises(ToolsRefused, match="enable-auto-tool-choice"):
        talk(server)
    assert len(server.requests) == 1


def test_a_conversation_that_is_too_long_says_so(server):
    server.script = [too_long(2048)]
    with pytest.raises(ContextOverflow, match="2048"):
        talk(server)


@pytest.mark.parametrize("odd", [{"choices": None}, {"choices": [{"delta": None}]}, {"choices": [{}]}, 5, [], "null"])
def test_chunks_of_another_form_are_passed_over(server, odd):
    server.script = [[ROLE, chunk("A"), odd, chunk(5), chunk("B"), *END]]
    said, reply = talk(server, ())
    assert said == ["A", "B"] and reply.text == "AB" and "tools" not in server.requests[0]
