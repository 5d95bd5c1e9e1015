"""Agents over both transports, by the client of the protocol's own SDK: what they can do, and what they cannot."""

import asyncio
import json

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from rag_platform.workspace import open_workspace

READING = {"search", "fetch", "read_document", "why", "list_collections"}
FERRY = "When does the ferry run?"


def over_http(address, token, use, **options):
    """Do something with a connected client."""

    async def connected():
        headers = {"authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http), **options) as client,
        ):
            return await use(client)

    return asyncio.run(connected())


async def every_tool(client):
    """Use everything that there is, and return what came of it."""
    tools = (await client.list_tools()).tools
    found = (await client.call_tool("search", {"query": FERRY, "limit": 3})).structured_content
    first = found["results"][0]
    steps = []

    async def report(_progress, _total, message):
        steps.append(message)

    answer = await client.call_tool("ask", {"question": FERRY}, progress_callback=report)
    cited = answer.structured_content["citations"][0]
    read = {"document": cited["id"], "start": cited["span"][0], "end": cited["span"][1]}
    return {
        "tools": tools,
        "found": found,
        "fetched": (await client.call_tool("fetch", {"id": first["id"]})),
        "answer": answer,
        "steps": steps,
        "cited": (await client.call_tool("read_document", read)).structured_content,
        "why": (await client.call_tool("why", {"question": FERRY, "document": "optics.md"})).structured_content,
        "collections": (await client.call_tool("list_collections", {})).structured_content,
        "resources": (await client.list_resources()).resources,
        "templates": (await client.list_resource_templates()).resource_templates,
        "resource": (await client.read_resource(f"rag://documents/{first['id']}")).contents[0],
        "prompts": (await client.list_prompts()).prompts,
        "prompt": (await client.get_prompt("check", {"claim": "It runs at night."})).messages[0].content.text,
        "version": client.protocol_version,
    }


def check(made, *, feedback):
    named = {tool.name: tool for tool in made["tools"]}
    assert named.keys() == READING | {"ask"} | ({"feedback"} if feedback else set())
    assert all(tool.annotations.read_only_hint == (name != "feedback") for name, tool in named.items())
    first = made["found"]["results"][0]
    assert first["title"] == "Ferry" and "six until dusk" in first["text"] and first["url"].endswith(first["id"])
    fetched = json.loads(made["fetched"].content[0].text)
    assert fetched.keys() == {"id", "title", "text", "url", "metadata"} == made["fetched"].structured_content.keys()
    assert "two crowns" in fetched["text"] and fetched["metadata"]["uri"] == "handbook/ferry.md"
    answer = made["answer"].structured_content
    assert "six until dusk" in answer["answer"] and not answer["abstained"] and answer["receipt_id"]
    assert "Sources:\n[1] Ferry (rag://documents/" in made["answer"].content[0].text
    assert made["cited"]["text"] == answer["citations"][0]["quote"] and made["cited"]["characters"] > 40
    assert any("passages found" in step for step in made["steps"])
    assert made["why"]["document"] == "handbook/optics.md"
    assert made["collections"]["collections"] == [{"id": "handbook", "title": "handbook", "documents": 2}]
    assert {one.name for one in made["resources"]} == {"handbook/ferry.md", "handbook/optics.md"}
    assert made["templates"][0].uri_template == "rag://documents/{document}"
    assert "two crowns" in made["resource"].text and made["resource"].mime_type == "text/markdown"
    assert {one.name for one in made["prompts"]} == {"answer", "summarize", "check"}
    assert made["prompt"].endswith("It runs at night.")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_uses_everything_over_http(address, tokens, mode):
    made = over_http(address, tokens["public"], every_tool, mode=mode)
    check(made, feedback=True)
    assert (made["version"] >= "2026") == (mode == "auto")


def test_an_agent_uses_everything_over_stdio(over_stdio, home):
    async def connected():
        async with over_stdio("--as", "group:board", "--collection", "handbook") as client:
            made = await every_tool(client)
            judged = {"receipt_id": made["answer"].structured_content["receipt_id"], "good": True}
            return made, (await client.call_tool("feedback", judged)).structured_content

    made, judged = asyncio.run(connected())
    check(made, feedback=True)
    workspace = open_workspace(home)
    assert judged["good"] and workspace.journal.receipt(judged["receipt_id"]).question == FERRY
    assert {event.who["interface"] for event in workspace.audit.events(limit=3)} == {"mcp"}


def test_what_only_others_may_read_is_nowhere(address, tokens):
    asked = {"question": "Who buys the ferry company?"}

    async def look(client):
        merger = await client.call_tool("search", {"query": "railway nine million"})
        told = [merger, await client.call_tool("ask", asked), await client.call_tool("list_collections", {})]
        for name, given in (
            ("fetch", {"id": "merger.md"}),
            ("fetch", {"id": "no-such.md"}),
            ("why", asked | {"document": "board/merger.md"}),
            ("why", asked | {"document": "board/no-such.md"}),
            ("search", {"query": "railway", "collection": "board"}),
            ("search", {"query": "railway", "collection": "bored"}),
        ):
            told.append(await client.call_tool(name, given))
        listed = [one.name for one in (await client.list_resources()).resources]
        with pytest.raises(MCPError) as refused:
            await client.read_resource("rag://documents/merger.md")
        return told, listed, str(refused.value)

    for reader in ("public", "limited"):
        told, listed, refused = over_http(address, tokens[reader], look)
        text = " ".join(one.model_dump_json() for one in told)
        assert "million crowns" not in text and "Merger" not in text
        assert [one.is_error for one in told[3:]] == [True, True, False, False, True, True]
        for hidden, absent in ((told[3], told[4]), (told[5], told[6]), (told[7], told[8])):
            plain = [
                one.content[0].text.replace("no-such", "merger").replace("bored", "board") for one in (hidden, absent)
            ]
            assert plain[0] == plain[1]
        assert "board/merger.md" not in listed and "known to you" in refused
    readable = over_http(address, tokens["board"], look_at_merger)
    assert "nine million" in readable


async def look_at_merger(client):
    return (await client.call_tool("fetch", {"id": "board/merger.md"})).structured_content["text"]


def test_a_token_does_what_its_scopes_say(address, tokens):
    async def tried(client):
        names = {tool.name for tool in (await client.list_tools()).tools}
        with pytest.raises(MCPError, match="there is no tool 'ask'"):
            await client.call_tool("ask", {"question": FERRY})
        return names

    assert over_http(address, tokens["searcher"], tried) == READING

    async def listed(client):
        return (await client.list_tools()).tools

    assert {tool.name for tool in over_http(address, tokens["nobody"], listed)} == READING


def test_what_is_wrong_is_told_in_words_that_a_model_can_mend(address, tokens):
    async def tried(client):
        given = (
            ("search", {}),
            ("search", {"query": "x", "limit": 500}),
            ("search", {"query": "x", "colour": "red"}),
            ("search", {"query": "x", "source": "handbok"}),
            ("feedback", {"receipt_id": "of-somebody-else", "good": False}),
        )
        return [await client.call_tool(name, arguments) for name, arguments in given]

    told = over_http(address, tokens["public"], tried)
    assert all(one.is_error for one in told)
    texts = [one.content[0].text for one in told]
    assert texts[0].startswith("query") and "a number from 1 to 50" in texts[1] and "'colour'" in texts[2]
    assert "handbook" in texts[3] and "no answer of yours" in texts[4]


def test_feedback_is_for_ones_own_answers_alone(address, tokens, home):
    async def asked(client):
        return (await client.call_tool("ask", {"question": FERRY})).structured_content["receipt_id"]

    receipt = over_http(address, tokens["board"], asked)
    judged = {"receipt_id": receipt, "good": False, "reason": "outdated", "comment": "it runs until nine now"}

    async def judge(client):
        return await client.call_tool("feedback", judged)

    assert over_http(address, tokens["public"], judge).is_error
    assert not over_http(address, tokens["board"], judge).is_error
    kept = open_workspace(home).feedback.of(receipt, "token:board")
    assert (kept.good, kept.reason) == (False, "outdated")


def test_who_is_nobody_hears_nothing(address):
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for headers in ({}, {"authorization": "Bearer rag_nonsense"}):
        refused = httpx.post(f"{address}/mcp", json=asked, headers=headers)
        assert refused.status_code == 401 and refused.headers["www-authenticate"].startswith("Bearer")
    assert httpx.get(f"{address}/mcp").status_code == 405
